"""Names in a question without capitals, told by their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexicon import is_word
from .line import SUBJECT_AUX

if TYPE_CHECKING:
    from collections.abc import Container

    from .line import Line

_IDENTIFIER = re.compile(r"(?=.*\d)(?=.*[a-z])(?!\d+(st|nd|rd|th|s|m|k|km|bn|am|pm)$)[a-z0-9]+([-_/][a-z0-9]+)*")


class Uncased:
    """The names of a line that may have no capitals. English words are those in `vocabulary`."""

    def __init__(self, line: Line, vocabulary: Container[str]) -> None:
        """Take the line and the known words."""
        self.line = line
        self._vocabulary = vocabulary
        self._before_tags = self._tagged_names() if line.uncased else {}

    def at(self, i: int) -> int:
        """Return the end of the name that starts at token i; i where there is none.

        An identifier ("eng-204"), a run of words outside the vocabulary, or a given name with what follows it.
        """
        if _IDENTIFIER.fullmatch(self.line.low[i]):
            return i + 1
        if not self.line.uncased:
            return i
        if i in self._before_tags:
            return self._before_tags[i]
        end = i
        if is_word("given_name", self.line.low[i]) and i + 1 < len(self.line.tokens) and self._surname(i + 1):
            end = i + 2
        while end < len(self.line.tokens) and self._strange(end):
            end += 1
        return self._tagged(end) if end > i else i

    def _tagged_names(self) -> dict[int, int]:
        """Return {start: end} of the names before brackets like "(1962 film)", from the word that ends what is before.

        That is the class of the work ("film"), a preposition of, a conjunction, a comma or an auxiliary.
        """
        found: dict[int, int] = {}
        for i, token in enumerate(self.line.tokens):
            close = self.line.bracket(i) if token == "(" else 0
            if not close or not (is_word("class_work", self.line.low[close - 2]) or self.line.low[close - 2].isdigit()):
                continue
            start = i
            while start > 0 and not self._ends_before(self.line.low[start - 1]):
                start -= 1
            if start < i:
                found[start] = close
        return found

    def _ends_before(self, low: str) -> bool:
        work = is_word("class_work", low) or is_word("class_work", low.removesuffix("s"))
        if low in ("that", "who", "which", "whom") or low.endswith("ed"):
            return True
        return work or low in ("of", "and", "or", ",", "both", "between", "than", ")") or low in SUBJECT_AUX

    def _surname(self, i: int) -> bool:
        low = self.line.low[i]
        return low.isalpha() and len(low) > 1 and not is_word("closed", low) and not is_word("bare_verb", low)

    def _strange(self, i: int) -> bool:
        """Tell whether a word of a text without capitals is no English word."""
        low = self.line.low[i]
        if not low.isalpha() or len(low) < 3 or low in self._vocabulary:
            return False
        return not is_word("closed", low) and not is_word("opener", low)

    def _tagged(self, end: int) -> int:
        """Take a bracket with a class of works after a name into it: "ostrik (1962 film)"."""
        close = self.line.bracket(end) if end < len(self.line.tokens) and self.line.tokens[end] == "(" else 0
        inside = close and (is_word("class_work", self.line.low[close - 2]) or self.line.low[close - 2].isdigit())
        return close if inside else end
