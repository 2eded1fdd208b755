"""The retrievers of LangChain: its own conformance tests, metadata, callbacks, event loops, and other retrievers."""

from __future__ import annotations

import asyncio
import json
import threading
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests
from pydantic import ValidationError

from bags import vector
from decomposing import decomposer
from films import BRIDGE, FILMS
from halls import ASK, DEEP, HALLS, PLAN, TURIN, YES, no
from hopsplit.decompose import InputError
from hopsplit.fallback import Completion
from hopsplit.integrations.langchain import HopsplitRetriever, MultiHopRetriever
from hopsplit.retrieval import Index

QUESTION = BRIDGE.question
DOCUMENTS = [
    Document(page_content=p.text, id=p.id, metadata={"title": p.title, "page": n}) for n, p in enumerate(FILMS)
]
INDEX = Index.build(FILMS)
OPTIONS = {"decomposer": decomposer()}


class Bags(Embeddings):
    """Counts words."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return [vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return vector(text)


class Listed(BaseRetriever):
    """Gives all of its Documents for any query."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return self.documents


def store() -> InMemoryVectorStore:
    """Return the films in a vector store."""
    made = InMemoryVectorStore(Bags())
    made.add_documents(DOCUMENTS)
    return made


def hops(documents: list[Document]) -> dict[str | None, tuple[int, str]]:
    """Return what Documents are for."""
    return {document.id: (document.metadata["hop"], document.metadata["via"]) for document in documents}


class TestOverAnIndex(RetrieversIntegrationTests):
    """LangChain's own tests, of the retriever over an index of ours."""

    retriever_constructor = HopsplitRetriever
    retriever_query_example = QUESTION

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        """Return an asker."""
        return {"asker": HopsplitRetriever.from_index(INDEX, asker_kwargs=OPTIONS).asker}


class TestOverAVectorStore(RetrieversIntegrationTests):
    """The same, of the retriever over another one."""

    retriever_constructor = MultiHopRetriever
    retriever_query_example = QUESTION

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        """Return a vector store's retriever."""
        return {"retriever": store().as_retriever(), "asker_kwargs": OPTIONS}


def own(**fields: Any) -> HopsplitRetriever:
    """Return a retriever over an index of the Documents."""
    return HopsplitRetriever.from_documents(DOCUMENTS, asker_kwargs=OPTIONS, **fields)


def over(retriever: Any, **fields: Any) -> MultiHopRetriever:
    """Return a retriever over another one."""
    return MultiHopRetriever(retriever=retriever, asker_kwargs=OPTIONS, **fields)


@pytest.mark.parametrize("make", [own, lambda: over(store())], ids=["own", "over"])
def test_both_hops_with_their_metadata(make: Any) -> None:
    """The film's passage is for hop 1, its director's, which shares no name with the question, for hop 2."""
    retriever = make()
    found = retriever.invoke(QUESTION, k=4)
    assert hops(found)["gate"] == (1, "")
    assert hops(found)["venn"] == (2, "Orla Venn")
    venn = next(document for document in found if document.id == "venn")
    assert venn.page_content == FILMS[1].text
    assert venn.metadata.keys() == {"title", "page", "hop", "via", "score"}
    assert (venn.metadata["title"], venn.metadata["page"]) == ("Orla Venn", 1)
    scores = [document.metadata["score"] for document in found]
    assert scores == sorted(set(scores), reverse=True)
    assert all(document.metadata.keys() == {"title", "page"} for document in DOCUMENTS)  # theirs are not written to
    assert asyncio.run(retriever.ainvoke(QUESTION, k=4)) == found
    assert retriever.batch([QUESTION, QUESTION]) == [retriever.invoke(QUESTION)] * 2
    assert asyncio.run(retriever.abatch([QUESTION, QUESTION])) == [retriever.invoke(QUESTION)] * 2


def test_a_vector_store_alone_does_not_find_the_second_hop() -> None:
    """What it is measured against: the passage of the director comes last but one."""
    ranking = [document.id for document in store().similarity_search(QUESTION, k=12)]
    assert ranking.index("venn") == 10


def test_a_saved_index(tmp_path: Path) -> None:
    """Titles come from the index; metadata that it has no place for from a mapping."""
    INDEX.save(tmp_path / "films")
    plain = HopsplitRetriever.from_folder(tmp_path / "films", k=1, asker_kwargs=OPTIONS)
    (found,) = plain.invoke(QUESTION)
    assert (found.id, found.metadata["title"]) == ("gate", "The Paper Gate (film)")
    kept = {str(document.id): document for document in DOCUMENTS}
    full = HopsplitRetriever.from_folder(tmp_path / "films", k=1, asker_kwargs=OPTIONS, documents=kept)
    assert full.invoke(QUESTION)[0].metadata["page"] == 0
    with pytest.raises(InputError, match="nowhere"):
        HopsplitRetriever.from_folder(tmp_path / "nowhere")


def test_the_mapping_of_documents_is_asked_when_they_are_wanted() -> None:
    """It is not copied: it may be a store of its own, and change."""
    kept = {str(document.id): document for document in DOCUMENTS}
    retriever = HopsplitRetriever.from_index(INDEX, k=1, asker_kwargs=OPTIONS, documents=kept)
    kept["gate"] = Document("new", metadata={"page": 99})
    assert retriever.invoke(QUESTION)[0].metadata["page"] == 99


def test_a_copy_reads_titles_by_its_own_key() -> None:
    """As `model_copy` makes one."""
    as_made = over(store(), k=4).invoke(QUESTION)
    other = over(store(), k=4, title_key="none")
    assert other.invoke(QUESTION) != as_made
    assert other.model_copy(update={"title_key": "title"}).invoke(QUESTION) == as_made


def test_texts_without_ids() -> None:
    """Ids are made of the content, and equal content is kept once."""
    texts = [
        "The Salt Road was directed by Emil Korda.",
        "Emil Korda was born in Pecs.",
        "Emil Korda was born in Pecs.",
    ]
    metadatas = [{"page": 1}, {"page": 2}, {"page": 3}]
    retriever = HopsplitRetriever.from_texts(texts, metadatas, asker_kwargs=OPTIONS)
    found = retriever.invoke("Where was the director of The Salt Road born?")
    assert [document.metadata["page"] for document in found] == [1, 2]
    assert [len(str(document.id)) for document in found] == [16, 16]
    named = HopsplitRetriever.from_texts(texts[:2], ids=["road", "korda"], asker_kwargs=OPTIONS)
    assert hops(named.invoke("Where was the director of The Salt Road born?"))["korda"] == (2, "Emil Korda")


class Runs(BaseCallbackHandler):
    """Keeps the retrievers' runs."""

    def __init__(self) -> None:
        self.started: list[tuple[str, UUID, UUID | None]] = []
        self.found: dict[UUID, int] = {}

    def on_retriever_start(
        self, serialized: Any, query: str, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Keep the query, the run and its parent."""
        self.started.append((query, run_id, parent_run_id))

    def on_retriever_end(self, documents: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Keep how many Documents were found."""
        self.found[run_id] = len(documents)


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_each_search_is_a_child_run_of_as_many_documents_as_it_wants(in_loop: bool) -> None:
    """Traces show what was searched for; a vector store that gives 2 is asked for more, and not written to."""
    runs = Runs()
    inner = store().as_retriever(search_kwargs={"k": 2, "filter": lambda document: document.metadata["page"] != 8})
    retriever = over(inner)
    config: Any = {"callbacks": [runs]}
    found = asyncio.run(retriever.ainvoke(QUESTION, config)) if in_loop else retriever.invoke(QUESTION, config)
    (asked, outer, nothing), *searches = runs.started
    assert (asked, nothing) == (QUESTION, None)
    assert {parent for _, _, parent in searches} == {outer}
    queries = [query for query, _, _ in searches]
    assert queries[:2] == [QUESTION, "Who is the director of film The Paper Gate (Film)?"]
    assert any("Orla Venn" in query for query in queries[2:])
    assert runs.found[searches[0][1]] == len(FILMS) - 1  # the filter is kept
    assert inner.search_kwargs["k"] == 2
    assert hops(found)["venn"] == (2, "Orla Venn")


class Few(Listed):
    """Gives as many Documents as its field says."""

    top_k: int = 1

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return self.documents[: self.top_k]


@pytest.mark.parametrize(
    ("inner", "count"),
    [
        (Few(documents=DOCUMENTS), 12),
        (Few(documents=DOCUMENTS).with_retry(), 12),
        (RunnableLambda(lambda _query: DOCUMENTS[:3]), 3),
        (Listed(documents=DOCUMENTS[:1]), 1),
        (Listed(documents=[]), 0),
    ],
    ids=["field", "bound", "runnable", "one", "none"],
)
def test_as_many_as_the_retriever_has(inner: Any, count: int) -> None:
    """A field for the number is set in a copy; what has none gives what it gives."""
    assert len(over(inner, k=30).invoke(QUESTION)) == count
    assert Few(documents=DOCUMENTS).top_k == 1


def test_documents_are_told_apart_by_id_and_text() -> None:
    """Two stores may use one id twice; the same Document found twice comes once; without ids the text tells."""
    twice = [*DOCUMENTS, *DOCUMENTS, Document(page_content="The Paper Gate was lost.", id="gate")]
    found = over(Listed(documents=twice), k=30).invoke(QUESTION)
    assert len(found) == len(FILMS) + 1
    assert sum(document.id == "gate" for document in found) == 2
    bare = [Document(page_content=p.text, metadata={"title": p.title}) for p in FILMS]
    named = [document.metadata["title"] for document in over(Listed(documents=bare), k=30).invoke(QUESTION)]
    assert named == [
        document.metadata["title"] for document in over(Listed(documents=DOCUMENTS), k=30).invoke(QUESTION)
    ]


def test_nothing_is_kept_between_questions() -> None:
    """What is put into the store, and what is deleted from it, counts for the next question."""
    films = store()
    retriever = over(films)
    assert "venn" in [document.id for document in retriever.invoke(QUESTION)]
    films.delete(["venn"])
    films.add_documents([Document(page_content="Orla Venn died in 1961.", id="new", metadata={"title": "Orla Venn"})])
    assert hops(retriever.invoke(QUESTION))["new"] == (2, "Orla Venn")


def test_never_without_the_first_of_the_retrievers_own() -> None:
    """Of the first five Documents one is the first hit of the question alone, whatever that is."""
    for name in ("tide", "korda", "runa"):
        ranked = sorted(DOCUMENTS, key=lambda document: document.id != name)
        assert name in [document.id for document in over(Listed(documents=ranked), k=5).invoke(QUESTION)]


class BrokenError(Exception):
    """What a search engine raises."""


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_what_a_retriever_raises_comes_through(in_loop: bool) -> None:
    """The very exception."""
    trouble = BrokenError("the store is down")

    def fail(_query: str) -> list[Document]:
        raise trouble

    retriever = over(RunnableLambda(fail))
    with pytest.raises(BrokenError) as raised:
        asyncio.run(retriever.ainvoke(QUESTION)) if in_loop else retriever.invoke(QUESTION)
    assert raised.value is trouble


tenant: ContextVar[str] = ContextVar("tenant", default="nobody")


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_searches_run_in_the_callers_context(in_loop: bool) -> None:
    """Context variables, which tracers and multi-tenant stores go by, are those of the caller."""
    seen: set[str] = set()

    def search(_query: str) -> list[Document]:
        seen.add(tenant.get())
        return DOCUMENTS

    retriever = over(RunnableLambda(search))
    token = tenant.set("acme")
    asyncio.run(retriever.ainvoke(QUESTION)) if in_loop else retriever.invoke(QUESTION)
    tenant.reset(token)
    assert seen == {"acme"}


class Scripted:
    """A language model that splits the question, is not content, asks on, and is content then."""

    def __init__(self, asked: dict[str, list[str]] = ASK) -> None:
        self.replies = iter([PLAN, no(0.3), asked, YES])

    def complete(self, *_asked: object) -> Completion:
        """Return the next reply."""
        return Completion(json.dumps(next(self.replies)), 1, 1)


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_with_a_language_model(in_loop: bool) -> None:
    """It searches in other threads, in the context of the caller all the same; what it found tells its query."""
    seen: dict[str, str] = {}

    def search(query: str) -> list[Document]:
        seen[query] = tenant.get()
        words = set(query.casefold().strip("?").split())
        halls = [p for p in HALLS if words & set(p.title.casefold().split())]
        return [Document(page_content=p.text, id=p.id, metadata={"title": p.title}) for p in halls]

    options = OPTIONS | {"llm": Scripted()}
    retriever = MultiHopRetriever(retriever=RunnableLambda(search), asker_kwargs=options, k=10)
    token = tenant.set("acme")
    found = asyncio.run(retriever.ainvoke(DEEP)) if in_loop else retriever.invoke(DEEP)
    tenant.reset(token)
    assert {document.id: document.metadata.get("query") for document in found}["turin"] == TURIN
    assert seen[TURIN] == "acme"
    assert set(seen.values()) == {"acme"}


def test_which_of_two_searches_ends_first_changes_nothing() -> None:
    """Further queries run side by side, and each finds a passage that the other does not: a tie."""
    po = "Where does the Po rise?"

    def asked(first: str, later: str) -> list[str | None]:
        ended = threading.Event()

        def search(query: str) -> list[Document]:
            words = set(query.casefold().strip("?").split())
            halls = [p for p in HALLS if words & set(p.title.casefold().split())]
            if query == later:
                ended.wait(10)
            if query in (first, later):
                halls = [p for p in HALLS if p.id == {TURIN: "turin", po: "po"}[query]]
            if query == first:
                ended.set()
            return [Document(page_content=p.text, id=p.id, metadata={"title": p.title}) for p in halls]

        options = OPTIONS | {"llm": Scripted({"queries": [TURIN, po]})}
        retriever = MultiHopRetriever(retriever=RunnableLambda(search), asker_kwargs=options, k=10)
        return [document.id for document in retriever.invoke(DEEP)]

    assert asked(TURIN, po) == asked(po, TURIN)
    assert {"turin", "po"} <= set(asked(TURIN, po))


class Slow(Listed):
    """Waits for ever in an event loop."""

    events: list[str] = []  # noqa: RUF012  (a field of pydantic's, which copies it)

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        self.events.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            self.events.append("ended")
        return []


def test_cancelling_ends_the_search_under_way() -> None:
    """The loop is free meanwhile; after the cancellation there is no further search, and no thread is left."""

    async def cancelled(inner: Slow) -> list[str]:
        task = asyncio.create_task(over(inner).ainvoke(QUESTION))
        while not inner.events:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return inner.events

    before = threading.active_count()
    inner = Slow(documents=DOCUMENTS)
    assert asyncio.run(cancelled(inner)) == ["begun", "ended"]
    for thread in threading.enumerate()[before:]:
        thread.join(5)
    assert threading.active_count() <= before
    assert inner.events == ["begun", "ended"]


@pytest.mark.parametrize(
    ("act", "kind", "said"),
    [
        (lambda: MultiHopRetriever(retriever="films"), ValidationError, "should be an instance of Runnable"),
        (lambda: over(store(), k=0), ValidationError, "greater than or equal to 1"),
        (lambda: MultiHopRetriever(retriever=store(), asker_kwargs={"lm": 1}), TypeError, "'lm'"),
        (
            lambda: MultiHopRetriever(retriever=store(), asker_kwargs={"llm": 1}),
            ValidationError,
            "1 is no language model",
        ),
        (lambda: over(RunnableLambda(lambda _query: ["text"])).invoke(QUESTION), InputError, "'text' is no Document"),
        (lambda: over(store()).invoke({"question": QUESTION}), InputError, "{'question': .* is no question"),
        (lambda: own().invoke({"question": QUESTION}), InputError, "{'question': .* is no question"),
        (lambda: own().invoke(QUESTION, k=0), InputError, "k is 0"),
        (lambda: over(RunnableLambda(lambda _query: None)).invoke(QUESTION), InputError, "the search gave None; give"),
        (lambda: own().invoke(" "), InputError, "empty"),
        (lambda: HopsplitRetriever.from_documents(["text"]), InputError, "'text' is no Document"),
        (lambda: HopsplitRetriever.from_documents([]), InputError, "no passages"),
        (lambda: HopsplitRetriever.from_documents(DOCUMENTS[:1] * 2), InputError, "gate"),
        (lambda: HopsplitRetriever.from_texts(["a", "b"], [{}]), ValueError, "shorter"),
    ],
)
def test_what_is_wrong_is_told(act: Any, kind: type[Exception], said: str) -> None:
    """One clear error that names the input."""
    with pytest.raises(kind, match=said):
        act()
