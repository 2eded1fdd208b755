"""Files that are replaced as a whole: what stands at the path, and beside it, is respected."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hopsplit.decompose import InputError
from hopsplit.evaluation import runfile
from hopsplit.evaluation.replacing import replacing

RANKING = [("q1", [("p1", 0.5)])]
LINE = "q1 Q0 p1 1 0.5 t\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file behind it gets the text, one that is not there yet, too."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to("deep/run.trec")
    for _ in range(2):
        runfile.write(tmp_path / "link", RANKING, "t")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "deep" / "run.trec").read_text() == LINE
    assert [entry.name for entry in (tmp_path / "deep").iterdir()] == ["run.trec"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """A reader at the other end of a FIFO has the lines; the FIFO is still one."""
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    runfile.write(pipe, RANKING, "t")
    reader.join(timeout=10)
    assert read == [LINE]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_neighbours_and_rights_stay(tmp_path: Path) -> None:
    """A file with the suffix of a partial one is the user's own; an old file's rights are kept."""
    (tmp_path / "run.trec.partial").write_text("mine")
    (tmp_path / "run.trec").write_text("old")
    (tmp_path / "run.trec").chmod(0o640)
    runfile.write(tmp_path / "run.trec", RANKING, "t")
    assert (tmp_path / "run.trec.partial").read_text() == "mine"
    assert (tmp_path / "run.trec").read_text() == LINE
    assert stat.S_IMODE((tmp_path / "run.trec").stat().st_mode) == 0o640
    assert len(list(tmp_path.iterdir())) == 2


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    """Not those of a temporary one."""
    (tmp_path / "plain").touch()
    runfile.write(tmp_path / "run.trec", RANKING, "t")
    assert (tmp_path / "run.trec").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_trouble_on_the_way_leaves_the_old_file(tmp_path: Path) -> None:
    """Neither a half-written file nor a left-over."""
    path = tmp_path / "file"
    path.write_text("old")

    def rankings() -> Iterator[tuple[str, list[tuple[str, float]]]]:
        yield RANKING[0]
        raise KeyError

    with pytest.raises(KeyError):
        runfile.write(path, rankings(), "t")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """A folder, a folder that is not there, a link that goes round."""
    (tmp_path / "round").symlink_to("round")
    for path in (tmp_path, tmp_path / "no" / "file", tmp_path / "round"):
        with pytest.raises(InputError, match="name a file that can be written"), replacing(path):
            pass
