"""Normalised text whose every character knows its place in the question as the user gave it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .lexicon import is_word
from .plan import InputError

# No question is as long; the parser takes memory by the character.
MAX_CHARS = 2_000

# Typographic variants that the parser was not trained on, each with the one it was trained on.
_VARIANTS = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u0060\u00b4\u2032\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\u2043\ufe63\uff0d", "-"),
}


# Characters that stand for themselves.
_PLAIN = frozenset(c for c in map(chr, range(32, 127)) if c not in _VARIANTS)


@dataclass(frozen=True, slots=True)
class Text:
    """Normalised `text`; character i of it came from `source[origins[i][0]:origins[i][1]]`.

    `text` is NFKC, has single spaces, straight quotes, no control characters, and ends in one "?"; where the
    source has no such mark, the mark's origin is the empty slice at the source's end.
    """

    source: str
    text: str
    origins: tuple[tuple[int, int], ...]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open source offsets of the normalised characters start..end (start < end)."""
        return self.origins[start][0], self.origins[end - 1][1]


def normalise(source: str) -> Text:
    """Normalise a question.

    Raises InputError on more than MAX_CHARS characters, and on lone surrogates, which no encoding can carry.
    """
    if len(source) > MAX_CHARS:
        raise InputError(f"the question has {len(source):,} characters; give at most {MAX_CHARS:,}")
    chars: list[str] = []
    origins: list[tuple[int, int]] = []
    for start, end in _clusters(source):
        cluster = source[start:end]
        for char in cluster if cluster in _PLAIN else _plain(cluster, start):
            if char == " " and (not chars or chars[-1] == " "):
                continue
            chars.append(char)
            origins.append((start, end))
    return _finish(source, chars, origins)


def _clusters(source: str) -> list[tuple[int, int]]:
    """Return the offsets of each character with the combining marks that follow it."""
    if source.isascii():
        return [(i, i + 1) for i in range(len(source))]
    clusters: list[tuple[int, int]] = []
    for i, char in enumerate(source):
        if clusters and unicodedata.combining(char):
            clusters[-1] = (clusters[-1][0], i + 1)
        else:
            clusters.append((i, i + 1))
    return clusters


def _plain(cluster: str, at: int) -> str:
    if "\ud800" <= cluster[0] <= "\udfff":
        raise InputError(
            f"the question holds a lone surrogate (U+{ord(cluster[0]):04X}) at character {at}; "
            "decode the text as UTF-8 first"
        )
    if cluster in _VARIANTS:
        return _VARIANTS[cluster]
    plain = "".join(_VARIANTS.get(c, c) for c in unicodedata.normalize("NFKC", cluster))
    return "".join(_visible(c) for c in plain)


def _visible(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace() or category in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") else char


def _finish(source: str, chars: list[str], origins: list[tuple[int, int]]) -> Text:
    """Strip the ends and leave just one "?" there, also where the source has none, "." or " ?"."""
    while chars and chars[-1] == " ":
        del chars[-1], origins[-1]
    mark = (len(source), len(source))
    if chars and chars[-1] == "?":
        mark = origins[-1]
        del chars[-1], origins[-1]
    elif chars and chars[-1] in ".;,!" and not _abbreviated(chars):
        del chars[-1], origins[-1]
    while chars and chars[-1] == " ":
        del chars[-1], origins[-1]
    if chars:
        chars.append("?")
        origins.append(mark)
    return Text(source, "".join(chars), tuple(origins))


def _abbreviated(chars: list[str]) -> bool:
    """Tell whether the final full stop belongs to the last word ("D.C.", "Jr.")."""
    word = "".join(chars).rsplit(" ", 1)[-1]
    return word.endswith(".") and ("." in word[:-1] or is_word("abbreviation", word[:-1].lower()))
