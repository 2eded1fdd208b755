"""The command `index`: an index that is changed is, to the byte, the one that would be built anew."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hopsplit.retrieval import Index
from program import Done, program

HALL = {"_id": "hall", "title": "Glass Hall", "text": "The architect of the Glass Hall was Ugo Marl."}
MARL = {"_id": "marl", "title": "Ugo Marl", "text": "Ugo Marl was born in Turin."}
LATER = {"_id": "marl", "title": "Ugo Marl", "text": "Ugo Marl was born in Asti, near Turin."}
TURIN = {"_id": "turin", "title": "Turin", "text": "Turin is a city on the Po."}


def corpus(path: Path, *passages: dict[str, str]) -> Path:
    """Write a corpus of these passages."""
    path.write_text("".join(json.dumps(passage) + "\n" for passage in passages), encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of every file of a folder by its path."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def said(done: Done) -> str:
    """Check that a run went well, and return what it said without the time."""
    assert (done.code, done.out) == (0, "")
    return done.err.rsplit(" in ", 1)[0]


def refused(done: Done) -> str:
    """Check that a run was refused with one line, and return it."""
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an index of the first two passages."""
    said(program("index", corpus(tmp_path / "first.jsonl", HALL, MARL), "--out", tmp_path / "index"))
    return tmp_path / "index"


def rebuilt(tmp_path: Path, *passages: dict[str, str]) -> dict[str, bytes]:
    """Return the files of an index built at once from these passages."""
    said(program("index", corpus(tmp_path / "all.jsonl", *passages), "--out", tmp_path / "rebuilt"))
    return files(tmp_path / "rebuilt")


def test_an_updated_index_is_the_rebuilt_one(folder: Path, tmp_path: Path) -> None:
    """One passage is new, one takes the place of an old one, one stays."""
    done = program("index", corpus(tmp_path / "more.jsonl", TURIN, LATER), "--out", folder, "--update")
    assert said(done) == f"added 1, replaced 1, deleted 0 in {folder}, which has 3 passages now,"
    assert files(folder) == rebuilt(tmp_path, LATER, HALL, TURIN)


def test_a_deleted_passage_leaves_no_trace(folder: Path, tmp_path: Path) -> None:
    """As if it had never been there."""
    done = program("index", "--out", folder, "--delete", "hall")
    assert said(done) == f"added 0, replaced 0, deleted 1 in {folder}, which has 1 passage now,"
    assert files(folder) == rebuilt(tmp_path, MARL)


def test_update_and_delete_in_one_go(folder: Path, tmp_path: Path) -> None:
    """All old passages go, named in the command and in a file, and a new one comes."""
    gone = tmp_path / "gone.txt"
    gone.write_text("marl\n\n", encoding="utf-8")
    more = corpus(tmp_path / "more.jsonl", TURIN)
    done = program("index", more, "--out", folder, "--update", "--delete", "hall", "--delete", f"@{gone}")
    assert said(done) == f"added 1, replaced 0, deleted 2 in {folder}, which has 1 passage now,"
    assert files(folder) == rebuilt(tmp_path, TURIN)


def test_a_document_is_updated_and_deleted_with_all_its_pieces(tmp_path: Path) -> None:
    """A text of three pieces becomes one of two, then goes as a whole; the other text stays."""
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "long.txt").write_text("One two three.\n\nFour five six.\n\nSeven eight nine.", encoding="utf-8")
    (texts / "short.txt").write_text("Ten.", encoding="utf-8")
    folder, cut = tmp_path / "index", ("--max-chars", "20")
    said(program("index", texts, "--out", folder, *cut))
    assert [passage.id for passage in Index.open(folder).passages] == [
        "long.txt#chunk1",
        "long.txt#chunk2",
        "long.txt#chunk3",
        "short.txt",
    ]
    (texts / "long.txt").write_text("One two three.\n\nFour five six.", encoding="utf-8")
    done = program("index", texts / "long.txt", "--out", folder, "--update", *cut)
    assert said(done) == f"added 0, replaced 2, deleted 1 in {folder}, which has 3 passages now,"
    said(program("index", texts, "--out", tmp_path / "rebuilt", *cut))
    assert files(folder) == files(tmp_path / "rebuilt")
    said(program("index", "--out", folder, "--delete", "long.txt"))
    assert [passage.id for passage in Index.open(folder).passages] == ["short.txt"]


def test_passages_with_ids_like_pieces_stay(tmp_path: Path) -> None:
    """An update of `x` leaves `x#chunk2`, which the corpus names so; a delete names it alone."""
    made = [{"_id": name, "title": "", "text": name} for name in ("x", "x#chunk1", "x#chunk2")]
    folder = tmp_path / "index"
    said(program("index", corpus(tmp_path / "a.jsonl", *made), "--out", folder))
    said(program("index", corpus(tmp_path / "b.jsonl", made[0]), "--out", folder, "--update"))
    said(program("index", "--out", folder, "--delete", "x"))
    assert [passage.id for passage in Index.open(folder).passages] == ["x#chunk1", "x#chunk2"]


def test_updates_at_the_same_time(folder: Path, tmp_path: Path) -> None:
    """Of two processes that update at once, each is done and in the index, or refused and not in it."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom hopsplit.retrieval import Index, Passage\n"
        "folder, name = sys.argv[1:]\n"
        "def change(old):\n"
        "    print('read', flush=True); sys.stdin.readline()\n"
        "    return old.put([Passage(name, '', 'new')])\n"
        "try:\n    Index.update(Path(folder), change)\n"
        "except ValueError as error:\n    sys.exit(str(error))"
    )
    start = [sys.executable, "-c", code, folder]
    first = subprocess.Popen([*start, "one"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert first.stdout is not None
    assert first.stdout.readline() == b"read\n"
    second = subprocess.run([*start, "two"], input=b"\n", capture_output=True, check=False)
    assert (second.returncode, second.stdout) == (1, b"")
    assert b"another process is writing this index; try again later" in second.stderr
    more = corpus(tmp_path / "more.jsonl", TURIN)
    assert "another process is writing" in refused(program("index", more, "--out", folder, "--update"))
    first.communicate(b"\n")
    assert first.returncode == 0
    assert [passage.id for passage in Index.open(folder).passages] == ["hall", "marl", "one"]


def test_passages_are_cut_only_where_asked(tmp_path: Path) -> None:
    """A passage of a JSON Lines corpus stays whole without --max-chars; each piece keeps the title."""
    long = corpus(tmp_path / "long.jsonl", {"_id": "a", "title": "A", "text": "word " * 400})
    said(program("index", long, "--out", tmp_path / "whole"))
    assert len(Index.open(tmp_path / "whole")) == 1
    said(program("index", long, "--out", tmp_path / "cut", "--max-chars", "1000"))
    assert [passage.title for passage in Index.open(tmp_path / "cut").passages] == ["A", "A"]


def test_bad_changes_are_refused_and_change_nothing(folder: Path, tmp_path: Path) -> None:
    """Each with one line that says what is wrong; the index stays as it was."""
    before = files(folder)
    first, empty = tmp_path / "first.jsonl", tmp_path / "empty.txt"
    empty.write_text("\n", encoding="utf-8")
    for arguments, message in (
        (("--out", folder), "nothing to index"),
        (("--out", folder, "--update"), "nothing to index"),
        ((first, "--out", folder, "--delete", "hall"), "--update"),
        ((first, "--out", tmp_path / "new", "--update"), "new: no index to change"),
        (("--out", tmp_path / "new", "--delete", "hall"), "new: no index to change"),
        (("--out", folder, "--delete", "hull"), "'hull'"),
        (("--out", folder, "--delete", f"@{empty}"), "no ids"),
        (("--out", folder, "--delete", f"@{tmp_path / 'gone'}"), "gone"),
        (("--out", folder, "--delete", "hall", "--delete", "marl"), "no passage would be left"),
        ((first, "--out", folder, "--update", "--delete", "hall"), "'hall' is to be deleted and stands in"),
        ((first, "--out", folder, "--update", "--max-chars", "0"), "0 characters"),
    ):
        assert message in refused(program("index", *arguments))
    assert files(folder) == before
    assert not (tmp_path / "new").exists()


def test_files_that_are_left_out_are_told(tmp_path: Path) -> None:
    """On standard error, with the mend."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.md").write_text("A bird.", encoding="utf-8")
    corpus(tmp_path / "texts" / "more.jsonl", HALL)
    done = program("index", tmp_path / "texts", "--out", tmp_path / "index")
    skipped, made = done.err.splitlines()
    assert skipped.startswith(f"{tmp_path / 'texts'}: skipped 1 file (.jsonl); ")
    assert made.startswith("indexed 1 passage into ")
