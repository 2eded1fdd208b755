"""Word lists of the search schemes, one entry a line."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ..decompose.plan import ANSWER_TYPES, AnswerType


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


def country_of(terms: tuple[str, ...]) -> str:
    """Return the country that a demonym or an abbreviation means ("norwegian", "u s"), or ""."""
    return " ".join(table("demonyms").get("_".join(terms), ()))


@cache
def _countries() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(term.lower() for term in words) for words in table("demonyms").values())


def is_country(terms: tuple[str, ...]) -> bool:
    """Tell whether `terms` are a country's name or a demonym."""
    return terms in _countries() or "_".join(terms) in table("demonyms")


def kind_of(noun: str) -> AnswerType | None:
    """Return what kind of answer a question wants that asks for `noun` ("city", "author") or with it ("where")."""
    kind = next(iter(table("heads").get(noun, ())), "")
    return next((known for known in ANSWER_TYPES if known == kind), None)
