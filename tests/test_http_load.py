"""Fifty clients at once, for a short time: the benchmark runs the same for longer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LOAD = Path(__file__).parents[1] / "benchmarks" / "load.py"
_ROW = re.compile(r"^\| `(/\w+)` \| (\d+) \| ([\d,]+) \| ([\d,]+) / ([\d,]+) \| ([\d,]+) / ([\d,]+) \|$", re.MULTILINE)


def test_fifty_clients() -> None:
    """Every reply is the program's; the loop is free meanwhile: the health is told long before an answer is found."""
    command = [sys.executable, str(LOAD), "--seconds", "1.5", "--questions", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=sys.prefix)
    assert (done.returncode, done.stderr) == (0, "")
    rows = {
        (path, int(clients)): [int(each.replace(",", "")) for each in rest]
        for path, clients, *rest in _ROW.findall(done.stdout)
    }
    assert rows.keys() == {("/ask", 50), ("/ask", 10), ("/ask", 1), ("/decompose", 50), ("/search", 50)}
    rate, median, p95, health, _ = rows["/ask", 50]
    assert rate > 0
    assert p95 >= median > 4 * health
    (replies,) = re.findall(r"of ([\d,]+), none were missing", done.stdout)
    assert int(replies.replace(",", "")) > 100
