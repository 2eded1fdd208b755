"""The command `mcp`: an index as tools of the Model Context Protocol, on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .asking import ConfigFile, IndexFolder, asker_of, model_of
from .output import note
from .place import opened


def mcp(
    index: IndexFolder = None,
    llm: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="A language model for what the rules cannot do, as `ask` has it."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as llm.base_url=URL; may be repeated."),
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Offer the tools decompose, search and ask to a program that speaks the Model Context Protocol."""
    from ..serving.mcp_server import server  # noqa: PLC0415
    from ..serving.service import Service  # noqa: PLC0415
    from .config import named, settings  # noqa: PLC0415

    chosen = settings(named(set_ or []) | ({} if llm is None else {"llm.model": llm}), file=config)
    collection = opened(index or Path(chosen.search.index))
    made = server(Service(collection, asker_of(collection, chosen, model_of(chosen.llm))))
    note("hopsplit speaks MCP on standard input and output")
    made.run()
