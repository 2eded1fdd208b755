"""Why gold passages are missed: each cause made by a question of its own, over a small index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from films import FILMS
from hopsplit.evaluation import Dataset, Judged, Question
from hopsplit.evaluation.failures import CAUSES, Miss, lines, misses
from hopsplit.fallback import Asker
from hopsplit.retrieval import Index

INDEX = Index.build(FILMS)
# Split into "Who is the director of film The Paper Gate?" and "When did #1 die?"; the passage of the film comes first,
# that of the director, Orla Venn, second, that of the writer, Tomas Reed, third.
GATE = "When did the director of film The Paper Gate die?"


@pytest.fixture(scope="module")
def asker() -> Asker:
    """Return what is asked."""
    return Asker(INDEX)


def judged(query_id: str, text: str, kind: str, *gold: str) -> Judged:
    """Make a question with its gold."""
    return Judged(Question(query_id, text, kind), tuple(sorted(gold)))


def missed(asker: Asker, questions: Sequence[Judged], k: int) -> list[Miss]:
    """Return the misses among the questions."""
    return list(misses(Dataset("films", "dev", Path("films"), tuple(questions)), INDEX, asker, k=k))


# With what is left in the first two, and the cause of what is not.
QUESTIONS = [
    judged("q01", GATE, "bridge", "gate", "venn"),  # nothing missed: both in the first two
    judged("q02", GATE, "bridge", "gate", "reed"),  # Tomas Reed was tried, his passage is third
    judged("q03", GATE, "bridge", "gate", "runa"),  # no name that was tried stands in the passage of Queen Runa
    judged("q04", GATE, "bridge", "korda", "moss"),  # hop 1 has no word that is in these two
    judged("q05", GATE, "comparison", "gate", "reed"),  # a bridge is no comparison
    judged("q06", GATE, "comparison", "gate", "lost"),  # no passage has this id, whatever else is wrong
    judged("q07", "Where is the lighthouse of Port Askel?", "single", "askel"),
]
CAUSE = {
    "q06": "gold unreachable",
    "q05": "wrong kind",
    "q04": "wrong split",
    "q03": "bridge not named",
    "q02": "passage missed",
}


def test_each_cause(asker: Asker) -> None:
    """The misses alone, in the order of the causes, with the ranks of all their gold and the names tried."""
    found = missed(asker, QUESTIONS, k=2)
    assert [(miss.judged.question.id, miss.cause) for miss in found] == list(CAUSE.items())
    assert list(CAUSE.values()) == list(CAUSES)
    ranks = {miss.judged.question.id: dict(miss.ranks) for miss in found}
    assert ranks["q02"] == ranks["q05"] == {"gate": 1, "reed": 3}
    assert ranks["q06"] == {"gate": 1, "lost": 0}
    assert ranks["q03"]["runa"] > 3
    assert found[-1].names[:2] == ("Orla Venn", "Tomas Reed")
    assert [hop.text for hop in found[-1].plan.hops] == [
        "Who is the director of film The Paper Gate?",
        "When did #1 die?",
    ]


def test_the_depth_decides_what_is_a_miss(asker: Asker) -> None:
    """In the first one also the director is missed; in the first three no longer the writer; equal causes by id."""
    for k, expected in ((1, ["q01", "q02"]), (2, ["q02"]), (3, [])):
        assert [miss.judged.question.id for miss in missed(asker, QUESTIONS[1::-1], k)] == expected


@pytest.mark.parametrize(
    ("kind", "gold", "cause"),
    [
        # The plan is a bridge: what the types of the usual data sets, and those of no data set, make of that.
        *((kind, ("gate", "reed"), "passage missed") for kind in ("bridge", "compositional", "inference", "2hop", "")),
        *((kind, ("gate", "reed"), "passage missed") for kind in ("2hop1", "a type of one's own")),
        *((kind, ("gate", "reed"), "wrong kind") for kind in ("comparison", "bridge_comparison", "3hop1", "4hop3")),
        ("single", ("reed",), "wrong kind"),
        ("", ("reed",), "passage missed"),  # of one gold passage and no type any kind may be right
    ],
)
def test_the_kind_that_a_type_asks_for(asker: Asker, kind: str, gold: tuple[str, ...], cause: str) -> None:
    """A type that is a kind is that kind; those of MuSiQue tell the number of hops."""
    assert [miss.cause for miss in missed(asker, [judged("q", GATE, kind, *gold)], k=1)] == [cause]


def test_a_whole_question_with_several_gold_passages(asker: Asker) -> None:
    """Where the type says nothing that is a wrong kind; with one gold passage it is not, nor where the type says so."""
    text = "Where is the lighthouse of Port Askel?"
    for kind, gold, cause in (
        ("", ("askel", "guild"), "wrong kind"),
        ("", ("guild",), "passage missed"),
        ("single", ("askel", "guild"), "passage missed"),
        ("inference", ("askel", "guild"), "passage missed"),
    ):
        (miss,) = missed(asker, [judged("q", text, kind, *gold)], k=1)
        assert (miss.plan.kind, miss.cause, miss.names) == ("single", cause, ())


def test_a_hop_that_reads_like_another_tells_no_name(asker: Asker) -> None:
    """Hop 1 is hop 2 with a name in it, which nobody put there."""
    text = "Who is the father of the father of Olav III?"
    (miss,) = missed(asker, [judged("q", text, "bridge", "olav", "olav2")], k=1)
    assert [hop.text for hop in miss.plan.hops] == ["Who is the father of Olav III?", "Who is the father of #1?"]
    assert miss.names[0] == "Olav II"
    assert "Olav III" not in miss.names


def test_what_a_reader_sees(asker: Asker) -> None:
    """How many of each cause, then as many of each as there is room for, with hops, names and ranks."""
    found = missed(asker, [*QUESTIONS, judged("q08", GATE, "", "gate", "reed")], k=2)
    shown = list(lines(found, 8, k=2, shown=5))
    assert shown[:6] == [
        "6 of 8 questions without all their gold in the first 2",
        "  gold unreachable    1",
        "  wrong kind          1",
        "  wrong split         1",
        "  bridge not named    1",
        "  passage missed      2",
    ]
    assert [line.partition(":")[0] for line in shown if GATE in line] == list(CAUSES)
    last = shown[shown.index(f"passage missed: {GATE} (q02, bridge)") :]
    assert last[1:4] == [
        "  bridge: one entity must be found first: of_relation",
        "  #1 Who is the director of film The Paper Gate?  [of_relation]",
        "  #2 When did #1 die?  [final]",
    ]
    assert last[4].startswith("  tried for the bridge: Orla Venn, Tomas Reed, ")
    assert last[5:] == ["  gold: gate at 1, reed at 3"]
    assert "  gold: gate at 1, lost at more than 20" in shown
    assert "  gold: gate at 1, lost at more than 25" in list(lines(missed(asker, QUESTIONS, 25), 7, k=25, shown=1))
    assert f"passage missed: {GATE} (q08, no type)" in list(lines(found, 8, k=2, shown=6))
    assert list(lines(found, 8, k=2, shown=0)) == shown[:6]
