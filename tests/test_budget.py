"""Each limit of a budget: what it stops, at which call, and that what it stops keeps its evidence."""

from __future__ import annotations

import math
import time
from dataclasses import fields

import pytest

from halls import ASK, DEEP, PLAN, UNPARSEABLE, YES, acts, asker, further, ids, no, say, shown, unaided
from hopsplit.decompose import InputError
from hopsplit.fallback import Budget, ChainSettings, Message, Price, Result
from hopsplit.fallback.budget import Meter
from hopsplit.fallback.llm import estimate_tokens
from llm_server import SLOW, LlmServer

# A model that is never satisfied: its calls may take 500, 200, 200, ... tokens of reply.
FIRST_TWO, LAST_TWO = ["Turin", "Great Fair"], ["Monviso", "Orla Venn"]
NEVER = [PLAN, no(0.1), {"queries": FIRST_TWO}, no(0.3), {"queries": LAST_TWO}, no(0.5)]


def ask(server: LlmServer, used: tuple[int, int] = (100, 10), price: Price | None = None, **limits: float) -> Result:
    """Ask a model that is never satisfied and counts so many tokens a call."""
    say(server, *NEVER, used=used)
    return asker(server, budget=Budget(**limits), price=price).ask(DEEP, k=8)


def test_the_defaults_bound_the_loop(llm_server: LlmServer) -> None:
    """Two rounds and three further searches, whatever the model wants."""
    result = ask(llm_server)
    assert (result.stopped, result.usage.llm_calls) == ("budget:rounds", 6)
    assert further(result) == [*FIRST_TWO, "Monviso"]


@pytest.mark.parametrize(
    ("limits", "stopped", "calls", "searched"),
    [
        ({"rounds": 0}, "rounds", 2, []),
        ({"rounds": 1}, "rounds", 4, FIRST_TWO),
        ({"rounds": 3}, "hops", 6, [*FIRST_TWO, "Monviso"]),
        ({"hops": 0}, "hops", 2, []),
        ({"hops": 1}, "hops", 4, ["Turin"]),
        ({"hops": 2}, "hops", 4, FIRST_TWO),
        ({"hops": 4}, "rounds", 6, [*FIRST_TWO, *LAST_TWO]),
        ({"llm_calls": 0}, "llm_calls", 0, []),
        ({"llm_calls": 1}, "llm_calls", 1, []),
        ({"llm_calls": 2}, "llm_calls", 2, []),
        ({"llm_calls": 3}, "llm_calls", 3, FIRST_TWO),
        ({"llm_calls": 5}, "llm_calls", 5, [*FIRST_TWO, "Monviso"]),
        ({"seconds": 0}, "seconds", 0, []),
    ],
)
def test_limits_of_the_loop(
    llm_server: LlmServer, limits: dict[str, float], stopped: str, calls: int, searched: list[str]
) -> None:
    """The work ends at the limit; the searches that were asked for are made, and none beyond."""
    result = ask(llm_server, **limits)
    assert (result.stopped, result.usage.llm_calls, further(result)) == (f"budget:{stopped}", calls, searched)
    assert len(llm_server.asked) == calls
    assert ("turin" in ids(result)) == bool(searched)
    assert len(result.evidence) == 8


@pytest.mark.parametrize(
    ("limit", "calls"),
    [
        (499, 0),  # the plan may take 500
        (500, 2),  # 300 + 200; then 600 + 200
        (799, 2),
        (800, 3),  # 600 + 200
        (1099, 3),
        (1100, 4),
    ],
)
def test_limits_of_what_is_said(llm_server: LlmServer, limit: int, calls: int) -> None:
    """Each call is compared before it is made with the most that it may say; here each says 300 tokens."""
    result = ask(llm_server, (100, 300), completion_tokens=limit)
    assert (result.stopped, result.usage.completion_tokens) == ("budget:completion_tokens", 300 * calls)
    assert len(llm_server.asked) == calls
    llm_server.queue.clear()
    # The same in money: a US dollar for a million tokens of reply.
    result = ask(llm_server, (100, 300), Price(completion=1.0), cost_usd=limit / 1e6)
    assert (result.stopped, result.usage.llm_calls) == ("budget:cost_usd", calls)
    assert result.usage.cost_usd == pytest.approx(300e-6 * calls)


@pytest.mark.parametrize(("limit", "calls"), [(0, 0), (9_000, 2), (11_000, 3)])
def test_limits_of_what_is_sent(llm_server: LlmServer, limit: int, calls: int) -> None:
    """Of calls that count 5,000 tokens, though less is expected of each, one passes the limit and no more."""
    result = ask(llm_server, (5_000, 10), prompt_tokens=limit)
    assert (result.stopped, result.usage.prompt_tokens) == ("budget:prompt_tokens", 5_000 * calls)
    llm_server.queue.clear()
    result = ask(llm_server, (5_000, 10), Price(prompt=2.0), cost_usd=limit * 2 / 1e6)
    assert (result.stopped, result.usage.llm_calls) == ("budget:cost_usd", calls)


def test_the_estimate_of_what_is_sent(llm_server: LlmServer) -> None:
    """The third call is made where its estimate fits to the token, and not with one less."""
    ask(llm_server)
    third = [Message(said["role"], said["content"]) for said in llm_server.asked[2]["messages"]]
    fits = 2 * 100 + estimate_tokens(third)
    llm_server.queue.clear()
    assert ask(llm_server, prompt_tokens=fits).usage.llm_calls >= 3
    llm_server.queue.clear()
    assert ask(llm_server, prompt_tokens=fits - 1).usage.llm_calls == 2


def test_without_a_price_nothing_is_spent(llm_server: LlmServer) -> None:
    """A limit of no money is none where nobody knows the price."""
    result = ask(llm_server, cost_usd=0)
    assert (result.stopped, result.usage.cost_usd) == ("budget:rounds", 0.0)


def test_the_price_of_a_question(llm_server: LlmServer) -> None:
    """Four calls of 100 tokens at one dollar a million and 10 at twenty: 4 x (100 + 200) millionths."""
    say(llm_server, PLAN, no(0.3), ASK, YES)
    result = asker(llm_server, price=Price(1.0, 20.0)).ask(DEEP)
    assert result.usage.cost_usd == pytest.approx(0.0012)


def test_the_time_limit_reaches_into_a_call(llm_server: LlmServer) -> None:
    """A reply that takes too long is not waited for, and counts as estimated; what was found before comes back."""
    before = unaided().ask(DEEP)
    say(llm_server, PLAN, delay=SLOW)
    begun = time.monotonic()
    result = asker(llm_server, budget=Budget(seconds=1)).ask(DEEP)
    assert time.monotonic() - begun < SLOW
    assert (result.stopped, result.usage.llm_calls, result.evidence) == ("budget:seconds", 1, before.evidence)
    assert 1 <= result.usage.seconds < SLOW
    sent = [Message(said["role"], said["content"]) for said in llm_server.asked[0]["messages"]]
    assert (result.usage.prompt_tokens, result.usage.completion_tokens) == (estimate_tokens(sent), 500)
    assert (result.trace[-1].action, result.trace[-1].outcome) == ("failed", "budget:seconds")


def test_the_passages_of_a_prompt_are_bounded(llm_server: LlmServer) -> None:
    """Those that do not fit are left out, from the last, in each prompt that has passages; the result has all."""
    say(llm_server, PLAN, no(0.3), {"queries": [DEEP]}, {"answer": "", "passages": [], "contradictions": ""})
    # A token for three bytes and eight for the line: that of the first passage has 107 bytes, that of the second 80.
    budget = Budget(judge_tokens=107 // 3 + 8 + 80 // 3 + 8 - 1)
    result = asker(llm_server, budget=budget, chain=ChainSettings(answer=True)).ask(DEEP, k=6)
    assert (acts(result), len(result.evidence)) == (["plan", "judge", "ask", "answer"], 6)
    assert [shown(asked) for asked in llm_server.asked[1:]] == 3 * [["Glass Hall"]]


def test_an_answer_is_within_the_budget(llm_server: LlmServer) -> None:
    """Where the last call is spent there is none, and the result says so."""
    say(llm_server, PLAN, YES)
    result = asker(llm_server, budget=Budget(llm_calls=2), chain=ChainSettings(answer=True)).ask(DEEP)
    assert (result.stopped, result.answer, acts(result)) == ("budget:llm_calls", None, ["plan", "judge"])


def test_tries_are_within_the_budget(llm_server: LlmServer) -> None:
    """A reply that cannot be read costs a call, and so does the one that is asked for instead."""
    say(llm_server, "?", "?", YES)
    result = asker(llm_server, budget=Budget(llm_calls=1)).ask(UNPARSEABLE)
    assert (result.stopped, result.usage.llm_calls, acts(result)) == ("budget:llm_calls", 1, ["retry"])


def test_limits_that_are_none() -> None:
    """Each of them is refused by its name."""
    for name in [each.name for each in fields(Budget)]:
        for value in (-1, math.nan):
            with pytest.raises(InputError, match=rf"^budget\.{name} is {value}; give 0 or more$"):
                Budget(**{name: value})
    for name in ("rounds", "hops"):
        for value in (1.5, math.inf):
            with pytest.raises(InputError, match=rf"^budget\.{name} is {value}; give a whole number$"):
                Budget(**{name: value})
    assert Meter(Budget(llm_calls=math.inf, seconds=math.inf, cost_usd=math.inf)).limit(1, 1) == ""


@pytest.mark.parametrize("prices", [(-1.0, 0.0), (0.0, math.nan), (math.inf, 0.0)])
def test_prices_that_are_none(prices: tuple[float, float]) -> None:
    """The budget could not be kept with them."""
    with pytest.raises(InputError, match=r"is none; give US dollars a million tokens in and out, such as 0\.15,0\.60"):
        Price(*prices)


def test_the_meter_adds_up() -> None:
    """Calls, tokens and cents: 30 in at 2 dollars and 7 out at 10, a million, are 130 millionths."""
    meter = Meter(Budget(cost_usd=1), Price(2.0, 10.0))
    for prompt_tokens, completion_tokens in ((10, 3), (20, 4)):
        meter.called()
        meter.add(prompt_tokens, completion_tokens)
    usage = meter.usage(3)
    assert (usage.searches, usage.llm_calls, usage.prompt_tokens, usage.completion_tokens) == (3, 2, 30, 7)
    assert usage.cost_usd == pytest.approx(130e-6)
    assert meter.limit(0, 0) == ""
    assert meter.limit(19_970, 3_993) == ""
    assert (meter.limit(19_971, 0), meter.limit(0, 3_994)) == ("prompt_tokens", "completion_tokens")
