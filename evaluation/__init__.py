"""Data sets with gold passages, measures, run files, reports, and fixtures of decompositions."""

from __future__ import annotations

from .dataset import Dataset, Judged, Question, load, read_queries
from .metrics import all_gold, recall
from .report import KS, Ranked, Row, corpus_hash, rows, table

__all__ = [
    "KS",
    "Dataset",
    "Judged",
    "Question",
    "Ranked",
    "Row",
    "all_gold",
    "corpus_hash",
    "load",
    "read_queries",
    "recall",
    "rows",
    "table",
]
