"""Every kind has its way, and every way its reason."""

from __future__ import annotations

from typing import Any

import pytest

from films import plan as planned
from hopsplit.decompose import KINDS, InputError, Kind, Plan
from hopsplit.fallback import UNSURE, RouterSettings, route

HOPS: dict[str, list[str]] = {
    "single": ["Who wrote Dracula?"],
    "bridge": ["Who wrote Dracula?", "Where was #1 born?"],
    "comparison": ["When was A born?", "When was B born?"],
    "bridge_comparison": ["Who made A?", "Who made B?", "How old is #1?", "How old is #2?"],
    "intersection": ["Who made A?", "Who made B?"],
    "deep": ["Who wrote A?", "Who is the father of #1?", "What country is #2 from?"],
    "unparseable": [],
}
WITHOUT = {
    "single": "hybrid",
    "bridge": "executor",
    "comparison": "executor",
    "bridge_comparison": "executor",
    "intersection": "executor",
    "deep": "executor",
    "unparseable": "hybrid",
}
ALL: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "single")


def plan(kind: Kind) -> Plan:
    """Return a plan of that kind with as few hops as it may have."""
    return planned("Question?", kind, *HOPS[kind])


@pytest.mark.parametrize(
    ("settings", "confidence", "chained"),
    [
        ({}, 1.0, {"deep", "unparseable"}),
        ({}, UNSURE, {"deep", "unparseable"}),
        ({}, UNSURE - 0.001, set(KINDS)),
        ({"min_confidence": 0.0}, 0.0, {"deep", "unparseable"}),
        ({"min_confidence": 1.0}, 0.999, set(KINDS)),
        ({"min_confidence": 1.0}, 1.0, {"deep", "unparseable"}),
        ({"kinds": ("unparseable",)}, 1.0, {"deep", "unparseable"}),  # deep has three hops
        ({"kinds": ("unparseable",), "max_hops": 3}, 1.0, {"unparseable"}),
        ({"kinds": (), "max_hops": 3, "min_confidence": 0.0}, 0.0, set()),
        ({"kinds": (), "max_hops": 1}, 1.0, {"bridge", "bridge_comparison", "deep"}),
        ({"kinds": ALL}, 1.0, set(ALL)),
    ],
)
def test_every_route(settings: dict[str, Any], confidence: float, chained: set[str]) -> None:
    """What the settings name goes to the language model where there is one; a single question only if unsure."""
    without, aided = (
        {
            kind: route(plan(kind), confidence=confidence, has_llm=has_llm, settings=RouterSettings(**settings)).name
            for kind in KINDS
        }
        for has_llm in (False, True)
    )
    assert without == WITHOUT
    assert aided == WITHOUT | dict.fromkeys(chained, "chain")


@pytest.mark.parametrize(
    ("kind", "settings", "confidence", "reason"),
    [
        ("deep", {}, 1.0, "deep: beyond the rules"),
        ("deep", {"kinds": ()}, 0.1, "deep: a chain of 3 hops, more than 2"),
        ("bridge", {"max_hops": 1}, 0.1, "bridge: a chain of 2 hops, more than 1"),
        ("bridge", {}, 0.25, "bridge: the search is unsure (0.25, below 0.4)"),
        ("single", {"max_hops": 1}, 0.25, "single: the search is unsure (0.25, below 0.4)"),
    ],
)
def test_why_the_model_is_asked(kind: Kind, settings: dict[str, Any], confidence: float, reason: str) -> None:
    """The first of: the kind, the longest chain, the confidence."""
    chosen = route(plan(kind), confidence=confidence, has_llm=True, settings=RouterSettings(**settings))
    assert chosen.reason == f"{reason}, so the language model asks on"


def test_a_degraded_route_says_so() -> None:
    """The reason names the kind, and what is lacking exactly where it would have helped."""
    for lacking in ("", "the language model gave nothing"):
        reasons = {kind: route(plan(kind), lacking=lacking).reason for kind in KINDS}
        assert all(reason.startswith(f"{kind}: ") for kind, reason in reasons.items())
        told = [kind for kind, reason in reasons.items() if (lacking or "no language model configured") in reason]
        assert told == ["deep", "unparseable"]
    kept = route(plan("deep"), has_llm=True, settings=RouterSettings(kinds=(), max_hops=3)).reason
    assert kept == "deep: the settings keep it from the language model, so the plan as far as it goes"


@pytest.mark.parametrize("kind", ["single", "unparseable"])
def test_the_hybrid_route_tells_what_it_does(kind: Kind) -> None:
    """It is more than a hybrid search: the passages that the hits mention take part."""
    chosen = route(plan(kind))
    assert chosen.name == "hybrid"
    assert chosen.reason.endswith("one search, its hits joined by the passages that they mention")


def test_a_kinship_of_two_look_ups_is_walked() -> None:
    """A single question about it has two hops to the executor."""
    chosen = route(planned("Who is the paternal grandfather of A?", "single", "Who is the paternal grandfather of A?"))
    assert (chosen.name, chosen.reason) == ("executor", "single: its kinship takes two look-ups")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kinds": ("depe",)}, r"router\.kinds has 'depe'; choose from bridge, comparison, .*, deep, unparseable$"),
        ({"kinds": ("deep", "single")}, r"router\.kinds has 'single'; choose from bridge, "),
        ({"max_hops": 0}, r"router\.max_hops is 0; give at least 1"),
        ({"min_confidence": -0.1}, r"router\.min_confidence is -0\.1; give 0 to 1"),
        ({"min_confidence": 1.1}, r"router\.min_confidence is 1\.1; give 0 to 1"),
        ({"min_confidence": float("nan")}, r"router\.min_confidence is nan; give 0 to 1"),
    ],
)
def test_settings_that_are_none(settings: dict[str, Any], message: str) -> None:
    """Each is refused by its name."""
    with pytest.raises(InputError, match=message):
        RouterSettings(**settings)
