"""The index of a collection: build, save, open, update, search."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, get_args

from ..decompose.plan import InputError
from . import storage
from .engines import (
    Collection,
    HybridEngine,
    RankBM25Engine,
    TermEngine,
    cosine_weights,
    repeat_weights,
)
from .mentions import Names
from .parts import Parts, Settings, make_parts
from .postings import Postings
from .strings import Ids, Passages, Strings
from .tokens import Analyser
from .types import Hit, Passage, Retriever, document_of

Method = Literal["hybrid", "bm25", "tfidf", "rank-bm25"]
METHODS: tuple[Method, ...] = get_args(Method)


def _settings(stored: dict[str, Any]) -> Settings:
    """Read back what `asdict` made of settings."""
    return Settings(**stored | {"analyser": Analyser(**stored["analyser"])})


class Index:
    """A searchable collection. It never changes: `add`, `replace` and `delete` return a new one.

    Passages are kept in the order of their ids, so the order in which they came leaves no trace.
    """

    def __init__(self, parts: Parts, settings: Settings) -> None:
        """Use `build` or `open`."""
        self.settings = settings
        self._parts = parts
        self._collection = Collection(
            Ids(self._parts["ids.txt"], self._parts["ids.txt.npy"]),
            Passages(self._strings("passages.jsonl")),
            settings.analyser,
        )
        # The number of a term, None for an unknown one; remembered, as questions share most of their words.
        self._term = lru_cache(maxsize=1 << 16)(self._strings("terms.txt").find)
        self._engines: dict[str, Retriever] = {}

    def _strings(self, name: str) -> Strings:
        return Strings(self._parts[name], self._parts[f"{name}.npy"])

    @classmethod
    def build(
        cls,
        passages: Iterable[Passage],
        *,
        settings: Settings | None = None,
        report: Callable[[str], None] | None = None,
    ) -> Index:
        """Index `passages`. InputError where there are none or two have the same id.

        `report` is called with what is done next, at the start of each part of the work.
        """
        settings = settings or Settings()
        return cls(make_parts(passages, settings, report or (lambda _: None)), settings)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the index to `folder`, in place of the one it holds, in one step."""
        storage.save(Path(folder), self._parts, self._meta())

    def _meta(self) -> dict[str, Any]:
        return {"passages": len(self), "settings": asdict(self.settings), "hopsplit": version("hopsplit")}

    @classmethod
    def update(cls, folder: str | os.PathLike[str], change: Callable[[Index], Index]) -> tuple[Index, Index]:
        """Put what `change` makes of the index in `folder` in its place; return the old one and the new one.

        No other process can write to the folder meanwhile: InputError where one does, and nothing is changed.
        """
        with storage.only_writer(Path(folder)):
            old = cls.open(folder)
            made = change(old)
            storage.write(Path(folder), made._parts, made._meta())
        return old, made

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Index:
        """Open the index in `folder`, memory-mapped. InputError says what is wrong with it."""
        parts, meta = storage.load(Path(folder))
        try:
            return cls(parts, _settings(meta["settings"]))
        except (KeyError, TypeError):
            raise InputError(f"{folder}: the index of another version of hopsplit; build it again") from None

    @staticmethod
    def verify(folder: str | os.PathLike[str]) -> None:
        """Compare every file in `folder` with its checksum; InputError names a damaged one.

        `open` does so for indexes up to 64 MiB, of larger ones it compares the sizes.
        """
        storage.verify(Path(folder))

    def add(self, passages: Iterable[Passage]) -> Index:
        """Return an index with `passages` too, equal to one built anew. InputError where an id is taken."""
        new = list(passages)
        for passage in new:
            if self._collection.ids.find(passage.id) is not None:
                raise InputError(f"the passage id {passage.id!r} is taken; replace it, or choose another id")
        return self._changed(frozenset(), new)

    def replace(self, passages: Iterable[Passage]) -> Index:
        """Return an index with `passages` in place of those of the same ids; InputError on an unknown id."""
        new = list(passages)
        return self._changed(self._known(passage.id for passage in new), new)

    def delete(self, ids: Iterable[str]) -> Index:
        """Return an index without the passages of these ids. InputError where an id is unknown."""
        return self._changed(self._known(ids), [])

    def put(self, passages: Iterable[Passage]) -> Index:
        """Return an index with `passages` in place of what it has of the same documents, and the new ones too.

        A passage is a document of its own, or a piece of one that `read_corpus` has cut; all old pieces go.
        InputError where the id of a new passage is that of a passage of another document.
        """
        new = list(passages)
        documents = {document_of(passage) for passage in new}
        ids = {passage.id for passage in new}
        gone = set()
        for old in self.passages:
            if document_of(old) in documents:
                gone.add(old.id)
            elif old.id in ids:
                raise InputError(f"the passage id {old.id!r} is taken by another document; choose another id")
        return self._changed(frozenset(gone), new)

    def _known(self, ids: Iterable[str]) -> frozenset[str]:
        known = frozenset(ids)
        for identity in sorted(known):
            if self._collection.ids.find(identity) is None:
                raise InputError(f"there is no passage with the id {identity!r} in the index")
        return known

    def _changed(self, without: frozenset[str], new: Sequence[Passage]) -> Index:
        kept = [passage for passage in self.passages if passage.id not in without]
        return Index.build([*kept, *new], settings=self.settings)

    @property
    def passages(self) -> Sequence[Passage]:
        """The passages in the order of their ids, decoded one by one as they are asked for."""
        return self._collection.passages

    @property
    def ids(self) -> Iterable[str]:
        """The ids of the passages in their order."""
        return iter(self._collection.ids)

    @property
    def names(self) -> Names:
        """What the passages are called, for finding them in texts."""
        return Names(self._parts, self._collection.ids)

    def idf(self, term: str) -> float:
        """Return BM25's idf of an analysed term, ln(1 + (N - df + .5) / (df + .5)); unknown: df 0."""
        number = self._term(term)
        starts = self._parts["postings.starts.npy"]
        df = 0 if number is None else int(starts[number + 1] - starts[number])
        return math.log(1 + (len(self) - df + 0.5) / (df + 0.5))

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id; KeyError where there is none."""
        return self._collection.passage(passage_id)

    def __len__(self) -> int:
        return len(self._collection.ids)

    def engine(self, method: Method = "hybrid") -> Retriever:
        """Return the search engine of that name. InputError where there is none."""
        if method not in METHODS:
            raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
        if method not in self._engines:
            self._engines[method] = self._make(method)
        return self._engines[method]

    def _make(self, method: str) -> Retriever:
        if method == "rank-bm25":
            return RankBM25Engine(self._collection, k1=self.settings.k1, b=self.settings.b)
        if method == "hybrid":
            pair = [
                (self.settings.bm25_share, self._make("bm25-titled")),
                (self.settings.tfidf_share, self.engine("tfidf")),
            ]
            return HybridEngine(self._collection, pair, constant=self.settings.rrf, depth=self.settings.depth)
        lists = Postings(self._parts["postings.starts.npy"], self._parts["postings.docs.npy"])
        query = cosine_weights(self._parts["idf.npy"]) if method == "tfidf" else repeat_weights
        return TermEngine(self._collection, self._term, lists, self._parts[f"{method}.npy"], query)

    def search(self, query: str, k: int, *, method: Method = "hybrid") -> list[Hit]:
        """Return at most `k` hits, ordered by (-score, id), none with score 0.

        InputError on an empty query, a `k` below 1, an unknown method.
        """
        return self.engine(method).search(query, k)

    def search_many(self, queries: Sequence[str], k: int, *, method: Method = "hybrid") -> list[list[Hit]]:
        """Return what `search` gives for each query, in the order of the queries."""
        return self.engine(method).search_many(queries, k)
