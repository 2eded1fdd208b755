"""Comparisons: one ordered tuple of named rules; the first that reads the question gives its hops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .compare_asking import low, predicate
from .compare_frames import plain, uncased
from .compare_measure import measured
from .compare_relation import lookup
from .compare_rules import COMPARISONS
from .render import answer_type, question, third_person
from .sentence import BE

if TYPE_CHECKING:
    from .compare_asking import Asking
    from .compare_frames import Reading
    from .compare_things import Thing
    from .plan import AnswerType
    from .render import Piece
    from .sentence import Sentence

__all__ = ["COMPARISONS", "CompareHop", "Compared", "compare"]

ComparisonKind = Literal["comparison", "bridge_comparison"]
_SETTING_ASIDE = frozenset("besides along apart aside except excluding including like unlike".split())
_SIGNS = frozenset("and or than before after as with vs vs. versus differ different compare".split())
_AGREE = {"are": "is", "were": "was", "do": "does", "have": "has"}


@dataclass(frozen=True, slots=True)
class CompareHop:
    """A hop: its text, what its answer is, and the indices of the words that it took over, ascending."""

    text: str
    answer_type: AnswerType | None
    covers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison: its kind, the rule that read it, why, and its hops (look-ups first, in the things' order)."""

    kind: ComparisonKind
    rule: str
    reason: str
    hops: tuple[CompareHop, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    """What a hop asks about: a thing's text or a reference."""

    text: str
    plural: bool
    words: tuple[int, ...]


def compare(sent: Sentence, source: str) -> Compared | None:
    """Return the comparison that the sentence asks for, or None where no rule reads one.

    `source` is the question as given, for the spelling of names.
    """
    if not any(plain(sent, n.i, _SIGNS) or " and " in n.low for n in sent.nodes):
        return None
    if any(n.low == "(" and sent[n.i + 1].low in ("and", "or") for n in sent.nodes[:-1]):
        # A bracket that belongs to no name interrupts the sentence.
        return None
    if sent[0].low in _SETTING_ASIDE:
        # "Besides A and the maker of B, who else ...": named, but not compared.
        return None
    for rule in COMPARISONS:
        reading = rule.read(sent, source)
        finds = _finds(sent, reading) if reading else None
        if reading and all(t.text.isdigit() for t in reading.things):
            # "between 1901 and 1934" is a time.
            return None
        if reading and finds:
            return _compared(sent, source, rule.name, reading, finds)
    return None


def _finds(sent: Sentence, reading: Reading) -> list[tuple[Piece, ...]] | None:
    """Return the look-up of each thing, () for one that is named. None where only some need one."""
    over = reading.relation
    if over:
        return [(*over.before, t.text, *over.after) for t in reading.things]
    finds = [lookup(sent, t) for t in reading.things]
    if uncased(sent, 1, len(sent)) and len({_opening(t) for t in reading.things}) > 1:
        # "the fox in winter or the house of salt": without capitals only like descriptions are told from titles.
        return [() for _ in finds]
    if any(f is None for f in finds) or len({bool(f) for f in finds}) > 1:
        return None
    return [f or () for f in finds]


def _opening(thing: Thing) -> str:
    """Return what a description opens with: its noun, or the possessor's mark."""
    words = thing.text.lower().split()
    return "'s" if any(w.endswith("'s") for w in words[:-1]) else next((w for w in words if w != "the"), "")


def _compared(sent: Sentence, source: str, rule: str, reading: Reading, finds: list[tuple[Piece, ...]]) -> Compared:
    hops, slots = [], []
    noun = reading.relation.noun if reading.relation else ""
    for number, (thing, pieces) in enumerate(zip(reading.things, finds, strict=True), 1):
        if pieces:
            said = question(sent, pieces, source)
            hops.append(CompareHop(said, answer_type(low(sent, pieces[0]), noun), _covers(pieces, thing.words)))
        slots.append(_Slot(f"#{number}", False, ()) if pieces else _Slot(thing.text, thing.plural, thing.words))
    asking = reading.asking
    asked = asking if asking.front else measured(sent, asking)
    for slot in slots:
        words = _ask(sent, asked or asking, slot, whole=asked is None)
        answer = (asked or asking).answer or _answer(sent, asking)
        hops.append(CompareHop(question(sent, words, source), answer, _covers(words, slot.words)))
    kind: ComparisonKind = "bridge_comparison" if finds[0] else "comparison"
    names = ", ".join(t.text for t in reading.things)
    return Compared(kind, rule, f"{kind.replace('_', ' ')} of {names}", tuple(hops))


def _covers(pieces: tuple[Piece, ...] | list[Piece], words: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({p for p in pieces if isinstance(p, int)} | set(words)))


def _answer(sent: Sentence, asking: Asking) -> AnswerType | None:
    """Return what the question's own opening words ask for ("in which country")."""
    word = next((p for p in asking.front if isinstance(p, int) and sent[p].tag in ("WP", "WDT", "WRB")), None)
    if word is None:
        return None
    noun = low(sent, asking.front[-1]) if asking.front[-1] != word else ""
    return answer_type(sent[word].low, noun)


def _ask(sent: Sentence, asking: Asking, slot: _Slot, *, whole: bool) -> list[Piece]:
    """Return the clause asked of one thing; `whole`: as a yes/no question, since it measures nothing."""
    rest, aux = list(asking.rest), asking.aux
    if asking.declarative:
        if aux is None:
            return [slot.text, _singular_verb(sent, rest[0], slot), *rest[1:]]
        return [slot.text, _agree(sent, aux, slot), *predicate(sent, rest)]
    if aux is None:
        aux, rest = _supported(sent, rest, slot)
    if whole and low(sent, aux) in BE:
        rest = predicate(sent, rest)
    if aux == 0 and asking.front:
        aux = sent[0].low  # no longer the first word
    return [*asking.front, _agree(sent, aux, slot), *asking.pre, slot.text, *rest]


def _agree(sent: Sentence, verb: Piece, slot: _Slot) -> Piece:
    """Return the auxiliary as one thing takes it."""
    return verb if slot.plural else _AGREE.get(low(sent, verb), verb)


def _singular_verb(sent: Sentence, verb: Piece, slot: _Slot) -> Piece:
    present = isinstance(verb, int) and sent[verb].tag in ("VBP", "VB", "NN") and not slot.plural
    return third_person(sent[verb].lemma) if present and isinstance(verb, int) else verb


def _supported(sent: Sentence, rest: list[Piece], slot: _Slot) -> tuple[Piece, list[Piece]]:
    """Return (did, does or do; the rest with its verb's base form)."""
    first = rest[0]
    if isinstance(first, str):
        return "does", rest
    node = sent[first]
    if node.low in ("has", "have") or node.tag in ("VBZ", "VBP", "VB", "NNS"):
        return ("do" if slot.plural else "does"), [node.lemma, *rest[1:]]
    return "did", [node.lemma, *rest[1:]]
