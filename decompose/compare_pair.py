"""Frames that pair: "are A and B both ...", "what do A and B share", "A and B are in which state"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .compare_frames import (
    AND,
    AUX,
    BOTH,
    OR,
    WH_ANY,
    Reading,
    distributed,
    end_of,
    many,
    member_end,
    plain,
    related,
    tidy,
)
from .compare_measure import Clause, low, predicate, shared
from .compare_relation import entity, finite, inner, relation
from .compare_things import things, whole
from .lexicon import is_person, is_word
from .phrases import folding
from .sentence import BE, VERB_TAGS

if TYPE_CHECKING:
    from .compare_things import Thing
    from .sentence import Sentence

_CUES = frozenset("both same all each share shared common alike respectively".split())
# What is true of each of two people, never of the pair.
_EACH = frozenset("born die died dead alive live lived buried".split())
_DIFFER = frozenset("difference differences distinction similarities similarity contrast".split())


def _cued(sent: Sentence, lo: int, end: int) -> bool:
    """Tell whether a word outside of the things at lo..end says that each is asked about."""
    outside = [i for i in range(len(sent)) if i <= lo or i >= end]
    return any(plain(sent, i, _CUES) for i in outside)


def _pair(
    sent: Sentence, source: str, lo: int, hi: int, *, end: int = 0
) -> tuple[tuple[Thing, ...], int, Clause | None, list[int]]:
    """Return (things, end, clause part, relation noun) of the pair that starts at word lo, and ends at `end` if given."""
    end = end or _pair_end(sent, lo, hi)
    spread = distributed(sent, lo, end) if end else None
    if spread is None:
        members = things(sent, source, lo, end, AND, many=many(sent)) if end else ()
        return members, end, None, []
    noun, prep, start, stop = spread
    members = things(sent, source, start, stop, AND, many=many(sent))
    if prep < 0:
        members = tuple(replace(m, text=m.text.removesuffix("'s")) for m in members)
    if entity(sent, noun[-1]):
        return members, end, None, noun
    of = sent[prep].low if prep >= 0 else "of"
    part = Clause(None, (), pre=("the", *noun[:-1], sent[noun[-1]].lemma, of))
    return members, end, part, []


def _pair_end(sent: Sentence, lo: int, hi: int) -> int:
    """Return where the pair's last member ends, or 0 where nothing is paired."""
    joiner = next((i for i in range(lo, hi) if plain(sent, i, AND)), None)
    if joiner is None:
        joiner = next(
            (i - 1 for i in range(lo, hi) if sent[i].word.atom and " and " in sent[i].word.text), None
        )
    if joiner is None:
        return 0
    end = member_end(sent, joiner + 1, hi)
    while end < hi and (plain(sent, end, AND) or (sent[end].low == "," and plain(sent, end + 1, AND))):
        end = member_end(sent, end + 1 + (sent[end].low == ","), hi)
    if end + 1 < hi and sent[end].tag == "NNS" and sent[end + 1].tag in ("VB", "VBP", "VBD", "MD"):
        end += 1
    elif end < hi and sent[end].tag == "NN" and any(sent[i].low == sent[end].low for i in range(lo, joiner)):
        end += 1  # "the Ashby contract and the Corwin contract"
    return end


def paired(sent: Sentence, source: str) -> Reading | None:
    """Read "are (both) A and B ...", "do A and B share ..."."""
    hi = end_of(sent)
    if not plain(sent, 0, AUX):
        return None
    members, end, part, noun = _pair(sent, source, 1, hi)
    if len(members) < 2 or end >= hi:
        return None
    rest = tuple(i for i in range(end, hi))
    if not _distributes(sent, end, rest) or any(plain(sent, i, OR) or _beyond(sent, i) for i in rest):
        return None
    clause = tidy(sent, Clause(0, rest, pre=part.pre if part else ()))
    if not clause.rest:
        return None
    found = related(sent, members, clause, noun)
    return None if found.relation is None and _identity(sent, found.clause) else found


def _beyond(sent: Sentence, i: int) -> bool:
    """Tell whether "than" at i leads to a further thing rather than to a number."""
    return plain(sent, i, frozenset({"than"})) and sent[i + 1].tag != "CD"


def _distributes(sent: Sentence, end: int, rest: tuple[int, ...]) -> bool:
    """Tell whether the predicate holds of each: a cue, or a plural copula without a reciprocal predicate."""
    if any(is_word("reciprocal", sent[i].low) for i in rest) and not any(
        plain(sent, n.i, frozenset({"both", "same"})) for n in sent.nodes
    ):
        return False
    if _cued(sent, 1, end) or any(sent[i].low in _EACH for i in rest):
        return sent[0].low not in ("is", "was", "does", "has") or any(
            plain(sent, n.i, frozenset({"both"})) for n in sent.nodes
        )
    return sent[0].low in ("are", "were")


def _identity(sent: Sentence, clause: Clause) -> bool:
    """Tell whether it asks if two names are one thing ("are A and B the same person")."""
    lows = [low(sent, p) for p in clause.rest]
    if "same" not in lows:
        return False
    found = shared(sent, clause)
    if found is None:
        return True
    head = lows[-1]
    direct = lows[:2] == ["the", "same"] and low(sent, clause.aux) in BE
    return direct and len(lows) == 3 and (is_person(head) or head == "thing" or not _attribute(head))


def _attribute(head: str) -> bool:
    return is_word("attribute", head) or head in (
        "age",
        "height",
        "length",
        "width",
        "color",
        "colour",
        "kind",
        "type",
        "genre",
    )


def asked_of_both(sent: Sentence, source: str) -> Reading | None:
    """Read "what nationality do A and B share", "in which state are A and B both located"."""
    hi = end_of(sent)
    wh = next((i for i in range(min(2, hi)) if plain(sent, i, WH_ANY)), None)
    if wh is None:
        return None
    aux = next((i for i in range(wh + 1, hi) if plain(sent, i, AUX)), None)
    if aux is None:
        return None
    if any(sent[i].tag in VERB_TAGS and not sent[i].word.atom for i in range(wh + 1, aux)):
        return None
    members, end, part, noun = _pair(sent, source, aux + 1, hi)
    if len(members) < 2 or (end >= hi and not any(plain(sent, n.i, BOTH) for n in sent.nodes)):
        return None
    if not (_cued(sent, aux + 1, end) or any(plain(sent, i, _EACH) for i in range(end, hi))):
        return None
    if any(plain(sent, i, WH_ANY) for i in range(aux + 1, end)):
        return None
    front = tuple(range(aux))
    clause = tidy(sent, Clause(aux, tuple(range(end, hi)), pre=part.pre if part else (), front=front))
    lows = [low(sent, p) for p in clause.rest]
    if "same" in lows:
        return None
    if lows[-2:] == ["in", "common"] or lows[:1] == ["share"]:
        clause = _common(sent, clause, lows)
    return Reading(members, clause, relation(sent, noun) if noun else None)


def _common(sent: Sentence, clause: Clause, lows: list[str]) -> Clause:
    """ "what (N) do A and B have in common / share": the N of each, or what each is."""
    noun = clause.front[1:]
    if not noun or low(sent, noun[-1]) in ("nationality", "ethnicity"):
        return replace(clause, aux="is", rest=())
    rest = clause.rest[:-2] if lows[-1] == "common" else ("have", *clause.rest[1:])
    return replace(clause, rest=rest)


def declared(sent: Sentence, source: str) -> Reading | None:
    """Read "A and B are both located in which state": the question word stays in its place."""
    hi = end_of(sent)
    if plain(sent, 0, WH_ANY | AUX):
        return None
    wh = next((i for i in range(1, hi) if plain(sent, i, WH_ANY)), None)
    members, end, part, noun = _pair(sent, source, 0, hi)
    if wh is None or len(members) < 2 or end >= wh or part or noun or not _cued(sent, 0, end):
        return None
    found = finite(sent, [i for i in range(end, hi) if not plain(sent, i, BOTH | {","})])
    if found is None:
        return None
    return Reading(members, replace(found, declarative=True))


def difference(sent: Sentence, source: str) -> Reading | None:
    """Read "what is the difference (in N) between A and B", "how does A differ from B"."""
    hi = end_of(sent)
    asked = Clause("is", (), front=("What",))
    mark = next((i for i in range(hi) if plain(sent, i, frozenset({"between"}))), None)
    if plain(sent, 0, frozenset({"compare"})):
        word, mark = -1, 0
    else:
        word = next((i for i in range(hi) if plain(sent, i, _DIFFER)), None)
    if word is not None and mark is not None and word < mark:
        members, _, part, noun = _pair(sent, source, mark + 1, hi, end=hi)
        if len(members) < 2:
            return None
        pre = part.pre if part else ()
        if mark > word + 2 and plain(sent, word + 1, frozenset({"in"})):
            pre = ("the", *range(word + 2, mark), "of")
        return Reading(members, replace(asked, pre=pre), relation(sent, noun) if noun else None)
    return _differs(sent, source, hi, asked)


def _differs(sent: Sentence, source: str, hi: int, asked: Clause) -> Reading | None:
    verb = next(
        (i for i in range(hi) if plain(sent, i, frozenset({"differ", "different", "compare", "compared"}))),
        None,
    )
    if verb is None or verb < 3 or not plain(sent, 0, frozenset({"how"})) or not plain(sent, 1, AUX):
        return None
    if verb + 2 < hi and plain(sent, verb + 1, frozenset({"from", "to", "with"})):
        first, second = whole(sent, source, 2, verb), whole(sent, source, verb + 2, hi)
        return Reading((first, second), asked) if first and second else None
    members = things(sent, source, 2, verb, AND, many=many(sent))
    return Reading(members, asked) if len(members) > 1 and verb + 1 == hi else None


_ = (predicate, inner, folding, is_person)
