"""Postings, and the best passages for a weighted query over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

Docs = NDArray[np.int32]
Scores = NDArray[np.float64]


_SOME = 50_000


class Postings(NamedTuple):
    """For each term t the passages that hold it: ``docs[starts[t]:starts[t + 1]]``, ascending."""

    starts: NDArray[np.int64]
    docs: Docs


def score(lists: Postings, weights: NDArray[np.float32], query: Sequence[tuple[int, float]], size: int) -> Scores:
    """Score each of `size` passages by the sum of query weight times passage weight over the query's terms.

    weights: parallel to the postings. query: pairs of term and weight. The sum runs in the order of the query
    in float64, so a score depends on nothing else.
    """
    if not query:
        return np.zeros(size)
    spans = [slice(*lists.starts[term : term + 2].tolist()) for term, _ in query]
    ends = np.cumsum([0, *(span.stop - span.start for span in spans)], dtype=np.int32)
    # Lists behind each other are the columns of a sparse matrix; its product runs at 1 ns a posting, where
    # adding list by list to an array takes 3.
    values = np.concatenate([weights[span] for span in spans], dtype=np.float64)
    docs = np.concatenate([lists.docs[span] for span in spans])
    scores: Scores = csc_array((values, docs, ends), shape=(size, len(query))) @ np.array([w for _, w in query])
    return scores


def best(scores: Scores, k: int) -> tuple[Docs, Scores]:
    """Return the `k` best passages with a score above zero, ordered by (-score, passage): a total order."""
    # The k-th best of some is at most the k-th best of all: of a large collection few are left to be ordered.
    some = scores[:: 1 + len(scores) // _SOME]
    bound = _kth(some[some > 0], k)
    found = np.flatnonzero(scores >= bound if bound > 0 else scores > 0).astype(np.int32)
    found = found[scores[found] >= _kth(scores[found], k)]
    order = found[np.lexsort((found, -scores[found]))][:k]
    return order, scores[order]


def _kth(scores: Scores, k: int) -> float:
    """Return the k-th best of `scores`, 0 where there are fewer."""
    return float(np.partition(scores, len(scores) - k)[len(scores) - k]) if k <= len(scores) else 0.0
