"""A search of one's own under the schemes: a full-text engine that is not ours, and what a wrong one is told."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from math import log
from typing import Any

import pytest

from hopsplit.corpora import demo
from hopsplit.decompose import Decomposer, InputError
from hopsplit.evaluation import load
from hopsplit.fallback import Asker
from hopsplit.retrieval import Hit, Passage, PassageSearch, SearchFunction, read_corpus
from hopsplit.retrieval.known import Known
from hopsplit.retrieval.overlap import overlap

QUESTION = "Who was the second wife of the man who directed Citizen Kane?"
Rows = list[tuple[str, str, float]]


@pytest.fixture(scope="module")
def full_text() -> Iterator[Callable[[str, int], Rows]]:
    """Give a search in SQLite's full-text index of the demo collection."""
    table = sqlite3.connect(":memory:", check_same_thread=False)
    table.execute("create virtual table passages using fts5(id unindexed, text)")
    rows = [(passage.id, f"{passage.title}. {passage.text}") for passage in read_corpus([demo()])]
    table.executemany("insert into passages values (?, ?)", rows)

    def search(query: str, k: int) -> Rows:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        found = "select id, text, -bm25(passages) from passages where passages match ? order by 3 desc, id limit ?"
        return list(table.execute(found, (words, k))) if words else []

    yield search
    table.close()


def given(*rows: object) -> SearchFunction:
    """Return a search that finds the same whatever is asked."""
    return SearchFunction(lambda query, k: rows)  # type: ignore[arg-type,return-value]


def test_the_bridge_is_found_with_a_foreign_engine(full_text: Callable[[str, int], Rows]) -> None:
    """Which alone does not find the passage of the answer: it has nothing of the question's words but "wife"."""
    assert "enc-030" not in [row[0] for row in full_text(QUESTION, 10)][:3]
    result = Asker(SearchFunction(full_text)).ask(QUESTION, k=3)
    assert {(item.passage.id, item.hop, item.via) for item in result.evidence} == {
        ("enc-028", 1, ""),
        ("enc-029", 2, "Orson Welles"),
        ("enc-030", 2, "Orson Welles"),
    }
    assert result.evidence[0].passage.title == ""
    assert result.bridges[0].name == "Orson Welles"


def test_the_published_scheme_runs_on_it_too(full_text: Callable[[str, int], Rows]) -> None:
    """As on any retriever; its first passages are those of one search."""
    plan = Decomposer().decompose(QUESTION)
    found = overlap(SearchFunction(full_text), plan, 10)
    assert [item.passage.id for item in found.evidence][:5] == [row[0] for row in full_text(QUESTION, 5)]
    assert len(found.evidence) == 10


def test_hits_are_in_a_total_order() -> None:
    """By (-score, id) whatever order they came in; an id counts once, with its best score; k is honoured."""
    rows = [("b", "x", 1), ("a", "y", Decimal("1.0")), ("c", "z", -2.0), ("b", "x", 3.0), ("d", "", 0.5)]
    search = given(*rows)
    assert search.search("q", 10) == [Hit("b", 3.0, 1), Hit("a", 1.0, 2), Hit("d", 0.5, 3), Hit("c", -2.0, 4)]
    assert given(*reversed(rows)).search("q", 10) == search.search("q", 10)
    assert search.search_many(["q", "r"], 2) == [[Hit("b", 3.0, 1), Hit("a", 1.0, 2)]] * 2
    assert search.passage("d") == Passage("d", "", "")
    with pytest.raises(KeyError):
        search.passage("e")


def test_a_passage_is_given_as_it_was_last_found() -> None:
    """Of pairs of passage and score: a search whose texts change behind their ids."""
    texts = iter(["old", "new"])
    search = PassageSearch(lambda query, k: [(Passage("p", "Title", next(texts)), 1.0)])
    search.search("q", 1)
    search.search("q", 1)
    assert search.passage("p") == Passage("p", "Title", "new")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", "x")], r"the search gave \('a', 'x'\); give \(id, text, score\)"),
        ([None], r"the search gave None; give \(id, text, score\)"),
        ([(1, "x", 1.0)], "the search gave the id 1; give a text of one character or more"),
        ([("", "x", 1.0)], "the search gave the id ''; give a text"),
        ([("a", None, 1.0)], "the search gave 'a' the text None; give a text"),
        ([("a", "x", "1.0")], "the search gave 'a' the score '1.0'; give a finite number"),
        ([("a", "x", float("nan"))], "the search gave 'a' the score nan; give a finite number"),
        ([("a", "x", True)], "the search gave 'a' the score True; give a finite number"),
        ([("a", "x", 0.1), ("b", "y", 0.4)], "the scores of the search rise along its results; .* give -distance"),
    ],
)
def test_wrong_results_are_refused(rows: list[Any], said: str) -> None:
    """With what came, and what should; distances would turn the ranking upside down."""
    with pytest.raises(InputError, match=said):
        given(*rows).search("q", 5)


@pytest.mark.parametrize("row", [("a", "x", 1.0), ("a", 1.0), None])
def test_what_is_no_passage_with_its_score_is_refused(row: Any) -> None:
    """Triples too: they are for the other class."""
    with pytest.raises(InputError, match=r"; give \(Passage, score\)"):
        PassageSearch(lambda query, k: [row]).search("q", 5)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (None, "the search gave None; give a list, an empty one where it finds nothing"),
        ([(Passage("a", None, "x"), 1.0)], "the search gave 'a' the title None; give a text"),  # type: ignore[arg-type]
    ],
)
def test_what_a_store_may_well_give_is_refused(results: Any, said: str) -> None:
    """Nothing at all where it finds nothing, and no title."""
    with pytest.raises(InputError, match=said):
        PassageSearch(lambda query, k: results).search("q", 5)


def test_no_results_at_all_are_refused() -> None:
    """By a function of triples as well."""
    with pytest.raises(InputError, match="the search gave None; give a list"):
        SearchFunction(lambda query, k: None).search("q", 5)  # type: ignore[arg-type,return-value]


def test_a_search_of_more_hits_than_are_kept() -> None:
    """The first of them are still there."""
    search = SearchFunction(lambda query, k: ((f"{i:06}", "", 1 / (i + 1)) for i in range(k)))
    hits = search.search("q", 70_000)
    assert len(hits) == 70_000
    assert search.passage(hits[0].id) == Passage("000000", "", "")


def test_a_whole_book_is_one_passage() -> None:
    """Which says the words of the question, and the name, thousands of times: no time that grows with their product."""
    book = "Ada Moss directed Citizen Kane. " * 20_000
    start = time.perf_counter()
    result = Asker(SearchFunction(lambda query, k: [("a", book, 1.0), ("b", f"His wife. {book}", 0.5)])).ask(QUESTION)
    assert result.bridges[0].name == "Ada Moss"
    assert time.perf_counter() - start < 10


def test_wrong_queries_are_refused() -> None:
    """As by the other engines; the function is not called."""
    search = SearchFunction(lambda query, k: pytest.fail("called"))
    with pytest.raises(InputError, match="the query is empty"):
        search.search(" ", 1)
    with pytest.raises(InputError, match="k is 0"):
        search.search("q", 0)
    with pytest.raises(InputError, match="k is '3'; give a whole number"):
        search.search("q", "3")  # type: ignore[arg-type]


def test_errors_of_the_search_come_through() -> None:
    """As they are."""

    def search(query: str, k: int) -> Rows:
        raise TimeoutError(query)

    with pytest.raises(TimeoutError, match="Citizen Kane"):
        Asker(SearchFunction(search)).ask(QUESTION)


def test_what_the_engine_finds_itself_stays_in_front(full_text: Callable[[str, int], Rows]) -> None:
    """Its first n hits for the question are among the first 2 n passages, whatever the plan."""
    asker = Asker(SearchFunction(full_text))
    for judged in load(demo(), "dev").judged[:20]:
        question = judged.question.text
        own = [row[0] for row in full_text(question, 5)]
        found = [item.passage.id for item in asker.ask(question, k=10).evidence]
        for n in range(1, 6):
            assert set(own[:n]) <= set(found[: 2 * n]), question


def test_words_are_weighed_by_the_hits_of_the_question() -> None:
    """BM25's idf among them, by hand: in both passages ln 1.2, in one ln 2, in none ln 6; stop words: half."""
    texts = [("a", "The river Lune rises in Ravenstone.", 2.0), ("b", "The river is long.", 1.0)]
    search = given(*texts)
    search.search("river", 2)
    idf = Known(search, cache=10).pooled(["a", "b"])
    weights = [idf(term) for term in ("river", "lune", "harbour", "the", "in")]
    assert weights == pytest.approx([log(1.2), log(2), log(6), log(1.2) / 2, log(2) / 2])


def test_no_query_is_searched_twice(full_text: Callable[[str, int], Rows]) -> None:
    """Not the question either, where more passages are asked for than the weights of the words are taken from."""
    sent: list[str] = []

    def search(query: str, k: int) -> Rows:
        sent.append(query)
        return full_text(query, k)

    assert len(Asker(SearchFunction(search)).ask(QUESTION, k=40).evidence) == 40
    assert sent[0] == QUESTION
    assert len(sent) == len(set(sent)) > 5
