"""Names told by their capitals: "Annals of Harbour Engineering", "Who Rang Twice? (Film)"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexicon import is_person, is_word
from .line import SUBJECT_AUX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .line import Line

_DETERMINERS = frozenset("the a an its his her their this that".split())
_ADJECTIVE = ("ous", "ful", "est", "ary", "first", "second", "only", "other", "former", "ive", "able", "less", "al")
# Offices in short are capitals without being names: "the CEO of Acme", "the CEOs of Acme and Globex".
_OFFICES = frozenset({"ceo", "cfo", "cto", "coo", "cio"})
_BEFORE_ROLE = frozenset("the first second third last next current former".split())
_ASKING = frozenset({"who", "which", "what"})
_ORDINAL = re.compile(r"\d+(st|nd|rd|th)")


class Capitals:
    """The capitalised names of a line."""

    def __init__(self, line: Line) -> None:
        """Take the line; its "and" that pairs the two things of a comparison joins no name."""
        self.line = line
        self._pairing = _pairing(line.low)
        self._asks_do = any(low in ("did", "does", "do") for low in line.low[:6])

    def at(self, i: int) -> tuple[int, bool]:
        """Return (end, atom) of the name that starts at token i; end is i where there is none.

        A capitalised word that only modifies a noun ("Danish sculptor") is a name but no atom.
        """
        if not self.line.cased or not self._opens(i) or self._title_role(i):
            return i, False
        end = self._before_role(i, self._run(i))
        return end, not (end == i + 1 and self._modifier(i))

    def _opens(self, i: int) -> bool:
        token = self.line.tokens[i]
        if i == 0:
            return self._opens_sentence()
        if token == "(":
            close = self.line.bracket(i)
            return (
                close > 0
                and self.line.tokens[i + 1][0].isupper()
                and close < len(self.line.tokens)
                and self._capital(close)
            )
        if token in ("¿", "¡"):
            return i + 1 < len(self.line.tokens) and self._capital(i + 1)
        if token[0].isdigit():
            if _ORDINAL.fullmatch(self.line.low[i]) and self._title_role(i + 1):
                return False
            # "12 Lanterns", "2040: A Long Winter" but not "1988 novel".
            colon = i + 2 < len(self.line.tokens) and self.line.tokens[i + 1] == ":"
            after = i + 2 if colon else i + 1
            return after < len(self.line.tokens) and self._capital(after) and not is_word("month", self.line.low[after])
        return self._capital(i)

    def _opens_sentence(self) -> bool:
        """Tell whether the first word begins a name: "The Heron is ..." does, "The mother of ..." does not."""
        if not self._capital(0) or is_word("opener", self.line.low[0]):
            return False
        if self.line.low[0] in ("the", "a", "an"):
            return len(self.line.tokens) > 1 and self._capital(1) and not self._modifier(1)
        return True

    def _capital(self, i: int) -> bool:
        token = self.line.tokens[i]
        if self.line.low[i].removesuffix("s") in _OFFICES:
            return False
        if token[0].isupper():
            return token != "I" or (i > 0 and self._near_capital(i))
        if token[0].isdigit():
            return False
        # Letters of scripts without case stand in an English question for a name.
        return token[0].isalpha() and (any(c.isupper() for c in token) or token[0].upper() == token[0].lower())

    def _near_capital(self, i: int) -> bool:
        around = [self.line.tokens[j] for j in (i - 1, i + 1) if 0 <= j < len(self.line.tokens)]
        return any(t[0].isupper() for t in around)

    def _modifier(self, i: int) -> bool:
        """Tell whether the capitalised word at i only modifies a noun ("Danish sculptor", "EU treaty")."""
        if i + 1 >= len(self.line.tokens) or not self.line.spaces[i]:
            return False
        following = self.line.low[i + 1]
        before = self.line.low[i - 1] if i else ""
        if before in SUBJECT_AUX or is_word("after_name", following) or not self.line.tokens[i + 1][0].islower():
            return False
        if self._asks_do and is_word("bare_verb", following) and self._closes(i + 2):
            # "did the maker of Two Herons and a Goat win?": the verb that "did" asks for.
            return False
        if (
            is_word("past_verb", following)
            or is_word("closed", following)
            or (before not in _DETERMINERS and is_word("bare_verb", following))
        ):
            return False
        # "poem Thornfall end": a noun before a capitalised word is the class of what it names.
        return not before or is_word("closed", before) or not before.isalpha() or before.endswith(_ADJECTIVE)

    def _title_role(self, i: int) -> bool:
        """Tell whether a capitalised role takes "of": "the President of France" is described, not named."""
        if i >= len(self.line.tokens):
            return False
        before = self.line.low[i - 1] if i else ""
        after = self.line.low[i + 1] if i + 1 < len(self.line.tokens) else ""
        described = before in _BEFORE_ROLE or _ORDINAL.fullmatch(before) is not None
        if described and self.line.low[i] == "vice" and is_word("title_role", after):
            return self.line.low[i + 2 : i + 3] in (["of"], ("of",))
        return described and after == "of" and is_word("title_role", self.line.low[i])

    def _modifying_run(self, i: int) -> bool:
        """Tell whether hyphened capitals modify a noun: "in the Oakes-Marlow quartet"."""
        tokens = self.line.tokens
        end = i + 1
        while end + 1 < len(tokens) and tokens[end] == "-" and not self.line.spaces[end - 1]:
            end += 2
        if end == i + 1 or end >= len(tokens) or not tokens[end][0].islower():
            return False
        following = self.line.low[end]
        return not any(is_word(name, following) for name in ("after_name", "past_verb", "closed"))

    def _run(self, i: int) -> int:
        """Return the end of the capitalised run that starts at i."""
        end = self.line.bracket(i) if self.line.tokens[i] == "(" else i + 1
        while True:
            after = self._extend(i, end)
            if after == end:
                return end
            end = after

    def _extend(self, start: int, end: int) -> int:
        n = len(self.line.tokens)
        if end >= n:
            return end
        if self.line.tokens[end] == "(" and self._tag(end):
            return self.line.bracket(end)
        if self._said_of_it(end):
            return end
        if self._capital(end) or (self.line.tokens[end][0].isdigit() and self._digit_in_name(end)):
            return end + 1
        if self._mark_in_name(end) or (self.line.tokens[end] == "?" and self.line.tokens[start] == "¿" and end + 1 < n):
            return end + 1
        if self.line.tokens[end] == "-" and not self.line.spaces[end - 1] and not self.line.spaces[end] and end + 1 < n:
            return end + 2
        j = end
        while j < n and j - end < 4 and (self._links(j) or self._serial(j)):
            j += 1
        if j == end or j >= n or not (self._capital(j) or self.line.tokens[j][0].isdigit()):
            return end
        if self.line.tokens[j][0].isdigit() and not _ORDINAL.fullmatch(self.line.low[j]):
            return j + 1 if self._digit_in_name(j) and self.line.low[j - 1] in (":", "-", "–", "&", "/") else end
        loose = self.line.low[end] in ("in", "for", "by", "at") or (
            self.line.low[j - 1] in ("the", "a", "an") and self.line.low[end] != "and"
        )
        if is_word("month", self.line.low[j]) or (loose and (self._modifier(j) or self._modifying_run(j))):
            return end
        return j + 1

    def _closes(self, i: int) -> bool:
        """Tell whether the sentence is over at token i."""
        return i >= len(self.line.tokens) or self.line.tokens[i] == "?"

    def _said_of_it(self, i: int) -> bool:
        """Tell whether the last word is an adjective that a yes-no question asks about: "Is X Danish?"."""
        return (
            self._closes(i + 1)
            and self.line.low[0] in ("is", "was", "are", "were")
            and is_word("nationality", self.line.low[i])
        )

    def _before_role(self, start: int, end: int) -> int:
        """End a run where another phrase begins: "Tolvan, the Heron Coupe maker" are two."""
        if (
            end >= len(self.line.tokens)
            or not is_person(self.line.low[end])
            or (start and self.line.low[start - 1] == "the")
        ):
            return end
        articles = [k for k in range(start + 1, end) if self.line.tokens[k] == "the"]
        if not articles:
            return end
        cut = articles[-1]
        while cut > start + 1 and (is_word("link", self.line.low[cut - 1]) or self.line.low[cut - 1] in ("and", ",")):
            cut -= 1
        return cut

    def _links(self, j: int) -> bool:
        low = self.line.low[j]
        if (
            low == ","
            and "or" in self.line.low
            and self.line.low[0] in _ASKING
            and self.line.low[j - 2] in ("is", "are", "was", "were")
        ):
            # "Which painter is Danish, Elin Storm or ...": the capitalised word is what is said of the names.
            return False
        if low == "," and self._lists_single_words(j):
            return False
        if low in ("and", "&", ","):
            return low == "&" or (j != self._pairing and self._both_capital(j))
        return is_word("link", low)

    def _serial(self, j: int) -> bool:
        """Tell whether the comma at j stands before "and" and a capital: "Sun, Moon, and Stars"."""
        return (
            self.line.low[j] == ","
            and (j + 1 < len(self.line.low) and self.line.low[j + 1] == "and")
            and self._links(j + 1)
        )

    def _lists_single_words(self, j: int) -> bool:
        """Tell whether the comma at j stands in a choice of single words: "Mozart, Bach or Handel"."""
        tokens, low = self.line.tokens, self.line.low
        end = j + 1
        while end + 1 < len(tokens) and tokens[end + 1] == "," and self._capital(end):
            end += 2
        choice = end + 2 < len(tokens) and low[end + 1] == "or" and self._capital(end) and self._capital(end + 2)
        return choice and self._closes(end + 3) and (j < 2 or not self._capital(j - 2))

    def _both_capital(self, j: int) -> bool:
        k = j + 1
        while k < len(self.line.tokens) and self.line.low[k] in ("the", "a", "an"):
            k += 1
        ordinal = k + 1 < len(self.line.tokens) and _ORDINAL.fullmatch(self.line.low[k]) and self._capital(k + 1)
        if ordinal:
            return True
        if k >= len(self.line.tokens) or not self._capital(k):
            return False
        return not self._modifier(k) or (k > j + 1 and is_person(self.line.low[k + 1]) and self._after_article(j))

    def _after_article(self, j: int) -> bool:
        """Tell whether the capitalised words before j stand behind an article ("the Fox and the Lantern star")."""
        while j > 0 and (
            self._capital(j - 1) or (is_word("link", self.line.low[j - 1]) and self.line.low[j - 1] != "the")
        ):
            j -= 1
        return j > 0 and self.line.low[j - 1] == "the"

    def _mark_in_name(self, j: int) -> bool:
        """Tell whether the punctuation at j is inside a name: "Who Rang Twice? (Film)", "Lost??"."""
        if self.line.tokens[j] not in ("?", "!", "...", "??"):
            return False
        following = self.line.tokens[j + 1] if j + 1 < len(self.line.tokens) else ""
        if self.line.tokens[j] == "?" and following[:1].isalpha() and not self._opens_another(j + 1):
            # A mark with more of the sentence behind it belongs to the name: "the director of Who Goes? born".
            return True
        return self.line.tokens[j] != "?" or following == "?" or (following == "(" and self._tag(j + 1))

    def _opens_another(self, i: int) -> bool:
        """Tell whether another sentence may begin at token i: with a capital, and not a name."""
        return self.line.tokens[i][0].isupper() and is_word("opener", self.line.low[i])

    def _digit_in_name(self, j: int) -> bool:
        return not (
            len(self.line.tokens[j]) == 4
            and self.line.tokens[j].isdigit()
            and self.line.low[j - 1] in ("in", "of", "since")
        )

    def _tag(self, i: int) -> bool:
        close = self.line.bracket(i)
        if close == 0 or close == i + 2:
            return False
        inside = self.line.tokens[i + 1 : close - 1]
        return (
            inside[0][0].isupper() or inside[0][0].isdigit() or (len(inside) <= 2 and all(t.isalpha() for t in inside))
        )


def _pairing(low: Sequence[str]) -> int:
    """Return the place of the "and" that pairs the two things of a comparison, or -1.

    In a question about two things ("Are both A and B ...?") the "and" in the middle pairs them; where there
    are several, the one that leaves both sides most alike in length.
    """
    if "and" not in low:
        return -1
    asks_two = low[0] in SUBJECT_AUX or "both" in low or "same" in low or "between" in low
    if not asks_two:
        return -1
    places = [i for i, word in enumerate(low) if word == "and"]
    if len(places) == 1:
        return places[0]
    middle = len(low) / 2
    return min(places, key=lambda i: (abs(i - middle), i))
