"""Closed word lists, one entry a line in words/<name>.txt; "#" starts a comment."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def words(name: str) -> frozenset[str]:
    """Return the entries of the word list `name`."""
    text = (files(__package__) / "words" / f"{name}.txt").read_text(encoding="utf-8")
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)


def is_word(name: str, word: str) -> bool:
    """Tell whether `word` (lower case) is in the list `name`."""
    return word in words(name)


@cache
def compounds() -> dict[str, dict[tuple[str, ...], str]]:
    """Return the fixed expressions by first word: {first: {all words: the parser's stand-in}}."""
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for line in sorted(words("compound")):
        said, stand = (part.strip() for part in line.split("="))
        pieces = tuple(said.split())
        found.setdefault(pieces[0], {})[pieces] = stand
    return found


@cache
def is_person(low: str) -> bool:
    """Tell whether a noun (lower case, singular or plural) is one for people, by list or suffix."""
    forms = {low}
    if low.endswith("s") and not low.endswith("ss"):
        forms.add(low[:-1])
    if any(is_word("person", f) or is_word("kin", f) for f in forms):
        return True
    if any(is_word("nonperson", f) for f in forms):
        return False
    return any(len(f) > 5 and f.endswith(("er", "or", "ist", "ress", "man", "woman", "eer")) for f in forms)
