"""Requests as questions: "Tell me where X was born" asks "where X was born", "Name the city" "what is the city"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from .lexicon import is_word, words
from .sentence import WH_WORDS

if TYPE_CHECKING:
    from .sentence import Word

_ADDRESSED = frozenset("me us out , :".split())
_ARTICLES = frozenset("the a an".split())


def direct(given: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words without a polite frame; a request for a thing gets "what is"."""
    lows = [word.text.lower() for word in given]
    start = _after_frames(lows)
    if start >= len(lows):
        return given
    if lows[start] in WH_WORDS:
        return given[start:]
    rest = start if start and lows[start] in _ARTICLES else _after_verb(given, lows, start)
    # Only the question mark is left: "Tell me?" asks for nothing.
    if not 0 < rest < len(lows) - 1:
        return given
    if lows[rest] in WH_WORDS:
        return given[rest:]
    if lows[rest] in _ARTICLES or given[rest].name:
        at = given[rest].start
        return (_own(given[0], "What", at), _own(given[0], "is", at), *given[rest:])
    return given


def _after_verb(given: tuple[Word, ...], lows: list[str], start: int) -> int:
    """Return where what is requested begins, behind "tell me", or 0 where nothing is requested."""
    if not is_word("imperative", lows[start]) or (start and given[start].name):
        return 0
    rest = start + 1
    while rest < len(lows) and lows[rest] in _ADDRESSED:
        rest += 1
    return rest


def _own(like: Word, text: str, at: int) -> Word:
    return replace(like, text=text, start=at, end=at, space=True, name=False, atom=False)


def _after_frames(lows: list[str]) -> int:
    """Return where the request proper begins."""
    start = 0
    while start < len(lows):
        frames = _frames().get(lows[start], ())
        found = next((len(frame) for frame in frames if lows[start : start + len(frame)] == frame), 0)
        if not found:
            break
        start += found
    return start


@cache
def _frames() -> dict[str, list[list[str]]]:
    """Return the polite frames by their first word, the longest first."""
    frames: dict[str, list[list[str]]] = {}
    for frame in sorted((frame.split() for frame in words("polite")), key=lambda frame: (-len(frame), frame)):
        frames.setdefault(frame[0], []).append(frame)
    return frames
