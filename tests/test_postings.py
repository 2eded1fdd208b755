"""The best passages for a weighted query, against reading everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsplit.retrieval import postings
from hopsplit.retrieval.postings import Postings, Scorer, best

SIZE = 400


@st.composite
def collections(draw: st.DrawFn) -> tuple[Scorer, list[tuple[int, float]], list[float]]:
    """Draw a scorer with lists of all lengths and coarse weights, a query, and all exact scores."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    lists = [
        np.sort(chance.choice(SIZE, size=length, replace=False)).astype(np.int32)
        for length in draw(st.lists(st.integers(1, SIZE), min_size=1, max_size=7))
    ]
    weights = [(chance.integers(1, 9, len(docs)) / 8).astype(np.float32) for docs in lists]
    starts = np.cumsum([0, *(len(docs) for docs in lists)])
    tops = np.array([w.max() for w in weights], np.float32)
    scorer = Scorer(Postings(starts, np.concatenate(lists)), np.concatenate(weights), tops, SIZE)
    query = [(term, draw(st.sampled_from([0.5, 1.0, 3.0]))) for term in range(len(lists))]
    scores = np.zeros(SIZE)
    for term, weight in query:
        scores[lists[term]] += weight * weights[term].astype(float)
    return scorer, query, scores.tolist()


@pytest.mark.parametrize("long", [1, 50, 10**9])
@given(collections(), st.integers(1, SIZE + 5))
@settings(max_examples=60, deadline=None)
def test_equals_reading_everything(
    long: int, collection: tuple[Scorer, list[tuple[int, float]], list[float]], k: int
) -> None:
    """Skipping long lists changes neither the passages nor a bit of their scores, ties included."""
    scorer, query, scores = collection
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_LONG", long)
        docs, values = scorer.top(query, k)
    expected = sorted((-score, doc) for doc, score in enumerate(scores) if score > 0)[:k]
    assert list(zip((-values).tolist(), docs.tolist(), strict=True)) == expected


def test_best_cuts_through_ties() -> None:
    """Of equal scores the lower numbers come first, and the cut keeps to that."""
    docs, scores = best(np.array([5, 3, 9, 1, 7], np.int32), np.array([2.0, 1.0, 1.0, 0.0, 1.0]), 3)
    assert docs.tolist() == [5, 3, 7]
    assert scores.tolist() == [2.0, 1.0, 1.0]


def test_no_terms() -> None:
    """A query without terms finds nothing."""
    scorer = Scorer(
        Postings(np.zeros(1, np.int64), np.empty(0, np.int32)),
        np.empty(0, np.float32),
        np.empty(0, np.float32),
        3,
    )
    assert scorer.top([], 5)[0].tolist() == []
