"""The folder of an index: damage, wrong folders, and writers killed at every step."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hopsplit.decompose import InputError
from hopsplit.retrieval import Index, Passage
from hopsplit.retrieval.storage import verify

OLD = [Passage("a", "Ada", "Ada wrote notes."), Passage("b", "Bell", "Bell rang twice.")]


NEW = [*OLD, Passage("c", "Curie", "Curie measured.")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Save a small index."""
    Index.build(OLD).save(tmp_path / "index")
    return tmp_path / "index"


def data_files(folder: Path) -> list[Path]:
    """Return the files of the data folder."""
    named = json.loads((folder / "manifest.json").read_text())["data"]
    return sorted((folder / named).iterdir())


def test_layout(folder: Path) -> None:
    """The folder holds the manifest and one data folder; passages can be read by eye."""
    assert sorted(entry.name.partition("-")[0] for entry in folder.iterdir()) == ["data", "manifest.json"]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["format"] == 2
    assert manifest["meta"]["passages"] == 2
    assert manifest["meta"]["settings"]["analyser"] == {"fold": True}
    lines = (folder / manifest["data"] / "passages.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b"]


def test_others_may_read(folder: Path) -> None:
    """The files have the rights that any new file has, so that another user's program can open the index."""
    (folder.parent / "new").mkdir()
    (folder.parent / "new" / "file").touch()
    data = next(folder.glob("data-*"))
    assert data.stat().st_mode == (folder.parent / "new").stat().st_mode
    plain = (folder.parent / "new" / "file").stat().st_mode
    assert {f.stat().st_mode for f in (folder / "manifest.json", *data.iterdir())} == {plain}


def test_no_pickle(folder: Path) -> None:
    """No file is a pickle, and arrays of objects are never read."""
    for file in data_files(folder):
        assert file.suffix in {".npy", ".txt", ".jsonl"}
        assert b"|O" not in file.read_bytes()[:128]


def test_not_an_index(tmp_path: Path) -> None:
    """A missing folder, an empty one and a file are each an error that says what to do."""
    with pytest.raises(InputError, match="no such folder; build an index with `hopsplit index`"):
        Index.open(tmp_path / "no")
    with pytest.raises(InputError, match="is not an index"):
        Index.open(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is not a folder"):
        Index.open(tmp_path / "file")


def test_another_format(folder: Path) -> None:
    """An index of another format version is named with both versions."""
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"format": 99}))
    with pytest.raises(InputError, match="index of format 99, this version reads 2; build it again"):
        Index.open(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 2}', '{"format": 2, "data": "x"}', "\xff"])
def test_damaged_manifest(folder: Path, text: str) -> None:
    """A manifest that is cut, empty or of something else is one error."""
    (folder / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"is damaged|is not the manifest of an index"):
        Index.open(folder)


def test_changed_settings(folder: Path) -> None:
    """A manifest changed by hand does not pass its checksum."""
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"k1": 1.5', '"k1": 9.5'))
    with pytest.raises(InputError, match="is damaged"):
        Index.open(folder)


def sign(folder: Path, **changes: object) -> None:
    """Change the manifest and give it a checksum that fits, as someone might who means harm."""
    body = json.loads((folder / "manifest.json").read_text()) | changes
    body.pop("sha256")
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (folder / "manifest.json").write_text(json.dumps(body | {"sha256": hashlib.sha256(text.encode()).hexdigest()}))


def test_signed_but_incomplete(folder: Path) -> None:
    """A manifest with a right checksum and wrong content is an error, not a traceback."""
    sign(folder)
    assert len(Index.open(folder)) == 2
    entry = {"bytes": "x", "sha256": ""}
    wrong = ({"data": 5}, {"files": []}, {"files": {"a": 1}}, {"files": {"a.npy": entry}}, {"meta": None})
    for changes in wrong:
        sign(folder, **changes)
        with pytest.raises(InputError, match="is damaged"):
            Index.open(folder)
        Index.build(OLD).save(folder)
    sign(folder, meta={"settings": {"new": 1}})
    with pytest.raises(InputError, match="the index of another version of hopsplit; build it again"):
        Index.open(folder)


def test_no_way_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    """A manifest cannot have files read that lie elsewhere, nor have them removed."""
    outside = tmp_path / "data-x"
    outside.mkdir()
    (outside / "secret").write_text("s")
    for changes in ({"data": "../data-x"}, {"files": {"../../data-x/secret": {"bytes": 1, "sha256": ""}}}):
        sign(folder, **changes)
        with pytest.raises(InputError, match="names a file outside of the index"):
            Index.open(folder)
        Index.build(OLD).save(folder)
    assert (outside / "secret").read_text() == "s"


@pytest.mark.parametrize("name", ["data-\0", "/etc", "..", "data-0123456789abcdef/.."])
def test_odd_names_of_the_data_folder(folder: Path, name: str) -> None:
    """Only the names that a writer gives are followed."""
    sign(folder, data=name)
    with pytest.raises(InputError, match="names a file outside of the index"):
        Index.open(folder)


def test_text_that_is_not_utf8(folder: Path) -> None:
    """Found out when the text is read, where the checksum is right."""
    data = data_files(folder)[0].parent
    raw = b"\xff" * (data / "ids.txt").stat().st_size
    (data / "ids.txt").write_bytes(raw)
    files = json.loads((folder / "manifest.json").read_text())["files"]
    files["ids.txt"]["sha256"] = hashlib.sha256(raw).hexdigest()
    sign(folder, files=files)
    with pytest.raises(InputError, match=r"not UTF-8; build it again"):
        Index.open(folder).search("ada", 1)


def test_a_format_that_is_no_number(folder: Path) -> None:
    """It is shown as it stands in the manifest."""
    sign(folder, format="2")
    with pytest.raises(InputError, match='index of format "2", this version reads 2; build it again'):
        Index.open(folder)


def test_arrays_of_objects_are_refused(folder: Path) -> None:
    """A pickled array is not loaded, even with a right checksum."""
    file = next(folder.glob("data-*")) / "idf.npy"
    np.save(file, np.array([Path()], object), allow_pickle=True)
    raw = file.read_bytes()
    files = json.loads((folder / "manifest.json").read_text())["files"]
    files["idf.npy"] = {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
    sign(folder, files=files)
    with pytest.raises(InputError, match="it holds Python objects"):
        Index.open(folder)


def test_damaged_files(folder: Path, tmp_path: Path) -> None:
    """Every file of the data folder is missed when gone, and found out when cut or changed by one bit."""
    for file in data_files(folder):
        for damage in (
            file.unlink,
            lambda f=file: f.write_bytes(f.read_bytes()[:-1]),
            lambda f=file: flip(f),
        ):
            copy = shutil.copytree(folder, tmp_path / "copy")
            damage()
            with pytest.raises(InputError, match="damaged"):
                Index.open(folder)
            with pytest.raises(InputError, match="damaged"):
                verify(folder)
            shutil.rmtree(folder)
            copy.rename(folder)
    Index.open(folder)
    verify(folder)


def flip(file: Path) -> None:
    """Change the last bit of a file."""
    raw = bytearray(file.read_bytes())
    raw[-1] ^= 1
    file.write_bytes(raw)


def test_saving_mends_damage(folder: Path) -> None:
    """The same index saved over a damaged copy of itself opens again."""
    flip(data_files(folder)[0])
    Index.build(OLD).save(folder)
    assert len(Index.open(folder)) == 2


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 100_000, '{"data": 5}', "\xff"])
def test_saving_mends_a_damaged_manifest(folder: Path, text: str) -> None:
    """As the error says: build the index again."""
    (folder / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError):
        Index.open(folder)
    Index.build(NEW).save(folder)
    assert len(Index.open(folder)) == 3
    assert len(list(folder.iterdir())) == 2


def test_saving_spares_other_folders(tmp_path: Path) -> None:
    """A folder with other things in it, or a file, is not written to."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds notes\.txt and is no index; give a new or an empty folder"):
        Index.build(OLD).save(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="is a file; give a folder"):
        Index.build(OLD).save(tmp_path / "notes.txt")


@pytest.mark.parametrize(
    "names",
    [
        ["data-2024/thesis.txt"],
        ["data-0123456789abcdef/thesis.txt"],
        ["data-raw.csv"],
        [".tmp-hopsplit-data/mine.txt"],
        [".tmp-data"],
        ["data-raw.csv", "manifest.json"],
        ["manifest.json"],
    ],
)
def test_names_like_ours_are_not_enough(tmp_path: Path, names: list[str]) -> None:
    """Files of a user stay, whatever they are called, beside another program's manifest, too."""
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"name": "site", "icons": []}')
    with pytest.raises(InputError, match=f"holds {names[0].partition('/')[0]} and is no index"):
        Index.build(OLD).save(tmp_path)
    assert all((tmp_path / name).is_file() for name in names)


def test_what_stands_in_an_index_stays(folder: Path) -> None:
    """A user's things beside the parts of an index outlive each new save, and links are not followed."""
    (folder / "data-raw.csv").write_text("mine")
    (folder / "data-2024").mkdir()
    (folder.parent / "elsewhere").mkdir()
    (folder / "data-0123456789abcdef").symlink_to(folder.parent / "elsewhere")
    for passages in (NEW, OLD):
        Index.build(passages).save(folder)
    assert len(Index.open(folder)) == 2
    assert (folder.parent / "elsewhere").is_dir()
    assert sorted(entry.name for entry in folder.iterdir() if entry.name != data_files(folder)[0].parent.name) == [
        "data-0123456789abcdef",
        "data-2024",
        "data-raw.csv",
        "manifest.json",
    ]


def test_two_writers(folder: Path) -> None:
    """A second writer is told to wait; the lock ends with its process."""
    fcntl = pytest.importorskip("fcntl")
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(InputError, match="another process is writing this index"):
        Index.build(OLD).save(folder)
    os.close(handle)
    Index.build(OLD).save(folder)


@pytest.fixture
def quick_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a folder in memory where there is one: thousands of writes need not wait for a disk."""
    memory = Path("/dev/shm")  # noqa: S108  (a folder of its own is made in it)
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


KILLS = Path(__file__).with_name("kill_writer.py")


def test_killed_at_every_step(quick_disk: Path) -> None:
    """A writer killed (SIGKILL) before any of its file operations leaves an index that opens and answers.

    Then the next writer finishes the job and leaves nothing behind.
    """
    run = subprocess.run([sys.executable, KILLS, "steps", quick_disk], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    steps, old, new = map(int, run.stdout.split())
    assert steps > 60
    assert old > 40
    assert new > 2
    assert old + new == steps


def test_killed_at_any_time(quick_disk: Path) -> None:
    """The same for writers killed after times that no operation of theirs chose."""
    run = subprocess.run([sys.executable, KILLS, "times", quick_disk], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    kills, old, new = map(int, run.stdout.split())
    assert kills >= 10
    assert old + new == kills
