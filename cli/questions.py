"""Commands about questions alone: decompose, rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from ..decompose.normalise import MAX_CHARS
from ..decompose.plan import InputError, Plan
from ..decompose.textfile import read_titles
from ..serving import forms
from ..serving.service import check_question
from .explaining import write_explanation, write_picture
from .output import Format, write, write_json, write_plan

if TYPE_CHECKING:
    from ..decompose import Decomposer


_BATCH = 256


class RuleFormat(StrEnum):
    """How the rules are written."""

    TEXT = "text"
    MARKDOWN = "markdown"


def decompose(
    question: Annotated[
        list[str] | None, typer.Argument(help="Questions; none or '-': one a line on standard input.")
    ] = None,
    format: Annotated[Format, typer.Option(help="How to write the plans.")] = Format.TEXT,  # noqa: A002
    titles: Annotated[
        Path | None,
        typer.Option(help="A file of names, one a line, that are never taken apart: the titles of your collection."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the tree, the names, each rule tried and where it stopped.")
    ] = False,
    svg: Annotated[Path | None, typer.Option(help="Draw the tree of one question to this file, as SVG.")] = None,
    html: Annotated[Path | None, typer.Option(help="The same as a page, with the question and its plan.")] = None,
) -> None:
    """Split questions into hops: one plan for every question, in their order."""
    from ..decompose import Decomposer  # noqa: PLC0415

    names = read_titles(titles) if titles else []
    drawn = svg is not None or html is not None
    if drawn and (not question or len(question) != 1 or question == ["-"]):
        raise InputError("--svg and --html draw one question; give just one as an argument")
    if not question or question == ["-"]:
        if sys.stdin is None:
            raise InputError("standard input is closed; give a question, or lines on standard input")
        plans = _plans_of_lines(Decomposer(titles=names), sys.stdin.buffer, explain=explain)
    else:
        for text in question:
            check_question(text)
        plans = Decomposer(titles=names).pipe(question, explain=explain or drawn)
    for number, plan in enumerate(plans):
        if drawn:
            write_picture(plan, svg, html)
        if format is not Format.TEXT:
            write_json(forms.of_plan(plan, explain=explain))
            continue
        if number:
            write()
        write_plan(plan)
        if explain:
            write_explanation(plan)


def rules(
    format: Annotated[RuleFormat, typer.Option(help="How to write the table.")] = RuleFormat.TEXT,  # noqa: A002
) -> None:
    """List every rule: what it reads, a question it splits, and a near miss that it leaves alone."""
    from ..decompose.table import markdown, table  # noqa: PLC0415

    if format is RuleFormat.MARKDOWN:
        sys.stdout.write(markdown())
        return
    for row in table():
        write(row.name, "bold")
        write(f"  {row.about}")
        write(f"  splits        {row.question}")
        for number, hop in enumerate(row.hops):
            write(f"  {'' if number else 'into':<12}  {hop}")
        write(f"  leaves alone  {row.leaves_alone}")


def _plans_of_lines(decomposer: Decomposer, stream: BinaryIO, *, explain: bool) -> Iterator[Plan]:
    """Yield one plan for every line, whatever is on it."""
    lines = (line.rstrip(b"\r\n") for line in stream)
    while batch := list(islice(lines, _BATCH)):
        read = [_read(line) for line in batch]
        plans = iter(decomposer.plans([text for text, problem in read if not problem], explain=explain))
        for text, problem in read:
            yield Plan(text, "unparseable", (), problem) if problem else next(plans)


def _read(line: bytes) -> tuple[str, str]:
    """Return a line's text and what is wrong with it, empty where nothing is."""
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return line.decode("utf-8", "replace"), f"the line is not UTF-8 (byte {error.start})"
    if "\0" in text:
        return text, "the line holds a NUL character"
    if len(text) > MAX_CHARS:
        return text, f"the line has {len(text):,} characters; a question has at most {MAX_CHARS:,}"
    return text, "" if text.strip() else "the line is empty"
