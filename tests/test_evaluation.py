"""Measures, data sets, run files and reports, with values worked out by hand."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import ir_measures
import pytest

from hopsplit.decompose import InputError
from hopsplit.evaluation import Ranked, Row, all_gold, corpus_hash, load, recall, rows, runfile, table
from hopsplit.evaluation.methods import rankings
from hopsplit.evaluation.report import cost
from hopsplit.retrieval import Index, Passage

CORPUS = '{"_id": "p1", "title": "A", "text": "a"}\n'
QUERIES = (
    '{"_id": "q1", "text": "Who?", "metadata": {"type": "bridge"}}\n'
    '{"_id": "q2", "text": "Where?", "metadata": {"kind": "single"}}\n'
    '{"_id": "q3", "text": "When?"}\n'
)
QRELS = "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp2\t1\nq1\tp9\t0\nq2\tp3\t1\n"


def beir(folder: Path, *, queries: str = QUERIES, qrels: str = QRELS) -> Path:
    """Write a data set in the BEIR layout."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    (folder / "queries.jsonl").write_text(queries, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_recall_and_all_gold() -> None:
    """Two gold passages, at ranks 2 and 4."""
    gold, ranking = ("a", "b"), ("x", "a", "y", "b")
    assert [recall(gold, ranking, k) for k in (1, 2, 4, 9)] == [0.0, 0.5, 1.0, 1.0]
    assert [all_gold(gold, ranking, k) for k in (1, 2, 4, 9)] == [0.0, 0.0, 1.0, 1.0]
    assert recall(("a", "b", "c"), ("a",), 1) == pytest.approx(1 / 3)


def test_recall_is_that_of_ir_measures(tmp_path: Path) -> None:
    """The run file and the measure agree with the field's own tool."""
    path = tmp_path / "run.trec"
    ranking = [("d7", 0.5), ("d1", 0.5), ("d3", 0.25), ("d2", 0.0)]
    runfile.write(path, [("q1", ranking)], "t")
    qrels = [ir_measures.Qrel("q1", "d1", 1), ir_measures.Qrel("q1", "d2", 1)]
    run = list(ir_measures.read_trec_run(str(path)))
    for k in (1, 2, 3, 4):
        measure = ir_measures.R @ k
        theirs = ir_measures.calc_aggregate([measure], qrels, run)[measure]
        assert recall(("d1", "d2"), runfile.read(path)["q1"], k) == theirs


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
    assert runfile.read(path) == {"q1": tuple(name for name, _ in ranking)}


def test_run_files_refuse_what_they_cannot_hold(tmp_path: Path) -> None:
    """White space in ids, a passage twice, a folder that is not there; nothing half-written stays."""
    path = tmp_path / "run.trec"
    with pytest.raises(InputError, match="'d 1' has white space"):
        runfile.write(path, [("q1", [("d 1", 1.0)])], "t")
    with pytest.raises(ValueError, match="'d1' stands twice"):
        runfile.write(path, [("q1", [("d1", 1.0), ("d1", 0.5)])], "t")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="No such file"):
        runfile.write(tmp_path / "no" / "run.trec", [], "t")


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


def test_a_method_that_is_not_there() -> None:
    """The error lists those that are."""
    index = Index.build([Passage("p1", "A", "a")])
    with pytest.raises(InputError, match="no method 'rag'; choose one of rarag, overlap, hybrid, bm25, tfidf"):
        list(rankings(index, [], method="rag", k=5))  # type: ignore[arg-type]


def test_rows(tmp_path: Path) -> None:
    """One row a type and one for all; a question without ranking counts as nothing found."""
    dataset = load(beir(tmp_path / "set"), "dev")
    ranked = {"q1": Ranked("q1", (("p1", 2.0), ("p7", 1.5), ("p2", 1.0)), 30, 0.5)}
    bridge, single, everything = rows(dataset, ranked)
    assert (bridge.type, bridge.questions) == ("bridge", 1)
    assert bridge.recall == (0.5, 1.0, 1.0, 1.0)
    assert bridge.all_gold == (0.0, 1.0, 1.0, 1.0)
    assert single.recall == (0.0, 0.0, 0.0, 0.0)
    assert (everything.type, everything.questions) == ("all", 2)
    assert everything.recall == (0.25, 0.5, 0.5, 0.5)
    assert (everything.passages, everything.llm_tokens, everything.seconds) == (1.5, 15.0, 0.5)
    unknown = rows(dataset, {"q1": Ranked("q1", (("p1", 2.0),), None, None)})[-1]
    assert (unknown.passages, unknown.llm_tokens, unknown.seconds) == (0.5, None, None)


def test_table() -> None:
    """Names to the left, figures to the right, columns as wide as the widest cell."""
    row = Row("a_long_type", 7, (0.5, 1.0, 1.0, 1.0), (0.0, 1.0, 1.0, 1.0), 20.0, None, 0.25)
    assert table([row]) == [
        "type        n  R@2   R@5  R@10  R@20 all@2 all@5 all@10 all@20",
        "a_long_type 7 50.0 100.0 100.0 100.0   0.0 100.0  100.0  100.0",
    ]
    assert cost(row) == "20.0 passages and - LLM tokens a question, 0.25 s in all"


def test_the_corpus_hash_forgets_the_order() -> None:
    """Shuffled passages have the same hash; another title, another hash."""
    one, two = Passage("a", "T", "x"), Passage("b", "", "y")
    assert corpus_hash([one, two]) == corpus_hash([two, one])
    assert corpus_hash([one]) != corpus_hash([Passage("a", "", "x")])
    # printf '["b", "", "y"]\n' | sha256sum
    assert corpus_hash([two]).startswith("deea3a2f0df66aa7")
