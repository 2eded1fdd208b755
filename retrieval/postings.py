"""Postings, and the best passages for a weighted query over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Docs = NDArray[np.int32]
Scores = NDArray[np.float64]

_LONG = 2_000  # before a list at least this long it is worth asking whether it can still change the result
_FEW = 100
_SLACK = 1 + 1e-9  # bounds are sums in another order than scores; rounding must not make one too small


class Postings(NamedTuple):
    """For each term t the passages that hold it: ``docs[starts[t]:starts[t + 1]]``, ascending."""

    starts: NDArray[np.int64]
    docs: Docs


def best(docs: Docs, scores: Scores, k: int) -> tuple[Docs, Scores]:
    """Return the `k` best of `docs` with a score above zero, ordered by (-score, doc): a total order."""
    keep = scores > 0
    docs, scores = docs[keep], scores[keep]
    if len(docs) > k:
        keep = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        docs, scores = docs[keep], scores[keep]
    order = np.lexsort((docs, -scores))[:k]
    return docs[order], scores[order]


class Scorer:
    """Scores a passage by the sum of query weight times passage weight over the query's terms.

    The sum runs over the terms from the rarest to the most frequent, in float64, so a score depends on
    nothing but the query and the collection. The long lists of frequent terms are read only for passages that
    can still be among the best (MaxScore, Turtle and Flood 1995); the result is the same as with all read.
    """

    def __init__(
        self, postings: Postings, weights: NDArray[np.float32], highest: NDArray[np.float32], size: int
    ):
        """Take the `weights` parallel to the postings, all above zero, and the `highest` one of each term."""
        self._postings, self._weights, self._highest, self._size = postings, weights, highest, size

    def _list(self, term: int) -> tuple[Docs, NDArray[np.float32]]:
        span = slice(self._postings.starts[term], self._postings.starts[term + 1])
        return self._postings.docs[span], self._weights[span]

    def top(self, query: Sequence[tuple[int, float]], k: int) -> tuple[Docs, Scores]:
        """Return the `k` best passages for `query`, pairs of term and weight above zero; see `best`."""
        starts = self._postings.starts
        terms = sorted(query, key=lambda pair: (starts[pair[0] + 1] - starts[pair[0]], pair[0]))
        bounds = [weight * float(self._highest[term]) * _SLACK for term, weight in terms]
        scores = np.zeros(self._size)
        seen: list[Docs] = []
        for read, (term, weight) in enumerate(terms):
            docs, weights = self._list(term)
            if len(docs) >= _LONG:
                least = self._least(scores, seen, terms[read:], k)
                if least > sum(bounds[read:]):  # a passage not seen yet cannot be among the best
                    found = np.concatenate(seen)
                    found = np.sort(found[scores[found] + sum(bounds[read:]) >= least])
                    return best(*self._complete(found, scores[found], terms[read:], bounds[read:], least), k)
            before = scores[docs]
            seen.append(docs[before == 0])
            scores[docs] = before + np.multiply(weights, weight, dtype=np.float64)
        found = np.concatenate(seen) if seen else np.empty(0, np.int32)
        return best(found, scores[found], k)

    def _complete(
        self,
        found: Docs,
        scores: Scores,
        terms: Sequence[tuple[int, float]],
        bounds: Sequence[float],
        least: float,
    ) -> tuple[Docs, Scores]:
        """Add what `terms` give to the passages `found`, ascending; drop those that stay below `least`."""
        for place, (term, weight) in enumerate(terms):
            keep = scores + sum(bounds[place:]) >= least
            found, scores = found[keep], scores[keep]
            docs, weights = self._list(term)
            places = np.minimum(np.searchsorted(docs, found), len(docs) - 1)
            gain = np.multiply(weights[places], weight, dtype=np.float64)
            scores = scores + np.where(docs[places] == found, gain, 0.0)
        return found, scores

    def _least(self, scores: Scores, seen: list[Docs], unread: Sequence[tuple[int, float]], k: int) -> float:
        """Return what the k-th best passage scores at least: the k-th best score of a few promising ones."""
        found = np.concatenate(seen) if seen else np.empty(0, np.int32)
        if len(found) < k:
            return 0.0
        few = k + _FEW
        if len(found) > few:
            found = found[np.argpartition(scores[found], len(found) - few)[len(found) - few :]]
        found = np.sort(found)
        _, values = self._complete(found, scores[found], unread, [0.0] * len(unread), 0.0)
        return float(np.partition(values, len(values) - k)[len(values) - k])
