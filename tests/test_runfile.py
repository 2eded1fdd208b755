"""Run files: what is written, what is read, and the order that other readers see."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import pytest

from hopsplit.decompose import InputError
from hopsplit.evaluation import runfile


def test_run_scores_decrease_in_any_reader(tmp_path: Path) -> None:
    """Equal and nearly equal scores come out strictly decreasing, also as 32-bit floats."""
    path = tmp_path / "run.trec"
    scores = [30.0, 30.0, 30.0 - 1e-12, 0.1, 0.1, 0.0, 0.0, -1.0]
    ranking = [(f"d{9 - i}", score) for i, score in enumerate(scores)]
    runfile.write(path, [("q1", ranking)], "tag")
    fields = [line.split(" ") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [f[:4] for f in fields] == [["q1", "Q0", f"d{9 - i}", str(i + 1)] for i in range(8)]
    assert {f[5] for f in fields} == {"tag"}
    written = [struct.unpack("f", struct.pack("f", float(f[4])))[0] for f in fields]
    assert all(one > two for one, two in pairwise(written))
    read = runfile.read(path)
    assert list(read) == ["q1"]
    assert read["q1"] == tuple((name, single) for (name, _), single in zip(ranking, written, strict=True))


def test_run_files_refuse_what_they_cannot_hold(tmp_path: Path) -> None:
    """White space in ids, a passage twice, a folder that is not there; nothing half-written stays."""
    path = tmp_path / "run.trec"
    with pytest.raises(InputError, match="'d 1' has white space"):
        runfile.write(path, [("q1", [("d 1", 1.0)])], "t")
    with pytest.raises(InputError, match="has a lone surrogate"):
        runfile.write(path, [("q\ud800", [("d1", 1.0)])], "t")
    with pytest.raises(ValueError, match="'d1' stands twice"):
        runfile.write(path, [("q1", [("d1", 1.0), ("d1", 0.5)])], "t")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="No such file"):
        runfile.write(tmp_path / "no" / "run.trec", [], "t")


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        ({"a": "0.5", "c": "0.5", "b": "0.5"}, "cba"),  # ties by the id, descending
        ({"a": "1.00000001", "b": "1"}, "ba"),  # a tie of 32-bit floats, not of 64-bit ones
        ({"a": "1.0000001", "b": "1"}, "ab"),  # no tie: the next such float above 1 is 1.00000012
        ({"a": "16777217", "b": "16777216"}, "ba"),  # whole numbers too, above 2 to the 24th
        ({"a": "1e39", "b": "2e39", "c": "1e38"}, "bac"),  # two infinities
        ({"a": "-1e39", "b": "-inf", "c": "-1e38"}, "cba"),
        ({"a": "1e-50", "b": "0", "c": "-0.0"}, "cba"),  # all nothing
        ({"a": "2.5E2", "b": "+1e-3", "c": "-1e-3"}, "abc"),
        ({"d10": "1", "d9": "1", "é": "1"}, ["é", "d9", "d10"]),  # as text, not as numbers
    ],
)
def test_the_order_of_a_run_file(tmp_path: Path, scores: dict[str, str], order: str | list[str]) -> None:
    """By 32-bit score, ties by id descending, as trec_eval has it; ranks and the order of lines say nothing."""
    path = tmp_path / "run.trec"
    lines = [f"q1\tQ0 {name}  {rank} {score} t\r\n" for rank, (name, score) in enumerate(scores.items())]
    for text in (lines, reversed(lines)):
        path.write_text("\n".join(text), encoding="utf-8")
        assert [name for name, _ in runfile.read(path)["q1"]] == list(order)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 Q0 d1 1 0.5\n", r", line 1: need six fields"),
        ("q1 Q0 d1 1 high t\n", r", line 1: need six fields"),
        ("q1 Q0 d1 1 nan t\n", ", line 1: the score is no number"),
        ("q1 Q0 d1 1 0.5 t\nq1 Q0 d1 2 0.4 t\n", r", line 2: 'd1' stands twice under 'q1'"),
    ],
)
def test_bad_run_files(tmp_path: Path, text: str, message: str) -> None:
    """Each fault is one error with the line."""
    path = tmp_path / "run.trec"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        runfile.read(path)
