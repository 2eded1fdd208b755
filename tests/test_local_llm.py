"""A small model on this machine asks on for the deep questions of the demo collections.

It answers badly. What is tested is that the loop holds: it stops, keeps its limits, and loses nothing. The model is
not asked for the same bytes twice; what it said is, from its recorded replies.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

from hopsplit.corpora import NAMES, demo
from hopsplit.fallback import Asker, Budget, ChainSettings, Llm, OpenAIClient, Replay, Result
from hopsplit.retrieval import Index, read_corpus
from loop import check_evidence, check_spent

URL = os.environ.get("HOPSPLIT_TEST_LLM_URL", "")
pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(not URL, reason="HOPSPLIT_TEST_LLM_URL names no language model; `make test-llm` starts one"),
]
K = 10
BUDGET = Budget(seconds=600)  # of a slow machine
GOLD = [
    (name, question)
    for name in NAMES
    for question in map(json.loads, (demo(name) / "gold.jsonl").read_text("utf-8").splitlines())
    if question["kind"] == "deep"
]
QUESTIONS = {question["id"]: question["question"] for _, question in GOLD}


class Run(NamedTuple):
    """What one question came to: without the model, with it, and with its recorded replies."""

    plain: Result
    result: Result
    replayed: Result


def client(schema: str) -> OpenAIClient:
    """Return a client of the local model, which has as much time as it takes."""
    return OpenAIClient("local", base_url=URL, timeout=300, schema=schema)


@cache
def index(name: str) -> Index:
    """Return the index of a demo collection."""
    return Index.build(read_corpus([demo(name) / "corpus.jsonl"]))


def asked(name: str, question: str, llm: Llm | None) -> Result:
    """Ask one question, its answer included."""
    return Asker(index(name), llm=llm, budget=BUDGET, chain=ChainSettings(answer=True)).ask(question, k=K)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Ask all questions, and write a table of how it went."""
    made: dict[str, Run] = {}
    row = "{:8} {:9} {:>5} {:>7} {:>8}  {}\n"
    sys.stdout.write("\n" + row.format("question", "route", "calls", "tokens", "seconds", "stopped"))
    for name, question in GOLD:
        text, folder = question["question"], tmp_path_factory.mktemp("replies")
        # In the way that this server takes: a request that it refuses leaves no reply to record.
        result = asked(name, text, Replay(folder, client("json_object")))
        made[question["id"]] = Run(asked(name, text, None), result, asked(name, text, Replay(folder)))
        used = result.usage
        tokens = used.prompt_tokens + used.completion_tokens
        sys.stdout.write(
            row.format(question["id"], result.route, used.llm_calls, tokens, f"{used.seconds:.1f}", result.stopped)
        )
    return made


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_loop_holds(runs: dict[str, Run], question: str) -> None:
    """Within the default budget, for a known reason, and with no passage less than without the model."""
    plain, result, _ = runs[question]
    assert result.question == QUESTIONS[question]
    assert len(result.evidence) == K
    check_spent(result, BUDGET)
    check_evidence(result, plain, K)


@pytest.mark.parametrize("question", QUESTIONS)
def test_recorded_replies_give_the_same(runs: dict[str, Run], question: str) -> None:
    """The whole result and its trace, but for the seconds."""
    result, replayed = (
        replace(each, usage=replace(each.usage, seconds=0.0))
        for each in (runs[question].result, runs[question].replayed)
    )
    assert replayed == result


def test_its_replies_can_be_used(runs: dict[str, Run]) -> None:
    """Held to a schema even a small model splits, judges and asks for more."""
    actions = {step.action for run in runs.values() for step in run.result.trace}
    assert {"plan", "judge", "ask"} <= actions
    assert {run.result.route for run in runs.values()} == {"chain"}


def test_a_refused_schema_is_sent_in_another_way() -> None:
    """Asked in the usual way, this server answers with status 500: the next try has a reply."""
    name, question = GOLD[0]
    result = asked(name, question["question"], client("json_schema"))
    first, second = [step for step in result.trace if step.prompt][:2]
    assert (first.action, second.action) == ("failed", "plan")
    assert "from now on with max_tokens and the schema as json_object" in first.outcome
    check_spent(result, BUDGET)
