"""What an index is made of: the parts that `storage` saves and the engines read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from numpy.typing import NDArray

from ..decompose.plan import InputError
from .counts import TermCounts, count_terms
from .mentions import name_parts
from .strings import Passages, Strings
from .tokens import Analyser
from .types import Passage
from .weights import bm25_weights, postings, tfidf_weights

Parts = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a collection is indexed and searched; stored with the index.

    k1, b: of BM25. title: how often the title counts in the hybrid method and in TF-IDF; plain BM25 counts it
    once. bm25_share, tfidf_share: weights of the two rankings in the hybrid one. rrf: the constant of the
    fusion. depth: how many hits of each ranking are fused (more when `k` is larger).
    """

    analyser: Analyser = field(default_factory=Analyser)
    k1: float = 1.5
    b: float = 0.75
    title: int = 4
    bm25_share: float = 1.0
    tfidf_share: float = 1.0
    rrf: float = 60
    depth: int = 100


def make_parts(passages: Iterable[Passage], settings: Settings, report: Callable[[str], None]) -> Parts:
    """Return the parts of an index of `passages`; see `Index.build`.

    ids.txt, passages.jsonl and terms.txt are lines of UTF-8 with their offsets in <name>.npy; see `Strings`.
    """
    ordered = _in_order(passages)
    report("counting terms")
    counts = count_terms(ordered, settings.analyser)
    report("weighing terms")
    parts = _term_parts(counts, settings)
    report("collecting names")
    parts |= name_parts(ordered, settings.analyser)
    blocks = {
        "ids.txt": Strings.of(passage.id for passage in ordered),
        "passages.jsonl": Passages.of(ordered).lines,
        "terms.txt": Strings.of(counts.terms),
    }
    for name, block in blocks.items():
        parts |= {name: block.blob, f"{name}.npy": block.offsets}
    return parts


def _in_order(passages: Iterable[Passage]) -> Sequence[Passage]:
    """Return `passages` in the order of their ids, checked."""
    ordered = sorted(passages, key=lambda passage: passage.id)
    if not ordered:
        raise InputError("there are no passages to index; give a corpus with at least one")
    for passage in ordered:
        _check(passage)
    for one, two in pairwise(ordered):
        if one.id == two.id:
            raise InputError(f"the passage id {one.id!r} stands twice; ids must be unique")
    return ordered


def _check(passage: Passage) -> None:
    """Raise InputError where a passage cannot be stored."""
    if not passage.id.strip():
        raise InputError(f"a passage has the id {passage.id!r}; give each passage an id that can be seen")
    for text in (passage.id, passage.title, passage.text):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"the passage {passage.id!r} has a lone surrogate at character {error.start}; give valid Unicode"
            ) from None


def _term_parts(counts: TermCounts, settings: Settings) -> Parts:
    """Return the postings and the weights of every engine."""
    lists = postings(counts)
    parts: Parts = {"postings.starts.npy": lists.starts, "postings.docs.npy": lists.docs}
    parts["tfidf.npy"], parts["idf.npy"] = tfidf_weights(counts, title=settings.title)
    for name, title in (("bm25", 1), ("bm25-titled", settings.title)):
        parts[f"{name}.npy"] = bm25_weights(counts, title=title, k1=settings.k1, b=settings.b)
    return parts
