"""A search of one's own as a `Retriever`: any function from a query to passages and scores."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from numbers import Real
from threading import Lock
from typing import TypeVar

from ..decompose.plan import InputError
from .engines import check_k
from .tokens import check_query
from .types import Hit, Passage

_KEPT = 1 << 14  # passages kept for `passage`, beside those of one search: those found last
_SHOWN = 80
T = TypeVar("T")


class PassageSearch:
    """The `Retriever` of a function `search(query, k)` that gives (Passage, score) pairs, higher scores better.

    The schemes and `Asker` run on it. Names are told by the texts and titles alone. The function is called in the
    threads of the caller; what it raises comes through.

    Hits are ordered by (-score, id); an id counts once, with its best score. InputError where a result is no such
    pair, an id no text or empty, a text no text, a score no number, and where scores rise along the results: they are
    distances then.
    """

    def __init__(self, search: Callable[[str, int], Iterable[tuple[Passage, float]]]) -> None:
        self._search = search
        self._kept: OrderedDict[str, Passage] = OrderedDict()
        self._keeping = Lock()

    def search(self, query: str, k: int) -> list[Hit]:
        """Return at most `k` hits, best first. InputError on an empty query and a `k` below 1."""
        check_k(k)
        best: dict[str, float] = {}
        given: list[float] = []
        for found in listed(self._search(check_query(query), k)):
            passage, score = _checked(found)
            given.append(score)
            if score > best.get(passage.id, -math.inf):
                best[passage.id] = score
                self._keep(passage, _KEPT + k)
        if given != sorted(given, reverse=True) and given == sorted(given):
            raise InputError("the scores of the search rise along its results; a higher one is better: give -distance")
        order = sorted(best.items(), key=lambda found: (-found[1], found[0]))[:k]
        return [Hit(passage_id, score, rank) for rank, (passage_id, score) in enumerate(order, 1)]

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return what `search` gives for each query, in the order of the queries."""
        return [self.search(query, k) for query in queries]

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id as it was last found; KeyError where it was not, or too long ago."""
        return self._kept[passage_id]

    def _keep(self, passage: Passage, most: int) -> None:
        with self._keeping:
            self._kept[passage.id] = passage
            self._kept.move_to_end(passage.id)
            if len(self._kept) > most:
                self._kept.popitem(last=False)


class SearchFunction(PassageSearch):
    """The same of a function that gives (id, text, score) triples."""

    def __init__(self, search: Callable[[str, int], Iterable[tuple[str, str, float]]]) -> None:
        super().__init__(lambda query, k: _passages(search(query, k)))


def listed(results: Iterable[T]) -> Iterable[T]:
    """Return the results of a search; InputError where there is nothing to go through, not even an empty list."""
    if isinstance(results, Iterable):
        return results
    raise InputError(f"the search gave {results!r:.{_SHOWN}}; give a list, an empty one where it finds nothing")


def _passages(rows: Iterable[tuple[str, str, float]]) -> Iterator[tuple[Passage, float]]:
    for row in listed(rows):
        if not isinstance(row, Sequence) or len(row) != 3:
            raise InputError(f"the search gave {row!r:.{_SHOWN}}; give (id, text, score)")
        passage_id, text, score = row
        yield Passage(passage_id, "", text), score


def _checked(found: object) -> tuple[Passage, float]:
    """Return a result; InputError where it cannot be one."""
    if not isinstance(found, Sequence) or len(found) != 2 or not isinstance(found[0], Passage):
        raise InputError(f"the search gave {found!r:.{_SHOWN}}; give (Passage, score)")
    passage, score = found
    if not isinstance(passage.id, str) or not passage.id:
        raise InputError(f"the search gave the id {passage.id!r:.{_SHOWN}}; give a text of one character or more")
    for name, said in (("title", passage.title), ("text", passage.text)):
        if not isinstance(said, str):
            raise InputError(f"the search gave {passage.id!r} the {name} {said!r:.{_SHOWN}}; give a text")
    # A Decimal is what databases have.
    number = float(score) if isinstance(score, Real | Decimal) and not isinstance(score, bool) else math.nan
    if not math.isfinite(number):
        raise InputError(f"the search gave {passage.id!r} the score {score!r:.{_SHOWN}}; give a finite number")
    return passage, number
