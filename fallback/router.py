"""Which way a question goes: by its kind, by how sure its search is, and by whether a language model is there."""

from __future__ import annotations

from dataclasses import dataclass

from ..decompose.plan import KINDS, InputError, Kind, Plan
from ..retrieval.kinship import expand
from .types import UNSURE, Route

# Kinds whose plan the executor walks without help.
_EXECUTED: tuple[Kind, ...] = ("bridge", "comparison", "bridge_comparison", "intersection")

_ONE_SEARCH = "one search, its hits joined by the passages that they mention"


@dataclass(frozen=True, slots=True)
class RouterSettings:
    """When a question goes to the language model, where there is one.

    kinds: questions of these kinds do. max_hops: so do plans with a longer chain of hops. min_confidence: and all
    whose search is less sure than this; 0 for none. A single question does only for the last reason. InputError on
    settings that cannot be.
    """

    kinds: tuple[Kind, ...] = ("deep", "unparseable")
    max_hops: int = 2
    min_confidence: float = UNSURE

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS or kind == "single":
                known = ", ".join(each for each in KINDS if each != "single")
                raise InputError(f"router.kinds has {kind!r}; choose from {known}")
        if not self.max_hops >= 1:
            raise InputError(f"router.max_hops is {self.max_hops}; give at least 1")
        if not 0 <= self.min_confidence <= 1:
            raise InputError(f"router.min_confidence is {self.min_confidence}; give 0 to 1")


def route(
    plan: Plan,
    *,
    confidence: float = 1.0,
    has_llm: bool = False,
    lacking: str = "",
    settings: RouterSettings | None = None,
) -> Route:
    """Return the route of `plan` with its reason; a degraded route says what it lacks.

    confidence: of its search, from 0 to 1. lacking: why no language model goes on, where that is not plain.

    All three routes begin with the executor, which always searches the question itself (see `Executor.run`).
    hybrid: that one search, its hits joined by the passages that they mention; so it gives more than
    `Index.search`. executor: the same, and the searches of the plan. chain: the same, and what a language
    model asks for further.
    """
    settings = settings or RouterSettings()
    lacking = lacking or ("the settings keep it from the language model" if has_llm else "no language model configured")
    beyond = _beyond(plan, confidence, settings)
    if beyond and has_llm:
        return Route("chain", f"{plan.kind}: {beyond}, so the language model asks on")
    if plan.kind == "single" and len(expand(plan)[0].hops) > 1:
        return Route("executor", "single: its kinship takes two look-ups")
    if plan.kind == "single":
        return Route("hybrid", f"single: {_ONE_SEARCH}")
    if plan.kind in _EXECUTED:
        return Route("executor", f"{plan.kind}: the plan has {len(plan.hops)} hops to search")
    if plan.hops:
        return Route("executor", f"{plan.kind}: {lacking}, so the plan as far as it goes")
    return Route("hybrid", f"{plan.kind}: {lacking} and no plan, so {_ONE_SEARCH}")


def _beyond(plan: Plan, confidence: float, settings: RouterSettings) -> str:
    """Return why the rules are not enough for a question, empty where they are."""
    if plan.kind in settings.kinds:
        return "beyond the rules"
    longest = _longest(plan)
    if longest > settings.max_hops:
        return f"a chain of {longest} hops, more than {settings.max_hops}"
    if confidence < settings.min_confidence:
        return f"the search is unsure ({confidence:.2f}, below {settings.min_confidence:g})"
    return ""


def _longest(plan: Plan) -> int:
    """Return how many hops the longest chain of a plan has."""
    length: dict[int, int] = {}
    for hop in plan.hops:
        length[hop.id] = 1 + max((length[ref] for ref in hop.refs), default=0)
    return max(length.values(), default=0)
