"""Kinship terms that take two look-ups."""

from __future__ import annotations

import pytest

from films import plan
from hopsplit.retrieval.kinship import expand
from hopsplit.retrieval.lexicon import table


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        (
            "Who is the paternal grandfather of Olav III?",
            ["Who is the father of Olav III?", "Who is the father of #1?"],
        ),
        ("Who is Olav III's maternal grandmother?", ["Who is Olav III's mother?", "Who is #1's mother?"]),
        ("Who was Runa\u2019s mother-in-law?", ["Who was Runa\u2019s spouse?", "Who was #1's mother?"]),
        ("Who is the sibling-in-law of Runa?", ["Who is the spouse of Runa?", "Who is the sibling of #1?"]),
        ("Who is the stepmother of Olav III?", ["Who is the father of Olav III?", "Who is the wife of #1?"]),
        ("Who is Arn's uncle?", ["Who is Arn's father?", "Who is #1's brother?"]),
    ],
)
def test_single_question_becomes_a_chain(question: str, hops: list[str]) -> None:
    """The nearer relative is looked up first, then the relative's relative."""
    longer, origin = expand(plan(question, "single", question))
    assert [hop.text for hop in longer.hops] == hops
    assert [hop.refs for hop in longer.hops] == [(), (1,)]
    assert longer.kind == "bridge"
    assert origin == {1: 1, 2: 1}


def test_hop_inside_a_plan_is_expanded_and_later_hops_renumbered() -> None:
    """A hop that refers to the expanded one refers to the end of its chain."""
    before = plan(
        "When was the aunt of the author of Tide born?",
        "deep",
        "Who is the author of Tide?",
        "Who is the aunt of #1?",
        "When was #2 born?",
    )
    longer, origin = expand(before)
    assert [hop.text for hop in longer.hops] == [
        "Who is the author of Tide?",
        "Who is the mother of #1?",
        "Who is the sister of #2?",
        "When was #3 born?",
    ]
    assert origin == {1: 1, 2: 2, 3: 2, 4: 3}


@pytest.mark.parametrize(
    "question",
    ["Who is the father of Olav III?", "Who wrote Uncle Tom?", "Who sang Grandfather Clock?", "Who is an uncle?"],
)
def test_other_questions_stay_as_they_are(question: str) -> None:
    """One look-up, or a term that is not asked of anybody, changes nothing."""
    before = plan(question, "single", question)
    assert expand(before) == (before, {1: 1})


def test_table_names_two_relations_for_each_term() -> None:
    """Every term is a chain of exactly two plain relations."""
    chains = table("kinship")
    assert all(len(chain) == 2 for chain in chains.values())
    assert not {relation for chain in chains.values() for relation in chain} & set(chains)
