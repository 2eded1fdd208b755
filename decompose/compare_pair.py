"""Frames that pair: "are A and B both ...", "what do A and B share", "A and B are in which state"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .compare_asking import Asking, low
from .compare_frames import (
    AND,
    AUX,
    BOTH,
    OR,
    WH_ANY,
    Group,
    Reading,
    embedded,
    group,
    plain,
    related,
    tidy,
    uncased,
)
from .compare_measure import shared
from .compare_members import member_end
from .compare_relation import finite
from .compare_things import whole
from .lexicon import is_person, is_word
from .sentence import BE, VERB_TAGS

if TYPE_CHECKING:
    from .sentence import Sentence

_PREPOSITION = re.compile(r" (?:from|in|on|at|by|for) ")
_CUES = frozenset("both same different all each share shared common alike respectively".split())
_LEADS = frozenset("the that who share shared attend originate come came live work ,".split())
# What is true of each of two people, never of the pair.
_EACH = frozenset("born die died dead alive live lived buried".split())
_DIFFER = frozenset("difference differences distinction similarities similarity contrast".split())
_APART = frozenset("differ different compare compared".split())
_SINGULAR = frozenset("is was does has".split())


def paired(sent: Sentence, source: str) -> Reading | None:
    """Compare the joined subjects of a yes/no question: "are A and B both American"."""
    hi, lo = sent.end, embedded(sent) or 1
    if lo == 1 and not plain(sent, 0, AUX):
        return None
    end = _pair_end(sent, lo, hi)
    found = group(sent, source, lo, end, AND) if end else None
    if found is None:
        return None
    found, said = _parted(found) if end >= hi else (found, ())
    inside = finite(sent, list(range(end, hi))) if lo > 1 else None
    asking = tidy(sent, inside or Asking(0, (*range(end, hi), *said)))
    if not _of_each(sent, low(sent, asking.aux), end, hi):
        return None
    if not asking.rest:
        return None
    reading = related(sent, found, asking)
    return None if reading.relation is None and _identity(sent, reading.asking) else reading


def _parted(found: Group) -> tuple[Group, tuple[str, ...]]:
    """Part a predicate of capitalised words from the last name that it runs into ("are A and B from Asia")."""
    last = found.things[-1]
    split = _PREPOSITION.search(last.text)
    if split is None:
        return found, ()
    shorter = replace(last, text=last.text[: split.start()])
    return replace(found, things=(*found.things[:-1], shorter)), (last.text[split.start() + 1 :],)


def _pair_end(sent: Sentence, lo: int, hi: int) -> int:
    """Return where the pair's last member ends, or 0 where nothing is paired."""
    joiner = next((i for i in range(lo, hi) if plain(sent, i, AND)), None)
    if joiner is None:
        joiner = next((i - 1 for i in range(lo, hi) if sent[i].word.atom and " and " in sent[i].word.text), None)
    if joiner is None:
        return 0
    if uncased(sent, lo, hi):
        end = _before_same(sent, joiner + 2, hi)
        if end:
            return end
    end = member_end(sent, joiner + 1, hi)
    while end + 1 < hi and (plain(sent, end, AND) or (sent[end].low == "," and plain(sent, end + 1, AND))):
        end = member_end(sent, end + 1 + (sent[end].low == ","), hi)
    # "both A and B films have": a class noun behind the names.
    behind = end + 1 < hi and sent[end].tag == "NNS" and sent[end + 1].tag in ("VB", "VBP", "VBD", "MD")
    return end + 1 if behind else end


def _before_same(sent: Sentence, lo: int, hi: int) -> int:
    """Return where the predicate around "both" or "the same" starts, or 0 where neither stands behind lo.

    Without capitals names have any tags; the words before "the same" are known.
    """
    both = next((i for i in range(lo, hi) if plain(sent, i, frozenset({"both"}))), 0)
    same = next((i for i in range(hi - 1, lo, -1) if plain(sent, i, frozenset({"same"}))), 0)
    start = both or same
    while start > lo and _leads(sent, start - 1):
        start -= 1
    return start


def _leads(sent: Sentence, i: int) -> bool:
    """Tell whether word i may stand between the things and "the same": "have the owners who are from"."""
    node = sent[i]
    return plain(sent, i, _LEADS | AUX) or node.tag in ("IN", "VBN") or (node.tag == "NNS" and is_person(node.low))


def _of_each(sent: Sentence, aux: str, end: int, hi: int) -> bool:
    """Tell whether the predicate holds of each: a cue, or a plural copula without a reciprocal predicate."""
    for i in range(end, hi):
        if plain(sent, i, OR) or (plain(sent, i, frozenset({"than"})) and sent[i + 1].tag != "CD"):
            return False
    both = any(plain(sent, n.i, frozenset({"both"})) for n in sent.nodes)
    cued = _cued(sent, 1, end)
    mutual = any(is_word("reciprocal", sent[i].low) for i in range(end, hi))
    if mutual and not both and not any(plain(sent, i, frozenset({"same", "different"})) for i in range(end, hi - 1)):
        return False
    if cued or any(sent[i].low in _EACH for i in range(end, hi)):
        return both or aux not in _SINGULAR
    return aux in ("are", "were")


def _cued(sent: Sentence, lo: int, end: int) -> bool:
    """Tell whether a word outside of the things at lo..end says that each is asked about."""
    return any(plain(sent, i, _CUES) for i in range(len(sent)) if i <= lo or i >= end)


def _identity(sent: Sentence, asking: Asking) -> bool:
    """Tell whether it asks if two names are one thing ("are A and B the same person")."""
    lows = [low(sent, p) for p in asking.rest]
    if "same" not in lows:
        return False
    if shared(sent, asking) is None:
        return True
    if lows[:2] != ["the", "same"] or low(sent, asking.aux) not in BE or len(lows) != 3:
        return False
    return is_person(lows[-1]) or not (is_word("attribute", lows[-1]) or lows[-1] in ("height", "kind", "type"))


def asked_of_both(sent: Sentence, source: str) -> Reading | None:
    """Compare the joined subjects of a wh-question: "what nationality do A and B share"."""
    hi = sent.end
    wh = next((i for i in range(min(2, hi)) if plain(sent, i, WH_ANY)), None)
    aux = next((i for i in range(wh + 1, hi) if plain(sent, i, AUX)), None) if wh is not None else None
    if wh is None or aux is None or any(sent[i].tag in VERB_TAGS and not sent[i].word.atom for i in range(wh, aux)):
        return None
    end = _pair_end(sent, aux + 1, hi)
    each = _cued(sent, aux + 1, end) or any(plain(sent, i, _EACH) for i in range(end, hi))
    if end == 0 or not each or any(plain(sent, i, WH_ANY) for i in range(aux + 1, end)):
        return None
    if end >= hi and not plain(sent, aux + 1, BOTH):
        return None
    found = group(sent, source, aux + 1, end, AND)
    asking = tidy(sent, Asking(aux, tuple(range(end, hi)), front=tuple(range(aux))))
    lows = [low(sent, p) for p in asking.rest]
    if found is None or "same" in lows:
        return None
    if lows[-2:] == ["in", "common"] or lows[:1] == ["share"]:
        asking = _common(sent, asking, lows)
    return related(sent, found, asking)


def _common(sent: Sentence, asking: Asking, lows: list[str]) -> Asking:
    """Ask for the N of each ("what N do A and B share / have in common"), else what each is."""
    noun = asking.front[1:]
    if not noun or low(sent, noun[-1]) in ("nationality", "ethnicity"):
        return replace(asking, aux="is", rest=())
    return replace(asking, rest=asking.rest[:-2] if lows[-1] == "common" else ("have", *asking.rest[1:]))


def declared(sent: Sentence, source: str) -> Reading | None:
    """Compare the subjects of a statement with a question word: "A and B are both in which state"."""
    hi = sent.end
    if plain(sent, 0, WH_ANY | AUX):
        return None
    wh = next((i for i in range(1, hi) if plain(sent, i, WH_ANY)), None)
    end = _pair_end(sent, 0, hi)
    if wh is None or end == 0 or end >= wh or not _cued(sent, 0, end):
        return None
    found = group(sent, source, 0, end, AND)
    asking = finite(sent, [i for i in range(end, hi) if not plain(sent, i, BOTH | {","})], sure=True)
    if found is None or found.noun or asking is None:
        return None
    if asking.aux is None and low(sent, asking.rest[0]) == "share":
        asking = replace(asking, aux="has", rest=asking.rest[1:])
    return Reading(found.things, replace(asking, declarative=True))


def difference(sent: Sentence, source: str) -> Reading | None:
    """Ask what sets things apart: "what is the difference between A and B", "how does A differ from B"."""
    hi = sent.end
    asked = Asking("is", (), front=("What",))
    if plain(sent, 0, frozenset({"compare"})):
        found = group(sent, source, 1, hi, AND)
        return related(sent, found, asked) if found else None
    mark = next((i for i in range(hi) if plain(sent, i, frozenset({"between"}))), None)
    word = next((i for i in range(hi) if plain(sent, i, _DIFFER)), None)
    if word is None or mark is None or word > mark:
        return _differs(sent, source, hi, asked)
    found = group(sent, source, mark + 1, hi, AND)
    if found is None:
        return None
    if mark > word + 2 and plain(sent, word + 1, frozenset({"in"})):
        asked = replace(asked, pre=("the", *range(word + 2, mark), "of"))
    return related(sent, found, asked)


def _differs(sent: Sentence, source: str, hi: int, asked: Asking) -> Reading | None:
    verb = next((i for i in range(hi) if plain(sent, i, _APART)), None)
    if verb is None or verb < 3 or not plain(sent, 0, frozenset({"how"})) or not plain(sent, 1, AUX):
        return None
    if verb + 2 < hi and plain(sent, verb + 1, frozenset({"from", "to", "with"})):
        first, second = whole(sent, source, 2, verb), whole(sent, source, verb + 2, hi)
        return related(sent, Group((first, second)), asked) if first and second else None
    found = group(sent, source, 2, verb, AND)
    return related(sent, found, asked) if found and verb + 1 == hi else None
