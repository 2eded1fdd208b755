"""Known titles, found in a question by the longest match of their words."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from .lexicon import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECE = re.compile(r"\w+|[^\w\s]")
_TAG = re.compile(r"\s*\([^()]*\)$")


def fold(word: str) -> str:
    """Return `word` without case and diacritics."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


class Gazetteer:
    """Titles by their first word. Matching is case- and diacritic-tolerant; the longest title wins.

    A title of one word, or of function words, matches capitalised words only: "It" is a film, "it" is not.
    The bracketed tag of a title ("Jaws (film)") may be missing in the question.
    """

    def __init__(self, titles: Iterable[str]) -> None:
        """Build from `titles` in any order."""
        self._by_first: dict[str, dict[int, set[tuple[str, ...]]]] = {}
        for title in titles:
            for form in {title, _TAG.sub("", title)}:
                pieces = tuple(fold(p) for p in _PIECE.findall(form))
                if pieces:
                    self._by_first.setdefault(pieces[0], {}).setdefault(len(pieces), set()).add(pieces)

    def match(self, tokens: Sequence[str], cased: bool) -> dict[int, int]:
        """Return {first token: end token} of the titles in `tokens`, longest first, left to right."""
        pieces: list[str] = []
        owner: list[int] = []
        for i, token in enumerate(tokens):
            for piece in _PIECE.findall(token):
                pieces.append(fold(piece))
                owner.append(i)
        found: dict[int, int] = {}
        p = 0
        while p < len(pieces):
            end = self._longest(tokens, pieces, owner, p, cased)
            if end:
                found[owner[p]] = owner[end - 1] + 1
                p = end
            else:
                p += 1
        return found

    def _longest(self, tokens: Sequence[str], pieces: list[str], owner: list[int], p: int, cased: bool) -> int:
        """Return the end piece of the longest title at piece p, or 0."""
        lengths = self._by_first.get(pieces[p])
        if not lengths or (p and owner[p - 1] == owner[p]):
            return 0
        for length in sorted(lengths, reverse=True):
            end = p + length
            whole = end <= len(pieces) and (end == len(pieces) or owner[end] != owner[end - 1])
            if whole and tuple(pieces[p:end]) in lengths[length]:
                words = [tokens[i] for i in sorted(set(owner[p:end]))]
                if _distinct(words, pieces[p:end], owner[p] == 0, cased):
                    return end
        return 0


def _distinct(words: list[str], pieces: list[str], initial: bool, cased: bool) -> bool:
    """Tell whether these words are the title rather than plain words that happen to spell it."""
    content = [p for p in pieces if not is_word("closed", p) and p.isalnum()]
    capitals = [w for w in words if w[0].isupper() or w[0].isdigit()]
    told = bool(content) or len(capitals) > 1
    if cased and not initial and told and len(capitals) >= max(1, len(content)):
        return True
    if initial and content and len(words) > 1 and len(capitals) > 1:
        return True
    return len(content) >= 2 and len(words) >= 3
