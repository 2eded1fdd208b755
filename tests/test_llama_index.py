"""The parts for LlamaIndex inside its own engines, with a model and an embedding that need nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload, LlamaDebugHandler
from llama_index.core.llms import CustomLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import MultiStepQueryEngine, RetrieverQueryEngine, SubQuestionQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer, get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import Document, MetadataMode, NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import QueryEngineTool, ToolMetadata

import fresh
from bags import vector
from decomposing import decomposer
from films import BRIDGE, FILMS, plan
from hopsplit.decompose import InputError, Plan
from hopsplit.integrations.llama_index import (
    HopsplitQuestionGenerator,
    HopsplitRetriever,
    HopsplitStepTransform,
    MultiHopRetriever,
)
from hopsplit.integrations.questions import best_tools, following, standing
from hopsplit.retrieval import Index

QUESTION = BRIDGE.question
FIRST = BRIDGE.hops[0].text
NODES = [TextNode(id_=p.id, text=p.text, metadata={"title": p.title, "page": n}) for n, p in enumerate(FILMS)]
INDEX = Index.build(FILMS)
OPTIONS = {"decomposer": decomposer()}


class Bags(BaseEmbedding):
    """Counts words."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return vector(query)


# What the model says to a prompt that asks the question.
SAID = {
    FIRST: "It was directed by Orla Venn.\n- see also: Tomas Reed",
    "When did Orla Venn die?": "On 7 June 1961.",
    QUESTION: "She died in 1961.",
}


class Told(CustomLLM):
    """Says what SAID has for the question at the end of a prompt."""

    @property
    def metadata(self) -> LLMMetadata:
        """Return the defaults."""
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Return the text."""
        asked = prompt.rpartition("Query: ")[2].partition("\n")[0]
        return CompletionResponse(text=SAID[asked])

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """Return it at once."""
        yield self.complete(prompt)


def store(**settings: Any) -> BaseRetriever:
    """Return the retriever of a vector index of the films."""
    return VectorStoreIndex(NODES, embed_model=Bags()).as_retriever(**settings)


def own(**settings: Any) -> HopsplitRetriever:
    """Return a retriever over an index of the films."""
    return HopsplitRetriever.from_nodes(NODES, asker_kwargs=OPTIONS, **settings)


def over(retriever: BaseRetriever, **settings: Any) -> MultiHopRetriever:
    """Return a retriever over another one."""
    return MultiHopRetriever(retriever, asker_kwargs=OPTIONS, **settings)


def hops(found: Sequence[NodeWithScore]) -> dict[str, tuple[int, str]]:
    """Return what nodes are for."""
    return {each.node_id: (each.metadata["hop"], each.metadata["via"]) for each in found}


@pytest.mark.parametrize("make", [own, lambda **settings: over(store(), **settings)], ids=["own", "over"])
def test_both_hops_with_their_metadata(make: Any) -> None:
    """The film's passage is for hop 1, its director's for hop 2; models do not see what was added."""
    retriever = make(similarity_top_k=4)
    found = retriever.retrieve(QUESTION)
    assert hops(found)["gate"] == (1, "")
    assert hops(found)["venn"] == (2, "Orla Venn")
    scores = [each.get_score(raise_error=True) for each in found]
    assert scores == sorted(set(scores), reverse=True)
    venn = next(each for each in found if each.node_id == "venn")
    assert venn.metadata == {"title": "Orla Venn", "page": 1, "hop": 2, "via": "Orla Venn"}
    assert venn.get_content(MetadataMode.LLM) == NODES[1].get_content(MetadataMode.LLM)
    assert venn.get_content(MetadataMode.EMBED) == NODES[1].get_content(MetadataMode.EMBED)
    assert all(node.metadata.keys() == {"title", "page"} for node in NODES)  # theirs are not written to
    assert asyncio.run(retriever.aretrieve(QUESTION)) == found
    assert (len(make().retrieve(QUESTION)), len(make(similarity_top_k=7).retrieve(QUESTION))) == (10, 7)


def test_a_vector_store_alone_does_not_find_the_second_hop() -> None:
    """What it is measured against."""
    ranking = [found.node_id for found in store(similarity_top_k=12).retrieve(QUESTION)]
    assert ranking.index("venn") > 5


def test_a_saved_index(tmp_path: Path) -> None:
    """Nodes are made of the index, or come from a docstore."""
    INDEX.save(tmp_path / "films")
    (found,) = HopsplitRetriever.from_folder(tmp_path / "films", similarity_top_k=1, asker_kwargs=OPTIONS).retrieve(
        QUESTION
    )
    assert (found.node_id, found.metadata) == ("gate", {"title": "The Paper Gate (film)", "hop": 1, "via": ""})
    nodes = {node.node_id: node for node in NODES}
    full = HopsplitRetriever.from_folder(tmp_path / "films", nodes=nodes, asker_kwargs=OPTIONS)
    assert full.retrieve(QUESTION)[0].metadata["page"] == 0


def test_documents_are_cut_as_the_framework_cuts_them() -> None:
    """Pieces keep the title and tell their document."""
    text = " ".join(f"{FILMS[0].text} {FILMS[1].text}" for _ in range(2))
    cut = SentenceSplitter(chunk_size=40, chunk_overlap=0)
    document = Document(text=text, doc_id="films", metadata={"title": "Films"})
    made = HopsplitRetriever.from_documents([document], transformations=[cut], asker_kwargs=OPTIONS)
    found = made.retrieve(QUESTION)
    assert len(found) > 1
    assert {(each.node.ref_doc_id, each.metadata["title"]) for each in found} == {("films", "Films")}
    (whole,) = HopsplitRetriever.from_documents([document], asker_kwargs=OPTIONS).retrieve(QUESTION)
    assert whole.text == text


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_each_search_is_an_event_and_wants_its_own_number(in_loop: bool) -> None:
    """Their handlers see every query; the retriever itself, which gives 2, is not written to."""
    handler = LlamaDebugHandler(print_trace_on_end=False)
    inner = store(similarity_top_k=2)
    inner.callback_manager = CallbackManager([handler])
    retriever = over(inner)
    asyncio.run(retriever.aretrieve(QUESTION)) if in_loop else retriever.retrieve(QUESTION)
    pairs = handler.get_event_pairs(CBEventType.RETRIEVE)
    queries = [start.payload[EventPayload.QUERY_STR] for start, _ in pairs if start.payload]
    assert queries[:2] == [QUESTION, FIRST]
    assert any("Orla Venn" in query for query in queries[2:])
    assert next(len(end.payload[EventPayload.NODES]) for _, end in pairs if end.payload) == 12
    assert inner.similarity_top_k == 2  # type: ignore[attr-defined]


class Listed(BaseRetriever):
    """Gives all of the nodes, or raises, and keeps what it was asked."""

    def __init__(self, nodes: Sequence[TextNode], trouble: Exception | None = None) -> None:
        self.nodes, self.trouble = nodes, trouble
        self.bundles: list[QueryBundle] = []
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.bundles.append(query_bundle)
        if self.trouble:
            raise self.trouble
        return [NodeWithScore(node=node) for node in self.nodes]


def test_the_question_is_searched_as_it_was_given() -> None:
    """What a transform such as HyDE has put beside it for embeddings goes along, and with no other query."""
    inner = Listed(NODES)
    bundle = QueryBundle(QUESTION, custom_embedding_strs=["Orla Venn died in 1961."])
    over(inner).retrieve(bundle)
    assert inner.bundles[0] is bundle
    assert [each.custom_embedding_strs for each in inner.bundles[1:]] == [None] * (len(inner.bundles) - 1)


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_what_a_retriever_raises_comes_through(in_loop: bool) -> None:
    """The very exception."""
    trouble = KeyError("the store is down")
    retriever = over(Listed(NODES, trouble))
    with pytest.raises(KeyError) as raised:
        asyncio.run(retriever.aretrieve(QUESTION)) if in_loop else retriever.retrieve(QUESTION)
    assert raised.value is trouble


@pytest.mark.parametrize(
    ("act", "kind", "said"),
    [
        (lambda: own(similarity_top_k=0), InputError, "k is 0"),
        (lambda: over(store(), similarity_top_k=0), InputError, "k is 0"),
        (lambda: over(INDEX), InputError, "Index is no retriever; give one, such as index.as_retriever"),
        (lambda: MultiHopRetriever(store(), asker_kwargs={"lm": 1}), TypeError, "'lm'"),
        (lambda: own().retrieve(" "), InputError, "empty"),
        (lambda: HopsplitRetriever.from_nodes([]), InputError, "no passages"),
    ],
)
def test_what_is_wrong_is_told(act: Any, kind: type[Exception], said: str) -> None:
    """One clear error that names the input."""
    with pytest.raises(kind, match=said):
        act()


def synthesizer() -> BaseSynthesizer:
    """Return one that asks the model."""
    return get_response_synthesizer(llm=Told())


def engine() -> RetrieverQueryEngine:
    """Return a query engine over the vector store."""
    return RetrieverQueryEngine(store(), synthesizer())


@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_sub_questions_in_the_engine(in_loop: bool) -> None:
    """The second hop is asked with the name that the search found for the first."""
    sub_questions = SubQuestionQueryEngine.from_defaults(
        [QueryEngineTool.from_defaults(engine(), name="films", description="films and their makers")],
        llm=Told(),
        question_gen=HopsplitQuestionGenerator(own()),
        use_async=in_loop,
        verbose=False,
    )
    response = asyncio.run(sub_questions.aquery(QUESTION)) if in_loop else sub_questions.query(QUESTION)
    assert str(response) == "She died in 1961."
    pairs = [node.text.splitlines()[0] for node in response.source_nodes if node.text.startswith("Sub question")]
    assert pairs == [
        f"Sub question: {FIRST}",
        "Sub question: When did Orla Venn die?",
    ]


@pytest.mark.parametrize(
    ("generator", "expected"),
    [
        (HopsplitQuestionGenerator(decomposer=decomposer()), [FIRST, QUESTION]),
        (HopsplitQuestionGenerator(over(Listed(NODES))), [FIRST, "When did Orla Venn die?"]),
        (
            HopsplitQuestionGenerator(HopsplitRetriever.from_nodes(NODES[1:], asker_kwargs=OPTIONS)),
            [FIRST, "When did Emil Korda die?", QUESTION],
        ),
    ],
    ids=["no search", "over another retriever", "without the film"],
)
def test_no_sub_question_has_a_number(generator: HopsplitQuestionGenerator, expected: list[str]) -> None:
    """The question takes the place of a hop without a name, and stands beside a name that is in doubt."""
    tools, bundle = [ToolMetadata("about films", "films")], QueryBundle(QUESTION)
    made = generator.generate(tools, bundle)
    assert [(each.sub_question, each.tool_name) for each in made] == [(text, "films") for text in expected]
    assert asyncio.run(generator.agenerate(tools, bundle)) == made


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the revenue of Uber in 2021?", ["uber_10k"]),
        ("How did Lyft and Uber do in 2021?", ["uber_10k", "lyft_10k"]),
        ("Who plays the harp?", ["uber_10k", "lyft_10k", "atlas"]),
        ("Which maps are there?", ["atlas"]),
    ],
)
def test_the_tools_of_a_sub_question(question: str, expected: list[str]) -> None:
    """Those that share most words with it; all where none does. Words that all have say nothing."""
    tools = [
        ("uber_10k", "what Uber earned in 2021, with who"),
        ("lyft_10k", "what Lyft earned in 2021, with who"),
        ("atlas", "a map of 2021, with who"),
    ]
    assert best_tools(question, tools) == expected


def test_steps_in_the_engine() -> None:
    """Each answer's name, also out of an answer of several lines, goes into the next question; then it ends."""
    transform = HopsplitStepTransform(decomposer())
    steps = MultiStepQueryEngine(engine(), transform, synthesizer(), num_steps=None)  # type: ignore[arg-type]
    response = steps.query(QUESTION)
    asked = [question for question, _ in (response.metadata or {})["sub_qa"]]
    assert asked == [FIRST, "When did Orla Venn die?"]
    assert str(response) == "She died in 1961."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Orla Venn", "When did Orla Venn die?"),
        ("The Paper Gate was directed by Orla Venn in 1931.", "When did Orla Venn die?"),
        ("Orla Venn:\n- a film maker\n- of Port Askel", "When did Orla Venn die?"),
        ("a maker of films", "When did a maker of films die?"),
        ("I don't know.", QUESTION),
        ("The context does not say who directed The Paper Gate.", QUESTION),
        ("Empty Response", QUESTION),
        ("", QUESTION),
    ],
)
def test_what_follows_an_answer(answer: str, expected: str) -> None:
    """The name in it, a short answer as it is, or the whole question where there is none."""
    asked = f"- {BRIDGE.hops[0].text}\n- {answer}\n"
    assert following(BRIDGE, asked) == expected
    assert following(BRIDGE, f"{asked}- {expected}\n- In 1961.\n- That is all.\n") == ""


SIDES = plan("Which is older, A or B?", "comparison", "How old is A?", "How old is B?")
WORDS = plan("paper gate film", "unparseable")


@pytest.mark.parametrize(
    ("split", "reasoning", "expected"),
    [
        (SIDES, "", "How old is A?"),
        (SIDES, "- How old is A?\n- One.\n- Two.\n", "How old is B?"),
        (SIDES, "- How old is A?\n- One.\n- How old is B?\n- Two.\n", ""),
        (SIDES, "- Something else?\n- One.\n", ""),
        (WORDS, "", "paper gate film"),
        (WORDS, "- paper gate film\n- It burnt.\n", ""),
    ],
)
def test_what_is_asked_next(split: Plan, reasoning: str, expected: str) -> None:
    """Hops in their order, each once; a question without hops as it is; nothing after what it did not ask."""
    assert following(split, reasoning) == expected


def test_the_stop_function_ends_at_nothing_else() -> None:
    """The engine's own ends at every question with "none" in it."""
    stop = HopsplitStepTransform.stop
    assert stop({"query_bundle": QueryBundle("None")})
    assert not stop({"query_bundle": QueryBundle("Who founded Nonesuch Records?")})


def test_hops_without_a_name_are_the_question_once() -> None:
    """Also where several hops lack one."""
    deep = plan("Who wed the son of the king of X?", "deep", "Who is the king of X?", "Who is #1's son?", "Who wed #2?")
    assert standing(deep) == ["Who is the king of X?", deep.question]


def test_neither_a_network_nor_a_key_is_needed(tmp_path: Path) -> None:
    """The cutting of texts needs the framework's tokenizers. The other parts are in examples, run likewise."""
    script = tmp_path / "cut.py"
    script.write_text(
        """
from hopsplit.integrations.llama_index import HopsplitRetriever
from llama_index.core import Document
text = " ".join(f"Ada wrote song {number}." for number in range(900))
print(len(HopsplitRetriever.from_documents([Document(text=text)]).retrieve("What did Ada write?")))
""",
        encoding="utf-8",
    )
    assert int(fresh.printed(sys.executable, script, tmp_path)) > 1
