"""Which way a question goes: a table from its kind and from whether a language model is there."""

from __future__ import annotations

from ..decompose.plan import Kind, Plan
from ..retrieval.kinship import expand
from .types import Route

# Kinds whose plan the executor walks without help.
_EXECUTED: tuple[Kind, ...] = ("bridge", "comparison", "bridge_comparison", "intersection")

_ONE_SEARCH = "one search, its hits joined by the passages that they mention"


def route(plan: Plan, *, has_llm: bool) -> Route:
    """Return the route of `plan` with its reason; a degraded route says what it lacks.

    All three are the work of the executor, which always searches the question itself (see `Executor.run`).
    hybrid: that one search, its hits joined by the passages that they mention; so it gives more than
    `Index.search`. executor: the same, and the searches of the plan. chain: the same, and what a language
    model asks for further.
    """
    if plan.kind == "single" and len(expand(plan)[0].hops) > 1:
        return Route("executor", "single: its kinship takes two look-ups")
    if plan.kind == "single":
        return Route("hybrid", f"single: {_ONE_SEARCH}")
    if plan.kind in _EXECUTED:
        return Route("executor", f"{plan.kind}: the plan has {len(plan.hops)} hops to search")
    if has_llm:
        return Route("chain", f"{plan.kind}: beyond the rules, so the language model asks on")
    if plan.hops:
        return Route("executor", f"{plan.kind}: no language model configured, so the plan as far as it goes")
    return Route("hybrid", f"{plan.kind}: no language model configured and no plan, so {_ONE_SEARCH}")
