"""One ranking for each question, by every method."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hopsplit.corpora import demo
from hopsplit.decompose import InputError
from hopsplit.evaluation import Dataset, Judged, Question, Ranked, load, report, tables, tokens_of
from hopsplit.evaluation.methods import METHODS, Method, Ranker
from hopsplit.fallback import Asker
from hopsplit.fallback.llm import Completion, Message
from hopsplit.retrieval import Index, Passage, read_corpus

HALL = Index.build(
    [
        Passage("a", "Glass Hall", "The Glass Hall is a market hall. Its architect was Ugo Marl."),
        Passage("b", "Ugo Marl", "Ugo Marl came from Turin, where he went to school."),
        Passage("c", "Turin", "Turin lies on the river Po."),
        Passage("d", "Stone Hall", "The Stone Hall was never finished."),
    ]
)
# Three hops, which the rules leave to a language model; one that they split themselves.
DEEP = Question("deep", "On which river lies the town that the architect of the Glass Hall came from?", "deep")
EASY = Question("easy", "Who was the architect of the Glass Hall?", "single")


class Scripted:
    """A language model that splits a question into two look-ups and is satisfied then, at 110 tokens a reply."""

    def __init__(self) -> None:
        self.asked = 0

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Say what is asked for."""
        self.asked += 1
        if "sufficient" in str(schema):
            said: dict[str, object] = {"sufficient": True, "confidence": 1.0, "missing": ""}
        else:
            said = {"questions": ["Who was the architect of the Glass Hall?", "Which river is at the town of #1?"]}
        return Completion(json.dumps(said), 100, 10)


@pytest.fixture(scope="module")
def index() -> Index:
    """Return the index of the demo collection of a company."""
    return Index.build(read_corpus([demo("company")]))


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    """Return every fourth question of it."""
    return [judged.question for judged in load(demo("company"), "dev").judged[::4]]


def timeless(item: Ranked) -> tuple[object, ...]:
    """Return all but the time."""
    return item.query_id, item.ranking, item.llm_calls, item.llm_tokens


@pytest.mark.parametrize("method", METHODS)
def test_timed_gives_what_rankings_gives(index: Index, questions: list[Question], method: Method) -> None:
    """The same passages with the same scores, one by one as in batches, in the order of the questions."""
    ranker = Ranker(index, method, asker=Asker(index, llm=Scripted()) if method == "chain-of-query" else None)
    together, alone = list(ranker.rankings(questions, 7)), list(ranker.timed(questions, 7))
    assert list(map(timeless, alone)) == list(map(timeless, together))
    assert [item.query_id for item in alone] == [question.id for question in questions]
    for item in alone:
        scores = [score for _, score in item.ranking]
        assert scores == sorted(scores, reverse=True)
        assert len(dict(item.ranking)) == len(item.ranking) <= 7
    assert all(item.seconds is not None and item.seconds > 0 for item in alone)
    spent = {(item.llm_calls, item.llm_tokens) for item in alone}
    assert (spent == {(0, 0)}) == (method != "chain-of-query")


def test_methods_differ(index: Index, questions: list[Question]) -> None:
    """Each name stands for a ranking of its own; so does the rest of a deeper search, whose beginning is the same."""
    found = [list(Ranker(index, method).timed(questions, 20)) for method in METHODS if method != "chain-of-query"]
    assert len({tuple(item.ranking for item in each) for each in found}) == len(found)
    hits = list(Ranker(index, "hybrid").timed(questions, 3))
    hybrid = found[METHODS.index("hybrid")]
    assert [item.ranking for item in hits] == [item.ranking[:3] for item in hybrid]


def test_chain_of_query_asks_its_model_and_counts() -> None:
    """Two calls for the question that the rules leave, none for the other; so it says in the table."""
    model = Scripted()
    ranked = list(Ranker(HALL, "chain-of-query", asker=Asker(HALL, llm=model)).timed([DEEP, EASY], 3))
    assert [(item.query_id, item.llm_calls, item.llm_tokens) for item in ranked] == [("deep", 2, 220), ("easy", 0, 0)]
    assert model.asked == 4  # the first question is tried before it counts
    dataset = Dataset("hall", "dev", Path("hall"), (Judged(DEEP, ("a", "b", "c")), Judged(EASY, ("a",))))
    found = report("chain-of-query", dataset, ranked, tokens_of(HALL.passages))
    assert [(row.type, row.llm_calls, row.llm_tokens) for row in found.rows] == [
        ("deep", 2.0, 220.0),
        ("single", 0.0, 0.0),
        ("all", 1.0, 110.0),
    ]
    head, row = tables.costs([found])
    assert dict(zip(head, row, strict=True)) | {"ms": "", "p95 ms": "", "a second": ""} == {
        "method": "chain-of-query",
        "passages": "3.0",
        "precision": "66.7",  # three of three, one of three
        "read": row[head.index("read")],
        "calls": "1.00",
        "LLM tokens": "110",
        "ms": "",
        "p95 ms": "",
        "a second": "",
    }


def test_what_cannot_be_measured() -> None:
    """A method that is not there, a model that is not, a question that no text can be: each said before any work."""
    with pytest.raises(InputError, match="no method 'rag'; choose one of rarag, overlap, hybrid, bm25, tfidf, chain"):
        Ranker(HALL, "rag")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="chain-of-query needs a language model; name one with --llm MODEL"):
        Ranker(HALL, "chain-of-query")
    ranker = Ranker(HALL, "bm25")
    for text, message in (("a\ud800", "'q' has a lone surrogate"), ("who " * 501, "'q' has 2,004 characters")):
        for ask in (ranker.timed, ranker.rankings):
            with pytest.raises(InputError, match=message):
                next(ask([EASY, Question("q", text, "")], 3))
