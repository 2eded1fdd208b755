"""How the program writes: results to standard output, everything else to standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from ..serving import forms

if TYPE_CHECKING:
    from rich.console import Console

    from ..decompose.plan import Plan

T = TypeVar("T")

_SNIPPET = 160
_ENDLESS = 1 << 20  # columns, of what is no terminal


class Format(StrEnum):
    """How results are written: as text, or as one JSON object a line, which may be called either way."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


def write_json(value: object) -> None:
    """Write one JSON value on one line, in Unicode."""
    sys.stdout.write(forms.line(value) + "\n")


def write(text: str = "", style: str = "") -> None:
    """Write one line of text that came from outside: no markup is read, no control character passed on."""
    from rich.text import Text  # noqa: PLC0415  (JSON output does without it)

    _out().print(Text(printable(text), style), soft_wrap=True)


def write_tree(root: str, branches: Iterable[tuple[int, str]]) -> None:
    """Write lines, each with its depth from 1, as a tree below `root`; none is broken but by a terminal's width."""
    from rich.text import Text  # noqa: PLC0415
    from rich.tree import Tree  # noqa: PLC0415

    tree = Tree(Text(printable(root)))
    path = [tree]
    for depth, line in branches:
        path = path[:depth]
        path.append(path[-1].add(Text(printable(line))))
    out = _out()
    if not out.is_terminal:
        out.width = _ENDLESS
    out.print(tree)


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, which is `nouns`, or takes an s, where it is not one."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def note(text: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(printable(text) + "\n")


@contextmanager
def working(text: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal's standard error that something is going on; yield a way to say what."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415

    with Console(stderr=True).status(printable(text)) as status:
        yield lambda part: status.update(f"{printable(text)} {part}")


def progress(items: Iterator[T], text: str, total: int) -> Iterator[T]:
    """Pass the items on, with a bar on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    yield from track(items, text, total=total, console=Console(stderr=True), transient=True)


def write_plan(plan: Plan) -> None:
    """Write a plan as text: the question, its kind and why, its hops each with its rule."""
    write(plan.question.strip(), "bold")
    write(f"  {plan.kind}: {plan.reason}" if plan.reason else f"  {plan.kind}")
    width = max((len(printable(hop.text)) for hop in plan.hops), default=0)
    for hop in plan.hops:
        write(f"  #{hop.id} {printable(hop.text):<{width}}  [{hop.rule}]")


def printable(text: str) -> str:
    """Return the text on one line, with what a terminal would obey replaced."""
    return "".join(char if char.isprintable() else " " if char.isspace() else "\ufffd" for char in text)


def snippet(text: str) -> str:
    """Return the beginning of a passage's text, cut between words."""
    text = " ".join(text.split())
    return text if len(text) <= _SNIPPET else text[:_SNIPPET].rsplit(" ", 1)[0] + " ..."


def _out() -> Console:
    """Return the console of standard output."""
    from rich.console import Console  # noqa: PLC0415

    return Console(highlight=False)
