"""Chain of query against a real index and a real server."""

from __future__ import annotations

import time

import pytest

from hopsplit.fallback.budget import Budget, Meter
from hopsplit.fallback.chain import Chain, merge
from hopsplit.fallback.openai_client import OpenAIClient
from hopsplit.retrieval import Evidence, Index, Passage
from llm_server import SLOW, LlmServer

QUESTION = "Where was the architect of the Glass Hall born?"
INDEX = Index.build(
    [
        Passage("a", "Glass Hall", "The Glass Hall is a market hall. Its architect was Ugo Marl."),
        Passage("b", "Ugo Marl", "Ugo Marl came from Turin, where he went to school."),
        Passage("c", "Turin", "Turin lies on the river Po."),
        Passage("d", "Stone Hall", "The Stone Hall was never finished."),
        Passage("e", "Market", "A market hall of glass and iron."),
    ]
)
NO = "not_sufficient.txt"


def start(k: int = 3) -> tuple[Evidence, ...]:
    """Return what plain search gives."""
    return tuple(Evidence(INDEX.passage(hit.id), hit.score, 0, "") for hit in INDEX.search(QUESTION, k))


def run(server: LlmServer, budget: Budget | None = None, *, k: int = 3, price: float = 0.0) -> Chain:
    """Run the loop over the question."""
    llm = OpenAIClient("m", base_url=server.url, attempts=2, usd_per_million=(price, price))
    chain = Chain(QUESTION, start(k), INDEX, llm, Meter(budget or Budget()), k)
    chain.run()
    return chain


def ids(chain: Chain) -> list[str]:
    """Return the passage ids of the evidence."""
    return [item.passage.id for item in chain.evidence]


def test_enough_at_once(llm_server: LlmServer) -> None:
    """A satisfied model costs one call and changes nothing."""
    llm_server.will_say("sufficient.txt")
    chain = run(llm_server)
    assert (chain.answer, chain.stopped) == ("Turin", "")
    assert chain.evidence == start()
    assert len(llm_server.asked) == 1
    assert llm_server.asked[0]["temperature"] == 0.1


def test_a_second_search_finds_the_missing_passage(llm_server: LlmServer) -> None:
    """Judge, ask, two searches, judge: the birthplace's passage joins the evidence."""
    assert "b" not in [item.passage.id for item in start()]
    llm_server.will_say(NO, "queries.txt", "sufficient.txt")
    chain = run(llm_server)
    assert "b" in ids(chain)
    assert (chain.answer, chain.stopped) == ("Turin", "")
    assert [asked["temperature"] for asked in llm_server.asked] == [0.1, 0.3, 0.1]
    assert [step.action for step in chain.steps] == ["judge", "ask", "search", "search", "judge"]
    usage = chain.meter.usage()
    assert (usage.searches, usage.llm_calls, usage.prompt_tokens, usage.completion_tokens) == (2, 3, 300, 30)


@pytest.mark.parametrize("name", ["fenced.txt", "prose.txt"])
def test_wrapped_replies_are_read(llm_server: LlmServer, name: str) -> None:
    """Fences and prose need no second call."""
    llm_server.will_say(name)
    assert run(llm_server).answer == "Turin"
    assert len(llm_server.asked) == 1


@pytest.mark.parametrize(
    "name", ["truncated.txt", "code.txt", "empty.txt", "wrong_types.txt", "array.txt", "nested.txt"]
)
def test_an_unusable_reply_is_asked_for_once_more(llm_server: LlmServer, name: str) -> None:
    """A better second reply is taken; a second bad one ends the loop with what there is."""
    llm_server.will_say(name, "sufficient.txt")
    assert run(llm_server).answer == "Turin"
    llm_server.will_say(name, name)
    chain = run(llm_server)
    assert chain.stopped == "language model: no usable reply"
    assert chain.evidence == start()
    assert len(llm_server.asked) == 4


def test_a_failing_server_ends_the_loop(llm_server: LlmServer) -> None:
    """The best so far comes back, and the trouble is named."""
    llm_server.will_fail(401)
    chain = run(llm_server)
    assert chain.stopped.startswith("language model: ")
    assert chain.evidence == start()
    assert chain.meter.usage().llm_calls == 1


@pytest.mark.parametrize(
    ("budget", "price", "stopped"),
    [
        (Budget(rounds=1), 0.0, "rounds"),
        (Budget(hops=1), 0.0, "hops"),
        (Budget(llm_calls=2), 0.0, "llm_calls"),
        (Budget(tokens=900), 0.0, "tokens"),
        (Budget(cost_usd=0.0001), 1.0, "cost_usd"),
        (Budget(rounds=0), 0.0, "rounds"),
        (Budget(llm_calls=0), 0.0, "llm_calls"),
        (Budget(seconds=0), 0.0, "seconds"),
    ],
)
def test_every_limit_holds(llm_server: LlmServer, budget: Budget, price: float, stopped: str) -> None:
    """A model that is never satisfied is left at the limit, with no fewer passages than plain search."""
    llm_server.will_say(NO, "queries.txt", NO, "three_queries.txt", NO)
    chain = run(llm_server, budget, price=price)
    usage = chain.meter.usage()
    assert chain.stopped == stopped
    assert len(chain.evidence) >= len(start())
    assert usage.llm_calls <= budget.llm_calls
    assert usage.searches <= budget.hops


def test_the_defaults_bound_the_loop(llm_server: LlmServer) -> None:
    """Two rounds and three follow-up searches, whatever the model wants."""
    llm_server.will_say(NO, "queries.txt", NO, "three_queries.txt", NO, NO, NO)
    chain = run(llm_server)
    assert chain.stopped == "rounds"
    assert (chain.meter.searches, len(llm_server.asked)) == (3, 5)


def test_a_query_that_was_searched_already_ends_the_loop(llm_server: LlmServer) -> None:
    """The question itself in capitals is no new query."""
    llm_server.will_say(NO, "same_query.txt")
    chain = run(llm_server)
    assert chain.stopped == "no new query"
    assert chain.evidence == start()


def test_the_time_limit_reaches_into_a_call(llm_server: LlmServer) -> None:
    """A reply that takes too long is not waited for."""
    llm_server.will_say("sufficient.txt", delay=SLOW)
    begun = time.monotonic()
    chain = run(llm_server, Budget(seconds=0.3))
    assert chain.stopped.startswith("language model: ")
    assert time.monotonic() - begun < SLOW


def test_merging() -> None:
    """Agreement first; the sums 1/61 + 1/62 > 1/61 > 1/62 are worked out by hand; ties by id."""

    def ranking(*names: str) -> list[Evidence]:
        return [Evidence(INDEX.passage(name), 1.0, 0, "") for name in names]

    merged = merge([ranking("c", "a"), ranking("b", "c"), ranking("a")], 10)
    assert [item.passage.id for item in merged] == ["a", "c", "b"]
    assert merged[0].score == pytest.approx(1 / 61 + 1 / 62)
    assert merged[0].score > merged[1].score > merged[2].score
    assert len(merge([ranking("c", "a"), ranking("b")], 2)) == 2
