"""Standard streams that may be closed, and a signal that must not leave half-written files."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys

from ..decompose.plan import InputError


class _Closed(io.TextIOBase):
    """Stands for a closed standard output: writing to it is an error, as results would be lost."""

    def write(self, _: str) -> int:
        """Refuse."""
        raise InputError("standard output is closed, so the results cannot be written; open it")


def prepare() -> None:
    """Make the streams fit for use: UTF-8, and something in place of closed ones; messages may get lost."""
    for number in range(3):  # or the next file that is opened would be taken for a closed stream
        with contextlib.suppress(OSError):
            os.fstat(number)
            continue
        os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def leave_in_order() -> None:
    """Let SIGTERM end the program as an exit does, so that what is not complete is cleared away."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
