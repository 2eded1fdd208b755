"""The original files of HotpotQA, 2WikiMultiHopQA and MuSiQue, small ones in words of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hopsplit.decompose import InputError
from hopsplit.evaluation import originals
from hopsplit.evaluation.originals import Original
from hopsplit.evaluation.report import missing
from hopsplit.retrieval import read_corpus

ORN = ["Lea Orn", ["Lea Orn kept bees.", " ", " She wrote Salt Wind."]]
WIND = ["Salt Wind", ["Salt Wind is a novel.", " It won a prize."]]
UNCUT = ["Salt Wind", ["Salt Wind is a novel. It won a prize."]]  # the same paragraph, cut in another way
ISLE = ["Tam Isle", ["Tam Isle lies north."]]

WHOSE = {
    "_id": "q2",
    "type": "compositional",
    "question": "What did the author of Salt Wind keep?",
    "context": [ORN, WIND, ISLE],
    "supporting_facts": [["Salt Wind", 0], ["Lea Orn", 2], ["Lea Orn", 0]],
}
WHICH = {
    "_id": "q1",
    "type": "comparison",
    "question": "Which won a prize, Salt Wind or Tam Isle?",
    "context": [ISLE, UNCUT],
    "supporting_facts": [["Salt Wind", 1], ["Tam Isle", 0]],  # there is no sentence 1
}
TEST = {"_id": "q3", "question": "Who?", "context": [["Fen", ["Fen is wet."]]]}
HOTPOT = [WHOSE, WHICH, TEST]


def columns(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as the Hugging Face hub has it."""
    context = dict(zip(("title", "sentences"), map(list, zip(*row["context"], strict=True)), strict=True))
    facts = dict(zip(("title", "sent_id"), map(list, zip(*row.get("supporting_facts", []), strict=True)), strict=False))
    renamed = {"id": row["_id"], "question": row["question"], "type": row.get("type")}
    return renamed | {"context": context, "supporting_facts": facts or {"title": [], "sent_id": []}}


def strings(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its nested fields as JSON strings."""
    return {key: json.dumps(value) if isinstance(value, list | dict) else value for key, value in row.items()}


def lines(rows: list[dict[str, Any]]) -> str:
    """Return rows as one object a line."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def write(path: Path, text: str) -> Path:
    """Write a file and return its path."""
    path.write_text(text, encoding="utf-8")
    return path


def gold(original: Original) -> dict[str, list[str]]:
    """Return for each question its gold as "title|text", or the id where there is no such passage."""
    said = {passage.id: f"{passage.title}|{passage.text}" for passage in original.passages}
    return {one.question.id: sorted(said.get(found, found) for found in one.gold) for one in original.dataset.judged}


FORMS = {
    "list.json": json.dumps(HOTPOT),
    "lines.json": lines(HOTPOT),
    "lines.jsonl": lines(HOTPOT),
    "strings.jsonl": lines([strings(row) for row in HOTPOT]),
    "columns.jsonl": lines([columns(row) for row in HOTPOT]),
    "columns_as_strings.json": json.dumps([strings(columns(row)) for row in HOTPOT]),
}


@pytest.mark.parametrize(("name", "text"), FORMS.items(), ids=FORMS)
def test_hotpotqa_and_2wiki(tmp_path: Path, name: str, text: str) -> None:
    """In every form that is about: the paragraphs, once each, with the ids they have as a corpus, and the gold."""
    path = write(tmp_path / name, text)
    original = originals.load(path)
    assert list(original.passages) == sorted(read_corpus([path]), key=lambda passage: passage.id)
    assert len(original.passages) == 4
    assert gold(original) == {
        "q2": ["Lea Orn|Lea Orn kept bees.  She wrote Salt Wind.", "Salt Wind|Salt Wind is a novel. It won a prize."],
        "q1": ["Salt Wind|Salt Wind is a novel. It won a prize.", "Tam Isle|Tam Isle lies north."],
    }
    assert [(one.question.id, one.question.type, one.question.text) for one in original.dataset.judged] == [
        ("q2", "compositional", "What did the author of Salt Wind keep?"),
        ("q1", "comparison", "Which won a prize, Salt Wind or Tam Isle?"),
    ]
    assert (original.dataset.name, original.dataset.split, original.dataset.corpus) == (path.stem, "", path)
    assert original.notes() == ["1 question left out: no supporting facts"]


@pytest.mark.parametrize(("name", "text"), FORMS.items(), ids=FORMS)
def test_episodes(tmp_path: Path, name: str, text: str) -> None:
    """Each sentence with its title before it, equal ones once, empty ones not; numbers that lead nowhere are told."""
    original = originals.episodes(write(tmp_path / name, text))
    assert {passage.title for passage in original.passages} == {""}
    assert sorted(passage.text for passage in original.passages) == [
        "Fen: Fen is wet.",
        "Lea Orn: Lea Orn kept bees.",
        "Lea Orn: She wrote Salt Wind.",
        "Salt Wind: It won a prize.",
        "Salt Wind: Salt Wind is a novel.",
        "Salt Wind: Salt Wind is a novel. It won a prize.",
        "Tam Isle: Tam Isle lies north.",
    ]
    assert gold(original) == {
        "q2": ["|Lea Orn: Lea Orn kept bees.", "|Lea Orn: She wrote Salt Wind.", "|Salt Wind: Salt Wind is a novel."],
        "q1": ["|Tam Isle: Tam Isle lies north."],
    }
    assert original.notes() == [
        "1 question left out: no supporting facts",
        "1 supporting fact left out: the paragraph has no sentence of that number",
    ]


def test_ids(tmp_path: Path) -> None:
    """They are those that sha256sum gives, in ascending order, wherever the questions stand."""
    path, back = write(tmp_path / "a.json", json.dumps(HOTPOT)), write(tmp_path / "b.json", json.dumps(HOTPOT[::-1]))
    for read, passage_id, text in (
        (originals.load, "0d1bcac95923a327", "Salt Wind is a novel. It won a prize."),
        (originals.episodes, "dbefb6233ddd5a5c", "Tam Isle: Tam Isle lies north."),
    ):
        original = read(path)
        ids = [passage.id for passage in original.passages]
        assert [passage.id for passage in original.passages if passage.text == text] == [passage_id]
        assert ids == sorted(ids)
        assert read(back).passages == original.passages
        assert read(back).dataset.judged == original.dataset.judged[::-1]


def test_one_title_twice(tmp_path: Path) -> None:
    """A supporting fact means all the question's paragraphs of its title, and none of another question's."""
    other = ["Tam Isle", ["Tam Isle is a song."]]
    rows = [
        {"_id": "a", "question": "What?", "context": [ISLE, other], "supporting_facts": [["Tam Isle", 0]]},
        {"_id": "b", "question": "Where?", "context": [ISLE], "supporting_facts": [["Tam Isle", 0]]},
    ]
    path = write(tmp_path / "d.jsonl", lines(rows))
    assert gold(originals.load(path)) == {
        "a": ["Tam Isle|Tam Isle is a song.", "Tam Isle|Tam Isle lies north."],
        "b": ["Tam Isle|Tam Isle lies north."],
    }
    assert gold(originals.episodes(path)) == {
        "a": ["|Tam Isle: Tam Isle is a song.", "|Tam Isle: Tam Isle lies north."],
        "b": ["|Tam Isle: Tam Isle lies north."],
    }


def test_a_paragraph_that_is_not_in_the_file(tmp_path: Path) -> None:
    """As in full-wiki files: it stays gold that nothing can find, and is counted."""
    row = {"_id": "a", "question": "Who?", "context": [ISLE], "supporting_facts": [["Tam Isle", 0], ["Fen", 4]]}
    path = write(tmp_path / "d.json", json.dumps([row]))
    for original, absent, there in (
        (originals.load(path), "missing:Fen", "Tam Isle|Tam Isle lies north."),
        (originals.episodes(path), "missing:Fen#s4", "|Tam Isle: Tam Isle lies north."),
    ):
        assert gold(original) == {"a": sorted((absent, there))}
        assert missing(original.dataset, original.passages) == 1
        assert original.notes() == []


def paragraphs(*supporting: bool | None) -> list[dict[str, Any]]:
    """Return one MuSiQue paragraph for each value, of the titles A, B, ..."""
    rows = [{"idx": i, "title": "ABC"[i], "paragraph_text": f"Text {i}."} for i in range(len(supporting))]
    return [row | {"is_supporting": mark} for row, mark in zip(rows, supporting, strict=True)]


MUSIQUE = [
    {"id": "3hop1__7_8", "question": "Who?", "paragraphs": paragraphs(True, False, True), "answerable": True},
    {"id": "3hop1__7_8", "question": "Who?", "paragraphs": paragraphs(True, False), "answerable": False},
    {"id": "2hop__1_2", "question": "Where?", "paragraphs": paragraphs(False, True)},
    {"id": "2hop__3_4", "question": "When?", "paragraphs": paragraphs(None)},
    {"id": "2hop__5_6", "question": "How?", "paragraphs": paragraphs(False)},
    {"id": "own", "question": "Why?", "paragraphs": paragraphs(True)},
]


def test_musique(tmp_path: Path) -> None:
    """Supporting paragraphs are gold, the type is what the id begins with; the unanswerable twin is left out."""
    path = write(tmp_path / "m.jsonl", lines(MUSIQUE))
    original = originals.load(path)
    assert list(original.passages) == sorted(read_corpus([path]), key=lambda passage: passage.id)
    assert gold(original) == {
        "3hop1__7_8": ["A|Text 0.", "C|Text 2."],
        "2hop__1_2": ["B|Text 1."],
        "own": ["A|Text 0."],
    }
    assert [one.question.type for one in original.dataset.judged] == ["3hop1", "2hop", ""]
    assert original.notes() == [
        "2 questions left out: no supporting facts",
        "1 question left out: marked as not answerable",
    ]


def wrong(**changed: object) -> str:
    """Return a good row and after it one with other fields."""
    return lines([WHOSE, WHICH | changed])


def wrong_musique(paragraph: dict[str, object] | None = None, **changed: object) -> str:
    """Return a row of MuSiQue with other fields, or another field in its paragraph."""
    row = MUSIQUE[-1] | changed
    return lines([row | {"paragraphs": [row["paragraphs"][0] | (paragraph or {})]}])


PAIR = 'line 2: each entry of "supporting_facts" must be [title, sentence number]'
BAD = [
    ("", "no question with supporting facts; test sets have none"),
    (lines([TEST]), "no question with supporting facts; test sets have none"),
    ("[1]", "line 1: a row must be an object, not [1]"),
    (wrong() + "{oops", "line 3: not JSON"),
    ("[" * 100_000, "line 1: JSON that cannot be read"),
    ('{"_id": "a", "text": "b"}', 'line 1: neither "context" nor "paragraphs", only _id, text; give a file of Hotpot'),
    ("{}", 'neither "context" nor "paragraphs", only no field'),
    (wrong(_id="q2"), "line 2: the question id 'q2' stands already in"),
    (wrong(_id=7), 'line 2: the field "_id" must be a string, not 7'),
    (wrong(_id=" "), "line 2: the question or its id is empty; give both"),
    (wrong(question=""), "line 2: the question or its id is empty; give both"),
    (wrong(question=None), 'line 2: the field "question" must be a string, not null'),
    (wrong(question="\ud800"), 'line 2: the field "question" has a lone surrogate at character 0'),
    (lines([{"context": [ISLE], "question": "Who?"}]), 'line 1: the field "id" is missing; there is context, question'),
    (wrong(type=["bridge"]), 'line 2: the field "type" must be a string, not ["bridge"]'),
    (wrong(context=None), 'line 2: the field "context" must be a list, not null'),
    (wrong(context="[1"), "line 2: not JSON"),
    (wrong(context=json.dumps("[]")), 'line 2: the field "context" must be a list, not "[]"'),
    (wrong(context=[["a", "b"]]), 'line 2: each entry of "context" must be [title, [sentence, ...]]'),
    (wrong(context=[["a", [], []]]), 'line 2: each entry of "context" must be [title, [sentence, ...]]'),
    (wrong(context=[[1, []]]), "line 2: a title must be a string, not 1"),
    (wrong(context=[["a", [None]]]), "line 2: a sentence must be a string, not null"),
    (wrong(context={"title": ["a"]}), 'line 2: "sentences" of "context" must be a list, not null'),
    (wrong(context={"title": ["a"], "sentences": []}), 'line 2: "context" has 1 of "title" and 0 of "sentences"'),
    (wrong(supporting_facts=5), 'line 2: the field "supporting_facts" must be a list, not 5'),
    (wrong(supporting_facts=[["a"]]), PAIR),
    (wrong(supporting_facts=["ab"]), PAIR),
    (wrong(supporting_facts=[["a", "0"]]), PAIR),
    (wrong(supporting_facts=[["a", 0.0]]), PAIR),
    (wrong(supporting_facts=[["a", True]]), PAIR),
    (wrong(supporting_facts=[[["a"], 0]]), 'line 2: a title must be a string, not ["a"]'),
    (wrong(supporting_facts={"title": ["a"], "sent_id": [0, 1]}), '"supporting_facts" has 1 of "title" and 2 of'),
    (wrong_musique(answerable="no"), 'line 1: the field "answerable" must be true or false'),
    (wrong_musique({"is_supporting": 1}), 'line 1: the field "is_supporting" must be true or false'),
    (wrong_musique({"title": None}), 'line 1: the field "title" must be a string, not null'),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[f"{i}-{message[:50]}" for i, (_, message) in enumerate(BAD)])
def test_bad_input(tmp_path: Path, text: str, message: str) -> None:
    """Whatever is wrong is one line that names the file, the place and what should be there."""
    path = write(tmp_path / "d.jsonl", text)
    with pytest.raises(InputError) as error:
        originals.load(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_no_sentences(tmp_path: Path) -> None:
    """MuSiQue has none, numbers may all lead nowhere, also negative ones: then there are no episodes to measure."""
    with pytest.raises(InputError, match="line 1: MuSiQue tells supporting paragraphs, not sentences; measure with"):
        originals.episodes(write(tmp_path / "m.jsonl", lines(MUSIQUE)))
    nowhere = WHOSE | {"supporting_facts": [["Lea Orn", 1], ["Salt Wind", -1]]}
    with pytest.raises(InputError, match="no question with supporting facts"):
        originals.episodes(write(tmp_path / "d.jsonl", lines([nowhere])))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("set", "a data set is a folder, or an original file that ends in .json or .jsonl"),
        ("d.parquet", "a data set is a folder, or an original file that ends in .json or .jsonl"),
        ("none.json", "none.json: no such file; check the path"),
        ("folder.json", "folder.json: cannot be read"),
    ],
)
def test_no_such_file(tmp_path: Path, name: str, message: str) -> None:
    """Files of other kinds, folders, and what is not there."""
    (tmp_path / "folder.json").mkdir()
    write(tmp_path / "d.parquet", "PAR1")
    with pytest.raises(InputError) as error:
        originals.load(tmp_path / name)
    assert message in str(error.value)
