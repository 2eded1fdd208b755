"""Fixture files of decompositions: what the program should make of each question, and what differs.

A file is text as the program prints it, or has one JSON object a line; what its first line that is no remark begins
with tells which. A case that is known to be wrong and comes out right is a difference too, so that the list stays true.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..decompose.plan import InputError, Plan
from ..decompose.textfile import text_lines
from . import goldjson, goldtext
from .goldcase import Case, Difference, checked, difference
from .replacing import replacing

__all__ = ["Case", "Difference", "difference", "differences", "read", "update"]


def read(path: Path) -> tuple[Case, ...]:
    """Read a fixture file of either form; ids must be unique."""
    lines = list(text_lines(path))
    read_form = goldjson.read if _is_json(text for _, text in lines) else goldtext.read
    return checked(read_form(lines, path), path)


def differences(cases: Sequence[Case], plans: Sequence[Plan]) -> list[Difference]:
    """Compare each case with the plan made of its question; `plans` stand in the order of the cases."""
    pairs = (difference(case, plan) for case, plan in zip(cases, plans, strict=True))
    return [found for found in pairs if found is not None]


def update(path: Path, found: Sequence[Difference]) -> None:
    """Rewrite what the file expects of the cases that differ; all else in it stays, byte for byte.

    A known-wrong case that differs has come right: it keeps what it expects, and loses its mark.
    """
    cases = read(path)
    now = {case.id: case for case in cases}
    if any(now.get(each.case.id) != each.case for each in found):
        raise InputError(f"{path}: changed since it was read; try again")
    plans = {each.case.id: each.plan for each in found}
    content = path.read_bytes()
    bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    lines = [line.decode("utf-8") for line in content.removeprefix(bom).splitlines(keepends=True)]
    rewritten = goldjson.rewritten if _is_json(lines) else goldtext.rewritten
    last = lines[-1]
    # From the end, so that the places of the cases before stay.
    for case, end in reversed(list(zip(cases, [*(case.line - 1 for case in cases[1:]), len(lines)], strict=True))):
        if case.id in plans:
            start = case.line - 1
            lines[start:end] = rewritten(lines[start:end], case, plans[case.id])
    with replacing(path) as file:
        file.write(bom.decode("utf-8") + _joined(lines, last))


def _joined(lines: list[str], last: str) -> str:
    """Join lines; where the last line that there was had no end, the last one has none."""
    break_ = "\r\n" if lines[0].endswith("\r\n") else "\n"
    text = "".join(line if line.endswith(("\r", "\n")) else line + break_ for line in lines)
    return text if last.endswith(("\r", "\n")) else text.rstrip("\r\n")


def _is_json(lines: Iterable[str]) -> bool:
    """Tell the form of a file by its first line that says something."""
    first = next((line for line in lines if line.strip() and not goldtext.remark(line)), "")
    return first.lstrip().startswith("{")
