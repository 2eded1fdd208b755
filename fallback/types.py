"""What the fallback gives: the result of a question, what it used, and how it went."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..decompose.plan import Plan
from ..retrieval.types import Bridge, Evidence

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
    """One step: what was done, with which text, and what came of it.

    action: `search`, `bridge`, and of a language model `plan`, `judge`, `ask`, `answer`, `retry` (it was asked once
    more, and why), `failed`.
    hits: ids of the first passages of a search. prompt: its file and version. prompt_tokens, completion_tokens: of
    the reply. seconds: of a language model's step; takes no part in equality.
    """

    action: str
    text: str
    outcome: str
    hits: tuple[str, ...] = ()
    prompt: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a language model said last of the passages that it was shown.

    sufficient: they hold all that the question needs. confidence: from 0 to 1, how much of it. missing: what they lack.
    """

    sufficient: bool
    confidence: float
    missing: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A language model's answer.

    citations: ids of the passages of the evidence that it names for it, in its order. contradictions: what it
    says of passages that contradict each other, empty where it says nothing.
    """

    text: str
    citations: tuple[str, ...]
    contradictions: str


@dataclass(frozen=True, slots=True)
class Result:
    """A question with its evidence.

    plan: of the rules, or of the language model where it gave one; its reason says so.
    route, reason: which way it went, and why; a way taken only because a better one was missing says so.
    evidence: at most k passages, best first.
    bridges: for each hop of the plan that a later one refers to the likeliest names, best first.
    confidence: from 0 to 1, how well margins and agreement speak for the first passages of the search, before any
        language model; below UNSURE its bridges are doubtful.
    judgement: the language model's last on the evidence, None where it gave none.
    answer: the language model's, None where it was not asked for one or gave none. Nobody has checked it.
    stopped: why the work ended early, empty where it did not: `budget:` and the limit, a trouble, or that going on
        would bring nothing.
    trace: the steps in order; equal for equal input.
    """

    question: str
    plan: Plan
    route: RouteName
    reason: str
    evidence: tuple[Evidence, ...]
    bridges: tuple[Bridge, ...]
    confidence: float
    judgement: Judgement | None
    answer: Answer | None
    usage: Usage
    stopped: str
    trace: tuple[Step, ...]
