"""The commands `serve` and `mcp`: an index over HTTP, and as tools of the Model Context Protocol."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from .asking import (
    ConfigFile,
    IndexFolder,
    LlmApiKey,
    LlmBaseUrl,
    LlmCache,
    LlmModel,
    Sets,
    WordAnswer,
    asker_of,
    chosen_by,
    llm_options,
)
from .output import note, working
from .place import opened

if TYPE_CHECKING:
    from ..fallback import Llm
    from ..serving.service import Service
    from ..serving.settings import ServeSettings
    from .settings import Settings

INSTALL = "serving needs the package {name}: pip install 'hopsplit[serve]' (from a checkout: pip install '.[serve]')"


def serve(
    index: IndexFolder = None,
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where to listen: 0.0.0.0 for others too. [default: 127.0.0.1]"),
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="The port; 0: a free one. [default: 8080]")] = None,
    llm: LlmModel = None,
    llm_base_url: LlmBaseUrl = None,
    llm_api_key: LlmApiKey = None,
    llm_cache: LlmCache = None,
    answer: WordAnswer = False,
    set_: Sets = None,
    config: ConfigFile = None,
    access_log: Annotated[
        bool, typer.Option("--access-log", help="Write a line for each request, without its question.")
    ] = False,
) -> None:
    """Serve decompose, search and ask over HTTP, with a page at /, until SIGTERM or Ctrl-C."""
    options = llm_options(llm, llm_base_url, llm_api_key, llm_cache, answer=answer)
    options |= {} if host is None else {"serve.host": host}
    options |= {} if port is None else {"serve.port": str(port)}
    chosen, model = chosen_by(options, set_, config)
    run = _run()
    with working("Opening ..."):
        service = _service(index, chosen, model)
    logging.basicConfig(format="%(message)s")
    logging.getLogger("hopsplit.serving").setLevel(logging.INFO if access_log else logging.WARNING)
    run(service, chosen.serve, note)
    # Threads that nobody waits for may still be at work, in native code too; and nothing is left to be put in order.
    sys.stderr.flush()
    os._exit(0)


def mcp(
    index: IndexFolder = None,
    llm: LlmModel = None,
    llm_base_url: LlmBaseUrl = None,
    llm_api_key: LlmApiKey = None,
    llm_cache: LlmCache = None,
    answer: WordAnswer = False,
    set_: Sets = None,
    config: ConfigFile = None,
) -> None:
    """Offer the tools decompose, search and ask to a program that speaks the Model Context Protocol."""
    from ..serving.mcp_server import server  # noqa: PLC0415

    if sys.stdin is None or not hasattr(sys.stdout, "buffer"):
        raise InputError("standard input or output is closed; let a host start it, which speaks MCP on both")
    options = llm_options(llm, llm_base_url, llm_api_key, llm_cache, answer=answer)
    chosen, model = chosen_by(options, set_, config)
    made = server(_service(index, chosen, model))
    note("hopsplit speaks MCP on standard input and output")
    # Any other end waits for the thread that reads standard input, which the host may never close.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda number, _: os._exit(128 + number))
    try:
        made.run()
    except* BrokenPipeError:  # the host has gone
        os._exit(1)


def _service(index: Path | None, chosen: Settings, model: Llm | None) -> Service:
    """Open what is served."""
    from ..serving.service import Service  # noqa: PLC0415

    collection = opened(index or Path(chosen.search.index))
    return Service(collection, asker_of(collection, chosen, model))


def _run() -> Callable[[Service, ServeSettings, Callable[[str], None]], None]:
    """Return what serves; InputError where a library of it is missing."""
    try:
        from ..serving.server import run  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("fastapi", "starlette", "uvicorn", "prometheus_client"):
            raise
        raise InputError(INSTALL.format(name=error.name)) from error
    return run
