"""The measures, with values worked out by hand and those of trec_eval's own code."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest
from ir_measures import RR, R, SetP, nDCG

from hopsplit.evaluation import Measured, measured
from program import program
from sets import beir

# 1 / log2(1 + rank), from a table of logarithms: what gold at that rank adds to a discounted cumulative gain
GAIN = {1: 1.0, 2: 0.63093, 3: 0.5, 4: 0.43068, 5: 0.38685}


@pytest.mark.parametrize(
    ("gold", "ranking", "recall", "ndcg", "rr", "precision"),
    [
        # Ranks 2 and 4; ideal are 1 and 2.
        (
            "ab",
            "xayb",
            (0, 1 / 2, 1 / 2, 1),
            (GAIN[2] + GAIN[4]) / (1 + GAIN[2]),
            1 / 2,
            2 / 4,
        ),
        # One of three, first; the two others count against it although nothing was given in their place.
        ("abc", "a", (1 / 3, 1 / 3, 1 / 3, 1 / 3), 1 / (1 + GAIN[2] + GAIN[3]), 1, 1),
        # More gold than places: recall is of all gold, nDCG of the ten that would fit.
        ("abcdefghijkl", "abcdefghij", (1 / 12, 2 / 12, 3 / 12, 10 / 12), 1, 1, 1),
        # Eleventh: too late for nDCG@10, not for MRR.
        ("a", "0123456789a", (0, 0, 0, 1), 0, 1 / 11, 1 / 11),
        ("a", "xyz", (0, 0, 0, 0), 0, 0, 0),
        ("a", "", (0, 0, 0, 0), 0, 0, 0),
    ],
)
def test_worked_examples(
    gold: str, ranking: str, recall: tuple[float, ...], ndcg: float, rr: float, precision: float
) -> None:
    """Recall and all-gold at 1, 2, 3 and 11; nDCG@10 with log2 and gains of 1; reciprocal rank; precision."""
    found = measured({"q": list(gold)}, {"q": list(ranking)}, (1, 2, 3, 11))["q"]
    assert found.recall == pytest.approx(recall)
    assert found.all_gold == tuple(float(share == 1) for share in recall)
    assert (found.ndcg, found.rr, found.precision) == pytest.approx((ndcg, rr, precision), abs=1e-5)


def test_questions_without_a_ranking_count_as_nothing_found() -> None:
    """Each question of the gold has its measures, in that order; rankings of other questions have no say."""
    nothing = Measured((0.0, 0.0), (0.0, 0.0), 0.0, 0.0, 0.0)
    rankings = {"other": ["a"], "q2": ["b"]}
    found = measured({"q3": ["a"], "q2": ["b"], "q1": ["a", "b"]}, rankings, (1, 5))
    assert list(found) == ["q3", "q2", "q1"]
    assert found == {"q3": nothing, "q2": Measured((1.0, 1.0), (1.0, 1.0), 1.0, 1.0, 1.0), "q1": nothing}
    assert measured({"q1": ["a"]}, {}, (1, 5)) == {"q1": nothing}


def trec(folder: Path, qrels: str, run: str) -> tuple[Path, Path]:
    """Write judgements and a run as trec_eval takes them."""
    paths = folder / "qrels.txt", folder / "run.trec"
    for path, text in zip(paths, (qrels, run), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


# Query, passage, judgement; query, passage, score. The ranks in the run say the contrary of the scores.
JUDGED = """
q1 d1 1
q1 d2 1
q1 d9 0
q2 d1 1
q3 d5 1
q4 d7 1
q4 d1 1
q5 d1 1
"""
FOUND = """
q1 d1 0.5
q1 d3 0.5
q1 d2 0.5
q2 d1 1.00000001
q2 d2 1
q4 d2 -1e-5
q4 d7 1e-3
q4 d1 2.5E2
q5 d1 1e39
q5 d2 2e39
q5 d3 -1e39
q6 d1 3
"""
# By hand: q1 is d3 d2 d1 (ties by id, descending); q2 d2 d1 (a tie at 32 bits); q3 is missing; q4 d1 d7 d2;
# q5 d2 d1 d3 (both infinite at 32 bits); q6 is not judged.
EXPECTED = {
    "recall": {"1": (0 + 0 + 0 + 0.5 + 0) / 5, "2": (0.5 + 1 + 0 + 1 + 1) / 5, "3": (1 + 1 + 0 + 1 + 1) / 5},
    "all_gold": {"1": 0 / 5, "2": 3 / 5, "3": 4 / 5},
    "ndcg": ((GAIN[2] + GAIN[3]) / (1 + GAIN[2]) + GAIN[2] + 0 + 1 + GAIN[2]) / 5,
    "mrr": (1 / 2 + 1 / 2 + 0 + 1 + 1 / 2) / 5,
    "precision": (2 / 3 + 1 / 2 + 0 + 2 / 3 + 1 / 3) / 5,
    "passages": (3 + 2 + 0 + 3 + 3) / 5,
}


def test_an_outside_run_file_has_the_numbers_of_another_implementation(tmp_path: Path) -> None:
    """Ties, ties of 32-bit floats alone, missing and unjudged queries, judgements of 0, exponents, huge scores."""
    judged = [line.split() for line in JUDGED.split("\n") if line]
    found = [line.split() for line in FOUND.split("\n") if line]
    qrels, run = trec(
        tmp_path,
        "".join(f"{query} 0 {passage} {grade}\n" for query, passage, grade in judged),
        "".join(f"{query} Q0 {passage} {rank} {score} x\n" for rank, (query, passage, score) in enumerate(found)),
    )
    measures = [R @ 1, R @ 2, R @ 3, nDCG @ 10, RR, SetP]
    theirs = ir_measures.calc_aggregate(
        measures, ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    )

    folder = beir(
        tmp_path / "set",
        queries="".join(json.dumps({"_id": query, "text": "Who?"}) + "\n" for query in ("q1", "q2", "q3", "q4", "q5")),
        qrels="query-id\tcorpus-id\tscore\n" + "".join("\t".join(line) + "\n" for line in judged),
    )
    done = program("eval", folder, "--run", run, "--at", "1,2,3", "--format", "json")
    assert (done.code, done.err) == (0, f"{run}: 1 of 5 questions not in it, counted as nothing found\n")
    row = json.loads(done.out)["methods"][0]["rows"][-1]
    ours = [*row["recall"].values(), row["ndcg"], row["mrr"], row["precision"]]
    assert ours == pytest.approx([theirs[measure] for measure in measures], abs=1e-12)
    assert {name: row[name] for name in ("recall", "all_gold")} == {
        name: pytest.approx(EXPECTED[name]) for name in ("recall", "all_gold")
    }
    for name in ("ndcg", "mrr", "precision", "passages"):
        assert row[name] == pytest.approx(EXPECTED[name], abs=1e-5), name


def test_ids_that_code_in_c_would_cut() -> None:
    """Three passages and two questions that are the same up to a NUL."""
    gold = {"q\0a": ["p\0a"], "q\0b": ["p\0b"]}
    found = measured(gold, {"q\0a": ["p\0b", "p\0a"], "q\0b": ["p\0b"], "q": ["p"]}, [1, 2])
    assert found["q\0a"].recall == (0.0, 1.0)
    assert found["q\0a"].rr == 0.5
    assert found["q\0b"].recall == (1.0, 1.0)
