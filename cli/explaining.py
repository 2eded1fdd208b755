"""How the program says why a question was split so."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..decompose.plan import InputError
from .output import printable, write

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..decompose.explain import Attempt, Explanation
    from ..decompose.plan import Plan


def write_explanation(plan: Plan) -> None:
    """Write the tree, the names and the rules tried as text."""
    why = plan.explanation
    if why is None:
        write("  nothing to explain: it was not parsed")
        return
    write("  tree")
    _write_tree(why)
    write(f"  names: {', '.join(why.names) or 'none'}")
    write("  rules tried")
    for (hop, phrase), tried in groupby(why.attempts, key=lambda a: (a.hop, a.phrase)):
        write(f"    hop {hop}, {phrase}")
        for stopped, rules in _by_stop(tried):
            found = "found by" if not stopped else f"{stopped}:"
            write(f"      {found} {', '.join(rules)}", "" if stopped else "bold")


def write_picture(plan: Plan, svg: Path | None, html: Path | None) -> None:
    """Write the picture of the tree to the files that were asked for."""
    why = plan.explanation
    if why is None:
        raise InputError("there is no tree to draw: the question was not parsed")
    if svg:
        svg.write_text(why.svg(), encoding="utf-8", newline="\n")
    if html:
        html.write_text(why.html(plan), encoding="utf-8", newline="\n")


def _write_tree(why: Explanation) -> None:
    start, end = why.bridge
    rows: list[list[str]] = []
    for i, word in enumerate(why.tree):
        head = "" if word.head == i else f"of {why.tree[word.head].text}"
        note = ", ".join(said for said, true in (("name", word.name), ("bridge", start <= i < end)) if true)
        rows.append([printable(cell) for cell in (word.text, word.tag, word.dep, head, note)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for i, row in enumerate(rows):
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        write(f"     {line}", "bold" if start <= i < end else "")


def _by_stop(attempts: Iterable[Attempt]) -> list[tuple[str, list[str]]]:
    """Return (where they stopped, rules) of neighbouring rules that stopped alike."""
    return [(stopped, [a.rule for a in same]) for stopped, same in groupby(attempts, key=lambda a: a.stopped)]
