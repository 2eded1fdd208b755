"""A small data set for the tests of the evaluation."""

from __future__ import annotations

from pathlib import Path

CORPUS = '{"_id": "p1", "title": "A", "text": "a"}\n'
QUERIES = (
    '{"_id": "q1", "text": "Who?", "metadata": {"type": "bridge"}}\n'
    '{"_id": "q2", "text": "Where?", "metadata": {"kind": "single"}}\n'
    '{"_id": "q3", "text": "When?"}\n'
)
QRELS = "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp2\t1\nq1\tp9\t0\nq2\tp3\t1\n"


def beir(folder: Path, *, corpus: str = CORPUS, queries: str = QUERIES, qrels: str = QRELS) -> Path:
    """Write a data set in the BEIR layout."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    (folder / "queries.jsonl").write_text(queries, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text(qrels, encoding="utf-8")
    return folder
