"""Inflected and derived forms of English words, by suffix."""

from __future__ import annotations

from functools import lru_cache

_SUFFIXES = ("", "d", "e", "ed", "er", "es", "ing", "ion", "or", "r", "s")
_SHORTEST = 4


@lru_cache(maxsize=1 << 14)
def forms(term: str) -> frozenset[str]:
    """Return the words that `term` may stand as in a text, `term` itself left out.

    "directed" gives "director" and "directs", "ships" gives "ship", "colonies" gives "colony". Most forms are
    no words and stand nowhere. Numbers and words of less than four letters have none.
    """
    if len(term) < 4 or not term.isalpha():
        return frozenset()
    stems = {term} | {
        term.removesuffix(suffix)
        for suffix in _SUFFIXES
        if suffix and term.endswith(suffix) and len(term) - len(suffix) >= (3 if suffix == "s" else _SHORTEST)
    }
    found = {stem + suffix for stem in stems for suffix in _SUFFIXES}
    if term.endswith("ies"):
        found.add(f"{term[:-3]}y")
    if term.endswith("y"):
        found.add(f"{term[:-1]}ies")
    return frozenset(found - {term})
