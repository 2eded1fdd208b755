"""The program, run in this process as the shell would run it."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from hopsplit.cli.main import main


@dataclass(frozen=True, slots=True)
class Done:
    """Exit code, standard output and standard error of a run."""

    code: int
    out: str
    err: str


def program(*arguments: str | Path, stdin: bytes = b"") -> Done:
    """Run `hopsplit` with these arguments."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2))
    argv = ["hopsplit", *map(str, arguments)]
    given = io.TextIOWrapper(io.BytesIO(stdin))
    with patch.multiple(sys, argv=argv, stdin=given, stdout=out, stderr=err):
        try:
            main()
            code = 0
        except SystemExit as leave:
            code = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
        for stream in (out, err):
            stream.flush()
    said = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]
    return Done(code, *said)
