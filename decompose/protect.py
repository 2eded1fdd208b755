"""Names as atoms: known titles, quoted spans, capitalised runs and bracketed tags become one word each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .capitals import Capitals
from .lexicon import is_word
from .line import Line
from .sentence import Word
from .uncased import Uncased

if TYPE_CHECKING:
    from collections.abc import Container

    from spacy.tokens import Doc

    from .gazetteer import Gazetteer
    from .normalise import Text

JOINERS = frozenset({"and", "or", ","})


def protect(text: Text, doc: Doc, vocabulary: Container[str], gazetteer: Gazetteer | None = None) -> tuple[Word, ...]:
    """Group the tokens of the tokenised `text` into words, names as single atoms.

    In a text without capitals, words outside `vocabulary` are names.
    """
    starts, tokens, spaces = zip(*((t.idx, t.text, bool(t.whitespace_)) for t in doc), strict=True)
    line = Line(tokens, spaces)
    names = _Names(line, vocabulary, gazetteer)
    words: list[Word] = []
    i = 0
    while i < len(tokens):
        end, atom = names.at(i)
        name, stand = end > i or line.tokens[i][0].isdigit(), ""
        if end == i:
            end, stand = (i + 1, "") if name else line.fixed(i)
            if not stand and i and line.tokens[i][0].isupper() and is_word("title_role", line.low[i]):
                # The parser knows "president" as a noun and "President" as a name.
                stand = line.low[i]
        lo, hi = starts[i], starts[end - 1] + len(tokens[end - 1])
        start, stop = text.origin(lo, hi)
        space = lo > 0 and text.text[lo - 1] == " "
        known = i in names.known
        words.append(Word(text.text[lo:hi], start, stop, space, name=name, atom=atom, stand=stand, known=known))
        i = end
    return tuple(words)


class _Names:
    """The names of a line by all ways of telling them, the surest first."""

    def __init__(self, line: Line, vocabulary: Container[str], gazetteer: Gazetteer | None) -> None:
        self._line = line
        self.known = gazetteer.match(line.tokens, line.cased) if gazetteer else {}
        self._uncased = Uncased(line, vocabulary)
        self._capitals = Capitals(line)

    def at(self, i: int) -> tuple[int, bool]:
        """Return (end, atom) of the name that starts at token i; end is i where there is none."""
        if i in self.known:
            return self.known[i], True
        for end in (self._line.quoted(i), self._uncased.at(i)):
            if end > i:
                return end, True
        end, atom = self._capitals.at(i)
        return self._before_known(i, end), atom

    def _before_known(self, i: int, end: int) -> int:
        """End a run of capitals where a known title begins, without the words that joined the two."""
        cut = next((k for k in range(i + 1, end) if k in self.known), end)
        while (
            cut < end
            and cut > i + 1
            and (is_word("link", self._line.low[cut - 1]) or self._line.low[cut - 1] in JOINERS)
        ):
            cut -= 1
        return cut


def without_repeats(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Drop a function word that was typed twice ("who who")."""
    kept: list[Word] = []
    for word in words:
        low = word.text.lower()
        if kept and kept[-1].text.lower() == low and low in ("who", "the", "a", "of", "in", "is", "was", "to", "which"):
            continue
        kept.append(word)
    return tuple(kept)
