"""The components for Haystack, in its pipelines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import haystack
import pytest
from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.components.routers import ConditionalRouter
from haystack.core.errors import PipelineConnectError
from haystack.core.serialization import component_to_dict
from haystack.document_stores.in_memory import InMemoryDocumentStore

from films import FILMS
from hopsplit.decompose import InputError
from hopsplit.fallback import Asker
from hopsplit.integrations.haystack import HopsplitRetriever, MultiHopRetriever, QuestionDecomposer
from hopsplit.retrieval import Index

Parts = dict[str, Callable[[], Any]]
QUESTION = "When did the director of The Paper Gate die?"
FILTER = {"field": "meta.shelf", "operator": "<", "value": 5}
# In Haystack 2 pipelines that await are a class of their own.
AsyncPipeline = getattr(haystack, "AsyncPipeline", Pipeline)


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Haystack 3 make our components from YAML, as who runs a pipeline must."""
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "hopsplit.integrations.haystack")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of an index of the films."""
    made = tmp_path_factory.mktemp("films")
    Index.build(FILMS).save(made)
    return str(made)


@pytest.fixture(scope="module")
def store() -> InMemoryDocumentStore:
    """Return the films in a store of Haystack, with ids and metadata of their own."""
    made = InMemoryDocumentStore()
    documents = [
        Document(id=f"d-{film.id}", content=film.text, meta={"title": film.title, "shelf": shelf})
        for shelf, film in enumerate(FILMS)
    ]
    made.write_documents(documents)
    return made


@pytest.fixture(scope="module")
def parts(folder: str, store: InMemoryDocumentStore) -> Parts:
    """Return what makes one of each of our components."""
    return {
        "decomposer": lambda: QuestionDecomposer(titles=["The Paper Gate"]),
        "index": lambda: HopsplitRetriever(folder, top_k=2),
        "store": lambda: MultiHopRetriever(InMemoryBM25Retriever(store, top_k=7), top_k=3, titles=["Tide"]),
    }


@component
class Words:
    """Embeds a text by the names in it."""

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, Any]:
        """Embed one text."""
        return {"embedding": embedded(text)}


def embedded(text: str) -> list[float]:
    """Count the words that hold each of some names."""
    return [1.0 + text.count(name) for name in ("Paper Gate", "Orla Venn", "Ida Moss", "Emil Korda", "Port Askel")]


class OutOfOrderError(Exception):
    """What a store of somebody's raises."""


@component
class Shelf:
    """A search without scores, that takes no number; it waits until it may go on, or fails."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.go_on = threading.Event()
        self.go_on.set()
        self.threads: set[int] = set()

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, Any]:
        """Give the films that hold a word of the query, in their order, and a picture."""
        assert self.go_on.wait(30)
        self.threads.add(threading.get_ident())
        if self.broken:
            raise OutOfOrderError(query)
        words = {word.strip("?.") for word in query.split() if word[0].isupper()}
        films = [film for film in FILMS if words & {word.strip("?.,") for word in f"{film.title} {film.text}".split()}]
        picture = Document(id="picture")
        return {"documents": [Document(id=film.id, content=film.text) for film in films] + [picture]}


@component
class AwaitedShelf(Shelf):
    """The same, to be awaited."""

    @component.output_types(documents=list[Document])
    async def run_async(self, query: str) -> dict[str, Any]:
        """Give what `run` gives."""
        while not self.go_on.is_set():
            await asyncio.sleep(0.01)
        return self.run(query)


def found(documents: list[Document]) -> list[tuple[str, int, str]]:
    """Return what is found and how."""
    return [(document.id, document.meta["hop"], document.meta["via"]) for document in documents]


@pytest.mark.parametrize(
    ("query", "kind", "hops", "queries"),
    [
        (QUESTION, "bridge", ["Who is the director of The Paper Gate?", "When did #1 die?"], 1),
        ("Who is older, Emil Korda or Ida Moss?", "comparison", ["How old is Emil Korda?", "How old is Ida Moss?"], 2),
        ("Who directed The Salt Road?", "single", ["Who directed The Salt Road?"], 0),
        ("film works canal", "unparseable", [], 0),
    ],
    ids=["bridge", "comparison", "single", "unparseable"],
)
def test_a_question_becomes_hops_and_queries(query: str, kind: str, hops: list[str], queries: int) -> None:
    """The queries are the question, and the hops that stand for themselves: for a search of many queries."""
    said = QuestionDecomposer().run(query=query)
    assert (said["kind"], said["hops"]) == (kind, hops)
    assert said["queries"] == [query, *hops[:queries]]
    assert (said["plan"]["question"], [hop["text"] for hop in said["plan"]["hops"]]) == (query, hops)


@pytest.mark.parametrize("as_file", [False, True], ids=["list", "file"])
def test_titles_are_never_taken_apart(tmp_path: Path, as_file: bool) -> None:
    """As a list, and as a file with one a line."""
    (tmp_path / "titles.txt").write_text("Tide\n\nThe Man Who Knew Nothing\n", encoding="utf-8")
    titles = str(tmp_path / "titles.txt") if as_file else ["The Man Who Knew Nothing"]
    said = QuestionDecomposer(titles=titles).run(query="who is the mother of the director of the man who knew nothing?")
    assert said["hops"] == ["who is the director of the man who knew nothing?", "who is the mother of #1?"]


def test_queries_go_into_a_search_of_many(store: InMemoryDocumentStore) -> None:
    """In the place of a QueryExpander; the passage that only a hop finds is there."""
    many = pytest.importorskip("haystack.components.retrievers.multi_query_text_retriever").MultiQueryTextRetriever
    pipeline = Pipeline()
    pipeline.add_component("decomposer", QuestionDecomposer())
    pipeline.add_component("retriever", many(retriever=InMemoryBM25Retriever(store, top_k=2)))
    pipeline.connect("decomposer.queries", "retriever.queries")
    documents = pipeline.run({"decomposer": {"query": "Is Ida Moss or Orla Venn older?"}})["retriever"]["documents"]
    assert {"d-moss", "d-venn"} <= {document.id for document in documents}


@pytest.mark.parametrize(("query", "way"), [(QUESTION, "many"), ("Who directed The Salt Road?", "one")])
def test_a_router_reads_the_kind(query: str, way: str) -> None:
    """So that questions of one hop can go to a plain search."""
    routes = [
        {
            "condition": f"{{{{ kind {sign} 'single' }}}}",
            "output": "{{ query }}",
            "output_name": name,
            "output_type": str,
        }
        for sign, name in (("==", "one"), ("!=", "many"))
    ]
    pipeline = Pipeline()
    pipeline.add_component("decomposer", QuestionDecomposer())
    pipeline.add_component("router", ConditionalRouter(routes))
    pipeline.connect("decomposer.kind", "router.kind")
    said = pipeline.run({"decomposer": {"query": query}, "router": {"query": query}})
    assert said["router"] == {way: query}


def test_an_index_is_searched_as_asker_searches_it(folder: str) -> None:
    """Same passages, scores, bridges; and what is known of a passage is in its metadata."""
    result = Asker(Index.open(folder)).ask(QUESTION, k=3)
    said = HopsplitRetriever(folder, top_k=3).run(query=QUESTION)
    assert found(said["documents"]) == [("gate", 1, ""), ("venn", 2, "Orla Venn"), ("reed", 2, "Tomas Reed")]
    assert [document.score for document in said["documents"]] == [item.score for item in result.evidence]
    assert said["documents"][1].content == FILMS[1].text
    assert said["documents"][1].meta == {"title": "Orla Venn", "source_id": "venn", "hop": 2, "via": "Orla Venn"}
    assert said["bridges"][0].items() >= {"hop": 1, "name": "Orla Venn", "passage_id": "gate"}.items()
    assert (len(said["bridges"]), said["confidence"]) == (len(result.bridges), result.confidence)
    assert said["queries"] == [QUESTION, "Who is the director of The Paper Gate?", "When did Orla Venn die?"]
    assert said["plan"]["kind"] == "bridge"


def test_a_prompt_is_made_of_what_is_found(folder: str) -> None:
    """The outputs fit the framework's own builder."""
    template = "{% for d in documents %}{{ d.meta.title }} ({{ d.meta.hop }}). {% endfor %}{{ bridges[0].name }}!"
    pipeline = Pipeline()
    pipeline.add_component("retriever", HopsplitRetriever(folder))
    pipeline.add_component("prompt", PromptBuilder(template, required_variables=["documents", "bridges"]))
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("retriever.bridges", "prompt.bridges")
    said = pipeline.run({"retriever": {"query": QUESTION, "top_k": 2}})
    assert said["prompt"]["prompt"] == "The Paper Gate (film) (1). Orla Venn (2). Orla Venn!"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": " "}, "the question is empty; give a question"),
        ({"query": QUESTION, "top_k": 0}, "k is 0; ask for at least 1 passage"),
        ({"query": QUESTION, "filters": FILTER}, "an index of hopsplit has no metadata to filter by"),
    ],
    ids=["empty", "top_k", "filters"],
)
def test_what_cannot_be_asked_is_refused(folder: str, arguments: dict[str, Any], message: str) -> None:
    """With one clear error."""
    with pytest.raises(InputError, match=message):
        HopsplitRetriever(folder).run(**arguments)


def test_what_cannot_be_made_is_refused(tmp_path: Path, store: InMemoryDocumentStore) -> None:
    """A number of passages at once, a folder when it is read, a retriever of embeddings before it is searched with."""
    with pytest.raises(InputError, match="k is -1; ask for at least 1 passage"):
        HopsplitRetriever(str(tmp_path), top_k=-1)
    with pytest.raises(InputError, match=str(tmp_path / "none")):
        HopsplitRetriever(str(tmp_path / "none")).warm_up()
    with pytest.raises(InputError, match="InMemoryEmbeddingRetriever does not take a query and give documents"):
        MultiHopRetriever(InMemoryEmbeddingRetriever(store))


def test_documents_of_a_store_come_back_hop_by_hop(store: InMemoryDocumentStore) -> None:
    """With their own ids, content and metadata, and ours; the director is out of reach of one search."""
    once = InMemoryBM25Retriever(store, top_k=4).run(query=QUESTION)["documents"]
    said = MultiHopRetriever(InMemoryBM25Retriever(store), top_k=3).run(query=QUESTION)
    assert "d-venn" not in [document.id for document in once]
    assert found(said["documents"]) == [("d-gate", 1, ""), ("d-tide", 1, ""), ("d-venn", 2, "Orla Venn")]
    director = said["documents"][2]
    assert director.content == FILMS[1].text
    assert director.meta == {"title": "Orla Venn", "shelf": 1, "hop": 2, "via": "Orla Venn"}
    assert said["documents"][0].score > said["documents"][1].score > director.score > 0
    assert said["bridges"][0].items() >= {"hop": 1, "name": "Orla Venn", "passage_id": "d-gate"}.items()
    assert all("hop" not in document.meta for document in store.filter_documents())


def test_filters_go_along(store: InMemoryDocumentStore) -> None:
    """With every search: what they leave out is not found by any hop."""
    said = MultiHopRetriever(InMemoryBM25Retriever(store)).run(query=QUESTION, filters=FILTER)
    assert {document.meta["shelf"] for document in said["documents"]} == {0, 1, 2, 3, 4}


def test_documents_may_lack_scores_and_text() -> None:
    """Then their places count; and a search that takes no number is cut."""
    said = MultiHopRetriever(Shelf(), top_k=2).run(query=QUESTION)
    assert found(said["documents"]) == [("gate", 1, ""), ("venn", 2, "Orla Venn")]
    assert "picture" in [document.id for document in MultiHopRetriever(Shelf()).run(query="Moss?")["documents"]]


def text_embedding(store: InMemoryDocumentStore) -> Any:
    """Return the framework's own component that embeds each query."""
    kind = pytest.importorskip("haystack.components.retrievers.text_embedding_retriever").TextEmbeddingRetriever
    return kind(retriever=InMemoryEmbeddingRetriever(store), text_embedder=Words())


def super_component(store: InMemoryDocumentStore) -> Any:
    """Return a pipeline that does so as a component."""
    if not hasattr(haystack, "SuperComponent"):
        pytest.skip("this Haystack has no SuperComponent")
    pipeline = Pipeline()
    pipeline.add_component("embedder", Words())
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store))
    pipeline.connect("embedder.embedding", "retriever.query_embedding")
    takes = {"query": ["embedder.text"], "top_k": ["retriever.top_k"]}
    return haystack.SuperComponent(pipeline, input_mapping=takes, output_mapping={"retriever.documents": "documents"})


@pytest.mark.parametrize("composed", [text_embedding, super_component])
def test_embeddings_are_searched_hop_by_hop(composed: Callable[[InMemoryDocumentStore], Any]) -> None:
    """Behind what embeds each query."""
    vectors = InMemoryDocumentStore()
    vectors.write_documents(
        [
            Document(id=film.id, content=film.text, meta={"title": film.title}, embedding=embedded(film.text))
            for film in FILMS
        ]
    )
    said = MultiHopRetriever(composed(vectors), top_k=2).run(query=QUESTION)
    assert found(said["documents"]) == [("gate", 1, ""), ("venn", 2, "Orla Venn")]


@pytest.mark.parametrize("awaited", [False, True], ids=["run", "run_async"])
def test_errors_of_the_retriever_come_through(awaited: bool) -> None:
    """Unchanged, so that who knows the store can catch them."""
    retriever = MultiHopRetriever(Shelf(broken=True))
    with pytest.raises(OutOfOrderError, match="The Paper Gate"):
        asyncio.run(retriever.run_async(query=QUESTION)) if awaited else retriever.run(query=QUESTION)


@pytest.mark.parametrize("name", ["decomposer", "index", "store"])
def test_pipelines_go_through_yaml(name: str, parts: Parts) -> None:
    """The nested retriever too: equal to the one before, and it answers alike."""
    pipeline = Pipeline()
    pipeline.add_component("part", parts[name]())
    again = Pipeline.loads(pipeline.dumps())
    assert again.dumps() == pipeline.dumps()
    assert again.run({"part": {"query": QUESTION}}) == pipeline.run({"part": {"query": QUESTION}})


def test_yaml_holds_what_was_given(folder: str, store: InMemoryDocumentStore) -> None:
    """No device, no secret, nothing that was loaded."""
    retriever = HopsplitRetriever(folder)
    retriever.warm_up()
    kind = "hopsplit.integrations.haystack.HopsplitRetriever"
    assert component_to_dict(retriever, "retriever") == {
        "type": kind,
        "init_parameters": {"index": folder, "top_k": 10},
    }
    nested = MultiHopRetriever(InMemoryBM25Retriever(store, top_k=7), title_key="name").to_dict()["init_parameters"]
    assert {key: nested[key] for key in ("top_k", "title_key", "titles")} == {
        "top_k": 10,
        "title_key": "name",
        "titles": None,
    }
    assert nested["retriever"]["init_parameters"]["top_k"] == 7


def test_wrong_connections_are_refused_by_the_framework(folder: str) -> None:
    """The sockets have types."""
    pipeline = Pipeline()
    pipeline.add_component("decomposer", QuestionDecomposer())
    pipeline.add_component("retriever", HopsplitRetriever(folder))
    with pytest.raises(PipelineConnectError, match=r"decomposer\.plan"):
        pipeline.connect("decomposer.plan", "retriever.query")


def test_pipelines_may_be_awaited(parts: Parts) -> None:
    """Several at a time, with what `run` gives."""
    pipeline, plain = AsyncPipeline(), Pipeline()
    for name, make in parts.items():
        pipeline.add_component(name, make())
        plain.add_component(name, make())
    questions = [QUESTION, "Who is older, Emil Korda or Ida Moss?", "film works canal"]
    inputs = [{name: {"query": question} for name in parts} for question in questions]

    async def awaited() -> list[dict[str, Any]]:
        return await asyncio.gather(*(pipeline.run_async(each) for each in inputs))

    assert asyncio.run(awaited()) == [plain.run(each) for each in inputs]


@pytest.mark.parametrize("kind", [Shelf, AwaitedShelf])
def test_the_loop_goes_on_while_a_retriever_waits(kind: type[Any]) -> None:
    """The search can only end because the loop lets it; one that can be awaited is."""
    shelf = kind()
    shelf.go_on.clear()

    async def asked() -> dict[str, Any]:
        task = asyncio.create_task(MultiHopRetriever(shelf, top_k=1).run_async(query=QUESTION))
        await asyncio.sleep(0.05)
        assert not task.done()
        shelf.go_on.set()
        return await task

    assert found(asyncio.run(asked())["documents"]) == [("gate", 1, "")]
    assert (threading.get_ident() in shelf.threads) == (kind is AwaitedShelf)


@pytest.mark.parametrize("name", ["decomposer", "index", "store"])
def test_the_loop_goes_on_while_a_component_works(name: str, parts: Parts) -> None:
    """It has its turn at each call, which it has not where the call does the work itself."""
    turns = 0

    async def asked() -> None:
        nonlocal turns

        async def take_turns() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        part = parts[name]()
        other = asyncio.create_task(take_turns())
        await part.warm_up_async()
        assert turns > 0
        for _ in range(3):
            turns = 0
            await part.run_async(query=QUESTION)
            assert turns > 0
        other.cancel()

    asyncio.run(asked())


def test_one_component_serves_many_threads(folder: str, store: InMemoryDocumentStore) -> None:
    """Inside of the framework's own retriever of many queries, which shares them out to threads."""
    many = pytest.importorskip("haystack.components.retrievers.multi_query_text_retriever").MultiQueryTextRetriever
    queries = [QUESTION, "Who wrote The Paper Gate?", "Who directed The Salt Road?", "When was Ida Moss born?"] * 3
    for inner in (HopsplitRetriever(folder, top_k=2), MultiHopRetriever(InMemoryBM25Retriever(store), top_k=2)):
        alone = {document.id for query in queries for document in inner.run(query=query)["documents"]}
        together = many(retriever=inner, max_workers=4).run(queries=queries)["documents"]
        assert {document.id for document in together} == alone
