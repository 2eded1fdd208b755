"""Data sets with gold passages, measures, run files, reports, and fixtures of decompositions."""

from __future__ import annotations

from .comparing import Comparison, compare
from .dataset import Dataset, Judged, Question, load, read_queries
from .metrics import Measured, measured
from .report import KS, Ranked, Report, Row, corpus_hash, report, tokens_of

__all__ = [
    "KS",
    "Comparison",
    "Dataset",
    "Judged",
    "Measured",
    "Question",
    "Ranked",
    "Report",
    "Row",
    "compare",
    "corpus_hash",
    "load",
    "measured",
    "read_queries",
    "report",
    "tokens_of",
]
