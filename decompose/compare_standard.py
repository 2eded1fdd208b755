"""Frames that hold one thing against another: "is A older than B", "was A released before B", "the same N as B"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .compare_asking import Asking, base
from .compare_frames import AND, AUX, OR, Group, Reading, embedded, group, plain, related, tidy, unowned
from .compare_measure import amount, degree, equal, moment, shared, when
from .compare_members import member_end
from .compare_relation import finite, inner
from .compare_things import Thing, whole
from .lexicon import is_word
from .sentence import FINITE_TAGS, RELATIVES, VERB_TAGS

if TYPE_CHECKING:
    from .sentence import Sentence

_THAN = frozenset({"than"})
_TIMES = frozenset({"before", "after"})
_AS = frozenset({"as", "with"})
_NO_THINGS = frozenset("PRP PRP$ CD VBG IN WRB EX".split())
_NORMS = frozenset("average ever expected normal usual well".split())
_EVENTS = frozenset("war battle revolution era century christmas noon midnight".split())


def than(sent: Sentence, source: str) -> Reading | None:
    """Hold one thing against another by degree: "is A older than B", "does A have more N than B"."""
    found = _held(sent, source, _THAN)
    if found is None:
        return None
    pair, asking = found
    if inner(sent, asking):
        return related(sent, pair, asking)
    for read in (moment, amount, degree):
        asked = read(sent, asking)
        if asked:
            return related(sent, pair, asked)
    return None


def as_well(sent: Sentence, source: str) -> Reading | None:
    """Hold one thing against another by likeness: "does A have the same N as B", "is A as tall as B"."""
    found = _held(sent, source, _AS)
    if found is None:
        return None
    pair, asking = found
    asked = shared(sent, asking) or equal(sent, asking)
    return related(sent, pair, asked) if asked else None


def before(sent: Sentence, source: str) -> Reading | None:
    """Hold one thing against another in time: "was A released before B"."""
    found = _held(sent, source, _TIMES)
    if found is None:
        return None
    pair, asking = found
    first = pair.things[0]
    if sent[first.words[0]].tag in _NO_THINGS or len({_sort(sent, t) for t in pair.things}) > 1:
        return None
    return related(sent, pair, when(sent, asking, asking.rest))


def _sort(sent: Sentence, thing: Thing) -> tuple[bool, bool]:
    """Return (named, a happening): things of different sorts have no date in common."""
    lows = [w.lower() for w in thing.text.split()]
    happening = any(w in _EVENTS or is_word("month", w) or is_word("event", w) for w in lows)
    return any(sent[i].anchor for i in thing.words), happening


def _held(sent: Sentence, source: str, marks: frozenset[str]) -> tuple[Group, Asking] | None:
    """Return the things around the mark, and what is asked of the first."""
    hi, inside = sent.end, embedded(sent)
    lo = inside or _first(sent)
    mark = next((i for i in range(hi - 2, lo, -1) if plain(sent, i, marks)), None)
    if lo == 0 or mark is None:
        return None
    end = _first_end(sent, lo, mark)
    last = hi - 1 if plain(sent, hi - 1, AUX) and hi - 1 > mark + 1 else hi
    asking = Asking(lo - 1, (*range(1, lo - 1), *range(end, mark)))
    if inside:
        asking = finite(sent, list(range(end, mark))) or asking
    first, second = whole(sent, source, lo, end), whole(sent, source, mark + 1, last)
    if first is None or second is None or not _thing(sent, first) or not _thing(sent, second):
        return None
    return _grouped(sent, source, first, second), tidy(sent, asking)


def _grouped(sent: Sentence, source: str, first: Thing, second: Thing) -> Group:
    """Return the two things; the second may be a list, or leave out what the first owns ("A's N than B's")."""
    start, stop = second.words[0], second.words[-1] + 1
    mark = next((k for k, i in enumerate(first.words) if sent[i].tag == "POS"), 0)
    if mark and sent[stop - 1].tag == "POS":
        owner = whole(sent, source, first.words[0], first.words[mark])
        return Group((owner or first, *unowned((second,))), first.words[mark + 1 :])
    more = group(sent, source, start, stop, OR | AND)
    return Group((first, *more.things)) if more and not more.noun else Group((first, second))


def _first(sent: Sentence) -> int:
    """Return where the first thing starts: after an auxiliary, or after "how much older is"; else 0."""
    if plain(sent, 0, AUX):
        return 1
    if plain(sent, 0, frozenset({"how"})):
        return next((i + 1 for i in range(2, min(7, len(sent))) if plain(sent, i, AUX)), 0)
    return 0


def _first_end(sent: Sentence, lo: int, mark: int) -> int:
    """Return where the first thing ends. Without a name in it, it reaches up to what compares."""
    end = member_end(sent, lo, mark)
    if any(sent[i].anchor for i in range(lo, end)):
        return end
    start = next((i for i in range(lo + 1, mark) if _measures(sent, lo, i)), mark if lo > 1 else end)
    # "the director of alien | from the same country"
    return start - 1 if sent[start - 1].tag == "IN" and sent[start - 1].low != "of" and start - 1 > lo else start


def _measures(sent: Sentence, lo: int, i: int) -> bool:
    node = sent[i]
    if node.tag in VERB_TAGS - {"VBG"}:
        return not any(plain(sent, k, RELATIVES) for k in range(lo, i)) or sent[i - 1].low not in RELATIVES
    return bool(base(sent, i)) or node.low in ("more", "less", "fewer", "the", "as")


def _thing(sent: Sentence, thing: Thing) -> bool:
    """Tell whether it is a thing: no number, date, pronoun or clause."""
    words = [sent[i] for i in thing.words]
    if words[0].tag in _NO_THINGS and not words[0].word.atom:
        return False
    if not any(n.noun or n.anchor or n.tag in ("JJ", "VBN") for n in words) or thing.text.lower() in _NORMS:
        return False
    relative = any(n.low in RELATIVES for n in words)
    clause = any(n.tag in FINITE_TAGS and not n.word.atom for n in words)
    return relative or not clause or not any(n.anchor for n in words)
