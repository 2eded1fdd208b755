"""Search engines over one collection. Each gives hits ordered by (-score, id), without zero scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..decompose.plan import InputError
from .fusion import fuse
from .strings import Passages, Strings
from .tokens import Analyser, check_query
from .types import Hit, Passage, Retriever
from .weights import Postings


@dataclass(frozen=True, slots=True)
class Collection:
    """What every engine of an index shares. Passage numbers follow the order of the ids."""

    ids: Strings
    passages: Passages
    analyser: Analyser

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id; KeyError where there is none."""
        number = self.ids.find(passage_id)
        if number is None:
            raise KeyError(passage_id)
        return self.passages[number]


def check_k(k: int) -> int:
    """Return `k`; InputError where it is below 1."""
    if k < 1:
        raise InputError(f"k is {k}; ask for at least 1 passage")
    return k


def best(scores: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return the numbers of the `k` best scores above zero, ordered by (-score, number): a total order."""
    found = np.flatnonzero(scores > 0)
    if len(found) > k:
        values = scores[found]
        least = np.partition(values, len(values) - k)[len(values) - k]
        found = found[values >= least]
    return found[np.lexsort((found, -scores[found]))][:k]


class _Engine:
    """What the engines have in common."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id; KeyError where there is none."""
        return self._collection.passage(passage_id)

    def search(self, query: str, k: int) -> list[Hit]:
        """Return at most `k` hits, best first. InputError on an empty query or a `k` below 1."""
        raise NotImplementedError

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return what `search` gives for each query."""
        return [self.search(query, k) for query in queries]

    def _hits(self, scores: NDArray[np.float64], k: int) -> list[Hit]:
        ids = self._collection.ids
        return [Hit(ids[n], float(scores[n]), rank) for rank, n in enumerate(best(scores, k).tolist(), 1)]


class TermEngine(_Engine):
    """Scores a passage by the sum of query weight times passage weight over the query's terms.

    Terms are summed in the order of their numbers in float64, so that a score depends on nothing but the
    query and the collection.
    """

    def __init__(
        self,
        collection: Collection,
        terms: Strings,
        postings: Postings,
        weights: NDArray[np.float32],
        query_weights: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]],
    ) -> None:
        super().__init__(collection)
        self._terms, self._postings, self._weights = terms, postings, weights
        self._query_weights = query_weights

    def search(self, query: str, k: int) -> list[Hit]:  # noqa: D102
        check_k(k)
        counts = Counter(self._collection.analyser.terms(check_query(query)))
        place = self._terms.find
        known = sorted((n, count) for term, count in counts.items() if (n := place(term)) is not None)
        scores = np.zeros(len(self._collection.ids))
        if known:
            numbers, repeats = np.array(known, np.int64).T
            for number, weight in zip(numbers, self._query_weights(numbers, repeats), strict=True):
                span = slice(self._postings.starts[number], self._postings.starts[number + 1])
                scores[self._postings.docs[span]] += weight * self._weights[span].astype(np.float64)
        return self._hits(scores, k)


def repeat_weights(numbers: NDArray[np.int64], repeats: NDArray[np.int64]) -> NDArray[np.float64]:
    """BM25: a term counts as often as it stands in the query."""
    del numbers
    return repeats.astype(np.float64)


def cosine_weights(
    idf: NDArray[np.float32],
) -> Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]:
    """TF-IDF: the query's own weights, scaled to length 1 over the terms that the collection knows."""

    def weights(numbers: NDArray[np.int64], repeats: NDArray[np.int64]) -> NDArray[np.float64]:
        raw = (1 + np.log(repeats)) * idf[numbers].astype(np.float64)
        result: NDArray[np.float64] = raw / np.sqrt(np.sum(raw * raw))
        return result

    return weights


class RankBM25Engine(_Engine):
    """rank-bm25's BM25Okapi: the reference for BM25, and for small collections (12 ms a query at 6,000).

    Its idf is replaced by Lucene's (see `weights.bm25_weights`), since its own is zero for a term in half of
    the passages. The scores are then those of the default engine times ``k1 + 1``.
    """

    def __init__(self, collection: Collection, *, k1: float, b: float) -> None:
        from rank_bm25 import BM25Okapi  # noqa: PLC0415  (only who asks for it)

        super().__init__(collection)
        terms = collection.analyser.terms
        rows = [terms(f"{p.title} {p.text}") for p in collection.passages]
        if not any(rows):
            rows = [[""]] * len(rows)  # rank-bm25 divides by the number of terms
        self._model: Any = BM25Okapi(rows, k1=k1, b=b)
        holders = Counter(term for frequencies in self._model.doc_freqs for term in frequencies)
        total = len(collection.ids)
        self._model.idf = {t: math.log(1 + (total - df + 0.5) / (df + 0.5)) for t, df in holders.items()}

    def search(self, query: str, k: int) -> list[Hit]:  # noqa: D102
        check_k(k)
        terms = sorted(self._collection.analyser.terms(check_query(query)))
        return self._hits(self._model.get_scores(terms), k)


class HybridEngine(_Engine):
    """Weighted reciprocal rank fusion of other engines, of the first `depth` hits of each."""

    def __init__(
        self,
        collection: Collection,
        engines: Sequence[tuple[float, Retriever]],
        *,
        constant: float,
        depth: int,
    ) -> None:
        super().__init__(collection)
        self._engines, self._constant, self._depth = tuple(engines), constant, depth

    def search(self, query: str, k: int) -> list[Hit]:  # noqa: D102
        depth = max(check_k(k), self._depth)
        rankings = [(weight, [h.id for h in engine.search(query, depth)]) for weight, engine in self._engines]
        fused = fuse(rankings, constant=self._constant)[:k]
        return [Hit(identity, score, rank) for rank, (identity, score) in enumerate(fused, 1)]
