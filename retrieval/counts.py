"""Term counts of a collection, the one input of every weighting."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from .tokens import Analyser
from .types import Passage

_BLOCK = 20_000  # passages counted at once


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often each term stands in each passage, row by row.

    terms: sorted by code point, each in at least one passage; a term's number is its place here.
    starts: row i is ``starts[i]:starts[i + 1]`` of the other arrays.
    numbers: the terms of a row, ascending.
    title, text: how often the term stands in the title and in the text; one of them is above zero.
    """

    terms: list[str]
    starts: NDArray[np.int64]
    numbers: NDArray[np.int32]
    title: NDArray[np.int32]
    text: NDArray[np.int32]

    def matrix(self, *, title: int) -> csr_matrix:
        """Return passages x terms, int32: counts in the text plus `title` times counts in the title."""
        counts = self.text + title * self.title
        return csr_matrix((counts, self.numbers, self.starts), shape=(len(self.starts) - 1, len(self.terms)))


class _Vocabulary(dict[str, int]):
    """Gives each new term the next number."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


def count_terms(passages: Iterable[Passage], analyser: Analyser) -> TermCounts:
    """Count the terms of `passages`."""
    met = _Vocabulary()
    numbers, lengths = array("i"), array("q")
    for passage in passages:
        title, text = analyser.terms(passage.title), analyser.terms(passage.text)
        numbers.extend([met[term] for term in title + text])
        lengths.extend((len(title), len(text)))
    terms = sorted(met)
    place = np.empty(len(met), np.int32)
    place[[met[term] for term in terms]] = np.arange(len(met), dtype=np.int32)
    return _count(terms, place[np.asarray(numbers)], np.asarray(lengths, np.int64).reshape(-1, 2))


def _count(terms: list[str], numbers: NDArray[np.int32], lengths: NDArray[np.int64]) -> TermCounts:
    """Count term numbers; `lengths` are those of each title and text. Block by block, to save memory."""
    ends = np.concatenate([[0], np.cumsum(lengths.sum(axis=1))])
    blocks = []
    for first in range(0, len(lengths), _BLOCK):
        part = lengths[first : first + _BLOCK]
        rows = np.repeat(np.arange(len(part)), part.sum(axis=1))
        in_title = np.tile([True, False], len(part)).repeat(part.ravel())
        keys = rows * len(terms) + numbers[ends[first] : ends[first + len(part)]]
        cells, counts = np.unique(keys, return_counts=True)
        titled, title_counts = np.unique(keys[in_title], return_counts=True)
        title = np.zeros(len(cells), np.int32)
        title[np.searchsorted(cells, titled)] = title_counts
        row_sizes = np.bincount(cells // max(1, len(terms)), minlength=len(part))
        blocks.append(
            (row_sizes, (cells % max(1, len(terms))).astype(np.int32), title, counts.astype(np.int32) - title)
        )
    sizes, columns, title, text = (np.concatenate(arrays) for arrays in zip(*blocks, strict=True))
    return TermCounts(terms, np.concatenate([[0], np.cumsum(sizes)]), columns, title, text)


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
