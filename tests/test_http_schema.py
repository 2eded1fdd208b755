"""Whatever the service's own document allows or forbids, the service does as it says: shown by schemathesis."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from service import serving

TOKEN = "sesame"  # noqa: S105
PHASES = ("Examples", "Coverage", "Fuzzing", "Stateful")


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    """With all its checks in all its phases; a longer run has another seed and more examples."""
    with serving("--host", "0.0.0.0", token=TOKEN) as service:  # noqa: S104
        assert len(service.said) == 1  # where there is a token, others may reach it without a warning
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{service.url}/openapi.json", "--no-color"),
            *("--checks", "all", "--header", f"Authorization: Bearer {TOKEN}"),
            *("--seed", "7", "--max-examples", "4", "--generation-database", "none", "--continue-on-failure"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        code, written = service.stop()
    assert done.returncode == 0, done.stdout + done.stderr
    summary = done.stdout[done.stdout.index(" SUMMARY ") :]
    assert [phase for phase in PHASES if f"✅ {phase}" not in summary] == []
    assert re.search(r"Selected: 5/5\s+Tested: 5\n", summary)
    generated, passed = map(int, re.findall(r"(\d+) (?:generated|passed)", summary)[:2])
    assert generated == passed > 150
    assert (code, written) == (0, "")
