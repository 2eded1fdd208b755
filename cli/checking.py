"""The commands `doctor` and `config`: whether everything is in place, and what is set."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ..decompose.plan import InputError
from .asking import ConfigFile, model_of
from .output import Format, count, write, write_json
from .place import place

_SHOWN = 4  # characters of a key
_QUESTION = "Where was the founder of Versus born?"


def doctor(
    index: Annotated[
        Path | None, typer.Option(help="An index to compare with its checksums. [default: the setting search.index]")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Check the model, an index, and the settings of a language model; exit 1 where something is wrong."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("model", _model),
        ("index", lambda: _index(index or _set_index(config))),
        ("llm", lambda: _llm(config)),
    ]
    wrong = False
    for name, check in checks:
        try:
            write(f"{name:<7}ok     {check()}")
        except InputError as error:
            wrong = True
            write(f"{name:<7}WRONG  {error}", "red")
    if wrong:
        raise typer.Exit(1)


def config(
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting, as other commands take it.")
    ] = None,
    config: ConfigFile = None,
    format: Annotated[Format, typer.Option(help="How to write them.")] = Format.TEXT,  # noqa: A002
) -> None:
    """Show every setting that is in force, and where it is from: an option, the environment, a file, or the default."""
    from .config import in_force, named  # noqa: PLC0415

    for name, value, source in in_force(named(set_ or []), file=config):
        # JSON has no infinity; prices are dataclasses.
        said = json.dumps("inf" if value == math.inf else value, ensure_ascii=False, default=asdict)
        if format is Format.TEXT:
            write(f"{name:<24} {said:<26} {source}", "" if source == "default" else "bold")
        else:
            write_json({"name": name, "value": json.loads(said), "from": source})


def _model() -> str:
    from ..decompose import Decomposer  # noqa: PLC0415

    plan = Decomposer().decompose(_QUESTION)
    if len(plan.hops) != 2:
        raise InputError(f"{plan.provenance} does not split {_QUESTION!r}; install both anew")
    return plan.provenance


def _index(folder: Path | None) -> str:
    if folder is None:
        return "none given; --index DIR checks one"
    from ..retrieval import Index  # noqa: PLC0415

    Index.verify(folder)
    return f"{folder}: {count(len(Index.open(folder)), 'passage')}, every checksum right"


def _set_index(config: Path | None) -> Path | None:
    """Return the folder that the settings name, None where it is a demo collection."""
    from .config import settings  # noqa: PLC0415

    chosen = Path(settings({}, file=config).search.index)
    return chosen if place(chosen) == chosen else None


def _llm(config: Path | None) -> str:
    """Tell the settings without sending anything, and of a key its end alone."""
    from .config import settings  # noqa: PLC0415

    chosen = settings({}, file=config).llm
    if not (chosen.is_named or chosen.base_url or chosen.api_key):
        return "none set, none needed; for --llm set HOPSPLIT_LLM_BASE_URL or HOPSPLIT_LLM_API_KEY"
    if chosen.model == "replay":
        model_of(chosen)
        return f"replies kept in {chosen.cache}"
    from ..fallback.openai_client import OpenAIClient  # noqa: PLC0415

    key = chosen.api_key
    client = OpenAIClient(chosen.model or "none", base_url=chosen.base_url, api_key=key)
    shown = f"key ...{key[-_SHOWN:]}" if len(key) > 4 * _SHOWN else "key set" if key else "no key"
    price = chosen.of_tokens()
    cost = f"{price.prompt:g} and {price.completion:g} US dollars a million tokens in and out" if price else "no price"
    return f"{chosen.model if chosen.is_named else 'no model named'}, {client.address}, {shown}, {cost}; not tried"
