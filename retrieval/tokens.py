"""The analyser: text in, search terms out. Passages and queries go through the same one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ..decompose.plan import InputError

# Letters that Unicode does not decompose, and what people type for them.
_PLAIN = {
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "ŧ": "t",
    "\u0131": "i",
}
_COMBINING = range(0x300, 0x370)  # diacritics of Latin, Greek and Cyrillic; vowel signs of others stay
_UNSPACED = ("CJK UNIFIED", "CJK COMPATIBILITY", "HIRAGANA", "KATAKANA")


class _Letters(dict[int, str]):
    """Character map for `str.translate`, filled as characters are met.

    Letters, digits and marks stay, everything else becomes a space. A character of a script that is written
    without spaces is a term of its own.
    """

    def __init__(self, *, fold: bool) -> None:
        super().__init__()
        self._fold = fold

    def __missing__(self, code: int) -> str:
        self[code] = self._kept(code)
        return self[code]

    def _kept(self, code: int) -> str:
        char = chr(code)
        if self._fold and code in _COMBINING:
            return ""
        if unicodedata.category(char)[0] not in "LNM":
            return " "
        if unicodedata.name(char, "").startswith(_UNSPACED):
            return f" {char} "
        return _PLAIN.get(char, char) if self._fold else char


_MAPS = {fold: _Letters(fold=fold) for fold in (True, False)}


@dataclass(frozen=True, slots=True)
class Analyser:
    """Settings of the analyser; stored with an index.

    Terms are runs of letters and digits in Unicode compatibility form (NFKC/NFKD), casefolded; single
    characters are kept, no word is left out or stemmed.

    fold: strip the diacritics of Latin, Greek and Cyrillic, so that "Bronte" finds "Brontë".
    """

    fold: bool = True

    def terms(self, text: str) -> list[str]:
        """Return the terms of `text` in their order, repeats included."""
        if text.isascii():
            return text.lower().translate(_MAPS[self.fold]).split()
        form: Literal["NFKD", "NFKC"] = "NFKD" if self.fold else "NFKC"
        # Casefolding can undo the normal form and the other way round, hence twice (Unicode 3.13, D146).
        folded = unicodedata.normalize(form, unicodedata.normalize(form, text).casefold())
        return folded.translate(_MAPS[self.fold]).split()

    def stand_in(self, text: str, names: Iterable[str]) -> Iterator[bool]:
        """Yield for each of `names` whether it stands in `text`, term for term."""
        said = f" {' '.join(self.terms(text))} "
        return (f" {' '.join(self.terms(name))} " in said for name in names)


def check_query(query: str) -> str:
    """Return `query`; InputError where it is empty or holds half of a surrogate pair."""
    if not query.strip():
        raise InputError("the query is empty; give at least one word")
    for position, char in enumerate(query):
        if "\ud800" <= char <= "\udfff":
            raise InputError(f"the query has a lone surrogate at character {position}; give valid Unicode")
    return query
