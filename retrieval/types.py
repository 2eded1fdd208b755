"""What retrieval takes and gives: passages, hits, evidence, and the protocol of a search engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a collection. `id` is unique in it; `title` may be empty."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result: passage id, score (higher is better), 1-based rank; order (-score, id)."""

    id: str
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage in the final ranking.

    score: strictly decreasing along a ranking.
    hop: id of the hop that it is evidence for, 0 where only the original question found it.
    via: the named bridge entity put into the hop's text to find it, empty where none was.
    """

    passage: Passage
    score: float
    hop: int
    via: str


@runtime_checkable
class Retriever(Protocol):
    """A search engine over passages. Results are ordered by (-score, id), without zero scores."""

    def search(self, query: str, k: int) -> list[Hit]:
        """Return at most `k` hits, best first."""
        ...

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return what `search` gives for each query, in the order of the queries."""
        ...

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id; KeyError where there is none."""
        ...
