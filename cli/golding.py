"""The command `gold`: decompositions held against a fixture file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..decompose.plan import InputError
from ..decompose.textfile import read_titles
from .output import count, note, write
from .place import place

_STYLES = {"-": "red", "+": "green"}


def gold(
    file: Annotated[
        Path,
        typer.Argument(
            help="A fixture file: what `decompose` prints, or one JSON object a line. "
            "Or a demo collection: encyclopedia, company."
        ),
    ],
    update: Annotated[
        bool, typer.Option("--update", help="Rewrite what the file expects to what comes out now.")
    ] = False,
    titles: Annotated[
        Path | None,
        typer.Option(help="A file of names, one a line, that are never taken apart: the titles of your collection."),
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write the comparison to this file, as JUnit's XML.")] = None,
) -> None:
    """Compare decompositions with a fixture file; exit 1 on a difference."""
    from ..decompose import Decomposer  # noqa: PLC0415
    from ..evaluation import goldfile  # noqa: PLC0415
    from ..evaluation.junit import write as write_junit  # noqa: PLC0415

    shipped = place(file) != file
    if shipped and update:
        raise InputError(f"{file} comes with the program and is not rewritten; give a file")
    if update and junit is not None:
        raise InputError("--junit reports differences and --update does away with them; leave one of them out")
    if (
        junit is not None
        and junit.exists()
        and any(junit.samefile(each) for each in (file, titles) if each and each.exists())
    ):
        raise InputError(f"--junit {junit} is a file that is read; name another for the report")
    cases = goldfile.read(place(file) / "gold.jsonl" if shipped else file)
    decomposer = Decomposer(titles=read_titles(titles) if titles else [])
    found = goldfile.differences(cases, list(decomposer.pipe(case.question for case in cases)))
    for difference in found:
        write(difference.case.title, "bold")
        for line in difference.lines():
            write(f"  {line}", _STYLES.get(line[0], ""))
    known = sum(1 for case in cases if case.known_wrong) - sum(1 for each in found if each.case.known_wrong)
    right = f"{len(cases) - len(found)} as expected" + (f" ({known} known wrong)" if known else "")
    write(f"{count(len(cases), 'case')}, {right}, {len(found)} different")
    if junit is not None:
        write_junit(junit, str(file), cases, found)
    if found and update:
        goldfile.update(file, found)
        note(f"rewrote {count(len(found), 'case')} of {file}")
    elif found:
        raise typer.Exit(1)
