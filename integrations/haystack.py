"""Components for Haystack 2 and 3 (the extra `haystack`): a decomposer, and two retrievers that search hop by hop.

Each loads what it needs at `warm_up`, or where it first runs. One component may run in any number of threads.
"""

# No postponed annotations and no `X | None` here: older versions of Haystack make no sockets of them.
# ruff: noqa: UP007, UP045
import asyncio
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any, Optional, Self, Union

from ..decompose import Decomposer, InputError
from ..decompose.textfile import read_titles
from ..fallback import Asker, Result
from ..retrieval import Evidence, Index
from ..retrieval.engines import check_k
from ..serving import forms
from .common import Once, metadata, missing
from .over import Asked, Over, Read
from .questions import standing

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.core.serialization import component_from_dict, component_to_dict, import_class_by_name
except ImportError as error:
    raise ImportError(missing("Haystack", "haystack")) from error

Titles = Union[list[str], str, None]
Filters = Optional[dict[str, Any]]
_PLAN = {"kind": str, "hops": list[str], "queries": list[str], "plan": dict[str, Any]}
_FOUND = {
    "documents": list[Document],
    "bridges": list[dict[str, Any]],
    "queries": list[str],
    "confidence": float,
    "plan": dict[str, Any],
}


class _Part:
    """What the components have in common."""

    def warm_up(self) -> None:
        """Load what the component needs."""
        raise NotImplementedError

    async def warm_up_async(self) -> None:
        """Do what `warm_up` does, without blocking the event loop."""
        await asyncio.to_thread(self.warm_up)


@component
class QuestionDecomposer(_Part):
    """Splits a question into hops, by rules, without a language model.

    titles: names that are never taken apart: a list, or the path of a file with one a line.
    """

    def __init__(self, titles: Titles = None) -> None:
        self.titles = titles
        self._decomposer = Once(lambda: _decomposer(titles))

    def warm_up(self) -> None:
        """Load the model. InputError where there is none, or the file of titles cannot be read."""
        self._decomposer.get()

    @component.output_types(**_PLAN)
    def run(self, query: str) -> dict[str, Any]:
        """Split a question. InputError where it is empty or endless.

        kind: of the plan, such as `single` or `bridge`. hops: the question of each hop, `#n` for the answer of hop n.
        queries: the question, and of its hops those that refer to no other; each once, for a search of many queries.
        plan: as `hopsplit decompose --format json` writes it.
        """
        plan = self._decomposer.get().decompose(query)
        queries = _queries(query, (hop.text for hop in plan.hops if not hop.refs))
        hops = [hop.text for hop in plan.hops]
        return {"kind": plan.kind, "hops": hops, "queries": queries, "plan": forms.of_plan(plan)}

    @component.output_types(**_PLAN)
    async def run_async(self, query: str) -> dict[str, Any]:
        """Return what `run` returns, without blocking the event loop."""
        return await asyncio.to_thread(self.run, query)


@component
class HopsplitRetriever(_Part):
    """Finds the passages for a question in an index of ours, hop by hop.

    index: its folder, which is read at `warm_up`. top_k: passages at most.
    """

    def __init__(self, index: str, top_k: int = 10) -> None:
        self.index = str(index)
        self.top_k = check_k(top_k)
        self._asker = Once(lambda: Asker(Index.open(self.index)))

    def warm_up(self) -> None:
        """Load the model and open the index. InputError where one of them is missing or damaged."""
        self._asker.get()

    @component.output_types(**_FOUND)
    def run(self, query: str, filters: Filters = None, top_k: Optional[int] = None) -> dict[str, Any]:
        """Find at most `top_k` passages. InputError on an empty query, a `top_k` below 1, and on filters.

        documents: best first, scores strictly decreasing; meta: `title`, `source_id` (the document that a passage was
        cut from, else its own id), `hop` that it is evidence for (0: none), `via`, the names put in to find it.
        bridges: `hop`, `name`, `passage_id`, `score`, the likeliest names of each hop that another refers to.
        queries: the question, and its hops with the likeliest names in place of ``#n``; each once.
        confidence: from 0 to 1; below 0.4 the bridges are doubtful. plan: as `QuestionDecomposer` gives it.
        """
        if filters:
            raise InputError("an index of hopsplit has no metadata to filter by; put MultiHopRetriever on a store")
        result = self._asker.get().ask(query, k=self.top_k if top_k is None else top_k)
        return _found(result, [_document(item) for item in result.evidence])

    @component.output_types(**_FOUND)
    async def run_async(self, query: str, filters: Filters = None, top_k: Optional[int] = None) -> dict[str, Any]:
        """Return what `run` returns, without blocking the event loop."""
        return await asyncio.to_thread(self.run, query, filters, top_k)


@component
class MultiHopRetriever(_Part):
    """Searches hop by hop with another text retriever: its Documents come back, in the order of our search.

    retriever: any component that takes a `query` and gives `documents`, such as `InMemoryBM25Retriever`, or
    `TextEmbeddingRetriever` around an embedding retriever; else InputError. top_k: Documents at most. title_key: where
    the meta of a Document has its title, which names are told by. titles: as of `QuestionDecomposer`.
    """

    def __init__(self, retriever: Any, top_k: int = 10, title_key: str = "title", titles: Titles = None) -> None:
        self.retriever = _checked(retriever)
        self.top_k = check_k(top_k)
        self.title_key = title_key
        self.titles = titles
        self._over = Once(lambda: Over(self._read, {"decomposer": _decomposer(titles)}))

    def to_dict(self) -> dict[str, Any]:
        """Return the component, and the retriever in it, as a dictionary."""
        inner = component_to_dict(self.retriever, "retriever")
        return default_to_dict(self, retriever=inner, top_k=self.top_k, title_key=self.title_key, titles=self.titles)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the component of a dictionary, and the retriever in it."""
        parameters = dict(data["init_parameters"])
        inner = parameters["retriever"]
        parameters["retriever"] = component_from_dict(import_class_by_name(inner["type"]), inner, "retriever")
        return default_from_dict(cls, {**data, "init_parameters": parameters})

    def warm_up(self) -> None:
        """Load the model, and warm the retriever up. InputError as of `QuestionDecomposer`."""
        self._over.get()
        if hasattr(self.retriever, "warm_up"):
            self.retriever.warm_up()

    async def warm_up_async(self) -> None:
        """Do what `warm_up` does; the model is loaded without blocking the event loop."""
        await asyncio.to_thread(self._over.get)
        if hasattr(self.retriever, "warm_up_async"):
            await self.retriever.warm_up_async()
        elif hasattr(self.retriever, "warm_up"):
            self.retriever.warm_up()

    def close(self) -> None:
        """Close the retriever, where it can be closed."""
        if hasattr(self.retriever, "close"):
            self.retriever.close()

    async def close_async(self) -> None:
        """Close the retriever, where it can be closed."""
        if hasattr(self.retriever, "close_async"):
            await self.retriever.close_async()
        else:
            self.close()

    @component.output_types(**_FOUND)
    def run(self, query: str, filters: Filters = None, top_k: Optional[int] = None) -> dict[str, Any]:
        """Find at most `top_k` Documents; `filters` go to the retriever with each search.

        Each keeps its id, content and meta; `hop` and `via` are added to the meta, and the score is ours. Outputs as of
        `HopsplitRetriever`, InputError on an empty query and a `top_k` below 1; what the retriever raises comes
        through.
        """
        self.warm_up()
        asked = self._over.get().ask(
            query, self._k(top_k), lambda text, k: _documents(self.retriever.run(**self._given(text, k, filters)))
        )
        return _original(asked)

    @component.output_types(**_FOUND)
    async def run_async(self, query: str, filters: Filters = None, top_k: Optional[int] = None) -> dict[str, Any]:
        """Return what `run` returns, without blocking the event loop; the retriever's `run_async` where it has one."""
        await self.warm_up_async()

        async def search(text: str, k: int) -> list[Document]:
            given = self._given(text, k, filters)
            if hasattr(self.retriever, "run_async"):
                return _documents(await self.retriever.run_async(**given))
            return _documents(await asyncio.to_thread(self.retriever.run, **given))

        return _original(await self._over.get().aask(query, self._k(top_k), search))

    def _k(self, top_k: Optional[int]) -> int:
        return self.top_k if top_k is None else top_k

    def _given(self, query: str, k: int, filters: Filters) -> dict[str, Any]:
        """Return what a search of the retriever is given; some take no number of Documents."""
        limit = {"top_k": k} if "top_k" in self.retriever.__haystack_input__ else {}
        return {"query": query, **limit, **({} if filters is None else {"filters": filters})}

    def _read(self, document: Document) -> Read:
        title = document.meta.get(self.title_key)
        return Read(document.id, title if isinstance(title, str) else "", document.content or "")


def _decomposer(titles: Titles) -> Decomposer:
    return Decomposer(titles=read_titles(titles) if isinstance(titles, str) else titles or ())


def _checked(retriever: Any) -> Any:
    """Return the component; InputError where it does not take a query and give documents."""
    takes, gives = (getattr(retriever, f"__haystack_{side}__", ()) for side in ("input", "output"))
    if "query" in takes and "documents" in gives:
        return retriever
    raise InputError(
        f"{type(retriever).__name__} does not take a query and give documents; give a text retriever such as "
        "InMemoryBM25Retriever, or TextEmbeddingRetriever around an embedding retriever"
    )


def _documents(output: dict[str, Any]) -> list[Document]:
    documents: list[Document] = output["documents"]
    return documents


def _document(item: Evidence) -> Document:
    passage = item.passage
    meta = {"title": passage.title, "source_id": passage.document or passage.id, **metadata(item)}
    return Document(id=passage.id, content=passage.text, meta=meta, score=item.score)


def _original(asked: Asked[Document]) -> dict[str, Any]:
    """Return the outputs with the Documents as the retriever gave them, but for the score and what we know."""
    pairs = zip(asked.found, asked.result.evidence, strict=True)
    documents = [replace(one, score=item.score, meta={**one.meta, **metadata(item)}) for one, item in pairs]
    named = zip(asked.named, asked.result.bridges, strict=True)
    bridges = tuple(replace(bridge, passage_id=one.id) for one, bridge in named)
    return _found(replace(asked.result, bridges=bridges), documents)


def _found(result: Result, documents: list[Document]) -> dict[str, Any]:
    return {
        "documents": documents,
        "bridges": [asdict(bridge) for bridge in result.bridges],
        "queries": _queries(result.question, standing(result.plan, result.bridges)),
        "confidence": result.confidence,
        "plan": forms.of_plan(result.plan),
    }


def _queries(question: str, hops: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([question, *hops]))
