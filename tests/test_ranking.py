"""Coverage of questions by passages, and the merging of rankings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hopsplit.retrieval import Analyser, Passage
from hopsplit.retrieval.forms import forms
from hopsplit.retrieval.pages import read
from hopsplit.retrieval.ranking import Coverage, Found, best_of, confidence, guarded, merge, strictly

IDF = {"red": 1.0, "gate": 3.0, "old": 2.0}


def test_coverage_of_a_passage_worked_by_hand() -> None:
    """Two terms of idf 1 and 3: shares 1/4 and 3/4, each times tf / (tf + 1.5 (0.25 + 0.75 length / 90))."""
    coverage = Coverage(["red", "gate"], [["old", "gate"]], IDF.__getitem__)
    vector = coverage.of(read(Passage("x", "Gate", "gate old " + "x " * 87), Analyser()))
    assert coverage.terms == ("red", "gate", "old")
    assert vector == pytest.approx([0, 0.75 * 2 / 3.5, 0.5 * 1 / 2.5])
    assert coverage.question.tolist() == [1, 1, 0]
    assert coverage.mask(["old", "gate"]).tolist() == [0, 1, 1]
    assert float(vector @ coverage.question) == pytest.approx(0.75 * 2 / 3.5)


def test_other_forms_stand_in_for_a_term_that_is_missing() -> None:
    """Two forms of "director" count as two; where the term itself stands they count nothing."""
    coverage = Coverage(["director"], [], {"director": 2.0}.__getitem__)
    norm = 1.5 * (0.25 + 0.75 * 3 / 90)
    inflected = coverage.of(read(Passage("x", "", "directed by directors"), Analyser()))
    same = coverage.of(read(Passage("x", "", "director directed directors"), Analyser()))
    assert inflected.tolist() == pytest.approx([2 / (2 + norm)])
    assert same.tolist() == pytest.approx([1 / (1 + norm)])


@pytest.mark.parametrize(
    ("term", "has", "lacks"),
    [
        ("directed", {"director", "directs", "direct", "directing", "direction"}, {"directed", "dire"}),
        ("ships", {"ship"}, {"ships"}),
        ("colonies", {"colony"}, set()),
        ("city", {"cities"}, set()),
        ("sing", {"sings", "singer", "singing"}, {"s", "sed"}),
        ("was", set(), {"wa", "wass"}),
        ("1904", set(), {"1904s"}),
    ],
)
def test_forms_of_a_term(term: str, has: set[str], lacks: set[str]) -> None:
    """Suffixes come and go; short words and numbers stay as they are."""
    assert has <= forms(term)
    assert not lacks & forms(term)


def test_repeated_terms_count_once() -> None:
    """The shares of the question's terms sum to 1 however often they stand there."""
    coverage = Coverage(["red", "gate", "red"], [], IDF.__getitem__)
    full = coverage.of(read(Passage("x", "", "red gate " * 1000), Analyser()))
    assert coverage.terms == ("red", "gate")
    assert 0.5 < float(np.sum(full)) < 1


def test_question_without_terms_covers_nothing() -> None:
    """Nothing is divided by zero."""
    coverage = Coverage([], [], IDF.__getitem__)
    assert float(coverage.of(read(Passage("x", "a", "b"), Analyser())).sum()) == 0


def test_merge_worked_by_hand() -> None:
    """Hits by reciprocal rank, the other two raised; the plan's reason stays; hits behind the pool only fill up."""
    opened = {"a": Found(1.0, 0, ""), "b": Found(0.5, 0, "Ann")}
    planned = {"b": Found(1.0, 2, "Bea"), "c": Found(0.8, 1, ""), "f": Found(0.1, 1, "")}
    merged = merge(["a", "d", "c", "e", "f"], opened, planned, pool=2, hit_share=0.2, open_share=0.5, power=2)
    assert merged == {
        "a": Found(pytest.approx(0.2 + 0.5), 0, ""),
        "b": Found(pytest.approx(0.5 * 0.25 + 1), 2, "Bea"),
        "c": Found(pytest.approx(0.64), 1, ""),
        "d": Found(pytest.approx(0.2 * 5 / 6), 0, ""),
        "e": Found(pytest.approx(0.2 * 5 / 8), 0, ""),
        "f": Found(pytest.approx(0.2 * 5 / 9), 1, ""),
    }


def test_merge_of_nothing() -> None:
    """No hits, no pairs, no plan: no ranking; scores of zero add nothing."""
    assert merge([], {}, {}, pool=9, hit_share=0.2, open_share=1, power=4) == {}
    zero = {"a": Found(0.0, 0, "")}
    assert merge(["a"], zero, {}, pool=9, hit_share=0.2, open_share=1, power=4) == {"a": Found(0.2, 0, "")}


def test_parts_of_a_plan_are_scaled_to_what_each_is_worth() -> None:
    """The first passages of both sides of a comparison stand first; those of a doubtful part behind."""
    left = {"a": Found(4.0, 1, ""), "b": Found(2.0, 1, "")}
    right = {"c": Found(1.0, 2, ""), "a": Found(0.5, 2, "")}
    both = {"a": Found(1.0, 1, ""), "b": Found(0.5, 1, ""), "c": Found(1.0, 2, "")}
    assert best_of([(1.0, left), (1.0, right), (1.0, {})]) == both
    assert best_of([(1.0, left), (0.25, right)])["c"] == Found(0.25, 2, "")


def test_hits_have_their_places_whatever_the_plan_brings() -> None:
    """One of two is among the first three, both among the first six, at the scores of those whose places they take."""
    scores = {"p": 9.0, "q": 8.0, "r": 7.0, "s": 6.0, "t": 5.0, "u": 4.0, "h": 0.3, "i": 0.2, "j": 0.1}
    found = {name: Found(score, 1, "") for name, score in scores.items()}
    assert guarded(found, ["h", "i", "j"], 3) == [
        *[("p", 9.0), ("q", 8.0), ("h", 7.0)],
        *[("r", 7.0), ("s", 6.0), ("i", 5.0)],
        *[("t", 5.0), ("u", 4.0), ("j", 0.1)],
    ]
    assert [name for name, _ in guarded(found, ["q", "p"], 2)] == ["p", "q", "r", "s", "t", "u", "h", "i", "j"]


def test_scores_fall_strictly_by_the_least_steps() -> None:
    """Equal scores are told apart by the smallest difference that a float has."""
    below = math.nextafter(1.0, 0)
    assert strictly([2.0, 1.0, 1.0, 1.0]) == [2.0, 1.0, below, math.nextafter(below, 0)]
    assert strictly([]) == []


@pytest.mark.parametrize(
    ("pair", "parts", "ranking", "expected"),
    [
        (1.0, [1.2], [1, 1, 0, 0, 0], 1.0),
        (0.7, [0.6], [1, 0.8, 0.5, 0.5, 0.4], 0.5),
        (0.7, [], [1, 0.8, 0.5, 0.5, 0.4], 0.5),
        (0.4, [0.0], [1, 1, 1, 1, 1], 0.0),
        (2.0, [3.0, 3.0], [1, 0.5], 1.0),
        (1.0, [1.0], [], 0.0),
    ],
)
def test_confidence_is_the_mean_of_three_shares(
    pair: float, parts: list[float], ranking: list[float], expected: float
) -> None:
    """Coverage from 0.4 to 1, paths over 1.2, and how far the fifth is behind the second."""
    assert confidence(pair, parts, ranking) == expected
