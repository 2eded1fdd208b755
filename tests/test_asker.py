"""A question's whole way: over the demo collection without a model, over the halls with one."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from halls import (
    ASK,
    BRIDGE,
    DEEP,
    PLAN,
    UNPARSEABLE,
    YES,
    acts,
    asker,
    ids,
    no,
    say,
    shown,
    timeless,
    unaided,
)
from hopsplit.corpora import demo
from hopsplit.decompose import InputError
from hopsplit.fallback import Answer, Asker, Budget, ChainSettings, Result, RouterSettings, ask
from hopsplit.fallback.asker import titles
from hopsplit.retrieval import Index, Passage, read_corpus
from llm_server import SLOW, LlmServer

SEED = "Where was the father of the founder of Versus born?"
QUESTIONS = [json.loads(line)["text"] for line in (demo() / "queries.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def demonstration() -> Index:
    """Return the index of the demo collection."""
    return Index.build(read_corpus([demo()]))


@pytest.fixture(scope="module")
def encyclopedia(demonstration: Index) -> Asker:
    """Return an asker over the demo collection without a language model."""
    return Asker(demonstration)


def test_the_seed_question(encyclopedia: Asker) -> None:
    """Plan, route, bridge, and the passages of both hops at the top."""
    result = encyclopedia.ask(SEED, k=5)
    assert [hop.text for hop in result.plan.hops] == [
        "Who is the founder of Versus?",
        "Where was the father of #1 born?",
    ]
    assert (result.route, result.stopped, result.answer) == ("executor", "", None)
    assert [item.passage.title for item in result.evidence[:2]] == [
        "Versus (fashion label)",
        "Gianni Versace",
    ]
    bridges = [step for step in result.trace if step.action == "bridge"]
    assert bridges[0].text == "#1"
    assert bridges[0].outcome.startswith("Gianni Versace")
    assert result.usage.searches == len([step for step in result.trace if step.action == "search"])


def test_a_single_question(encyclopedia: Asker) -> None:
    """One search, and no bridge."""
    result = encyclopedia.ask("Who wrote Frankenstein?", k=4)
    assert (result.plan.kind, result.route) == ("single", "hybrid")
    assert result.evidence[0].passage.title == "Frankenstein"
    assert [step.action for step in result.trace] == ["search"]
    assert result.usage.searches == 1


def test_a_kinship_of_two_steps(encyclopedia: Asker) -> None:
    """A paternal grandfather is looked up in two steps, and the route says so."""
    result = encyclopedia.ask("Who is the paternal grandfather of Sofia Coppola?", k=4)
    assert (result.plan.kind, result.route) == ("single", "executor")
    assert "two look-ups" in result.reason


@pytest.mark.parametrize("k", [1, 5, 20])
def test_never_fewer_passages_than_plain_search(encyclopedia: Asker, demonstration: Index, k: int) -> None:
    """For every question of the demo collection, with strictly decreasing scores and no passage twice."""
    for result in encyclopedia.pipe(QUESTIONS, k=k):
        assert len(result.evidence) >= len(demonstration.search(result.question, k))
        assert len(result.evidence) <= k
        scores = [item.score for item in result.evidence]
        assert scores == sorted(set(scores), reverse=True)
        assert len({item.passage.id for item in result.evidence}) == len(result.evidence)


def test_one_by_one_and_together(encyclopedia: Asker) -> None:
    """`pipe` gives what `ask` gives, in order; a second asking changes nothing."""
    together = timeless(list(encyclopedia.pipe(QUESTIONS[:12], k=5)))
    assert together == timeless([encyclopedia.ask(question, k=5) for question in QUESTIONS[:12]])


def test_more_passages_than_there_are() -> None:
    """A `k` beyond the collection is clamped; a collection of one passage works; so do missing titles."""
    small = Index.build([Passage("a", "", "Ada wrote the first program."), Passage("b", "Ada", "Ada was born.")])
    assert titles(small) == ["Ada"]
    assert len(ask("When was the author of the first program born?", small, k=50).evidence) == 2


@pytest.mark.parametrize(("question", "k"), [("", 5), ("   ", 5), ("a\ud800b", 5), (SEED, 0), (SEED, -3)])
def test_bad_input(encyclopedia: Asker, question: str, k: int) -> None:
    """One InputError."""
    with pytest.raises(InputError):
        encyclopedia.ask(question, k=k)


def test_an_unparseable_question_without_a_model() -> None:
    """One search, and the reason says what was missing."""
    result = unaided().ask(UNPARSEABLE, k=3)
    assert (result.route, result.usage.searches, result.usage.llm_calls) == ("hybrid", 1, 0)
    assert result.reason.startswith("unparseable: no language model configured and no plan, so one search")
    assert [item.hop for item in result.evidence] == [0, 0, 0]


@pytest.mark.parametrize("question", [BRIDGE, "Who is the architect of the Glass Hall?"])
def test_a_model_that_is_not_needed_is_not_asked(llm_server: LlmServer, question: str) -> None:
    """What the rules can do costs no call, and gives the same as without a model, for few passages too."""
    result, before = asker(llm_server).ask(question, k=3), unaided().ask(question, k=3)
    assert (result.route, result.reason, result.evidence) == (before.route, before.reason, before.evidence)
    assert (result.confidence, result.usage.searches) == (before.confidence, before.usage.searches)
    assert (llm_server.asked, result.usage.llm_calls, acts(result)) == ([], 0, [])


def test_an_unsure_search_goes_to_the_model(llm_server: LlmServer) -> None:
    """Whatever the kind of the question; where the model gives nothing the reason says both."""
    settings = RouterSettings(min_confidence=1.0)
    before = unaided().ask(BRIDGE)
    say(llm_server, {"questions": [hop.text for hop in before.plan.hops]}, YES)
    result = asker(llm_server, router=settings).ask(BRIDGE)
    assert (result.route, result.usage.llm_calls) == ("chain", 2)
    assert result.reason == "bridge: the search is unsure (0.84, below 1), so the language model asks on"
    llm_server.will_fail(401)
    result = asker(llm_server, router=settings).ask(BRIDGE)
    assert (result.route, result.evidence) == ("executor", before.evidence)
    assert result.reason == "bridge: the plan has 2 hops to search; the language model gave nothing"


ANSWERING = ChainSettings(answer=True)


def test_no_answer_unless_it_is_wanted(llm_server: LlmServer) -> None:
    """By default the model is asked for plans, verdicts and queries alone."""
    say(llm_server, PLAN, YES)
    result = asker(llm_server).ask(DEEP)
    assert (result.answer, acts(result), len(llm_server.asked)) == (None, ["plan", "judge"], 2)


def test_an_answer_after_the_chain(llm_server: LlmServer) -> None:
    """It is made of the final evidence; numbers become ids, each once, and those that are none are dropped."""
    said = {"answer": " the\nPo ", "passages": [5, 1, 5, 0, -1, 6, 99], "contradictions": "[3] says it is the Tarn"}
    say(llm_server, PLAN, no(0.3), ASK, YES, said)
    result = asker(llm_server, chain=ANSWERING).ask(DEEP, k=5)
    assert ids(result) == ["hall", "tarn", "ebb", "marl", "turin"]
    assert shown(llm_server.asked[-1]) == ["Glass Hall", "Tarn", "Ebb", "Ugo Marl", "Turin"]
    assert result.answer == Answer("the Po", ("turin", "hall"), "[3] says it is the Tarn")
    step = result.trace[-1]
    assert (step.action, step.text, step.outcome) == ("answer", DEEP, "the Po")
    assert (result.stopped, result.usage.llm_calls, acts(result)[-1]) == ("", 5, "answer")


@pytest.mark.parametrize(
    ("question", "route"), [(BRIDGE, "executor"), ("Who is the architect of the Glass Hall?", "hybrid")]
)
def test_an_answer_on_any_route(llm_server: LlmServer, question: str, route: str) -> None:
    """It costs one call, and changes nothing else."""
    say(llm_server, {"answer": "Ugo Marl", "passages": [2], "contradictions": None})
    result, before = asker(llm_server, chain=ANSWERING).ask(question, k=2), unaided().ask(question, k=2)
    assert result.answer == Answer("Ugo Marl", (before.evidence[1].passage.id,), "")
    assert (result.route, result.evidence, result.stopped) == (route, before.evidence, "")
    assert (acts(result), result.usage.llm_calls) == (["answer"], 1)


@pytest.mark.parametrize(
    ("replies", "stopped", "calls"),
    [
        ([{"answer": "", "passages": [1], "contradictions": ""}], "", 1),
        ([{"answer": " \n", "passages": [], "contradictions": "they differ"}], "", 1),
        (["?", {"answer": "", "passages": [], "contradictions": ""}], "", 2),
        (["?", {"answer": "Turin"}], "llm: no usable reply to answer: passages: Field required", 2),
    ],
)
def test_no_answer(llm_server: LlmServer, replies: list[object], stopped: str, calls: int) -> None:
    """An empty one is none; one that cannot be read is none, and the result says so, with its evidence."""
    say(llm_server, *replies)
    result, before = asker(llm_server, chain=ANSWERING).ask(BRIDGE, k=5), unaided().ask(BRIDGE, k=5)
    assert (result.answer, re.sub("@[0-9a-f]{8}", "", result.stopped)) == (None, stopped)
    assert (acts(result)[-1], result.usage.llm_calls) == ("failed" if stopped else "answer", calls)
    assert (result.route, result.evidence) == ("executor", before.evidence)


def test_only_what_was_shown_is_cited(llm_server: LlmServer) -> None:
    """A passage that did not fit into the prompt is no source."""
    say(llm_server, {"answer": "Ugo Marl", "passages": [1, 2], "contradictions": ""})
    budget = Budget(judge_tokens=50)
    result = asker(llm_server, chain=ANSWERING, budget=budget).ask(BRIDGE, k=5)
    assert shown(llm_server.asked[0]) == ["Glass Hall"]
    assert result.answer == Answer("Ugo Marl", ("hall",), "")


def test_an_answer_after_a_limit_of_the_loop(llm_server: LlmServer) -> None:
    """What the rounds left open may still be answered; the result says that they ended early."""
    say(llm_server, PLAN, no(0.3), {"answer": "the Po", "passages": [], "contradictions": ""})
    result = asker(llm_server, chain=ANSWERING, budget=Budget(rounds=0)).ask(DEEP)
    assert (result.stopped, result.answer) == ("budget:rounds", Answer("the Po", (), ""))


def test_without_evidence_there_is_nothing_to_answer_from(llm_server: LlmServer) -> None:
    """The model is not asked about words that no passage has."""
    settings = RouterSettings(kinds=(), min_confidence=0.0)
    result = asker(llm_server, chain=ANSWERING, router=settings).ask("Frankenstein")
    assert (result.evidence, result.answer, llm_server.asked) == ((), None, [])


# A reply of every form at once, so that it does not matter which question gets it.
ANY = PLAN | no(0.5) | ASK | {"answer": "the Po", "passages": [1], "contradictions": ""}
MIXED = [DEEP, UNPARSEABLE, BRIDGE, "glass hall river town", "Who is the architect of the Glass Hall?"]


def test_asked_at_once_and_one_by_one(llm_server: LlmServer) -> None:
    """One asker in four threads, in an event loop and in a row gives the same."""
    one = asker(llm_server, chain=ANSWERING)
    say(llm_server, *[ANY] * 100)
    in_a_row = timeless([one.ask(question, k=5) for question in MIXED])
    assert {result.route for result in in_a_row} == {"chain", "executor", "hybrid"}
    assert [result.usage.llm_calls for result in in_a_row] == [5, 5, 1, 4, 1]
    with ThreadPoolExecutor(4) as pool:
        assert timeless(list(pool.map(lambda question: one.ask(question, k=5), MIXED * 2))) == in_a_row * 2
    assert timeless(list(one.pipe(MIXED, k=5))) == in_a_row

    async def together() -> list[Result]:
        return await asyncio.gather(*(one.aask(question, k=5) for question in MIXED))

    assert timeless(asyncio.run(together())) == in_a_row


def test_a_cancelled_task_ends_its_work(llm_server: LlmServer) -> None:
    """The event loop is free while a reply is awaited, and the thread that waits for it ends without complaint."""
    say(llm_server, PLAN, YES, delay=1.0)

    async def main() -> float:
        task = asyncio.create_task(asker(llm_server).aask(DEEP))
        while not llm_server.asked:
            await asyncio.sleep(0.01)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - begun

    assert asyncio.run(main()) < 0.9
    for thread in threading.enumerate():
        if thread.name.endswith("(run)"):
            thread.join(SLOW)
    assert len(llm_server.asked) == 1


def test_bad_input_in_an_event_loop() -> None:
    """The same InputError."""
    with pytest.raises(InputError, match="k is 0"):
        asyncio.run(unaided().aask(DEEP, k=0))


def test_any_retriever_will_do(demonstration: Index) -> None:
    """An engine that has nothing but the three methods, not even titles, is asked like an index."""
    engine = demonstration.engine("bm25")
    assert not hasattr(engine, "passages")
    assert titles(engine) == []
    result = Asker(engine).ask("Who wrote Frankenstein?", k=3)
    assert result.evidence[0].passage.title == "Frankenstein"
