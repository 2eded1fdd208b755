"""A question's whole way, over the demo collection."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hopsplit.corpora import demo
from hopsplit.decompose import InputError, Plan
from hopsplit.fallback import Asker, OpenAIClient, Result, ask
from hopsplit.fallback.asker import titles
from hopsplit.retrieval import Index, Passage, read_corpus
from llm_server import LlmServer

SEED = "Where was the father of the founder of Versus born?"
QUESTIONS = [json.loads(line)["text"] for line in (demo() / "queries.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def index() -> Index:
    """Return the index of the demo collection."""
    return Index.build(read_corpus([demo()]))


@pytest.fixture(scope="module")
def asker(index: Index) -> Asker:
    """Return an asker without a language model."""
    return Asker(index)


def timeless(result: Result) -> Result:
    """Return a result without its time."""
    return replace(result, usage=replace(result.usage, seconds=0.0))


def test_the_seed_question(asker: Asker) -> None:
    """Plan, route, bridge, and the passages of both hops at the top."""
    result = asker.ask(SEED, k=5)
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


def test_a_single_question(asker: Asker) -> None:
    """One search, and no bridge."""
    result = asker.ask("Who wrote Frankenstein?", k=4)
    assert (result.plan.kind, result.route) == ("single", "hybrid")
    assert result.evidence[0].passage.title == "Frankenstein"
    assert [step.action for step in result.trace] == ["search"]
    assert result.usage.searches == 1


def test_a_kinship_of_two_steps(asker: Asker) -> None:
    """A paternal grandfather is looked up in two steps, and the route says so."""
    result = asker.ask("Who is the paternal grandfather of Sofia Coppola?", k=4)
    assert (result.plan.kind, result.route) == ("single", "executor")
    assert "two look-ups" in result.reason


@pytest.mark.parametrize("k", [1, 5, 20])
def test_never_fewer_passages_than_plain_search(asker: Asker, index: Index, k: int) -> None:
    """For every question of the demo collection, with strictly decreasing scores and no passage twice."""
    for result in asker.pipe(QUESTIONS, k=k):
        assert len(result.evidence) >= len(index.search(result.question, k))
        assert len(result.evidence) <= k
        scores = [item.score for item in result.evidence]
        assert scores == sorted(set(scores), reverse=True)
        assert len({item.passage.id for item in result.evidence}) == len(result.evidence)


def test_one_by_one_and_together(asker: Asker) -> None:
    """`pipe` gives what `ask` gives, in order; a second asking changes nothing."""
    together = [timeless(result) for result in asker.pipe(QUESTIONS[:12], k=5)]
    assert together == [timeless(asker.ask(question, k=5)) for question in QUESTIONS[:12]]


def test_more_passages_than_there_are() -> None:
    """A `k` beyond the collection is clamped; a collection of one passage works; so do missing titles."""
    small = Index.build([Passage("a", "", "Ada wrote the first program."), Passage("b", "Ada", "Ada was born.")])
    assert titles(small) == ["Ada"]
    assert len(ask("When was the author of the first program born?", small, k=50).evidence) == 2


@pytest.mark.parametrize(("question", "k"), [("", 5), ("   ", 5), ("a\ud800b", 5), (SEED, 0), (SEED, -3)])
def test_bad_input(asker: Asker, question: str, k: int) -> None:
    """One InputError."""
    with pytest.raises(InputError):
        asker.ask(question, k=k)


class Unparseable:
    """A decomposer that knows nothing, to send any question down the last routes."""

    def decompose(self, question: str) -> Plan:
        """Abstain."""
        return Plan(question, "unparseable", (), "for the test")


def test_an_unparseable_question_without_a_model(index: Index) -> None:
    """One search, and the reason says what was missing."""
    result = Asker(index, decomposer=Unparseable()).ask("Versus founder father", k=3)  # type: ignore[arg-type]
    assert result.route == "hybrid"
    assert "no language model configured" in result.reason
    assert [item.hop for item in result.evidence] == [0, 0, 0]


def test_an_unparseable_question_with_a_model(index: Index, llm_server: LlmServer) -> None:
    """Its first evidence is plain search; the model judges and asks on."""
    llm_server.will_say("not_sufficient.txt", "queries.txt", "sufficient.txt")
    llm = OpenAIClient("m", base_url=llm_server.url)
    result = Asker(index, llm=llm, decomposer=Unparseable()).ask("Versus founder", k=3)  # type: ignore[arg-type]
    assert (result.route, result.answer, result.stopped) == ("chain", "Turin", "")
    assert [step.action for step in result.trace] == ["search", "judge", "ask", "search", "search", "judge"]
    assert (result.usage.searches, result.usage.llm_calls) == (3, 3)
    assert len(result.evidence) == 3


def test_a_model_that_is_not_needed_is_not_asked(index: Index, llm_server: LlmServer) -> None:
    """What the rules can do costs no call."""
    result = Asker(index, llm=OpenAIClient("m", base_url=llm_server.url)).ask(SEED)
    assert result.route == "executor"
    assert llm_server.asked == []
    assert result.usage.llm_calls == 0


def test_any_retriever_will_do(index: Index) -> None:
    """An engine that has nothing but the three methods, not even titles, is asked like an index."""
    engine = index.engine("bm25")
    assert not hasattr(engine, "passages")
    assert titles(engine) == []
    result = Asker(engine).ask("Who wrote Frankenstein?", k=3)
    assert result.evidence[0].passage.title == "Frankenstein"
