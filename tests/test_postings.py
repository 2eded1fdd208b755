"""Scores over postings and the best of them, worked out by hand and against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsplit.retrieval import postings
from hopsplit.retrieval.postings import Postings, best, score

# Term 0 stands in passages 0 and 2, term 1 in none, term 2 in passages 0, 1 and 3.
LISTS = Postings(np.array([0, 2, 2, 5]), np.array([0, 2, 0, 1, 3], np.int32))
WEIGHTS = np.array([1, 2, 4, 8, 16], np.float32)


def test_score() -> None:
    """Query weights times passage weights, summed for each passage."""
    assert score(LISTS, WEIGHTS, [(0, 1.0), (2, 0.5)], 5).tolist() == [3, 4, 2, 8, 0]
    assert score(LISTS, WEIGHTS, [(1, 7.0)], 5).tolist() == [0] * 5
    assert score(LISTS, WEIGHTS, [], 5).tolist() == [0] * 5


def test_best_cuts_through_ties() -> None:
    """Of equal scores the lower numbers come first, also at the cut; zero is never among the best."""
    scores = np.array([0.0, 1.0, 0.0, 1.0, 2.0, 1.0])
    assert best(scores, 3)[0].tolist() == [4, 1, 3]
    assert best(scores, 99)[0].tolist() == [4, 1, 3, 5]
    assert best(scores, 5)[1].tolist() == [2.0, 1.0, 1.0, 1.0]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=50), st.integers(1, 60), st.integers(1, 60))
@settings(deadline=None)
def test_best_equals_sorting(coarse: list[int], k: int, some: int) -> None:
    """The k best are the first k of the sorted scores, however many are looked at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_SOME", some)
        docs, values = best(np.array(coarse, float), k)
    expected = sorted((-value, doc) for doc, value in enumerate(coarse) if value > 0)[:k]
    assert list(zip((-values).tolist(), docs.tolist(), strict=True)) == expected
