"""Reading collections: every format, and every kind of bad input with its place."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hopsplit.decompose import InputError
from hopsplit.retrieval import Passage, read_corpus
from hopsplit.retrieval.formats import content_id

ROWS = [
    {"_id": "a", "title": "Ada", "text": "Ada wrote notes."},
    {"_id": "b", "title": "", "text": "Bell rang."},
]
READ = [Passage("a", "Ada", "Ada wrote notes."), Passage("b", "", "Bell rang.")]


def write(path: Path, text: str) -> Path:
    """Write `text` as it is, without any newline translation."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def jsonl(*rows: object) -> str:
    """One JSON value a line."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def unnamed(title: str, text: str) -> Passage:
    """Build a passage of a format that has no ids."""
    return Passage(content_id(title, text), title, text)


@pytest.mark.parametrize(
    "text",
    [
        jsonl(*ROWS),
        "\ufeff" + jsonl(*ROWS),
        jsonl(*ROWS).replace("\n", "\r\n\r\n"),
        jsonl(*ROWS).rstrip("\n"),
        jsonl(*ROWS).replace("_id", "id"),
    ],
    ids=["plain", "byte order mark", "CRLF and blank lines", "no last newline", "id"],
)
def test_beir_lines(tmp_path: Path, text: str) -> None:
    """BEIR rows are read the same with every line end and mark that editors leave."""
    assert read_corpus([write(tmp_path / "corpus.jsonl", text)]) == READ


def test_beir_folder(tmp_path: Path) -> None:
    """Of a BEIR folder the corpus is read, not the queries."""
    write(tmp_path / "corpus.jsonl", jsonl(*ROWS))
    write(tmp_path / "queries.jsonl", jsonl({"_id": "q", "text": "?"}))
    assert read_corpus([tmp_path]) == READ


CONTEXT = [["Ada", ["She wrote. ", " Notes."]], ["Bell", ["It rang."]]]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([{"context": CONTEXT}, {"context": CONTEXT[:1]}]),
        jsonl({"context": CONTEXT}, {"context": CONTEXT[:1]}),
        jsonl({"context": json.dumps(CONTEXT)}),
    ],
    ids=["list", "lines", "context as a string"],
)
def test_hotpotqa(tmp_path: Path, text: str) -> None:
    """HotpotQA contexts give each paragraph once, its sentences joined by single spaces."""
    passages = read_corpus([write(tmp_path / "dev.json", text)])
    assert passages == [unnamed("Ada", "She wrote. Notes."), unnamed("Bell", "It rang.")]


def test_musique(tmp_path: Path) -> None:
    """MuSiQue paragraphs of the same title and other text are two passages, repeats one."""
    one, two = ({"title": "Ada", "paragraph_text": text} for text in ("First.", "Second."))
    path = write(tmp_path / "m.jsonl", jsonl({"paragraphs": [one, two]}, {"paragraphs": [one]}))
    assert read_corpus([path]) == [unnamed("Ada", "First."), unnamed("Ada", "Second.")]


def test_hipporag(tmp_path: Path) -> None:
    """A list of {title, text} gets ids from the content: 16 hex digits, the same wherever the row stands."""
    rows = [{"title": "Ada", "text": "She wrote."}, {"title": "Bell", "text": "It rang."}]
    passages = read_corpus([write(tmp_path / "c.json", json.dumps(rows))])
    back = read_corpus([write(tmp_path / "d.json", json.dumps(rows[::-1]))])
    assert passages == back[::-1]
    assert passages[0].id == "330818022f2e1d5a"


@pytest.mark.parametrize(("name", "tab"), [("c.csv", ","), ("c.tsv", "\t")])
def test_table(tmp_path: Path, name: str, tab: str) -> None:
    """Tables are read by their header; quoted cells hold separators, quotes and line ends."""
    text = tab.join(["Title", "TEXT", "id", "year"]) + "\r\n"
    text += tab.join(["Ada", '"a ""b"", c\nd"', "x", "1815"]) + "\r\n"
    assert read_corpus([write(tmp_path / name, text)]) == [Passage("x", "Ada", 'a "b", c\nd')]


def test_table_without_ids(tmp_path: Path) -> None:
    """A table of texts alone gets ids from the content."""
    assert read_corpus([write(tmp_path / "c.csv", "text\nBell rang.\n")]) == [unnamed("", "Bell rang.")]


def test_a_long_cell(tmp_path: Path) -> None:
    """A page longer than the 131,072 characters that the csv module takes by itself; not an endless one."""
    cell = "a" * 200_000
    assert read_corpus([write(tmp_path / "c.csv", f"id,text\nx,{cell}\n")]) == [Passage("x", "", cell)]
    with pytest.raises(InputError, match="line 2: not readable as a table"):
        read_corpus([write(tmp_path / "d.csv", f"id,text\nx,{cell * 84}\n")])


@pytest.mark.parametrize("name", ["p.txt", "p.jsonl", "p.json", "p.csv"])
def test_a_pipe_is_no_corpus(tmp_path: Path, name: str) -> None:
    """It would be waited for without end."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="is no regular file; write what it gives to one, and name that"):
        read_corpus([tmp_path / name])


def test_folder(tmp_path: Path) -> None:
    """A folder gives its visible text files in the order of their ids, titled by heading or file name."""
    write(tmp_path / "b.md", "intro\n\n## The *Bell* ##\n\nIt rang.\n")
    write(tmp_path / "a" / "Ada.txt", "# no heading here\r\nnotes")
    write(tmp_path / ".git" / "x.md", "hidden")
    write(tmp_path / "c.pdf", "other")
    write(tmp_path / "a" / "d.csv", "text\nleft out\n")
    said: list[str] = []
    assert read_corpus([tmp_path], report=said.append) == [
        Passage("a/Ada.txt", "Ada", "# no heading here\nnotes"),
        Passage("b.md", "The *Bell*", "intro\n\n\n\nIt rang."),
    ]
    kinds = ".jsonl, .json, .csv, .tsv are read where they are named"
    assert said == [f"{tmp_path}: skipped 2 files (.csv, .pdf); {kinds}"]


def test_long_text_is_cut(tmp_path: Path) -> None:
    """A long file is cut at sentences, every piece with the title and its number in the id."""
    path = write(tmp_path / "doc.md", "# Doc\n\n" + "One two three four. " * 4)
    passages = read_corpus([path], max_chars=45)
    assert [p.id for p in passages] == ["doc.md#chunk1", "doc.md#chunk2"]
    assert {p.title for p in passages} == {"Doc"}
    assert [p.text for p in passages] == ["One two three four. One two three four."] * 2


def test_rows_are_cut_only_on_demand(tmp_path: Path) -> None:
    """A long BEIR passage stays whole by default, and is cut where a length is given."""
    text = "One two three four. " * 100
    path = write(tmp_path / "corpus.jsonl", jsonl({"_id": "a", "title": "T", "text": text.strip()}))
    assert len(read_corpus([path])) == 1
    assert len(read_corpus([path], max_chars=1000)) == 2


BAD = [
    ("c.jsonl", jsonl(ROWS[0]) + "{oops\n", "c.jsonl, line 2: not JSON"),
    ("c.jsonl", jsonl(ROWS[0]) + "[1]\n", "c.jsonl, line 2: a row must be an object, not [1]"),
    ("c.jsonl", jsonl({"_id": "a", "title": "x"}), 'c.jsonl, line 1: the field "text" is missing; there is _id, title'),
    ("c.jsonl", jsonl({"_id": 5, "text": "x"}), 'line 1: the field "_id" must be a string, not 5'),
    ("c.jsonl", jsonl({"_id": " ", "text": "x"}), 'line 1: the field "_id" is empty'),
    ("c.jsonl", jsonl({"_id": "a", "text": None}), 'line 1: the field "text" must be a string, not null'),
    ("c.jsonl", jsonl(*ROWS, ROWS[0]), "line 3: the passage id 'a' stands already in"),
    ("c.jsonl", '{"_id": "a", "text": "x\\ud800"}', 'the field "text" has a lone surrogate at character 1'),
    ("c.jsonl", "[" * 100_000, "line 1: JSON that cannot be read"),
    ("c.jsonl", "", "c.jsonl: no passages"),
    ("c.json", "[\n{},\n{]", "c.json, line 3: not JSON"),
    ("c.json", '[{"text": "x"}, 7]', "c.json, item 2: a row must be an object, not 7"),
    ("c.json", '[{"context": "[1"}]', "c.json, item 1: not JSON"),
    ("c.json", '[{"context": [["a"]]}]', 'item 1: each entry of "context" must be [title, [sentence, ...]]'),
    ("c.json", '[{"context": [["a", [1]]]}]', "item 1: a sentence must be a string, not 1"),
    ("c.json", '[{"paragraphs": [{"title": "a"}]}]', 'item 1: the field "paragraph_text" is missing'),
    ("c.csv", "title,body\n", "c.csv, line 1: the header has no column text, only title, body"),
    ("c.csv", "text,text\n", "c.csv, line 1: two columns of the header have the same name"),
    ("c.csv", "id,text\na,b\nc\n", "c.csv, line 3: the number of cells, 1, is not that of the header, 2"),
    ("c.csv", 'id,text\na,"b"c\n', "c.csv, line 2: not readable as a table"),
    ("c.csv", "id,text\na,x\na,y\n", "c.csv, line 3: the passage id 'a' stands already in"),
    ("c.pdf", "x", "c.pdf: unknown kind of corpus; give a folder or a file that ends in .jsonl, .json"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_input(tmp_path: Path, name: str, text: str, message: str) -> None:
    """Bad input is one error that names the file, the place and what is wrong."""
    with pytest.raises(InputError) as error:
        read_corpus([write(tmp_path / name, text)])
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["c.jsonl", "c.json", "c.csv", "c.txt"])
def test_not_utf8(tmp_path: Path, name: str) -> None:
    """Bytes that are not UTF-8 are an error with the line and the byte."""
    path = tmp_path / name
    path.write_bytes(b'{"_id": "a", "text": "x"}\n{"_id": "b", "text": "caf\xe9"}\n')
    with pytest.raises(InputError, match=r"line 2: not UTF-8 \(byte 0xe9\); save the file as UTF-8"):
        read_corpus([path])


def test_missing(tmp_path: Path) -> None:
    """A missing path, and a folder without texts, are errors."""
    with pytest.raises(InputError, match=r"no\.jsonl: no such file or folder"):
        read_corpus([tmp_path / "no.jsonl"])
    with pytest.raises(InputError, match=r"neither a corpus\.jsonl nor a \.txt or \.md file"):
        read_corpus([tmp_path])


def test_same_id_in_two_files(tmp_path: Path) -> None:
    """The error names both places."""
    one, two = (write(tmp_path / name, jsonl(ROWS[0])) for name in ("one.jsonl", "two.jsonl"))
    with pytest.raises(InputError, match=r"two\.jsonl, line 1: .*'a' stands already in .*one\.jsonl, line 1"):
        read_corpus([one, two])


def test_same_text_name_in_two_folders(tmp_path: Path) -> None:
    """The error says how to have ids that differ, and doing so works."""
    for name in ("one", "two"):
        write(tmp_path / name / "a.md", name)
    with pytest.raises(InputError, match=r"'a\.md' stands already in .*; give the folder above both"):
        read_corpus([tmp_path / "one", tmp_path / "two"])
    assert [passage.id for passage in read_corpus([tmp_path])] == ["one/a.md", "two/a.md"]


def test_paths_as_text(tmp_path: Path) -> None:
    """Paths may be strings; one alone, which would be read letter by letter, is refused."""
    path = str(write(tmp_path / "corpus.jsonl", jsonl(*ROWS)))
    assert read_corpus([path]) == READ
    for alone in (path, Path(path)):
        with pytest.raises(InputError, match="takes a sequence of paths; give "):
            read_corpus(alone)  # type: ignore[arg-type]
