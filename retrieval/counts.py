"""Term counts of a collection, the one input of every weighting."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often each term stands in each passage.

    terms: sorted by code point, each in at least one passage; a term's number is its place here.
    matrix: passages x terms, int32, the term numbers of a row ascending.
    """

    terms: list[str]
    matrix: csr_matrix


def count_terms(passages: Iterable[list[str]]) -> TermCounts:
    """Count the terms of each passage; the result does not depend on the order in which terms are met."""
    numbers: dict[str, int] = {}
    columns, values, starts = array("i"), array("i"), array("q", [0])
    for terms in passages:
        counts = Counter(terms)
        columns.extend([numbers.setdefault(term, len(numbers)) for term in counts])
        values.extend(counts.values())
        starts.append(len(columns))
    terms_sorted = sorted(numbers)
    place = np.empty(len(numbers), np.int32)
    place[[numbers[term] for term in terms_sorted]] = np.arange(len(numbers), dtype=np.int32)
    matrix = csr_matrix(
        (np.asarray(values, np.int32), place[np.asarray(columns, np.int32)], np.asarray(starts, np.int64)),
        shape=(len(starts) - 1, len(numbers)),
    )
    matrix.sort_indices()
    return TermCounts(terms_sorted, matrix)


class TermNumbers(Sequence[list[int]]):
    """The passages as lists of term numbers, repeats included: what bm25s reads. Made when asked for."""

    def __init__(self, matrix: csr_matrix) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[0])

    def __getitem__(self, row: int) -> list[int]:  # type: ignore[override]
        if row >= len(self):
            raise IndexError(row)
        span = slice(self._matrix.indptr[row], self._matrix.indptr[row + 1])
        numbers: NDArray[np.int32] = np.repeat(self._matrix.indices[span], self._matrix.data[span])
        result: list[int] = numbers.tolist()
        return result

    def __iter__(self) -> Iterator[list[int]]:
        return (self[row] for row in range(len(self)))
