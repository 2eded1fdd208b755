"""Plans that cannot be built, and the graph of those that can."""

from __future__ import annotations

import dataclasses

import pytest

from hopsplit.decompose import KINDS, Hop, InputError, Plan
from hopsplit.decompose.plan import refs_in


def hop(number: int, text: str, refs: tuple[int, ...] | None = None) -> Hop:
    """Return a hop with the references that its text has, or with those given."""
    return Hop(number, text, refs_in(text) if refs is None else refs, "a_rule", ())


FOUNDER = hop(1, "Who is the founder of Versus?")
BORN = hop(2, "Where was #1 born?")
QUESTION = "Where was the founder of Versus born?"


def test_references_are_numbers_after_a_hash() -> None:
    """Each once, ascending."""
    assert refs_in("Is #2 older than #10, and #2 than #1?") == (1, 2, 10)
    assert refs_in("Who wrote C#?") == ()


def test_graph_has_a_node_for_each_hop_and_an_edge_for_each_reference() -> None:
    """Answers flow from the hop that finds them to those that name them."""
    plan = Plan("q", "deep", (FOUNDER, hop(2, "Who is the maker?"), hop(3, "When did #1 and #2 meet?")), "why")
    graph = plan.graph()
    assert sorted(graph.nodes) == [1, 2, 3]
    assert sorted(graph.edges) == [(1, 3), (2, 3)]
    assert graph.nodes[1]["hop"] == FOUNDER


@pytest.mark.parametrize(
    ("kind", "hops", "message"),
    [
        ("bridges", (FOUNDER, BORN), "unknown kind 'bridges'; the kinds are single, bridge"),
        ("single", (), "a plan of kind single cannot have 0 hops"),
        ("unparseable", (FOUNDER,), "a plan of kind unparseable cannot have 1 hops"),
        ("bridge", (FOUNDER, hop(3, "Where was #1 born?")), "hop 2 has the id 3"),
        ("bridge", (FOUNDER, hop(2, "Where was #2 born?")), r"hop 2 refers to \(2,\); only earlier hops"),
        ("bridge", (hop(1, "Who is #2?"), BORN), r"hop 1 refers to \(2,\); only earlier hops"),
        ("bridge", (FOUNDER, hop(2, "Where was #0 born?")), r"hop 2 refers to \(0,\); only earlier hops"),
        ("bridge", (FOUNDER, hop(2, "Where was #1 born?", ())), r"hop 2 says refs \(\), its text \(1,\)"),
        ("bridge", (FOUNDER, hop(2, "Where was she born?")), "hop 1 is not used by a later hop"),
        ("deep", (FOUNDER, BORN, hop(3, "When was #1 born?")), "hop 2 is not used by a later hop"),
        ("bridge", (FOUNDER, dataclasses.replace(BORN, spans=((0, 99),))), r"hop 2 has spans \(\(0, 99\),\) outside"),
        ("bridge", (FOUNDER, dataclasses.replace(BORN, spans=((3, 3),))), r"hop 2 has spans \(\(3, 3\),\) outside"),
    ],
)
def test_unsound_plans_cannot_be_built(kind: str, hops: tuple[Hop, ...], message: str) -> None:
    """Each fault is told with its hop."""
    with pytest.raises(ValueError, match=message):
        Plan(QUESTION, kind, hops, "why")  # type: ignore[arg-type]


def test_comparisons_leave_their_last_hops_open() -> None:
    """What is compared stands at the end, and nothing refers to it."""
    finds = (hop(1, "Who is the director of A?"), hop(2, "Who is the director of B?"))
    asks = (hop(3, "How old is #1?"), hop(4, "How old is #2?"))
    assert len(Plan("q", "bridge_comparison", (*finds, *asks), "why").hops) == 4
    assert len(Plan("q", "comparison", finds, "why").hops) == 2


def test_plans_are_values() -> None:
    """Frozen, equal by content; provenance and explanation are no part of a hop."""
    plan = Plan(QUESTION, "bridge", (FOUNDER, BORN), "why", "made by hand")
    assert plan == Plan(QUESTION, "bridge", (FOUNDER, BORN), "why", "made by hand")
    assert hash(plan.hops) == hash((FOUNDER, BORN))
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.kind = "deep"  # type: ignore[misc]
    assert KINDS[0] == "single"
    assert issubclass(InputError, ValueError)
