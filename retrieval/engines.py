"""Search engines over one collection. Each gives hits ordered by (-score, id), without zero scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..decompose.plan import InputError
from .fusion import fuse
from .postings import Postings, best, score
from .ranking import strictly
from .strings import Passages, Strings
from .tokens import Analyser, check_query
from .types import Hit, Passage, Retriever


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
    """Return `k`; InputError where it is below 1, or no whole number."""
    try:
        index(k)
    except TypeError as error:
        raise InputError(f"k is {k!r:.80}; give a whole number") from error
    if k < 1:
        raise InputError(f"k is {k}; ask for at least 1 passage")
    return k


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
        docs, values = best(scores, k)
        pairs = zip(docs.tolist(), values.tolist(), strict=True)
        return [Hit(self._collection.ids[doc], score, rank) for rank, (doc, score) in enumerate(pairs, 1)]


Terms = Callable[[str], int | None]
QueryWeights = Callable[[list[tuple[int, int]]], list[tuple[int, float]]]


class TermEngine(_Engine):
    """A sum of weights over the terms of the query; see `postings.score`."""

    def __init__(
        self,
        collection: Collection,
        terms: Terms,
        lists: Postings,
        weights: NDArray[np.float32],
        query_weights: QueryWeights,
    ) -> None:
        super().__init__(collection)
        self._terms, self._lists, self._weights = terms, lists, weights
        self._query_weights = query_weights

    def search(self, query: str, k: int) -> list[Hit]:  # noqa: D102
        check_k(k)
        counts = Counter(self._collection.analyser.terms(check_query(query)))
        places = ((self._terms(term), count) for term, count in counts.items())
        known = sorted((place, count) for place, count in places if place is not None)
        size = len(self._collection.ids)
        return self._hits(score(self._lists, self._weights, self._query_weights(known), size), k)


def repeat_weights(known: list[tuple[int, int]]) -> list[tuple[int, float]]:
    """BM25: a term counts as often as it stands in the query."""
    return [(term, float(count)) for term, count in known]


def cosine_weights(idf: NDArray[np.float32]) -> QueryWeights:
    """TF-IDF: the query's own weights, scaled to length 1 over the terms that the collection knows."""

    def weights(known: list[tuple[int, int]]) -> list[tuple[int, float]]:
        raw = [(term, (1 + math.log(count)) * float(idf[term])) for term, count in known]
        length = math.sqrt(math.fsum(weight * weight for _, weight in raw))
        return [(term, weight / length) for term, weight in raw]

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
    """Weighted reciprocal rank fusion of other engines, of the first `depth` hits of each.

    Where these are fewer than `k`, those that twice the depth brings follow, and so on: a larger `k` makes the
    list longer and changes nothing in it.
    """

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
        check_k(k)
        found: dict[str, float] = {}
        depth, is_all = self._depth, False
        while len(found) < k and not is_all:
            rankings = [(weight, [h.id for h in engine.search(query, depth)]) for weight, engine in self._engines]
            new = [
                (identity, score)
                for identity, score in fuse(rankings, constant=self._constant)
                if identity not in found
            ]
            scores = [score for _, score in new]
            if found:  # behind all of these
                scores = strictly([min(found.values()), *scores])[1:]
            found.update(zip((identity for identity, _ in new), scores, strict=True))
            is_all = all(len(ids) < depth for _, ids in rankings)
            depth *= 2
        return [Hit(identity, found[identity], rank) for rank, identity in enumerate(list(found)[:k], 1)]
