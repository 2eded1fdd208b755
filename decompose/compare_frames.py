"""The frames of a comparison: where in the question its things stand, and what is asked of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .compare_measure import Clause, amount, base, degree, equal, low, measured, moment, predicate, shared, when
from .compare_relation import Relation, entity, finite, inner, relation
from .compare_things import Thing, things, whole
from .lexicon import is_word
from .sentence import BE, DO, HAVE, MODALS, VERB_TAGS, is_person

if TYPE_CHECKING:
    from .render import Piece
    from .sentence import Sentence

AUX = BE | DO | HAVE | MODALS
_OR = frozenset({"or", "vs", "vs.", "versus"})
_AND = frozenset({"and"})
_EITHER = _OR | _AND
_WH = frozenset("who which what whose".split())
_WH_ANY = _WH | frozenset("where when how whom".split())
_BOTH = frozenset("both all each too also".split())
_CUES = frozenset("both same all each share common".split())
_SEPARATORS = frozenset(", : ; - – —".split())
_PARTITIVE = frozenset("between among of from".split())
_MANY = frozenset("all three four five six".split())


@dataclass(frozen=True, slots=True)
class Reading:
    """A comparison as read: its things, what is asked of each, and the relation that each is reached over."""

    things: tuple[Thing, ...]
    clause: Clause
    relation: Relation | None = None


def end_of(sent: Sentence) -> int:
    """Return the place of the final question mark."""
    return len(sent) - 1 if len(sent) and sent[len(sent) - 1].low == "?" else len(sent)


def _plain(sent: Sentence, i: int, words: frozenset[str]) -> bool:
    return sent[i].low in words and not sent[i].word.atom


def _many(sent: Sentence) -> bool:
    """Tell whether three or more things are likely: "all", or a superlative rather than a comparative."""
    return any(
        _plain(sent, n.i, _MANY) or (n.low.endswith("est") and base(sent, n.i) and n.tag in ("JJS", "RBS"))
        for n in sent.nodes
        if not n.word.atom
    )


def lead_in(sent: Sentence) -> int:
    """Return where the question proper starts: after "tell me", "can you say", "do you know whether"."""
    for i in range(min(6, len(sent) - 1)):
        if _plain(sent, i, frozenset({"me", "know", "say"})) and _plain(sent, i + 1, _WH_ANY | {"whether", "if"}):
            return i + 1
    return 0


def subject_question(sent: Sentence, lo: int, hi: int) -> tuple[Clause, list[int]] | None:
    """Read "which N ..." in words lo..hi: the clause asked of each thing, and the noun of "whose N" if any."""
    if lo >= hi or not _plain(sent, lo, _WH):
        return None
    at = next((i for i in range(lo + 1, hi) if _verb(sent, lo, i, hi)), None)
    if at is None:
        return None
    if _plain(sent, at, DO):
        clause = _object_question(sent, at, hi)
        return (clause, []) if clause else None
    clause = finite(sent, [i for i in range(at, hi)])
    return (_tidy(sent, clause), _owned(sent, lo, at)) if clause else None


def _verb(sent: Sentence, lo: int, i: int, hi: int) -> bool:
    node = sent[i]
    if node.word.atom:
        return False
    if node.low in AUX:
        return True
    if node.tag not in ("VBD", "VBZ", "VBP", "VBN", "VB"):
        return False
    later = any(sent[k].low in AUX and not sent[k].word.atom for k in range(i + 1, hi))
    if node.tag in ("VBN", "VB") and i > lo + 1 and later:
        return False
    nominal = i + 1 < hi and sent[i + 1].noun and not sent[i + 1].anchor
    return not (nominal and later)


def _owned(sent: Sentence, lo: int, at: int) -> list[int]:
    """Return the noun after "whose" or "which film's" when it is someone or something to look up."""
    for i in range(lo, at - 1):
        if _plain(sent, i, frozenset({"whose"})) or (sent[i].tag == "POS" and i > lo):
            noun = [k for k in range(i + 1, at) if sent[k].tag in ("NN", "NNS", "JJ", "NNP")]
            if noun and (sent[i].low == "whose" and entity(sent, noun[-1]) or is_person(sent[noun[-1]].low)):
                return noun
    return []


def _object_question(sent: Sentence, do: int, hi: int) -> Clause | None:
    """Read "which film did A direct first": the thing is the object."""
    verb = next((i for i in range(do + 1, hi) if sent[i].tag in ("VB", "VBP")), None)
    if verb is None or verb == do + 1:
        return None
    rest = list(range(verb + 1, hi))
    if rest and sent[rest[0]].tag == "RP":
        verb, rest = rest[0], rest[1:]
    clause = Clause(do, tuple(rest), pre=tuple(range(do + 1, verb + 1)))
    return clause if measured(sent, clause) else None


def _tidy(sent: Sentence, clause: Clause) -> Clause:
    rest = [p for p in clause.rest if not (low(sent, p) in _BOTH and tag_free(sent, p))]
    while rest and low(sent, rest[-1]) in _SEPARATORS:
        rest.pop()
    while rest and low(sent, rest[0]) in _SEPARATORS:
        rest.pop(0)
    return replace(clause, rest=tuple(rest))


def tag_free(sent: Sentence, piece: Piece) -> bool:
    return isinstance(piece, int) and not sent[piece].word.atom


def _related(sent: Sentence, members: tuple[Thing, ...], clause: Clause, noun: list[int]) -> Reading:
    """Return the reading, its relation taken out of the clause or from "whose N"."""
    if noun:
        return Reading(members, clause, relation(sent, noun))
    found = inner(sent, clause)
    return Reading(members, found[1], found[0]) if found else Reading(members, clause)
