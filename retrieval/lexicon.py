"""Word lists of the search schemes, one entry a line."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _lines(name: str) -> tuple[str, ...]:
    text = (files(__package__) / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.split("\n") if line)


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the entries of ``words/<name>.txt``."""
    return frozenset(_lines(name))


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """Return the entries ``key: value value ...`` of ``words/<name>.txt``."""
    pairs = (line.partition(":") for line in _lines(name))
    return {key: tuple(values.split()) for key, _, values in pairs}


def related(term: str) -> tuple[str, ...]:
    """Return the words that a passage may use where a question says `term` ("author": "wrote", ...)."""
    return table("relations").get(term, ())
