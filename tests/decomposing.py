"""What the tests of the decomposer share: one decomposer, and the gold files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hopsplit.decompose import Decomposer

ROOT = Path(__file__).parents[1]
GOLD = ROOT / "tests" / "gold"
# Those of the demo collections too.
GOLD_FILES = sorted([*GOLD.glob("*.jsonl"), *(ROOT / "corpora").glob("*/gold.jsonl")])


@cache
def decomposer() -> Decomposer:
    """Return one decomposer for all tests."""
    return Decomposer()
