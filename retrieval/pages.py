"""Texts as the search schemes read them: words, capitalised runs, passages as bags of terms."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import word_list
from .tokens import Analyser
from .types import Passage

_WORD = re.compile(r"(\w+)(\W*)")
_JOINING = frozenset({" ", "-", "'", "\u2019", ". ", ".", " & ", "&", "- ", " -", "\u2013"})

# Titles and the like that a full stop shortens: no sentence ends there.
SHORT = frozenset(
    {"Capt", "Col", "Dr", "Ft", "Gen", "Jr", "Lt", "Mr", "Mrs", "Ms", "Mt", "Prof", "Rev", "Sgt", "Sr", "St"}
)


@dataclass(frozen=True, slots=True)
class Page:
    """A passage as terms. counts, length: of title and text; line: both as terms between spaces."""

    passage: Passage
    counts: Counter[str]
    length: int
    line: str


def read(passage: Passage, analyser: Analyser) -> Page:
    """Return `passage` as a page."""
    terms = analyser.terms(f"{passage.title} {passage.text}")
    return Page(passage, Counter(terms), len(terms), f" {' '.join(terms)} ")


@dataclass(frozen=True, slots=True)
class Words:
    """A text as words. gaps: what stands after each word; terms: each word analysed, in step."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]
    terms: tuple[str, ...]

    def written(self, start: int, stop: int) -> str:
        """Return the words `start` to `stop` as the text has them."""
        gaps = (*self.gaps[start : stop - 1], "")
        return "".join(word + gap for word, gap in zip(self.words[start:stop], gaps, strict=True))


@lru_cache(maxsize=1 << 16)
def _term(analyser: Analyser, word: str) -> str:
    return " ".join(analyser.terms(word))


def words_of(text: str, analyser: Analyser) -> Words:
    """Split `text` into words."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    pairs = _WORD.findall(text)
    words = tuple(word for word, _ in pairs)
    return Words(words, tuple(gap for _, gap in pairs), tuple(_term(analyser, word) for word in words))


def capitals(text: Words) -> list[int]:
    """Return the places of the words that can begin a name: not in lower case."""
    return [place for place, word in enumerate(text.words) if not word[0].islower()]


def opens_sentence(text: Words, place: int) -> bool:
    """Tell whether the word at `place` begins a sentence, where a capital says nothing."""
    return place == 0 or any(mark in text.gaps[place - 1] for mark in ".?!\n")


def runs(text: Words) -> Iterator[tuple[int, int]]:
    """Yield the runs of capitalised words, as half-open word places, ascending.

    A run goes on over particles ("of", "van der") and numbers when a capital follows, and stops at
    punctuation other than what joins names. A leading "The", "In", "May" or number is left off.
    """
    stop, words = 0, text.words
    for place, word in enumerate(words):
        if place < stop or not word[0].isupper():
            continue
        start, stop = place, _run_end(text, place)
        while start < stop and _leading(words[start]):
            start += 1
        if start < stop:
            yield start, stop


def _leading(word: str) -> bool:
    low = word.lower()
    return low in word_list("stop") or low in word_list("calendar") or word.isdecimal()


def _joins(text: Words, place: int) -> bool:
    gap = text.gaps[place]
    # A full stop ends the run, except after an initial or a short title ("B. Reeves", "Mr. Smith").
    return gap in _JOINING and ("." not in gap or len(text.words[place]) == 1 or text.words[place] in SHORT)


def _run_end(text: Words, start: int) -> int:
    stop = ahead = start + 1
    while ahead < len(text.words) and _joins(text, ahead - 1):
        word = text.words[ahead]
        ahead += 1
        if word[0].isupper() or word.isdigit():
            stop = ahead
        elif word.lower() not in word_list("particles"):
            break
    return stop
