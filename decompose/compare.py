"""Comparisons: one ordered tuple of named rules; the first that reads the question gives its hops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .compare_choice import either, listed_first, listed_last, standard
from .compare_frames import plain
from .compare_measure import low, measured, predicate
from .compare_pair import asked_of_both, declared, difference, paired
from .compare_relation import lookup
from .render import answer_type, question, third_person
from .sentence import BE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .compare_frames import Reading
    from .compare_measure import Clause
    from .compare_things import Thing
    from .plan import AnswerType
    from .render import Piece
    from .sentence import Sentence

ComparisonKind = Literal["comparison", "bridge_comparison"]
_SIGNS = frozenset("and or than before after as vs vs. versus differ different compare".split())
_AGREE = {"are": "is", "were": "was", "do": "does", "have": "has"}


@dataclass(frozen=True, slots=True)
class CompareHop:
    """A hop: its text, what its answer is, and the indices of the words that it took over."""

    text: str
    answer_type: AnswerType | None
    covers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison: its kind, the rule that read it, why, and its hops (look-ups first)."""

    kind: ComparisonKind
    rule: str
    reason: str
    hops: tuple[CompareHop, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One way to compare. `example`: a question and its hops; `leaves_alone`: a near miss."""

    name: str
    kind: ComparisonKind
    about: str
    read: Callable[[Sentence, str], Reading | None]
    example: tuple[str, tuple[str, ...]]
    leaves_alone: str


def _rule(
    name: str, read: Callable[[Sentence, str], Reading | None], example, leaves_alone: str
) -> Comparison:
    return Comparison(name, "comparison", read.__doc__ or "", read, example, leaves_alone)


COMPARISONS: tuple[Comparison, ...] = (
    _rule("difference", difference, ("", ()), ""),
    _rule("listed_last", listed_last, ("", ()), ""),
    _rule("listed_first", listed_first, ("", ()), ""),
    _rule("either", either, ("", ()), ""),
    _rule("standard", standard, ("", ()), ""),
    _rule("paired", paired, ("", ()), ""),
    _rule("asked_of_both", asked_of_both, ("", ()), ""),
    _rule("declared", declared, ("", ()), ""),
)


def compare(sent: Sentence, source: str, *, lower: bool) -> Compared | None:
    """Return the comparison that the sentence asks for, or None where no rule reads one."""
    if not any(plain(sent, n.i, _SIGNS) or " and " in n.low for n in sent.nodes):
        return None
    for rule in COMPARISONS:
        reading = rule.read(sent, source)
        if reading is not None:
            found = _compared(sent, source, rule, reading, lower=lower)
            if found is not None:
                return found
    return None


def _compared(
    sent: Sentence, source: str, rule: Comparison, reading: Reading, *, lower: bool
) -> Compared | None:
    finds = _finds(sent, reading)
    if finds is None:
        return None
    clause = reading.clause
    asked = measured(sent, clause) if not clause.front else clause
    names = ", ".join(t.text for t in reading.things)
    hops = []
    for thing, pieces in zip(reading.things, finds, strict=True):
        if pieces:
            said = question(sent, pieces, source, lower=lower)
            noun = reading.relation.noun if reading.relation else ""
            hops.append(CompareHop(said, answer_type(pieces[0].lower(), noun), _covers(thing, pieces)))
    for number, thing in enumerate(reading.things, 1):
        slot = (
            Slot(f"#{number}", False, ())
            if finds[number - 1]
            else Slot(thing.text, thing.plural, thing.words)
        )
        pieces = ask(sent, asked or clause, slot, measured=asked is not None)
        answer = (asked or clause).answer or _answer(sent, clause)
        hops.append(CompareHop(question(sent, pieces, source, lower=lower), answer, _covers(None, pieces)))
    kind: ComparisonKind = "bridge_comparison" if finds[0] else "comparison"
    reason = f"{kind.replace('_', ' ')} of {names}"
    return Compared(kind, rule.name, reason, tuple(hops))


@dataclass(frozen=True, slots=True)
class Slot:
    text: str
    plural: bool
    words: tuple[int, ...]


def _covers(thing: Thing | None, pieces: Sequence[Piece]) -> tuple[int, ...]:
    own = {p for p in pieces if isinstance(p, int)}
    return tuple(sorted(own | set(thing.words if thing else ())))


def _finds(sent: Sentence, reading: Reading) -> list[tuple[Piece, ...]] | None:
    """Return the look-up of each thing, () for one that is named. None where only some need one."""
    if reading.relation:
        return [(*reading.relation.before, t.text, *reading.relation.after) for t in reading.things]
    finds = [lookup(sent, t) for t in reading.things]
    if any(f is None for f in finds) or len({bool(f) for f in finds}) > 1:
        return None
    return [f or () for f in finds]


def _answer(sent: Sentence, clause: Clause) -> AnswerType | None:
    """Return what the question's own opening words ask for ("in which country")."""
    word = next((p for p in clause.front if isinstance(p, int) and sent[p].tag in ("WP", "WDT", "WRB")), None)
    if word is None:
        return None
    noun = low(sent, clause.front[-1]) if clause.front[-1] != word else ""
    return answer_type(sent[word].low, noun)


def ask(sent: Sentence, clause: Clause, slot: Slot, *, measured: bool) -> list[Piece]:
    """Return the clause asked of one thing."""
    rest, aux = list(clause.rest), clause.aux
    if clause.declarative:
        verb = aux if aux is not None else None
        if verb is None:
            first, rest = rest[0], rest[1:]
            verb = (
                third_person(sent[first].lemma)
                if isinstance(first, int) and sent[first].tag == "VBP" and not slot.plural
                else first
            )
        return [slot.text, _agree(sent, verb, slot), *predicate(sent, rest)]
    if aux is None:
        aux, rest = _supported(sent, rest, slot)
    if not measured and low(sent, aux) in BE:
        rest = predicate(sent, rest)
    if aux == 0 and clause.front:
        aux = sent[0].low
    return [*clause.front, _agree(sent, aux, slot), *clause.pre, slot.text, *rest]


def _agree(sent: Sentence, verb: Piece, slot: Slot) -> Piece:
    return verb if slot.plural else _AGREE.get(low(sent, verb), verb)


def _supported(sent: Sentence, rest: list[Piece], slot: Slot) -> tuple[Piece, list[Piece]]:
    """Return (did, does or do; the rest with its verb's base form)."""
    first = rest[0]
    if isinstance(first, str):
        return "does", rest
    node = sent[first]
    if node.low in ("has", "have") or node.tag in ("VBZ", "VBP", "VB"):
        return ("do" if slot.plural else "does"), [node.lemma, *rest[1:]]
    return "did", [node.lemma, *rest[1:]]
