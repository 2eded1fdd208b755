"""The demo collections are well formed, agree with their README, and are hard in the way they claim."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hopsplit.corpora import NAMES, demo
from hopsplit.decompose import KINDS, Hop, InputError, Plan
from hopsplit.decompose.plan import refs_in
from hopsplit.retrieval import Index, Passage

README = Path(__file__).parents[1] / "corpora" / "README.md"
PREFIX = {"encyclopedia": "enc", "company": "com"}


def rows(name: str, file: str) -> list[dict[str, Any]]:
    """Read a JSON lines file of a collection; a blank line is an error."""
    lines = (demo(name) / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def judged(name: str) -> dict[str, list[str]]:
    """Read the qrels: the gold passages of each query, in the order of the file."""
    header, *lines = (demo(name) / "qrels" / "dev.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "query-id\tcorpus-id\tscore"
    gold: dict[str, list[str]] = {}
    for line in lines:
        query, passage, score = line.split("\t")
        assert score == "1"
        gold.setdefault(query, []).append(passage)
    return gold


def section(name: str) -> str:
    """Return the README's part on a collection."""
    return README.read_text(encoding="utf-8").split(f"\n## {name}\n")[1].split("\n## ")[0]


def plan_of(row: dict[str, Any]) -> Plan:
    """Build the plan that a gold row describes."""
    hops = (Hop(n, text, refs_in(text), "gold", ()) for n, text in enumerate(row["hops"], 1))
    return Plan(row["question"], row["kind"], tuple(hops), "gold")


def bare(title: str) -> str:
    """Return a title without the tag in parentheses that tells it from another."""
    return re.sub(r" \(.*\)$", "", title)


def bridges(name: str) -> list[tuple[str, list[str]]]:
    """Return the bridge questions' texts with their gold passages."""
    gold = judged(name)
    queries = rows(name, "queries.jsonl")
    return [(row["text"], gold[row["_id"]]) for row in queries if row["metadata"]["kind"] == "bridge"]


def test_an_unknown_name_is_one_clear_error() -> None:
    """The message names the choices."""
    with pytest.raises(InputError, match=r"'atlas'; the choices are encyclopedia, company"):
        demo("atlas")


@pytest.mark.parametrize("name", NAMES)
def test_rows_have_the_fields_and_nothing_else(name: str) -> None:
    """Passages, queries and gold rows have exactly the fields that the README names."""
    assert {tuple(row) for row in rows(name, "corpus.jsonl")} == {("_id", "title", "text")}
    assert {tuple(row) for row in rows(name, "queries.jsonl")} == {("_id", "text", "metadata")}
    assert {tuple(row) for row in rows(name, "gold.jsonl")} == {("id", "question", "kind", "hops")}


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_unique_and_well_formed(name: str) -> None:
    """Passages are <prefix>-001 ..., questions <prefix>-q01 ..., none twice."""
    passages = [row["_id"] for row in rows(name, "corpus.jsonl")]
    questions = [row["id"] for row in rows(name, "gold.jsonl")]
    assert len(passages) == len(set(passages))
    assert len(questions) == len(set(questions))
    assert all(re.fullmatch(PREFIX[name] + r"-\d{3}", key) for key in passages)
    assert all(re.fullmatch(PREFIX[name] + r"-q\d{2}", key) for key in questions)


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_clean(name: str) -> None:
    """No text has stray white space, and no passage or question stands there twice."""
    for file, field in [("corpus.jsonl", "text"), ("gold.jsonl", "question")]:
        texts = [row[field] for row in rows(name, file)]
        assert len(texts) == len(set(texts))
        assert [text for text in texts if text != " ".join(text.split()) or not text] == []


@pytest.mark.parametrize("name", NAMES)
def test_queries_and_gold_rows_agree(name: str) -> None:
    """The queries are the gold rows that can be answered, with the same ids, texts, kinds and order."""
    queries = [(row["_id"], row["text"], row["metadata"]["kind"]) for row in rows(name, "queries.jsonl")]
    gold = [(row["id"], row["question"], row["kind"]) for row in rows(name, "gold.jsonl")]
    assert queries == [row for row in gold if row[2] != "unparseable"]


@pytest.mark.parametrize("name", NAMES)
def test_judgements_point_at_what_exists(name: str) -> None:
    """Every query has gold passages, each of them once and in the collection."""
    gold = judged(name)
    passages = {row["_id"] for row in rows(name, "corpus.jsonl")}
    assert set(gold) == {row["_id"] for row in rows(name, "queries.jsonl")}
    assert {key for keys in gold.values() for key in keys} <= passages
    assert [query for query, keys in gold.items() if len(keys) != len(set(keys))] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_gold_row_builds_a_plan(name: str) -> None:
    """Hops refer backwards and are used, and the kinds have the numbers of hops that they must have."""
    for row in rows(name, "gold.jsonl"):
        plan = plan_of(row)
        if plan.kind == "single":
            assert row["hops"] == [row["question"]]
        if plan.kind == "bridge":
            assert [hop.refs for hop in plan.hops] == [(), (1,)], row["id"]
        if plan.kind in ("comparison", "intersection"):
            assert len(plan.hops) >= 2, row["id"]
            assert not any(hop.refs for hop in plan.hops), row["id"]
        if plan.kind == "bridge_comparison":
            assert [hop.refs for hop in plan.hops] == [(), (), (1,), (2,)], row["id"]
        if plan.kind == "deep":
            assert len(plan.hops) >= 3, row["id"]


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_is_there_and_the_readme_counts_right(name: str) -> None:
    """The README's table has the numbers of the gold file, its text the numbers of passages and questions."""
    counts = Counter(row["kind"] for row in rows(name, "gold.jsonl"))
    assert set(counts) == set(KINDS)
    told = dict(re.findall(r"^\| (\w+) \| (\d+) \|$", section(name), flags=re.MULTILINE))
    assert told == {kind: str(count) for kind, count in counts.items()}
    assert re.search(rf"\b{len(rows(name, 'corpus.jsonl'))}\b", section(name))
    assert re.search(rf"\b{counts.total()} questions", section(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_bridge_needs_two_passages(name: str) -> None:
    """A bridge question that one passage answers would show nothing."""
    assert [question for question, keys in bridges(name) if len(keys) < 2] == []


def test_the_question_does_not_name_what_the_second_hop_finds() -> None:
    """The title of every passage after the first of a bridge is absent from the question."""
    titles = {row["_id"]: bare(row["title"]) for row in rows("encyclopedia", "corpus.jsonl")}
    named = [
        (question, titles[key])
        for question, keys in bridges("encyclopedia")
        for key in keys[1:]
        if titles[key].casefold() in question.casefold()
    ]
    assert named == []


def test_each_passage_of_a_bridge_names_the_next() -> None:
    """The title of the second passage stands in the first, and so on along the chain."""
    passages = {row["_id"]: row for row in rows("encyclopedia", "corpus.jsonl")}
    for question, keys in bridges("encyclopedia"):
        for here, there in pairwise(keys):
            assert bare(passages[there]["title"]) in passages[here]["text"], question


def test_plain_search_misses_what_the_readme_says() -> None:
    """BM25 with the whole question has all passages of a bridge in its first five as often as is said."""
    index = Index.build(Passage(row["_id"], row["title"], row["text"]) for row in rows("encyclopedia", "corpus.jsonl"))
    found = sum(
        set(keys) <= {hit.id for hit in index.search(question, 5, method="bm25")}
        for question, keys in bridges("encyclopedia")
    )
    assert f"in {found} of the {len(bridges('encyclopedia'))} bridge" in " ".join(section("encyclopedia").split())


def test_passages_are_short() -> None:
    """Encyclopedic passages have 40 to 90 words, and each title stands once."""
    passages = rows("encyclopedia", "corpus.jsonl")
    assert [row["_id"] for row in passages if not 40 <= len(row["text"].split()) <= 90] == []
    assert len({row["title"] for row in passages}) == len(passages)
