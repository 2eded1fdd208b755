"""Retrievers of LangChain (the extra `langchain`): over an index of ours, and over any retriever of LangChain's."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Self

from .common import metadata, missing

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever, RetrieverLike
    from langchain_core.runnables import RunnableConfig
    from langchain_core.runnables.base import RunnableBindingBase
    from langchain_core.vectorstores import VectorStore
except ImportError as error:
    raise ImportError(missing("LangChain", "langchain")) from error
from pydantic import Field, InstanceOf, PrivateAttr, field_validator

from ..decompose.plan import InputError
from ..fallback import Asker
from ..retrieval import Evidence, Index, Passage, Settings
from ..retrieval.formats import content_id
from .over import Asked, Over, Read

_SHOWN = 80


class HopsplitRetriever(BaseRetriever):
    """Retrieves from an `Index`, hop by hop.

    asker: what is asked; it may have a language model. k: Documents at most, best first, scores strictly decreasing.
    documents: the Documents that come back, by passage id; for other passages they are made of title and text. The
    metadata get `hop`, `via`, `score`, and `query` where a language model asked on.
    """

    asker: Asker
    k: int = Field(default=10, ge=1)
    documents: InstanceOf[Mapping[str, Document]] = Field(default_factory=dict, repr=False)  # as it is, not a copy

    @classmethod
    def from_index(cls, index: Index, *, asker_kwargs: Mapping[str, Any] | None = None, **kwargs: Any) -> Self:
        """Make one over an index. asker_kwargs: of `Asker`, such as `llm`. kwargs: fields of this class."""
        return cls(asker=Asker(index, **(asker_kwargs or {})), **kwargs)

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str], **kwargs: Any) -> Self:
        """Make one over a saved index; InputError says what is wrong with it. kwargs: of `from_index`."""
        return cls.from_index(Index.open(folder), **kwargs)

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[Document],
        *,
        title_key: str = "title",
        settings: Settings | None = None,
        **kwargs: Any,
    ) -> Self:
        """Index Documents. InputError where there are none, or two have the same id. kwargs: of `from_index`.

        title_key: of the metadata, where the title is. settings: of the index. One without an id gets one made of title
        and text; of those that are equal in both the first is kept.
        """
        kept: dict[str, Document] = {}
        passages: list[Passage] = []
        for document in documents:
            said = _read(document, title_key)
            passage_id = said.id or content_id(said.title, said.text)
            if said.id or passage_id not in kept:
                kept[passage_id] = document
                passages.append(Passage(passage_id, said.title, said.text))
        return cls.from_index(Index.build(passages, settings=settings), documents=kept, **kwargs)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        metadatas: Iterable[dict[str, Any]] | None = None,
        ids: Iterable[str] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Index texts, with metadata and ids in step with them. ValueError where there are more or fewer of these.

        kwargs: of `from_documents`.
        """
        given = list(texts)
        named = [None] * len(given) if ids is None else ids
        rows = zip(given, [{}] * len(given) if metadatas is None else metadatas, named, strict=True)
        return cls.from_documents([Document(page_content=t, metadata=m, id=i) for t, m, i in rows], **kwargs)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        result = self.asker.ask(query, k=self.k if k is None else k)
        return [self._document(item.passage, _said(item)) for item in result.evidence]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        result = await self.asker.aask(query, k=self.k if k is None else k)
        return [self._document(item.passage, _said(item)) for item in result.evidence]

    def _document(self, passage: Passage, said: dict[str, Any]) -> Document:
        own = self.documents.get(passage.id)
        if own is None:
            return Document(page_content=passage.text, id=passage.id, metadata={"title": passage.title} | said)
        return own.model_copy(update={"id": passage.id, "metadata": own.metadata | said})


class MultiHopRetriever(BaseRetriever):
    """Retrieves with another retriever, hop by hop: the question's hops are searched with the names found for `#1`.

    retriever: any of LangChain's, or a vector store. It is told how many Documents a search wants where it has a field
    for that (`k`, `top_k`, the `search_kwargs` of a vector store's). What it raises comes through. k: Documents
    at most; among them are the first that it finds for the question itself, see `Executor.run`. title_key: of the
    metadata, where titles are. asker_kwargs: of `Asker`, such as `llm`. Metadata: as of `HopsplitRetriever`.
    """

    retriever: RetrieverLike
    k: int = Field(default=10, ge=1)
    title_key: str = "title"
    asker_kwargs: Mapping[str, Any] = Field(default_factory=dict, repr=False)
    _over: Over[Document] = PrivateAttr()

    @field_validator("retriever", mode="before")
    @classmethod
    def _as_retriever(cls, given: object) -> object:
        return given.as_retriever() if isinstance(given, VectorStore) else given

    def model_post_init(self, context: Any, /) -> None:
        """Load the rules."""
        self._over = Over(lambda document: _read(document, self.title_key), self.asker_kwargs)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy, which reads titles by its own `title_key`."""
        copied = super().model_copy(update=update, deep=deep)
        copied.model_post_init(None)
        return copied

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        config = RunnableConfig(callbacks=run_manager.get_child())

        def find(text: str, hits: int) -> list[Document]:
            return _wanting(self.retriever, hits).invoke(text, config)

        return self._documents(self._over.ask(query, self.k if k is None else k, find))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        config = RunnableConfig(callbacks=run_manager.get_child())

        async def find(text: str, hits: int) -> list[Document]:
            return await _wanting(self.retriever, hits).ainvoke(text, config)

        return self._documents(await self._over.aask(query, self.k if k is None else k, find))

    def _documents(self, asked: Asked[Document]) -> list[Document]:
        """Return the Documents of the evidence, with what it says added to their own metadata."""
        pairs = zip(asked.found, asked.result.evidence, strict=True)
        return [d.model_copy(update={"metadata": d.metadata | _said(item)}) for d, item in pairs]


def _wanting(retriever: RetrieverLike, hits: int) -> RetrieverLike:
    """Return a retriever that gives so many hits, where this one has a field for that; it is itself not changed."""
    if isinstance(retriever, RunnableBindingBase):
        return retriever.model_copy(update={"bound": _wanting(retriever.bound, hits)})
    if not isinstance(retriever, BaseRetriever):
        return retriever
    fields = type(retriever).model_fields
    if "vectorstore" in fields and "search_kwargs" in fields:
        search_kwargs = getattr(retriever, "search_kwargs") or {}  # noqa: B009
        return retriever.model_copy(update={"search_kwargs": {**search_kwargs, "k": hits}})
    name = next((name for name in ("k", "top_k") if name in fields), None)
    return retriever.model_copy(update={name: hits}) if name else retriever


def _read(document: object, title_key: str) -> Read:
    if not isinstance(document, Document):
        raise InputError(f"{document!r:.{_SHOWN}} is no Document; give Documents of LangChain's")
    title = document.metadata.get(title_key)
    return Read(document.id, title if isinstance(title, str) else "", document.page_content)


def _said(item: Evidence) -> dict[str, Any]:
    """Return the metadata that evidence brings; a Document has no other place for its score."""
    return metadata(item) | {"score": item.score}
