"""Names as atoms: quoted spans, capitalised runs, bracketed tags and known titles become one word each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexicon import compounds, is_person, is_word

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from spacy.tokens import Doc

    from .gazetteer import Gazetteer
    from .normalise import Text

# Function words that may stand between two capitalised words of one name ("Journal of Psychotherapy").
_LINKS = frozenset(
    [
        "of",
        "the",
        "in",
        "a",
        "an",
        "for",
        "to",
        "at",
        "on",
        "with",
        "from",
        "by",
        "upon",
        "de",
        "la",
        "le",
        "les",
        "el",
        "du",
        "des",
        "del",
        "di",
        "da",
        "dos",
        "das",
        "do",
        "e",
        "y",
        "und",
        "der",
        "die",
        "das",
        "von",
        "van",
        "zu",
        "bin",
        "ibn",
        "al",
        "&",
        "-",
        "–",
        "—",
        "/",
        ":",
        "!",
        ".",
        "...",
        "'",
        "'s",
        "'ll",
        "'re",
        "'ve",
        "'d",
        "n't",
        "'m",
        "+",
        "±",
        ";",
        "=",
        "*",
        "@",
        "no",
        "be",
    ]
)
_NOUNISH_AFTER = frozenset(
    [
        "'s",
        "'",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "to",
        "from",
        "with",
        "and",
        "or",
        "?",
        ",",
        ";",
        ":",
        ")",
        "is",
        "was",
        "are",
        "were",
        "has",
        "had",
    ]
)
_DETERMINERS = frozenset(["the", "a", "an", "its", "his", "her", "their", "this", "that"])
_ADJECTIVE = (
    "ous",
    "ful",
    "est",
    "ary",
    "first",
    "second",
    "only",
    "other",
    "former",
    "ive",
    "able",
    "less",
    "al",
)
# Offices in short are capitals without being names: "the CEO of Acme", "the CEOs of Acme and Globex".
_OFFICES = frozenset({"ceo", "cfo", "cto", "coo", "cio"})
_ASKING = frozenset({"who", "which", "what"})
_PREFIXES = frozenset(["co", "re", "ex", "pre", "post", "non", "anti", "self", "mid", "multi"])
_IDENTIFIER = re.compile(r"(?=.*\d)(?=.*[a-z])(?!\d+(st|nd|rd|th|s|m|k|km|bn|am|pm)$)[a-z0-9]+([-_/][a-z0-9]+)*")
_ORDINAL = re.compile(r"\d+(st|nd|rd|th)")
_SUBJECT_AUX = frozenset(
    ["did", "does", "do", "is", "was", "are", "were", "has", "had", "have", "can", "could", "will", "would"]
)


class _Everything:
    """A vocabulary that knows every word."""

    def __contains__(self, word: object) -> bool:
        return True


_EVERYTHING = _Everything()


@dataclass(frozen=True, slots=True)
class Word:
    """A word for the parser: `text` as normalised, or a name as one atom.

    start, end: half-open offsets into the question as given. space: whether white space precedes it.
    name: it is (part of) a name. atom: a whole name, for which the parser sees another. ref: the hop whose
    answer it is, or 0. stand: what the parser reads in its place where it is a fixed expression.
    """

    text: str
    start: int
    end: int
    space: bool
    name: bool = False
    atom: bool = False
    ref: int = 0
    stand: str = ""


def protect(
    text: Text, doc: Doc, gazetteer: Gazetteer | None = None, vocabulary: Container[str] = _EVERYTHING
) -> tuple[Word, ...]:
    """Group the tokens of the tokenised `text` into words, names as single atoms.

    In a text without capitals, words outside `vocabulary` are names.
    """
    tokens = [t.text for t in doc]
    spans = _Spans(tokens, [bool(t.whitespace_) for t in doc], gazetteer, vocabulary)
    words: list[Word] = []
    i = 0
    while i < len(tokens):
        end, atom, name = spans.at(i)
        stand = ""
        if end == i + 1 and not name and tokens[i].lower() in _PREFIXES:
            end, stand = spans.prefixed(i)
        elif end == i + 1 and not name:
            end, stand = spans.compound(i)
            if not stand and i and tokens[i][0].isupper() and is_word("title_role", tokens[i].lower()):
                stand = tokens[i].lower()
        first, last = doc[i], doc[end - 1]
        lo, hi = first.idx, last.idx + len(last.text)
        start, stop = text.origin(lo, hi)
        space = lo > 0 and text.text[lo - 1] == " "
        words.append(Word(text.text[lo:hi], start, stop, space, name=name, atom=atom, stand=stand))
        i = end
    return tuple(words)


class _Spans:
    """The name that starts at each token, if any."""

    def __init__(
        self,
        tokens: Sequence[str],
        spaces: Sequence[bool],
        gazetteer: Gazetteer | None,
        vocabulary: Container[str],
    ) -> None:
        self.tokens = tokens
        self.low = [t.lower() for t in tokens]
        self.spaces = spaces
        words = [t for t in tokens if t[0].isalpha()]
        small = sum(t[0].islower() for t in words)
        # A heading or a shout says nothing about names by its capitals.
        self.cased = small * 6 >= len(words)
        self.vocabulary = _EVERYTHING if any(t[0].isupper() for t in tokens) else vocabulary
        self.tagged_names = {} if self.vocabulary is _EVERYTHING else self._before_tags()
        self.known = gazetteer.match(tokens, self.cased) if gazetteer else {}
        self.pairing = _pairing(self.low)

    def at(self, i: int) -> tuple[int, bool, bool]:
        """Return (end, atom, name) of what starts at token i."""
        if i in self.known:
            return self.known[i], True, True
        quoted = self._quoted(i)
        if quoted:
            return quoted, True, True
        end = self._uncased_name(i)
        if end > i:
            return end, True, True
        if not self.cased or not self._opens(i) or self._title_role(i):
            return i + 1, False, self.tokens[i][0].isdigit()
        end = self._before_role(i, self._run(i))
        if end == i + 1 and self._modifier(i):
            return end, False, True
        return end, True, True

    def _uncased_name(self, i: int) -> int:
        """Return the end of a name in a text without capitals, told by its words; i where there is none.

        An identifier ("eng-204"), a run of words outside the vocabulary, or a given name with what follows it.
        """
        if _IDENTIFIER.fullmatch(self.low[i]):
            return i + 1
        if self.vocabulary is _EVERYTHING:
            return i
        if i in self.tagged_names:
            return self.tagged_names[i]
        end = i
        if is_word("given_name", self.low[i]) and i + 1 < len(self.tokens) and self._surname(i + 1):
            end = i + 2
        while end < len(self.tokens) and self._strange(end):
            end += 1
        return self._tagged(end) if end > i else i

    def _before_tags(self) -> dict[int, int]:
        """Return {start: end} of the names before brackets like "(1984 film)", from the word that ends what is before.

        That is the class of the work ("film"), a preposition of, a conjunction, a comma or an auxiliary.
        """
        found: dict[int, int] = {}
        for i, token in enumerate(self.tokens):
            close = self._bracket(i) if token == "(" else 0
            if not close or not (is_word("class_work", self.low[close - 2]) or self.low[close - 2].isdigit()):
                continue
            start = i
            while start > 0 and not self._ends_before(self.low[start - 1]):
                start -= 1
            if start < i:
                found[start] = close
        return found

    def _ends_before(self, low: str) -> bool:
        work = is_word("class_work", low) or is_word("class_work", low.removesuffix("s"))
        return work or low in ("of", "and", "or", ",", "both", "between", "than", ")") or low in _SUBJECT_AUX

    def _surname(self, i: int) -> bool:
        low = self.low[i]
        return low.isalpha() and len(low) > 1 and not is_word("closed", low) and not is_word("bare_verb", low)

    def _strange(self, i: int) -> bool:
        """Tell whether a word of a text without capitals is no English word."""
        low = self.low[i]
        if not low.isalpha() or len(low) < 3 or low in self.vocabulary:
            return False
        return not is_word("closed", low) and not is_word("opener", low)

    def _tagged(self, end: int) -> int:
        """Take a bracket with a class of works after a name into it: "garbo (1984 film)"."""
        close = self._bracket(end) if end < len(self.tokens) and self.tokens[end] == "(" else 0
        inside = close and (is_word("class_work", self.low[close - 2]) or self.low[close - 2].isdigit())
        return close if inside else end

    def prefixed(self, i: int) -> tuple[int, str]:
        """Return (end, stand-in) of a word with a prefix and a hyphen ("co-founded"), else (i + 1, "")."""
        joined = (
            i + 2 < len(self.tokens) and self.tokens[i + 1] == "-" and not self.spaces[i] and not self.spaces[i + 1]
        )
        return (i + 3, self.low[i + 2]) if joined else (i + 1, "")

    def _title_role(self, i: int) -> bool:
        """Tell whether a capitalised role takes "of": "the President of France" is described, not named."""
        before = self.low[i - 1] if i else ""
        after = self.low[i + 1] if i + 1 < len(self.tokens) else ""
        return after == "of" and before == "the" and is_word("title_role", self.low[i])

    def _before_role(self, start: int, end: int) -> int:
        """End a run where another phrase begins: "Nissan, the Acura Legend maker" are two."""
        if end >= len(self.tokens) or not is_person(self.low[end]) or (start and self.low[start - 1] == "the"):
            return end
        articles = [k for k in range(start + 1, end) if self.tokens[k] == "the"]
        if not articles:
            return end
        cut = articles[-1]
        while cut > start + 1 and (self.low[cut - 1] in _LINKS or self.low[cut - 1] in ("and", ",")):
            cut -= 1
        return cut

    def compound(self, i: int) -> tuple[int, str]:
        """Return (end, stand-in) of the longest fixed expression at i, else (i + 1, "")."""
        by_length = sorted(compounds().get(self.low[i], {}).items(), key=lambda item: -len(item[0]))
        for pieces, stand in by_length:
            end = i + len(pieces)
            if tuple(self.low[i:end]) == pieces:
                return end, stand
        return i + 1, ""

    def _quoted(self, i: int) -> int:
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

    def _capital(self, i: int) -> bool:
        token = self.tokens[i]
        if self.low[i].removesuffix("s") in _OFFICES:
            return False
        if token[0].isupper():
            return token != "I" or (i > 0 and self._near_capital(i))
        if token[0].isdigit():
            return False
        return any(c.isupper() for c in token) and token[0].isalpha()

    def _near_capital(self, i: int) -> bool:
        around = [self.tokens[j] for j in (i - 1, i + 1) if 0 <= j < len(self.tokens)]
        return any(t[0].isupper() for t in around)

    def _opens(self, i: int) -> bool:
        token = self.tokens[i]
        if i == 0:
            return self._opens_sentence()
        if token == "(":
            close = self._bracket(i)
            return close > 0 and self.tokens[i + 1][0].isupper() and close < len(self.tokens) and self._capital(close)
        if token in ("¿", "¡"):
            return i + 1 < len(self.tokens) and self._capital(i + 1)
        if token[0].isdigit():
            # "45 Fathers", "101 Dalmatians" but not "2016 film".
            return i + 1 < len(self.tokens) and self._capital(i + 1) and not is_word("month", self.low[i + 1])
        return self._capital(i)

    def _opens_sentence(self) -> bool:
        """Tell whether the first word begins a name: "The Nun is ..." does, "The mother of ..." does not."""
        if not self._capital(0) or is_word("opener", self.low[0]):
            return False
        if self.low[0] in ("the", "a", "an"):
            return len(self.tokens) > 1 and self._capital(1) and not self._modifier(1)
        return True

    def _modifier(self, i: int) -> bool:
        """Tell whether the capitalised word at i only modifies a noun ("Filipino statesman", "US president")."""
        if i + 1 >= len(self.tokens) or not self.spaces[i]:
            return False
        following = self.low[i + 1]
        before = self.low[i - 1] if i else ""
        if before in _SUBJECT_AUX or following in _NOUNISH_AFTER or not self.tokens[i + 1][0].islower():
            return False
        if is_word("closed", following) or (before not in _DETERMINERS and is_word("bare_verb", following)):
            return False
        # "song Waspman die": a noun before a capitalised word is the class of what it names.
        return not before or is_word("closed", before) or not before.isalpha() or before.endswith(_ADJECTIVE)

    def _run(self, i: int) -> int:
        """Return the end of the capitalised run that starts at i."""
        end = self._bracket(i) if self.tokens[i] == "(" else i + 1
        while True:
            after = self._extend(i, end)
            if after == end:
                return end
            end = after

    def _extend(self, start: int, end: int) -> int:
        n = len(self.tokens)
        if end >= n:
            return end
        if self.tokens[end] == "(" and self._tag(end):
            return self._bracket(end)
        if self._capital(end) or (self.tokens[end][0].isdigit() and self._digit_in_name(end)):
            return end + 1
        if self._mark_in_name(end) or (self.tokens[end] == "?" and self.tokens[start] == "¿" and end + 1 < n):
            return end + 1
        if self.tokens[end] == "-" and not self.spaces[end - 1] and not self.spaces[end] and end + 1 < n:
            return end + 2
        j = end
        while j < n and j - end < 4 and (self._links(j) or self._serial(j)):
            j += 1
        if j == end or j >= n or not (self._capital(j) or self.tokens[j][0].isdigit()):
            return end
        if self.tokens[j][0].isdigit() and not _ORDINAL.fullmatch(self.low[j]):
            return j + 1 if self._digit_in_name(j) and self.low[j - 1] in (":", "-", "–", "&", "/") else end
        loose = self.low[end] in ("in", "for", "by", "at") or (
            self.low[j - 1] in ("the", "a", "an") and self.low[end] != "and"
        )
        if is_word("month", self.low[j]) or (loose and self._modifier(j)):
            return end
        return j + 1

    def _serial(self, j: int) -> bool:
        """Tell whether the comma at j stands before "and" and a capital: "Sun, Moon, and Stars"."""
        return self.low[j] == "," and self.low[j + 1 : j + 2] == ["and"] and self._links(j + 1)

    def _links(self, j: int) -> bool:
        low = self.low[j]
        if (
            low == ","
            and "or" in self.low
            and self.low[0] in _ASKING
            and self.low[j - 2] in ("is", "are", "was", "were")
        ):
            # "Which singer is American, Mark King or ...": the capitalised word is what is said of the names.
            return False
        if low in ("and", "&", ","):
            return low == "&" or (j != self.pairing and self._both_capital(j))
        return low in _LINKS

    def _both_capital(self, j: int) -> bool:
        k = j + 1
        while k < len(self.tokens) and self.low[k] in ("the", "a", "an"):
            k += 1
        ordinal = k + 1 < len(self.tokens) and _ORDINAL.fullmatch(self.low[k]) and self._capital(k + 1)
        if ordinal:
            return True
        if k >= len(self.tokens) or not self._capital(k):
            return False
        return not self._modifier(k) or (k > j + 1 and is_person(self.low[k + 1]) and self._after_article(j))

    def _after_article(self, j: int) -> bool:
        """Tell whether the capitalised words before j stand behind an article ("the Hero and the Terror star")."""
        while j > 0 and (self._capital(j - 1) or (self.low[j - 1] in _LINKS and self.low[j - 1] != "the")):
            j -= 1
        return j > 0 and self.low[j - 1] == "the"

    def _mark_in_name(self, j: int) -> bool:
        """Tell whether the punctuation at j is inside a name: "Do You Believe? (Film)", "Hurt??"."""
        if self.tokens[j] not in ("?", "!", "...", "??"):
            return False
        following = self.tokens[j + 1] if j + 1 < len(self.tokens) else ""
        return self.tokens[j] != "?" or following == "?" or (following == "(" and self._tag(j + 1))

    def _digit_in_name(self, j: int) -> bool:
        return not (len(self.tokens[j]) == 4 and self.tokens[j].isdigit() and self.low[j - 1] in ("in", "of", "since"))

    def _tag(self, i: int) -> bool:
        close = self._bracket(i)
        if close == 0 or close == i + 2:
            return False
        inside = self.tokens[i + 1 : close - 1]
        return (
            inside[0][0].isupper() or inside[0][0].isdigit() or (len(inside) <= 2 and all(t.isalpha() for t in inside))
        )

    def _bracket(self, i: int) -> int:
        """Return the end of the bracket that opens at i, or 0."""
        for j in range(i + 1, min(i + 9, len(self.tokens))):
            if self.tokens[j] == ")":
                return j + 1
        return 0


def _pairing(low: Sequence[str]) -> int:
    """Return the place of the "and" that pairs the two things of a comparison, or -1.

    In a question about two things ("Are both A and B ...?") the "and" in the middle pairs them; where there
    are several, the one that leaves both sides most alike in length.
    """
    if "and" not in low:
        return -1
    asks_two = low[0] in _SUBJECT_AUX or "both" in low or "same" in low or "between" in low
    if not asks_two:
        return -1
    places = [i for i, word in enumerate(low) if word == "and"]
    if len(places) == 1:
        return places[0]
    middle = len(low) / 2
    return min(places, key=lambda i: (abs(i - middle), i))


def without_repeats(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Drop a function word that was typed twice ("who who")."""
    kept: list[Word] = []
    for word in words:
        low = word.text.lower()
        if kept and kept[-1].text.lower() == low and low in ("who", "the", "a", "of", "in", "is", "was", "to", "which"):
            continue
        kept.append(word)
    return tuple(kept)
