"""Retrievers of LlamaIndex (the extra `llama-index`): over an index of ours, and over any retriever of LlamaIndex's.

And what splits questions for its query engines, from `llama_questions`.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from .common import metadata, missing

try:
    from llama_index.core import Settings as Defaults
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.ingestion import run_transformations
    from llama_index.core.schema import (
        BaseNode,
        Document,
        MetadataMode,
        NodeWithScore,
        QueryBundle,
        TextNode,
        TransformComponent,
    )

    from .llama_questions import HopsplitQuestionGenerator, HopsplitStepTransform
except ImportError as error:
    raise ImportError(missing("LlamaIndex", "llama-index")) from error

from ..decompose.plan import InputError
from ..fallback import Asker, Result
from ..retrieval import Evidence, Index, Passage, Settings
from ..retrieval.engines import check_k
from .over import Asked, Over, Read

__all__ = ["HopsplitQuestionGenerator", "HopsplitRetriever", "HopsplitStepTransform", "MultiHopRetriever"]


class HopsplitRetriever(BaseRetriever):
    """Retrieves from an `Index`, hop by hop.

    asker: what is asked; it may have a language model. similarity_top_k: nodes at most, best first, scores strictly
    decreasing. nodes: the nodes that come back, by passage id, such as `docstore.docs`; for other passages they are
    made of title and text. kwargs: of `BaseRetriever`. The metadata get `hop`, `via`, and `query` where a language
    model asked on, which neither embeddings nor language models are shown.
    """

    def __init__(
        self,
        asker: Asker,
        *,
        similarity_top_k: int = 10,
        nodes: Mapping[str, BaseNode] | None = None,
        **kwargs: Any,
    ) -> None:
        self.asker = asker
        self.similarity_top_k = check_k(similarity_top_k)
        self._nodes: Mapping[str, BaseNode] = {} if nodes is None else nodes  # it may be filled later
        super().__init__(**kwargs)

    @classmethod
    def from_index(cls, index: Index, *, asker_kwargs: Mapping[str, Any] | None = None, **kwargs: Any) -> Self:
        """Make one over an index. asker_kwargs: of `Asker`, such as `llm`. kwargs: of this class."""
        return cls(Asker(index, **(asker_kwargs or {})), **kwargs)

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str], **kwargs: Any) -> Self:
        """Make one over a saved index; InputError says what is wrong with it. kwargs: of `from_index`."""
        return cls.from_index(Index.open(folder), **kwargs)

    @classmethod
    def from_nodes(
        cls, nodes: Iterable[BaseNode], *, title_key: str = "title", settings: Settings | None = None, **kwargs: Any
    ) -> Self:
        """Index nodes by their ids. InputError where there are none, or two have the same id. kwargs: of `from_index`.

        title_key: of the metadata, where the title is. settings: of the index.
        """
        by_id: dict[str, BaseNode] = {}
        passages: list[Passage] = []
        for node in nodes:
            said = _read(node, title_key)
            by_id[node.node_id] = node
            passages.append(Passage(node.node_id, said.title, said.text))
        return cls.from_index(Index.build(passages, settings=settings), nodes=by_id, **kwargs)

    @classmethod
    def from_documents(
        cls,
        documents: Sequence[Document],
        *,
        transformations: Sequence[TransformComponent] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Cut Documents into nodes, as `VectorStoreIndex.from_documents` does, and index these.

        transformations: in place of those of LlamaIndex's `Settings`. kwargs: of `from_nodes`.
        """
        nodes = run_transformations(documents, Defaults.transformations if transformations is None else transformations)
        return cls.from_nodes(nodes, **kwargs)

    def ask(self, question: str, *, k: int) -> Result:
        """Return what `Asker.ask` returns: plan, bridges, confidence and all."""
        return self.asker.ask(question, k=k)

    async def aask(self, question: str, *, k: int) -> Result:
        """Return what `ask` returns, without blocking the event loop."""
        return await self.asker.aask(question, k=k)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._found(self.asker.ask(query_bundle.query_str, k=self.similarity_top_k))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._found(await self.asker.aask(query_bundle.query_str, k=self.similarity_top_k))

    def _found(self, result: Result) -> list[NodeWithScore]:
        return [_scored(self._node(item.passage), item) for item in result.evidence]

    def _node(self, passage: Passage) -> BaseNode:
        own = self._nodes.get(passage.id)
        title = {"title": passage.title} if passage.title else {}
        return own or TextNode(id_=passage.id, text=passage.text, metadata=title)


class MultiHopRetriever(BaseRetriever):
    """Retrieves with another retriever, hop by hop: the question's hops are searched with the names found for `#1`.

    retriever: any of LlamaIndex's. A copy of it is told how many nodes a search wants where it has a
    `similarity_top_k`. What it raises comes through. similarity_top_k: nodes at most; among them are
    the first that it finds for the question itself, see `Executor.run`. title_key: of the metadata, where titles are.
    asker_kwargs: of `Asker`, such as `llm`. kwargs: of `BaseRetriever`. Metadata: as of `HopsplitRetriever`.
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        *,
        similarity_top_k: int = 10,
        title_key: str = "title",
        asker_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(retriever, BaseRetriever):
            raise InputError(f"{type(retriever).__name__} is no retriever; give one, such as index.as_retriever()")
        self.retriever = retriever
        self.similarity_top_k = check_k(similarity_top_k)
        self._over: Over[NodeWithScore] = Over(lambda found: _read(found.node, title_key), asker_kwargs or {})
        super().__init__(**kwargs)

    def ask(self, question: str, *, k: int) -> Result:
        """Return what `Asker.ask` returns. The ids of the passages are made of their texts."""
        return self._asked(QueryBundle(question), k).result

    async def aask(self, question: str, *, k: int) -> Result:
        """Return what `ask` returns, without blocking the event loop."""
        return (await self._aasked(QueryBundle(question), k)).result

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _with_evidence(self._asked(query_bundle, self.similarity_top_k))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _with_evidence(await self._aasked(query_bundle, self.similarity_top_k))

    def _asked(self, bundle: QueryBundle, k: int) -> Asked[NodeWithScore]:
        def find(query: str, hits: int) -> list[NodeWithScore]:
            return _wanting(self.retriever, hits).retrieve(_bundle(bundle, query))

        return self._over.ask(bundle.query_str, k, find)

    async def _aasked(self, bundle: QueryBundle, k: int) -> Asked[NodeWithScore]:
        async def find(query: str, hits: int) -> list[NodeWithScore]:
            return await _wanting(self.retriever, hits).aretrieve(_bundle(bundle, query))

        return await self._over.aask(bundle.query_str, k, find)


def _with_evidence(asked: Asked[NodeWithScore]) -> list[NodeWithScore]:
    pairs = zip(asked.found, asked.result.evidence, strict=True)
    return [_scored(found.node, item) for found, item in pairs]


def _scored(node: BaseNode, item: Evidence) -> NodeWithScore:
    """Return a copy of a node with what the evidence says, which is not for the eyes of a model."""
    said = metadata(item)
    update = {
        "metadata": node.metadata | said,
        "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, *said],
        "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, *said],
    }
    return NodeWithScore(node=node.model_copy(update=update), score=item.score)


def _bundle(given: QueryBundle, query: str) -> QueryBundle:
    """Return the query for a search: for the question itself what was given, with all it brings for embeddings."""
    return given if query == given.query_str else QueryBundle(query)


def _wanting(retriever: BaseRetriever, hits: int) -> BaseRetriever:
    """Return a retriever that gives so many hits, where this one tells how many; it is itself not changed."""
    if not isinstance(getattr(retriever, "similarity_top_k", None), int):
        return retriever
    wanting: Any = copy.copy(retriever)
    wanting.similarity_top_k = hits
    asked: BaseRetriever = wanting
    return asked


def _read(node: BaseNode, title_key: str) -> Read:
    title = node.metadata.get(title_key)
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    return Read(node.node_id, title if isinstance(title, str) else "", text)
