"""What the frames of a comparison share: where a thing ends, which things form a group, what is asked of a subject."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .compare_asking import Asking, base, low
from .compare_measure import measured
from .compare_relation import Relation, entity, finite, inner, relation
from .compare_things import Thing, things
from .sentence import BE, DO, HAVE, MODALS, NOUN_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .render import Piece
    from .sentence import Sentence

AUX = (BE | DO | HAVE | MODALS) - {"'s", "'re"}
OR = frozenset({"or", "vs", "vs.", "versus"})
AND = frozenset({"and"})
WH = frozenset("who which what whose".split())
WH_ANY = WH | frozenset("where when how whom".split())
BOTH = frozenset("both all each too also".split())
SEPARATORS = frozenset(", : ; - – —".split())
_NO_NAMES = frozenset({"RB", "IN", "MD", "PRP"})
ASK = frozenset({"me", "know", "say", "tell", "wonder"})
_WITHIN = frozenset({"of", "in", "at", "for"})
_OWNERS = frozenset({"her", "his", "its", "their"})
_LISTS = frozenset("all these three four five six last".split())


@dataclass(frozen=True, slots=True)
class Group:
    """Compared things; `noun` and `of` where all are reached over one noun ("the directors of A and B")."""

    things: tuple[Thing, ...]
    noun: tuple[int, ...] = ()
    of: str = "of"


@dataclass(frozen=True, slots=True)
class Reading:
    """A comparison as read: its things, what is asked of each, and the relation that each is reached over."""

    things: tuple[Thing, ...]
    asking: Asking
    relation: Relation | None = None


def plain(sent: Sentence, i: int, words: frozenset[str]) -> bool:
    """Tell whether word i is one of `words` and no name."""
    return sent[i].low in words and not sent[i].word.atom


def uncased(sent: Sentence, lo: int, hi: int) -> bool:
    """Tell whether words lo..hi have no capital, so that only their tags can tell names from the rest."""
    return not any(n.word.text[:1].isupper() for n in sent.nodes[lo:hi])


def embedded(sent: Sentence) -> int:
    """Return where the subject of an indirect question starts: "can you tell me whether A is ..."; else 0."""
    marks = (i for i in range(1, min(7, len(sent))) if plain(sent, i, frozenset({"whether", "if"})))
    return next((i + 1 for i in marks if any(plain(sent, k, ASK) for k in range(i))), 0)


def many(sent: Sentence) -> bool:
    """Tell whether three or more things are likely: "all", "these", or a superlative rather than a comparative."""
    for node in sent.nodes:
        superlative = node.low.endswith("est") and base(sent, node.i)
        if not node.word.atom and (node.low in _LISTS or superlative or node.low == "most"):
            return True
    return False


def group(
    sent: Sentence, source: str, lo: int, hi: int, joiners: frozenset[str], *, listed: bool = False, after: int = 0
) -> Group | None:
    """Return the things in words lo..hi, or None where they are none. `listed` says that commas part them."""
    spread = distributed(sent, lo, hi, joiners)
    noun, of, lo, hi = spread or ((), "of", lo, hi)
    members = things(sent, source, lo, hi, joiners, many=listed or many(sent), after=after)
    if len(members) < 2 or not _names(sent, members):
        return None
    if noun and of == "'s":
        members, of = unowned(members), "of"
    return Group(members, noun, of)


def unowned(members: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """Return the things without the "'s" that they end in, or the "that of" before them."""
    bare = (m.text.removesuffix("'s").removesuffix("\u2019s").removeprefix("that of ") for m in members)
    return tuple(replace(m, text=text) for m, text in zip(members, bare, strict=True))


def _names(sent: Sentence, members: tuple[Thing, ...]) -> bool:
    """Tell whether no member is a mere verb, adverb or adjective ("wrote or sang", "alive or dead")."""
    if any(plain(sent, m.words[0], _OWNERS) for m in members):
        return False  # "A and her husband"
    alone = [sent[m.words[0]] for m in members if len(m.words) == 1]
    if any(n.tag in _NO_NAMES and not n.anchor for n in alone):
        return False
    return any(sent[i].anchor or sent[i].noun for m in members for i in m.words)


def distributed(
    sent: Sentence, lo: int, hi: int, joiners: frozenset[str]
) -> tuple[tuple[int, ...], str, int, int] | None:
    """Read "the directors of A and B" or "A and B's directors" in words lo..hi.

    Returns (noun, its preposition or "'s", start and end of the things), or None.
    """
    joiner = next((i for i in range(lo, hi) if plain(sent, i, joiners)), hi)
    at = lo
    while at < hi and plain(sent, at, BOTH | {"the", "two"}):
        at += 1
    start = at
    while at < hi and not sent[at].word.atom and sent[at].tag in ("NN", "NNS", "JJ", "VBG", "HYPH"):
        at += 1
    apart = at < hi and any(plain(sent, k, frozenset({sent[at].low})) for k in range(joiner, hi))
    if start < at < joiner and sent[at - 1].low.endswith("s") and plain(sent, at, _WITHIN) and not apart:
        return tuple(range(start, at)), sent[at].low, at + 1, hi
    if joiner < hi and sent[hi - 1].tag == "NNS":
        mark = next((i for i in range(hi - 2, joiner, -1) if sent[i].tag == "POS"), None)
        if mark is not None:
            return tuple(range(mark + 1, hi)), "'s", lo, mark
    return None


def subject_question(sent: Sentence, lo: int, hi: int) -> tuple[Asking, tuple[int, ...]] | None:
    """Read "which N ..." in words lo..hi: the clause asked of each thing, and the noun of "whose N" if any."""
    if lo >= hi or not plain(sent, lo, WH) or any(plain(sent, i, frozenset({"where", "why"})) for i in range(lo, hi)):
        return None
    at = next((i for i in range(lo + 1, hi) if _verb(sent, lo, i, hi)), None)
    # "Which candle burns": the parser takes the verb for a noun.
    at = at or next((i for i in range(lo + 2, hi) if sent[i].tag == "NNS" and not sent[i].anchor), None)
    if at is None:
        return None
    if plain(sent, at, DO):
        asking = _object_question(sent, at, hi)
        return (asking, ()) if asking else None
    found = finite(sent, list(range(at, hi)), sure=True)
    return (tidy(sent, found), _owned(sent, lo, at)) if found else None


def _verb(sent: Sentence, lo: int, i: int, hi: int) -> bool:
    """Tell whether word i is the finite verb after the subject that starts at lo."""
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


def _owned(sent: Sentence, lo: int, at: int) -> tuple[int, ...]:
    """Return the noun after "whose" or "which poem's"; not that of "which children's choir"."""
    for i in range(lo, at - 1):
        single = i > lo and sent[i].low == "'s" and sent[i - 1].tag == "NN"
        if single or plain(sent, i, frozenset({"whose"})):
            return tuple(k for k in range(i + 1, at) if sent[k].tag in NOUN_TAGS | {"JJ"})
    return ()


def _object_question(sent: Sentence, do: int, hi: int) -> Asking | None:
    """Read "which film did A direct first": the thing is the object."""
    verbs = (
        i for i in range(do + 2, hi) if sent[i].tag in ("VB", "VBP") or (sent[i - 1].anchor and not sent[i].anchor)
    )
    verb = next(verbs, None)
    if verb is None:
        return None
    rest = list(range(verb + 1, hi))
    if rest and sent[rest[0]].tag == "RP":
        verb, rest = rest[0], rest[1:]
    asking = Asking(do, tuple(rest), pre=tuple(range(do + 1, verb + 1)))
    return asking if measured(sent, asking) else None


def tidy(sent: Sentence, asking: Asking) -> Asking:
    """Drop "both" and its like, and punctuation at the ends."""
    rest: list[Piece] = [p for p in asking.rest if not (isinstance(p, int) and plain(sent, p, BOTH))]
    while rest and low(sent, rest[-1]) in SEPARATORS:
        rest.pop()
    while rest and low(sent, rest[0]) in SEPARATORS:
        rest.pop(0)
    return replace(asking, rest=tuple(rest))


def related(sent: Sentence, found: Group, asking: Asking, noun: Sequence[int] = ()) -> Reading:
    """Return the reading. What all things are reached over is a relation to look up, or an attribute of them.

    `noun` is that of "whose N" in the question; else the group's own, else one inside the clause counts.
    """
    over = tuple(noun) or found.noun
    members = found.things
    if over and all(m.text.endswith(("'s", "\u2019s")) for m in members):
        members = unowned(members)
    if over and entity(sent, over[-1]):
        return Reading(members, asking, relation(sent, over))
    if over:
        head = sent[over[-1]]
        said: Piece = head.lemma if head.plural else over[-1]
        return Reading(members, replace(asking, pre=(*asking.pre, "the", *over[:-1], said, found.of)))
    within = inner(sent, asking)
    return Reading(members, within[1], within[0]) if within else Reading(members, asking)


def compares(sent: Sentence, asking: Asking) -> bool:
    """Tell whether the clause measures something, itself or over a relation."""
    return measured(sent, asking) is not None or inner(sent, asking) is not None
