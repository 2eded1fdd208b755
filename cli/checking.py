"""The command `doctor`: whether everything is in place."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ..decompose.plan import InputError
from .asking import prices
from .output import count, write

_SHOWN = 4  # characters of a key
_QUESTION = "Where was the founder of Versus born?"


def doctor(
    index: Annotated[Path | None, typer.Option(help="An index to compare with its checksums.")] = None,
) -> None:
    """Check the model, an index, and the settings of a language model; exit 1 where something is wrong."""
    checks: list[tuple[str, Callable[[], str]]] = [("model", _model), ("index", lambda: _index(index)), ("llm", _llm)]
    wrong = False
    for name, check in checks:
        try:
            write(f"{name:<7}ok     {check()}")
        except InputError as error:
            wrong = True
            write(f"{name:<7}WRONG  {error}", "red")
    if wrong:
        raise typer.Exit(1)


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


def _llm() -> str:
    """Tell the settings without sending anything, and of a key its end alone."""
    from ..fallback.endpoint import Endpoint, check_key  # noqa: PLC0415
    from ..fallback.openai_client import API_KEY, BASE_URL, SERVICE  # noqa: PLC0415

    url, key = os.environ.get(BASE_URL) or "", os.environ.get(API_KEY) or ""
    if not (url or key):
        return f"none set, none needed; for --llm set {BASE_URL} or {API_KEY}"
    check_key(key, API_KEY)
    at = Endpoint(url or SERVICE, key, name=BASE_URL).shown
    shown = f"key ...{key[-_SHOWN:]}" if len(key) > 4 * _SHOWN else "key set" if key else "no key"
    into, out = prices()
    return f"{at}, {shown}, {into:g} and {out:g} US dollars a million tokens in and out; not tried"
