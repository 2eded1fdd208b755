"""Somebody else's retriever under our search: the common part of the adapters."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextvars import copy_context
from hashlib import sha256
from threading import Event, Lock
from typing import Any, Generic, NamedTuple, TypeVar

from ..decompose import Decomposer
from ..fallback import Asker, Result
from ..retrieval.own import PassageSearch, listed
from ..retrieval.types import Passage

T = TypeVar("T")
_DIGITS = 16


class Read(NamedTuple):
    """What an object of a framework says: its id, None where it has none, its title and its text."""

    id: str | None
    title: str
    text: str


class Asked(NamedTuple, Generic[T]):
    """The result of a question; for each passage of its evidence, and of its bridges, the object it was read from."""

    result: Result
    found: tuple[T, ...]
    named: tuple[T, ...]


class Over(Generic[T]):
    """Asks questions over a retriever of a framework. Only the order of what it finds counts, not its scores.

    read: reads an object that it finds. Two objects of the same id and text are one, and without an id those of the
    same text; the first one found comes back. Passages are named by their texts, so that neither ids that are new
    in every run nor which of two searches ends first changes an order. Nothing is kept from one question to the
    next. options: of `Asker`, by their names.
    """

    def __init__(self, read: Callable[[T], Read], options: Mapping[str, Any]) -> None:
        self._read = read
        self._options = {**options, "decomposer": options.get("decomposer") or Decomposer()}
        self._asker(_Finds(lambda _query, _hits: (), read))  # complains now of what is wrong with the options

    def ask(self, question: str, k: int, find: Callable[[str, int], Iterable[T]]) -> Asked[T]:
        """Return the result with at most `k` passages; `find(query, hits)` searches, and what it raises comes through.

        It is called in the context of the caller, with a language model in other threads too.
        """
        context = copy_context()
        finds = _Finds(lambda query, hits: context.copy().run(find, query, hits), self._read)
        return finds.of(self._asker(finds).ask(question, k=k))

    async def aask(
        self, question: str, k: int, find: Callable[[str, int], Coroutine[Any, Any, Iterable[T]]]
    ) -> Asked[T]:
        """Return what `ask` returns, with each search awaited on the running loop, which is not blocked.

        Once the task is cancelled, the search under way is too, and none is begun.
        """
        loop, context, over = asyncio.get_running_loop(), copy_context(), Event()
        searches: list[Future[Iterable[T]]] = []

        def search(query: str, hits: int) -> Iterable[T]:
            if over.is_set():
                raise CancelledError
            searches.append(context.copy().run(asyncio.run_coroutine_threadsafe, find(query, hits), loop))
            if over.is_set():  # the other thread may have missed it
                searches[-1].cancel()
            return searches[-1].result()

        finds = _Finds(search, self._read)
        try:
            return finds.of(await self._asker(finds).aask(question, k=k))
        finally:
            over.set()
            for each in tuple(searches):
                each.cancel()

    def _asker(self, finds: _Finds[T]) -> Asker:
        return Asker(PassageSearch(finds.search), **self._options)


class _Finds(Generic[T]):
    """What the searches of one question have found."""

    def __init__(self, find: Callable[[str, int], Iterable[T]], read: Callable[[T], Read]) -> None:
        self._find, self._read = find, read
        self._ids: dict[str, dict[str | None, str]] = {}
        self._objects: dict[str, T] = {}
        self._naming = Lock()

    def search(self, query: str, hits: int) -> Iterator[tuple[Passage, float]]:
        """Yield what is found, scored by its rank."""
        for rank, each in enumerate(listed(self._find(query, hits)), 1):
            yield self._passage(each), 1 / rank

    def of(self, result: Result) -> Asked[T]:
        """Return a result with the objects of its evidence."""
        found = (self._objects[item.passage.id] for item in result.evidence)
        named = (self._objects[bridge.passage_id] for bridge in result.bridges)
        return Asked(result, tuple(found), tuple(named))

    def _passage(self, found: T) -> Passage:
        said = self._read(found)
        with self._naming:
            alike = self._ids.setdefault(said.text, {})
            digest = sha256(said.text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
            passage_id = alike.setdefault(said.id, f"{digest}-{len(alike) + 1}")
            self._objects.setdefault(passage_id, found)
        return Passage(passage_id, said.title, said.text)
