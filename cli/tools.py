"""The command `mcp`: an index as tools of the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

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
from .output import note
from .place import opened


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
    from ..serving.service import Service  # noqa: PLC0415

    if sys.stdin is None or not hasattr(sys.stdout, "buffer"):
        raise InputError("standard input or output is closed; let a host start it, which speaks MCP on both")
    options = llm_options(llm, llm_base_url, llm_api_key, llm_cache, answer=answer)
    chosen, model = chosen_by(options, set_, config)
    collection = opened(index or Path(chosen.search.index))
    made = server(Service(collection, asker_of(collection, chosen, model)))
    note("hopsplit speaks MCP on standard input and output")
    # Any other end waits for the thread that reads standard input, which the host may never close.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda number, _: os._exit(128 + number))
    try:
        made.run()
    except* BrokenPipeError:  # the host has gone
        os._exit(1)
