"""Limits on what the fallback may spend, on by default, and the meter that holds to them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from .llm import Reply
from .types import Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may cost at most.

    rounds: times that the evidence is judged and searched further.
    hops: follow-up searches in all rounds together.
    llm_calls, tokens (prompt and completion), cost_usd (US dollars, where the client knows prices), seconds.

    Tokens are estimated before a call, so the limit holds up to that estimate; the cost is known only after a
    call, and every try of a call counts as one, so the last call may pass these two.
    """

    rounds: int = 2
    hops: int = 3
    llm_calls: int = 8
    tokens: int = 20_000
    cost_usd: float = 0.05
    seconds: float = 60.0


class Meter:
    """Adds up what one question has used."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.searches = 0
        self._calls = 0
        self._prompt = 0
        self._completion = 0
        self._cost = 0.0
        self._start = time.monotonic()

    def left(self) -> float:
        """Return the seconds that are left."""
        return self.budget.seconds - (time.monotonic() - self._start)

    def limit(self, tokens: int) -> str:
        """Return the name of the limit that forbids another call of so many tokens, empty where none does."""
        budget = self.budget
        reached = {
            "llm_calls": self._calls >= budget.llm_calls,
            "tokens": self._prompt + self._completion + tokens > budget.tokens,
            "cost_usd": self._cost >= budget.cost_usd,
            "seconds": self.left() <= 0,
        }
        return next((name for name, is_reached in reached.items() if is_reached), "")

    def failed(self, calls: int) -> None:
        """Count calls that gave no reply."""
        self._calls += calls

    def add(self, reply: Reply) -> None:
        """Count a reply, with the calls that it took."""
        self._calls += reply.calls
        self._prompt += reply.prompt_tokens
        self._completion += reply.completion_tokens
        self._cost += reply.cost_usd

    def usage(self) -> Usage:
        """Return the sums so far."""
        seconds = time.monotonic() - self._start
        return Usage(self.searches, self._calls, self._prompt, self._completion, self._cost, seconds)
