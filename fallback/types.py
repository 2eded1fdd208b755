"""What the fallback gives: the result of a question, what it used, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..decompose.plan import Plan
from ..retrieval.types import Evidence

# Below this confidence few searches have all that is needed among the first passages; see docs/multihop.md.
UNSURE = 0.4

RouteName = Literal["hybrid", "executor", "chain"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a question used: searches, LLM calls, tokens, US dollars, wall-clock seconds."""

    searches: int
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Route:
    """Which way a question goes, and why."""

    name: RouteName
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was done (`search`, `bridge`, `judge`, `ask`), with which text, and what came of it."""

    action: str
    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Result:
    """A question with its evidence.

    route, reason: which way it went, and why; a way taken only because a better one was missing says so.
    evidence: at most k passages, best first.
    confidence: from 0 to 1, how well margins and agreement speak for the first passages of the search, before any
        language model; below UNSURE its bridges are doubtful.
    answer: the language model's, None where none was asked or it gave none.
    stopped: the limit or trouble that ended the work early, empty where nothing did.
    trace: the steps in order; equal for equal input.
    """

    question: str
    plan: Plan
    route: RouteName
    reason: str
    evidence: tuple[Evidence, ...]
    confidence: float
    answer: str | None
    usage: Usage
    stopped: str
    trace: tuple[Step, ...]
