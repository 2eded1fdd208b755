"""What the frames of a comparison share: where a thing ends, and what a question asks of its subject."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .compare_measure import Clause, base, low, measured
from .compare_relation import Relation, entity, finite, inner, relation
from .lexicon import is_person
from .sentence import BE, DO, HAVE, MODALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .compare_things import Thing
    from .render import Piece
    from .sentence import Sentence

AUX = BE | DO | HAVE | MODALS
OR = frozenset({"or", "vs", "vs.", "versus"})
AND = frozenset({"and"})
WH = frozenset("who which what whose".split())
WH_ANY = WH | frozenset("where when how whom".split())
BOTH = frozenset("both all each too also".split())
SEPARATORS = frozenset(", : ; - – —".split())
_MANY = frozenset("all three four five six".split())
_RELATIVE = frozenset({"who", "that", "which"})
_VERBS = frozenset({"VB", "VBD", "VBZ", "VBP", "VBN", "MD"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A comparison as read: its things, what is asked of each, and the relation that each is reached over."""

    things: tuple[Thing, ...]
    clause: Clause
    relation: Relation | None = None


def plain(sent: Sentence, i: int, words: frozenset[str]) -> bool:
    """Tell whether word i is one of `words` and no name."""
    return sent[i].low in words and not sent[i].word.atom


def end_of(sent: Sentence) -> int:
    """Return the place of the final question mark."""
    return len(sent) - 1 if len(sent) and sent[len(sent) - 1].low == "?" else len(sent)


def many(sent: Sentence) -> bool:
    """Tell whether three or more things are likely: "all", or a superlative rather than a comparative."""
    return any(
        plain(sent, n.i, _MANY) or (n.low.endswith("est") and base(sent, n.i) and n.tag in ("JJS", "RBS"))
        for n in sent.nodes
        if not n.word.atom
    )


def lead_in(sent: Sentence) -> int:
    """Return where the question proper starts: after "tell me", "can you say", "do you know whether"."""
    for i in range(min(6, len(sent) - 1)):
        if plain(sent, i, frozenset({"me", "know", "say"})) and plain(
            sent, i + 1, WH_ANY | {"whether", "if"}
        ):
            return i + 1
    return 0


def subject_question(sent: Sentence, lo: int, hi: int) -> tuple[Clause, list[int]] | None:
    """Read "which N ..." in words lo..hi: the clause asked of each thing, and the noun of "whose N" if any."""
    if lo >= hi or not plain(sent, lo, WH):
        return None
    if any(plain(sent, i, frozenset({"where", "when", "how", "why"})) for i in range(lo + 1, hi)):
        return None
    at = next((i for i in range(lo + 1, hi) if _verb(sent, lo, i, hi)), None)
    # "Which metal melts": the parser takes the verb for a noun.
    at = at or next((i for i in range(lo + 2, hi) if sent[i].tag == "NNS" and not sent[i].anchor), None)
    if at is None:
        return None
    if plain(sent, at, DO):
        clause = _object_question(sent, at, hi)
        return (clause, []) if clause else None
    clause = finite(sent, list(range(at, hi)), sure=True)
    return (tidy(sent, clause), _owned(sent, lo, at)) if clause else None


def _verb(sent: Sentence, lo: int, i: int, hi: int) -> bool:
    node = sent[i]
    if node.word.atom or node.tag == "POS" or node.low == "'s":
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
        if plain(sent, i, frozenset({"whose"})) or (sent[i].low in ("'s", "'") and i > lo):
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


def tidy(sent: Sentence, clause: Clause) -> Clause:
    """Drop "both" and its like, and punctuation at the ends."""
    rest = [p for p in clause.rest if not (isinstance(p, int) and plain(sent, p, BOTH))]
    while rest and low(sent, rest[-1]) in SEPARATORS:
        rest.pop()
    while rest and low(sent, rest[0]) in SEPARATORS:
        rest.pop(0)
    return replace(clause, rest=tuple(rest))


def related(sent: Sentence, members: tuple[Thing, ...], clause: Clause, noun: list[int]) -> Reading:
    """Return the reading, its relation taken out of the clause or from "whose N"."""
    if noun:
        return Reading(members, clause, relation(sent, noun))
    found = inner(sent, clause)
    return Reading(members, found[1], found[0]) if found else Reading(members, clause)


def member_end(sent: Sentence, at: int, hi: int) -> int:
    """Return where the noun phrase that starts at word `at` ends and its predicate begins (`hi` at most)."""
    i, relative = at, False
    while i < hi and not sent[i].anchor:
        if plain(sent, i, _RELATIVE) and i > at and sent[i - 1].noun:
            relative = True
        elif relative and sent[i].tag in _VERBS:
            relative = False
        elif i > at and opens(sent, i, hi):
            return i
        i += 1
    while i < hi:
        after = _more_name(sent, i, hi)
        if after == i:
            return i
        i = after
    return hi


def _more_name(sent: Sentence, i: int, hi: int) -> int:
    """Return the end of what continues a name at word i ("'s mother", "of the Nile"), or i."""
    if sent[i].anchor:
        return i + 1
    following = sent[i + 1] if i + 1 < hi else None
    if following is None:
        return i
    if sent[i].tag == "POS":
        end = i + 1
        while end < hi and sent[end].tag in ("NN", "NNS", "JJ") and not opens(sent, end, hi):
            end += 1
        return end
    if sent[i].low in (",", "of") and following.anchor:
        return i + 2
    if sent[i].low == "of" and following.low == "the" and i + 2 < hi and sent[i + 2].anchor:
        return i + 3
    return i


def opens(sent: Sentence, i: int, hi: int) -> bool:
    """Tell whether word i opens a predicate or parts two things."""
    node = sent[i]
    if node.word.atom:
        return False
    following = sent[i + 1].low if i + 1 < hi else ""
    if node.low in BOTH | AUX | AND | OR | {"same", "share", ","} or (
        node.low == "the" and following == "same"
    ):
        return True
    if node.tag in _VERBS or node.tag in ("RB", "RBR", "RBS", "JJR", "JJS", "TO", "WDT", "WP"):
        return True
    if node.tag == "IN":
        return node.low != "of"
    if node.low in ("a", "an"):
        return True
    return node.tag == "JJ" and not any(sent[k].noun for k in range(i + 1, min(hi, i + 3)))


def distributed(sent: Sentence, lo: int, hi: int) -> tuple[list[int], int, int, int] | None:
    """Read "the directors of A and B" or "A and B's directors" in words lo..hi.

    Returns (noun, its preposition or -1, start and end of the things), or None.
    """
    joiner = next((i for i in range(lo, hi) if plain(sent, i, AND)), None)
    at = lo
    while at < hi and plain(sent, at, BOTH | {"the", "two"}):
        at += 1
    start = at
    while at < hi and not sent[at].word.atom and sent[at].tag in ("NN", "NNS", "JJ", "VBG", "HYPH"):
        at += 1
    noun = list(range(start, at))
    if (
        noun
        and at < hi
        and (sent[at - 1].tag == "NNS" or sent[at - 1].low.endswith("s"))
        and sent[at].tag == "IN"
        and (joiner is None or at < joiner)
    ):
        if joiner is None or not any(plain(sent, k, frozenset({sent[at].low})) for k in range(joiner, hi)):
            return noun, at, at + 1, hi
    if sent[hi - 1].tag == "NNS" and joiner is not None:
        mark = next((i for i in range(hi - 2, joiner, -1) if sent[i].tag == "POS"), None)
        if mark is not None:
            return list(range(mark + 1, hi)), -1, lo, mark
    return None
