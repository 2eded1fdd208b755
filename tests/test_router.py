"""Every kind has its way, and every way its reason."""

from __future__ import annotations

import pytest

from hopsplit.decompose import KINDS, Hop, Kind, Plan
from hopsplit.fallback.router import route


def plan(kind: Kind) -> Plan:
    """Return a plan of that kind with as few hops as it may have."""
    hops = {
        "single": ["Who wrote Dracula?"],
        "bridge": ["Who wrote Dracula?", "Where was #1 born?"],
        "comparison": ["When was A born?", "When was B born?"],
        "bridge_comparison": ["Who made A?", "Who made B?", "How old is #1?", "How old is #2?"],
        "intersection": ["Who made A?", "Who made B?"],
        "deep": ["Who wrote A?", "Who is the father of #1?", "What country is #2 from?"],
        "unparseable": [],
    }[kind]
    refs = {"#1": (1,), "#2": (2,)}
    made = [
        Hop(i, text, next((r for key, r in refs.items() if key in text), ()), "test", ())
        for i, text in enumerate(hops, 1)
    ]
    return Plan("question", kind, tuple(made), "for the test")


@pytest.mark.parametrize(
    ("kind", "without", "with_llm"),
    [
        ("single", "hybrid", "hybrid"),
        ("bridge", "executor", "executor"),
        ("comparison", "executor", "executor"),
        ("bridge_comparison", "executor", "executor"),
        ("intersection", "executor", "executor"),
        ("deep", "executor", "chain"),
        ("unparseable", "hybrid", "chain"),
    ],
)
def test_every_route(kind: Kind, without: str, with_llm: str) -> None:
    """Only deep and unparseable questions go to the language model, and only where there is one."""
    assert route(plan(kind), has_llm=False).name == without
    assert route(plan(kind), has_llm=True).name == with_llm


@pytest.mark.parametrize("kind", KINDS)
def test_a_degraded_route_says_so(kind: Kind) -> None:
    """The reason names the kind, and the missing model exactly where one would have helped."""
    reason = route(plan(kind), has_llm=False).reason
    assert reason.startswith(f"{kind}: ")
    assert ("no language model configured" in reason) == (kind in ("deep", "unparseable"))


@pytest.mark.parametrize("kind", ["single", "unparseable"])
def test_the_hybrid_route_tells_what_it_does(kind: Kind) -> None:
    """It is more than a hybrid search: the passages that the hits mention take part."""
    chosen = route(plan(kind), has_llm=False)
    assert chosen.name == "hybrid"
    assert chosen.reason.endswith("one search, its hits joined by the passages that they mention")
