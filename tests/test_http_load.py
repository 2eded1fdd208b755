"""Fifty clients at once, for a short time: the benchmark runs the same for longer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
QUESTIONS = ["Where was the founder of Versus born?", "What is the emblem of Pixar?"]
_ROW = re.compile(r"^\| `(/\w+)` \| (\d+) \| ([\d,]+) \| ([\d,]+) / ([\d,]+) \| ([\d,]+) / ([\d,]+) \|$", re.MULTILINE)


def test_fifty_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reply is the program's; the loop is free meanwhile: the health is told long before an answer is found."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    import load

    section, wrong = load.measured(QUESTIONS, seconds=0.75, options=[])
    assert wrong == []
    rows = {
        (path, int(clients)): [int(each.replace(",", "")) for each in rest]
        for path, clients, *rest in _ROW.findall(section)
    }
    assert rows.keys() == {("/ask", 50), ("/ask", 10), ("/ask", 1), ("/decompose", 50), ("/search", 50)}
    rate, median, p95, health, _ = rows["/ask", 50]
    assert rate > 0
    assert p95 >= median > 4 * health
    (replies,) = re.findall(r"of ([\d,]+), none were missing", section)
    assert int(replies.replace(",", "")) > 100
