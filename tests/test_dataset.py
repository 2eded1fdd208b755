"""Data sets in the two layouts of BEIR files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hopsplit.decompose import InputError
from hopsplit.evaluation import load
from hopsplit.evaluation.dataset import of_types
from sets import CORPUS, QRELS, QUERIES, beir


def test_beir_layout(tmp_path: Path) -> None:
    """Judged questions only, in the file's order; zero judgements are no gold; type or kind is the type."""
    dataset = load(beir(tmp_path / "set"), "dev")
    assert [(j.question.id, j.question.type, j.gold) for j in dataset.judged] == [
        ("q1", "bridge", ("p1", "p2")),
        ("q2", "single", ("p3",)),
    ]
    assert (dataset.name, dataset.split) == ("set", "dev")


def test_flat_layout(tmp_path: Path) -> None:
    """A folder of the split; there every question must be judged."""
    folder = tmp_path / "set"
    (folder / "dev").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    (folder / "dev" / "qrels.tsv").write_text(QRELS, encoding="utf-8")
    (folder / "dev" / "queries.jsonl").write_text(QUERIES, encoding="utf-8")
    with pytest.raises(InputError, match="'q3' has no gold passage"):
        load(folder, "dev")
    (folder / "dev" / "queries.jsonl").write_text(QUERIES.rsplit("\n", 2)[0], encoding="utf-8")
    assert [j.question.id for j in load(folder, "dev").judged] == ["q1", "q2"]


@pytest.mark.parametrize(
    ("queries", "qrels", "message"),
    [
        ("", QRELS, r"queries\.jsonl: no queries"),
        ("{", QRELS, r"queries\.jsonl, line 1: not JSON"),
        ("[1]", QRELS, r"queries\.jsonl, line 1: not a JSON object"),
        ('\n{"_id": "q1"}', QRELS, r"queries\.jsonl, line 2: the field 'text' is missing; there is _id"),
        (QUERIES + QUERIES, QRELS, r"queries\.jsonl, line 4: the query id 'q1' was used before"),
        (QUERIES, "", r"dev\.tsv, line 1: the header must be"),
        (QUERIES, QRELS + "q1\tp1\n", r"dev\.tsv, line 6: need query id"),
        (QUERIES, QRELS + "q1\tp1\tx\n", r"dev\.tsv, line 6: need query id"),
        (QUERIES, QRELS + "q1\tp1\t--1\n", r"dev\.tsv, line 6: need query id"),
        (QUERIES, QRELS + f"q1\tp1\t{'1' * 5000}\n", r"dev\.tsv, line 6: need query id"),
        (QUERIES, QRELS + "q7\tp1\t1\n", r"dev\.tsv: the query id 'q7' is not in"),
        (QUERIES, QRELS.replace("\t1\n", "\t0\n"), r"dev\.tsv: no judgement above 0"),
    ],
)
def test_bad_data_sets(tmp_path: Path, queries: str, qrels: str, message: str) -> None:
    """Each fault is one error that names the file and, where there is one, the line."""
    with pytest.raises(InputError, match=message):
        load(beir(tmp_path / "set", queries=queries, qrels=qrels), "dev")


def test_missing_files(tmp_path: Path) -> None:
    """A folder without questions, a split without judgements, a file that is not UTF-8."""
    with pytest.raises(InputError, match=r"neither queries\.jsonl nor dev/queries\.jsonl"):
        load(tmp_path, "dev")
    folder = beir(tmp_path / "set")
    with pytest.raises(InputError, match=r"test\.tsv: No such file"):
        load(folder, "test")
    (folder / "queries.jsonl").write_bytes(b'{"_id": "q1", "text": "Caf\xe9?"}')
    with pytest.raises(InputError, match=r"queries\.jsonl, line 1: not UTF-8"):
        load(folder, "dev")
    (folder / "corpus.jsonl").unlink()
    with pytest.raises(InputError, match=r"corpus\.jsonl: no such file"):
        load(folder, "dev")


def test_questions_of_some_types(tmp_path: Path) -> None:
    """Those alone, in their order, all where no type is named; an unknown type is refused with those there are."""
    dataset = load(beir(tmp_path / "set"), "dev")
    for types, left in (((), ["q1", "q2"]), (("single",), ["q2"]), (("single", "bridge"), ["q1", "q2"])):
        assert [judged.question.id for judged in of_types(dataset, types).judged] == left
    with pytest.raises(InputError, match="set has no questions of the type 'deep'; its types are bridge, single"):
        of_types(dataset, ["single", "deep"])
    untyped = beir(tmp_path / "untyped", queries='{"_id": "q1", "text": "Who?"}', qrels=QRELS.replace("q2", "q1"))
    with pytest.raises(InputError, match="the type 'deep'; it tells no types"):
        of_types(load(untyped, "dev"), ["deep"])
