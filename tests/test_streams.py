"""The program with closed standard streams, and under SIGTERM, in processes of its own."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = f"{shlex.quote(sys.executable)} -c 'from hopsplit.cli.main import main; main()'"
CLOSED = b"error: standard output is closed, so the results cannot be written; open it\n"


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell in which `hopsplit` is the program."""
    line = command.replace("hopsplit", PROGRAM)
    return subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False, timeout=60)


@pytest.mark.parametrize(
    "command", ["rules", "decompose --format jsonl 'Who?'", "search Versus --index company --format json"]
)
def test_closed_streams(command: str) -> None:
    """Results that cannot be written are an error; messages that cannot be are not."""
    done = shell(f"hopsplit {command} >&-")
    assert (done.returncode, done.stderr) == (2, CLOSED)
    done = shell(f"hopsplit {command} 2>&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") >= 1


def test_an_error_without_a_stream_for_it() -> None:
    """The exit code says it alone."""
    done = shell("hopsplit gold no-such-file 2>&-")
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&- </dev/null"])
def test_the_server_on_standard_streams_needs_both(closed: str) -> None:
    """One line says so."""
    done = shell(f"hopsplit mcp {closed}")
    said = b"error: standard input or output is closed; let a host start it, which speaks MCP on both\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_command_without_results_needs_no_output(tmp_path: Path) -> None:
    """An index is written with all three streams closed; no file of it takes the place of one of them."""
    (tmp_path / "text.md").write_text("Versus was founded in Milan.", encoding="utf-8")
    folder = shlex.quote(str(tmp_path))
    assert shell(f"hopsplit index {folder}/text.md --out {folder}/index <&- >&- 2>&-").returncode == 0
    done = shell(f"hopsplit search Milan --index {folder}/index")
    assert done.returncode == 0
    assert b"Versus was founded" in done.stdout


def test_sigterm_clears_away_what_is_not_complete(tmp_path: Path) -> None:
    """The old file stays, without a left-over beside it."""
    path = tmp_path / "file"
    path.write_text("old")
    code = (
        "import sys, time; from pathlib import Path\n"
        "from hopsplit.cli.streams import leave_in_order\n"
        "from hopsplit.evaluation.replacing import replacing\n"
        "leave_in_order()\n"
        "with replacing(Path(sys.argv[1])) as file:\n"
        "    file.write('half'); file.flush(); print('ready', flush=True); time.sleep(60)"
    )
    started = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    assert len(list(tmp_path.iterdir())) == 2
    started.send_signal(signal.SIGTERM)
    started.communicate(timeout=30)
    assert started.returncode == 143
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "old"
