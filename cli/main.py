"""The program's entry: commands, version, and the one place where errors become an exit code."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn

import typer

from ..decompose.plan import InputError
from . import (
    asking,
    checking,
    collection,
    evaluating,
    golding,
    measuring,
    questions,
    reporting,
    serving,
    streams,
)
from .output import printable

# Plain help and errors: one line an error, and no rich to load before it is needed.
app = typer.Typer(
    name="hopsplit",
    help="Split multi-hop questions into hops without a language model, and search with them.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

# The base of every complaint about the command line, which Typer gives no name of its own.
_USAGE: type[Exception] = typer.BadParameter.__mro__[1]


def _version(wanted: bool) -> None:
    """Print the program's and the model's version."""
    if wanted:
        from ..decompose.model import provenance  # noqa: PLC0415

        print(provenance())  # noqa: T201
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the versions and exit."),
    ] = False,
) -> None:
    """Split multi-hop questions into hops without a language model, and search with them."""


for _name, _command, _about in (
    ("decompose", questions.decompose, "Split questions into hops."),
    ("index", collection.index, "Make or change the index of a collection."),
    ("search", collection.search, "Search once, without splitting the question."),
    ("ask", asking.ask, "Split a question, search its hops, show the evidence."),
    ("run", measuring.run, "Answer many questions; write a TREC run file."),
    ("eval", evaluating.evaluate, "Measure recall on a data set, by type of question."),
    ("report", reporting.report, "Measure data sets; write a page with pictures."),
    ("gold", golding.gold, "Compare decompositions with a fixture file."),
    ("rules", questions.rules, "List the rules, each with an example."),
    ("serve", serving.serve, "Serve all this over HTTP, with a page."),
    ("mcp", serving.mcp, "Offer tools to language models, over MCP."),
    ("config", checking.config, "Show the settings in force, and where they are from."),
    ("doctor", checking.doctor, "Check that everything is in place."),
):
    app.command(_name, short_help=_about)(_command)


def main() -> None:
    """Run the program. Exit 0 done, 1 a check failed or the reader went away, 2 usage or bad input."""
    streams.prepare()
    streams.leave_in_order()
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
    except _USAGE as error:
        _fail(_usage(error))
    except typer.Abort:
        sys.exit(130)
    except InputError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
    if code:
        sys.exit(code)


def _usage(error: Any) -> str:
    """Say what is wrong with the command line, and where to read what is right."""
    said = error.format_message().replace("Value error, ", "").rstrip(".")
    return f"{said}; see {error.ctx.command_path if error.ctx else 'hopsplit'} --help"


def _fail(message: str) -> NoReturn:
    """Print one line, and exit 2."""
    print("error: " + printable(" ".join(message.split())), file=sys.stderr)  # noqa: T201
    sys.exit(2)
