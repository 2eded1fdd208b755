"""The tokens of a question, with what can be told from them alone: quotations, brackets, fixed expressions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .lexicon import compounds

if TYPE_CHECKING:
    from collections.abc import Sequence

_PREFIXES = frozenset("co re ex pre post non anti self mid multi".split())
SUBJECT_AUX = frozenset("did does do is was are were has had have can could will would".split())


@dataclass(frozen=True)
class Line:
    """Tokens in text order; `spaces[i]` tells whether white space follows token i."""

    tokens: Sequence[str]
    spaces: Sequence[bool]

    @cached_property
    def low(self) -> list[str]:
        """The tokens in lower case."""
        return [t.lower() for t in self.tokens]

    @cached_property
    def cased(self) -> bool:
        """Whether capitals tell names: in a heading or a shout, where most words have one, they do not."""
        words = [t for t in self.tokens if t[0].isalpha()]
        return sum(t[0].islower() for t in words) * 6 >= len(words)

    @cached_property
    def uncased(self) -> bool:
        """Whether there is no capital at all."""
        return not any(t[0].isupper() for t in self.tokens)

    def bracket(self, i: int) -> int:
        """Return the end of the bracket that opens at i, or 0."""
        for j in range(i + 1, min(i + 9, len(self.tokens))):
            if self.tokens[j] == ")":
                return j + 1
        return 0

    def quoted(self, i: int) -> int:
        """Return the end of the balanced quotation that opens at i, or 0."""
        quote = self.tokens[i]
        if quote in ("``", "''"):
            quote = '"'
        if quote not in ('"', "'") or (i and not self.spaces[i - 1]):
            return 0
        for j in range(i + 1, len(self.tokens)):
            last = j + 1 == len(self.tokens) or self.spaces[j] or self.tokens[j + 1] in ("?", ",", ")", "'s", ".")
            if self.tokens[j] == quote and last and j > i + 1:
                return j + 1
        return 0

    def fixed(self, i: int) -> tuple[int, str]:
        """Return (end, stand-in) of a fixed expression or a word with a prefix at i, else (i + 1, "")."""
        if self.low[i] in _PREFIXES and self._hyphenated(i):
            return i + 3, self.low[i + 2]
        by_length = sorted(compounds().get(self.low[i], {}).items(), key=lambda item: -len(item[0]))
        for pieces, stand in by_length:
            end = i + len(pieces)
            if tuple(self.low[i:end]) == pieces:
                return end, stand
        return i + 1, ""

    def _hyphenated(self, i: int) -> bool:
        """Tell whether a hyphen joins token i to the next but one ("co-founded")."""
        joined = i + 2 < len(self.tokens) and self.tokens[i + 1] == "-"
        return joined and not self.spaces[i] and not self.spaces[i + 1]
