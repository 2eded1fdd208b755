"""What retrieval takes and gives: passages, hits, evidence, and the protocol of a search engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a collection. `id` is unique in it; `title` may be empty.

    document: the id of the document that it was cut from; empty where it is a document of its own.
    """

    id: str
    title: str
    text: str
    document: str = ""


def document_of(passage: Passage) -> str:
    """Return the id of the document that a passage is, or is a piece of."""
    return passage.document or passage.id


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
    hop: id of the hop that it is evidence for, 0 where only the question, or a further query, found it.
    via: the names put in place of the ``#n`` of the hop's text to find it, with ", " between them, empty where none
        was. The passage itself need not name them.
    query: the further query of a language model that found it, empty where none did.
    """

    passage: Passage
    score: float
    hop: int
    via: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class Bridge:
    """What ``#hop`` was taken to be: a name, the passage that names it, and a score (higher is likelier)."""

    hop: int
    name: str
    passage_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Search:
    """A query, and the ids of its first hits, best first."""

    query: str
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scheme found.

    evidence: at most the asked number of passages, best first, none twice.
    bridges: for each hop that a later one refers to the likeliest names, ordered by (hop, -score).
    searches: those made, in order.
    confidence: from 0 to 1, how well margins and agreement speak for the first passages.
    """

    evidence: tuple[Evidence, ...]
    bridges: tuple[Bridge, ...]
    searches: tuple[Search, ...]
    confidence: float


@runtime_checkable
class Retriever(Protocol):
    """A search engine over passages. Results are ordered by (-score, id), without zero scores.

    With a language model it is called from several threads, and what it raises then ends the further search.
    """

    def search(self, query: str, k: int) -> list[Hit]:
        """Return at most `k` hits, best first."""
        ...

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return what `search` gives for each query, in the order of the queries."""
        ...

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id; KeyError where there is none."""
        ...
