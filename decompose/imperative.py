"""Requests as questions: "Tell me where X was born" asks "where X was born", "Name the city" "what is the city"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .lexicon import is_word

if TYPE_CHECKING:
    from .protect import Word

_FRAMES = (
    "please",
    "can you",
    "could you",
    "would you",
    "i want to know",
    "i would like to know",
    "do you know",
)
_WH = frozenset(["who", "whom", "whose", "what", "which", "when", "where", "why", "how"])


def direct(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words without a polite frame; a request for a thing gets "what is"."""
    lows = [w.text.lower() for w in words]
    start = _frame(lows)
    if start >= len(lows):
        return words
    verb = lows[start]
    if start and verb in _WH:
        return words[start:]
    if not is_word("imperative", verb) or (words[start].name and start):
        return words
    rest = start + 1
    while rest < len(lows) and lows[rest] in ("me", "us", "out", ",", ":"):
        rest += 1
    if rest >= len(lows) - 1:
        return words
    if lows[rest] in _WH:
        return words[rest:]
    if lows[rest] in ("the", "a", "an") or words[rest].name:
        at = words[rest].start
        plain = (_own(words[start], "What", at), _own(words[start], "is", at))
        return (*plain, *words[rest:])
    return words


def _own(like: Word, text: str, at: int) -> Word:
    return replace(like, text=text, start=at, end=at, space=True, name=False, atom=False)


def _frame(lows: list[str]) -> int:
    """Return where the request proper begins."""
    start = 0
    moved = True
    while moved:
        moved = False
        for said in _FRAMES:
            pieces = said.split()
            if lows[start : start + len(pieces)] == pieces:
                start += len(pieces)
                moved = True
    return start
