"""What every result of the loop must keep to, whichever the model."""

from __future__ import annotations

import re
from itertools import pairwise

from hopsplit.fallback import Budget, Price, Result

_LIMITS = "rounds hops llm_calls prompt_tokens completion_tokens cost_usd seconds".split()
# All ways to end; N is a number, what follows `llm:` is the trouble.
ENDS = frozenset(
    {
        *("", "nothing new", "no new query", "the confidence rises no more", "no new passage in N searches"),
        *(f"budget:{name}" for name in _LIMITS),
        *("llm: ...", "cancelled"),
    }
)
_SLACK = 5.0  # seconds that a busy machine may take to notice that the time is up


def end_of(result: Result) -> str:
    """Return why a result's work ended, without what differs from one case to the next."""
    return re.sub(r" in \d+ search(es)?", " in N searches", re.sub(r"(?s)^llm: .+", "llm: ...", result.stopped))


def check_evidence(result: Result, plain: Result, k: int) -> None:
    """Check that the model has cost no passage of `plain`, the result without it, and none of the first much rank."""
    found, before = ([item.passage.id for item in each.evidence] for each in (result, plain))
    assert found
    assert len(set(found)) == len(found) <= k
    assert all(better.score > worse.score for better, worse in pairwise(result.evidence))
    assert len(found) >= len(before)
    assert all(set(before[:n]) <= set(found[: 2 * n]) for n in range(1, k // 2 + 1))
    if result.route != "chain":
        assert result.evidence == plain.evidence
    if result.answer:
        cited = result.answer.citations
        assert result.answer.text
        assert set(cited) <= set(found)
        assert len(set(cited)) == len(cited)


def check_spent(result: Result, budget: Budget, price: Price | None = None) -> None:
    """Check that the end is a known one, that the last reply alone may pass a limit, and that the trace tells all."""
    usage, price, actions = result.usage, price or Price(), [step.action for step in result.trace]
    assert end_of(result) in ENDS
    if result.route == "chain" and not result.stopped:
        assert any(step.action == "judge" and step.outcome.startswith("sufficient") for step in result.trace)
    assert (result.judgement is None) == ("judge" not in actions)
    called = [step for step in result.trace if step.prompt]
    assert len(called) == usage.llm_calls <= budget.llm_calls
    assert usage.prompt_tokens == sum(step.prompt_tokens for step in called)
    assert usage.completion_tokens == sum(step.completion_tokens for step in called)
    assert usage.cost_usd == price.of(usage.prompt_tokens, usage.completion_tokens)
    assert usage.seconds < budget.seconds + _SLACK
    last = next((step for step in reversed(called) if step.prompt_tokens or step.completion_tokens), None)
    if last:
        before = usage.prompt_tokens - last.prompt_tokens, usage.completion_tokens - last.completion_tokens
        assert before[0] <= budget.prompt_tokens
        assert before[1] <= budget.completion_tokens
        assert price.of(*before) <= budget.cost_usd
    again = [step.prompt.partition("@")[0] for step in called if step.action == "retry"]
    assert max(again.count("decompose"), again.count("answer")) <= 1
    assert actions.count("judge") <= budget.rounds + 1
    assert actions.count("ask") <= budget.rounds
    assert actions.count("search") == usage.searches
    asked = actions.index("ask") if "ask" in actions else len(actions)
    first, further = (
        [step.text.casefold() for step in steps if step.action == "search"]
        for steps in (result.trace[:asked], result.trace[asked:])
    )
    assert len(further) <= budget.hops
    assert len(set(further) - set(first)) == len(further)  # none is asked twice
    # No lone surrogates, which cannot be written.
    "".join([result.reason, result.stopped, *(step.text + step.outcome for step in result.trace)]).encode()
