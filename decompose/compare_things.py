"""The things that a question compares: a coordination cut into its members, each with the spelling it came with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexicon import is_word
from .sentence import VERB_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .sentence import Sentence

QUOTES = ("'", '"', "\u2018", "\u201c", "\u00ab")
_FRAME = frozenset(", : ; - – —".split())
_EDGES = frozenset(", : ; - – — either both all namely".split())
_CLASS_TAGS = frozenset({"NN", "JJ", "VBG", "CD", "HYPH"})


@dataclass(frozen=True, slots=True)
class Thing:
    """One compared thing: `text` as typed, `words` its indices, `plural` whether it takes a plural verb."""

    text: str
    words: tuple[int, ...]
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A word of a coordination; a name is cut at its white space. Offsets are into the source."""

    low: str
    start: int
    end: int
    word: int
    capital: bool


def things(
    sent: Sentence, source: str, lo: int, hi: int, joiners: frozenset[str], *, many: bool, after: int = 0
) -> tuple[Thing, ...]:
    """Return the members of the coordination in words lo..hi (half-open), or () where it is none.

    `many` says that a list of three or more is likely ("the longest", "all"), so that commas part its members.
    A leading class noun ("the films A and B") belongs to no member. Only what stands at the offset `after` of
    the source or behind it counts.
    """
    units = _strip([u for u in _units(sent, source, lo, hi) if u.start >= after])
    units = units[_class_noun(sent, units, joiners) :]
    cuts = _cuts(units, joiners, many)
    if not cuts:
        return ()
    found = []
    for start, end in zip([0, *(c + 1 for c in cuts)], [*cuts, len(units)], strict=True):
        member = _strip(units[start:end])
        if not member:
            return ()
        found.append(thing(sent, source, member))
    return tuple(found)


def whole(sent: Sentence, source: str, lo: int, hi: int) -> Thing | None:
    """Return words lo..hi as one thing, or None where there are none."""
    units = _strip(_units(sent, source, lo, hi))
    return thing(sent, source, units) if units else None


def thing(sent: Sentence, source: str, units: Sequence[Unit]) -> Thing:
    """Return the units as a thing, spelt as in the source."""
    text = " ".join(source[units[0].start : units[-1].end].split())
    words = tuple(dict.fromkeys(u.word for u in units))
    head = sent[words[-1]]
    common = len(words) == 1 or any(sent[i].tag in ("DT", "JJ") for i in words)  # no name of several words
    return Thing(text, words, head.tag == "NNS" and not head.anchor and common)


def _units(sent: Sentence, source: str, lo: int, hi: int) -> list[Unit]:
    found: list[Unit] = []
    for i in range(lo, hi):
        word = sent[i].word
        text = source[word.start : word.end]
        if not word.atom or word.known or text[:1] in QUOTES:
            found.append(Unit(sent[i].low, word.start, word.end, i, text[:1].isupper()))
        else:
            found.extend(_pieces(text, word.start, i))
    return found


def _pieces(text: str, offset: int, index: int) -> list[Unit]:
    """Cut a name at white space and commas; what stands in brackets stays with the word before it."""
    found: list[Unit] = []
    at = depth = 0
    for part in text.split():
        at = text.index(part, at)
        start = offset + at
        at += len(part)
        inside = depth > 0 or part[0] == "("
        depth += part.count("(") - part.count(")")
        if inside and found:
            found[-1] = _longer(found[-1], offset + at)
            continue
        body = part.rstrip(",") or part
        found.append(Unit(body.lower(), start, start + len(body), index, body[0].isupper()))
        if body != part:
            found.append(Unit(",", start + len(body), start + len(part), index, False))
    return found


def _longer(unit: Unit, end: int) -> Unit:
    return Unit(unit.low, unit.start, end, unit.word, unit.capital)


def _strip(units: Sequence[Unit]) -> list[Unit]:
    left, right = 0, len(units)
    while left < right and units[left].low in _EDGES and (not units[left].capital or units[left].start == 0):
        left += 1
    while right > left and units[right - 1].low in _FRAME:
        right -= 1
    return list(units[left:right])


def _class_noun(sent: Sentence, units: Sequence[Unit], joiners: frozenset[str]) -> int:
    """Return how many units a leading plural class noun takes ("the flowering plants", "villages ,")."""
    at = 1 if units and units[0].low in ("the", "two", "these") and not units[0].capital else 0
    while at < len(units) and _lower(sent, units[at]) and sent[units[at].word].tag in _CLASS_TAGS:
        at += 1
    if at + 1 < len(units) and at and is_word("class", units[at - 1].low) and sent[units[at].word].anchor:
        return at
    listed = at < len(units) and is_word("class", units[at].low)
    if at + 1 >= len(units) or not _lower(sent, units[at]) or not (listed or sent[units[at].word].tag == "NNS"):
        return 0
    following = units[at + 1]
    if following.low in _FRAME:
        return at + 2 if "or" not in joiners else 0
    if following.low in joiners | {"of", "that", "who", "which", "'s", "'"}:
        return 0
    if sent[following.word].tag in VERB_TAGS and not listed:
        return 0
    named = sent[following.word].anchor or following.low in ("the", "a", "an", "``", '"')
    return at + 1 if named or is_word("class", units[at].low) else 0


def _lower(sent: Sentence, unit: Unit) -> bool:
    return not unit.capital and not sent[unit.word].anchor


def _cuts(units: Sequence[Unit], joiners: frozenset[str], many: bool) -> list[int]:
    """Return the places of the joiners that part the members, ascending."""
    places = [k for k, u in enumerate(units) if u.low in joiners and not u.capital and 0 < k < len(units) - 1]
    if not places:
        return []
    last = places[-1]
    commas = [k for k, u in enumerate(units) if u.low == "," and k < last]
    oxford = bool(commas) and commas[-1] == last - 1
    apart = commas[:-1] if oxford else commas
    several = len(apart) > 1 and units[last].low == "or"
    # Single words between the commas and the "or": "Mozart, Bach or Handel".
    words = bool(apart) and units[last].low == "or" and [*apart, last] == list(range(1, len(units), 2))
    if apart and (many or oxford or several or words or _people(units, apart[0], last)):
        return [*apart, last]
    if oxford:
        return [last]
    if units[last].low in ("or", "vs", "vs.", "versus"):
        return [k for k in places if units[k].low != "and"]
    return [_middle(units, places)]


def _people(units: Sequence[Unit], comma: int, last: int) -> bool:
    """Tell whether "A B, C D or E F" lists full names: an "or" list with two words or more on each side."""
    return units[last].low == "or" and comma >= 2 and last - comma > 2 and units[0].low != "the"


def _middle(units: Sequence[Unit], places: Sequence[int]) -> int:
    """Return the joiner that leaves the sides most alike: same first word, then length, then the last joiner."""

    def unlike(k: int) -> tuple[bool, int, int]:
        left, right = _strip(units[:k]), _strip(units[k + 1 :])
        same = bool(left and right) and left[0].low == right[0].low
        return not same, abs(len(left) - len(right)), -k

    return min(places, key=unlike)
