"""Limits on what the fallback may spend, on by default, and the meter that holds to them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, fields

from ..decompose.plan import InputError
from .types import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, of prompts and of completions. InputError where one is below 0 or no number."""

    prompt: float = 0.0
    completion: float = 0.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(each) and each >= 0 for each in (self.prompt, self.completion)):
            said = f"{self.prompt:g},{self.completion:g}"
            raise InputError(
                f"the price {said} is none; give US dollars a million tokens in and out, such as 0.15,0.60"
            )

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the price of so many tokens, in US dollars."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may cost at most.

    rounds: times that the evidence is searched further, after it was judged. hops: follow-up queries in all
    rounds together. llm_calls: requests sent, tries included. prompt_tokens, completion_tokens: of all calls.
    cost_usd: US dollars, where prices are known. seconds: of the whole question. judge_tokens: of the passages shown
    in one call; those that do not fit are left out, from the last.

    Each is compared before a call with an estimate of what the call will take, so that none is passed but by what
    an estimate was short in one call. InputError where a limit is below 0 or no number.
    """

    rounds: int = 2
    hops: int = 3
    llm_calls: int = 8
    prompt_tokens: int = 20_000
    completion_tokens: int = 4_000
    cost_usd: float = 0.05
    seconds: float = 60.0
    judge_tokens: int = 3_000

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not value >= 0:
                raise InputError(f"budget.{each.name} is {value}; give 0 or more")
            whole = isinstance(value, int) or (each.name == "llm_calls" and value == math.inf)
            if each.name in ("rounds", "hops", "llm_calls") and not whole:
                raise InputError(f"budget.{each.name} is {value}; give a whole number")


class Meter:
    """Adds up what one question has used."""

    def __init__(self, budget: Budget, price: Price | None = None) -> None:
        self.budget = budget
        self._price = price or Price()
        self._calls = 0
        self._prompt = 0
        self._completion = 0
        self._start = time.monotonic()

    def left(self) -> float:
        """Return the seconds that are left."""
        return self.budget.seconds - (time.monotonic() - self._start)

    def limit(self, prompt: int, completion: int) -> str:
        """Return the name of the limit that forbids a call of so many tokens, empty where none does."""
        budget, prompt, completion = self.budget, self._prompt + prompt, self._completion + completion
        reached = {
            "llm_calls": self._calls >= budget.llm_calls,
            "prompt_tokens": prompt > budget.prompt_tokens,
            "completion_tokens": completion > budget.completion_tokens,
            "cost_usd": self._price.of(prompt, completion) > budget.cost_usd,
            "seconds": self.left() <= 0,
        }
        return next((name for name, is_reached in reached.items() if is_reached), "")

    def called(self) -> None:
        """Count a request that is about to be sent."""
        self._calls += 1

    def add(self, prompt: int, completion: int) -> None:
        """Count the tokens of a call."""
        self._prompt += prompt
        self._completion += completion

    def usage(self, searches: int) -> Usage:
        """Return the sums so far, and the number of searches."""
        cost = self._price.of(self._prompt, self._completion)
        seconds = time.monotonic() - self._start
        return Usage(searches, self._calls, self._prompt, self._completion, cost, seconds)
