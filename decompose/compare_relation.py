"""Compared things that are reached over a relation: "the director of A", "A's mother", "has the older director"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .compare_measure import Clause, base, low, measured, tag
from .lexicon import is_person, is_word
from .phrases import folding, relational, role
from .sentence import BE, DO, HAVE, MODALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .compare_things import Thing
    from .render import Piece
    from .sentence import Sentence

_RELATIVE = frozenset({"who", "that", "which"})
_PERSONS = frozenset("someone somebody person people one man woman individual".split())
_FINITE = frozenset("died lived won earned came went".split())  # tagged as participles at times
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_BODIES = frozenset("capital capitals company publisher label studio band network team bank university".split())
_APPOSED = frozenset("city state town republic kingdom island province county village university month isle".split())


@dataclass(frozen=True, slots=True)
class Relation:
    """A look-up: `before` THING `after`. `noun` is what it asks for, in lower case."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    noun: str


def relation(sent: Sentence, noun: Sequence[int], *, singular: bool = True) -> Relation:
    """Return the look-up "Who is the <noun> of THING?"."""
    head = sent[noun[-1]]
    said = head.lemma if singular and head.tag in ("NNS", "NNPS") else head.low
    word = "Who" if is_person(said) else "What"
    return Relation((word, "is", "the", *noun[:-1], said, "of"), (), said)


def finite(sent: Sentence, rest: Sequence[Piece], *, sure: bool = False) -> Clause | None:
    """Read the words after a subject: auxiliary and the rest, or a finite verb and the rest.

    `sure` says that the first word is a verb whatever its tag.
    """
    if not rest:
        return None
    first = low(sent, rest[0])
    participle = any(tag(sent, p) in ("VBN", "VBD") for p in rest[1:3])
    if first in BE | MODALS or (first in HAVE and participle and low(sent, rest[1]) != "the"):
        return Clause(rest[0], tuple(rest[1:]))
    if tag(sent, rest[0]) in _FINITE_TAGS | {"VBN", "VB"} or first in HAVE or sure:
        return Clause(None, tuple(rest))
    return None


def inner(sent: Sentence, clause: Clause) -> tuple[Relation, Clause] | None:
    """Take the relation out of a clause: what it asks of each thing, then of what it found there."""
    rest = clause.rest
    if rest and low(sent, rest[0]) in HAVE and (clause.aux is None or low(sent, clause.aux) in DO):
        read = _modified(sent, rest[1:])
        if read is None:
            return None
        noun, inside = read
        return relation(sent, noun), inside
    by = next((k for k, p in enumerate(rest) if low(sent, p) == "by"), None)
    if by and clause.aux is not None and low(sent, clause.aux) in BE and tag(sent, rest[by - 1]) in ("VBN", "VBD"):
        read = _modified(sent, rest[by + 1 :], agent=True)
        if read is not None:
            return Relation(("Who", clause.aux), rest[: by + 1], "person"), read[1]
    return None


def _modified(sent: Sentence, pieces: Sequence[Piece], *, agent: bool = False) -> tuple[list[int], Clause] | None:
    """Read a noun phrase whose modifiers compare: (noun, clause about it), or None."""
    at = 1 if pieces and low(sent, pieces[0]) in ("the", "a", "an", "their", "its") else 0
    start = at
    while at < len(pieces) and tag(sent, pieces[at]) in ("JJ", "JJR", "JJS", "RBR", "RBS", "NN", "NNS", "VBG", "HYPH"):
        at += 1
    noun = [p for p in pieces[start:at] if isinstance(p, int) and sent[p].tag in ("NN", "NNS")]
    if not noun or any(low(sent, p) == "same" for p in pieces[:at]):
        return None
    before = [p for p in pieces[start:at] if p not in noun]
    tail, known = pieces[at:], agent or entity(sent, noun[-1])
    if before and not tail and (agent or found(sent, noun[-1])):
        if any(base(sent, p) for p in before) or (len(before) > 1 and low(sent, before[0]) in ("more", "most", "less", "least")):
            return noun, Clause("is", tuple(before))
    inside = _tail(sent, tail, known=known)
    if inside is None or measured(sent, inside) is None:
        return None
    return noun, inside


def _tail(sent: Sentence, tail: Sequence[Piece], *, known: bool) -> Clause | None:
    """Read what follows the noun: a relative clause, a participle, a bare verb, a preposition."""
    if not tail:
        return None
    first, kind = low(sent, tail[0]), tag(sent, tail[0])
    if first in _RELATIVE and len(tail) > 1:
        return finite(sent, tail[1:])
    if first in _FINITE or kind == "VBD" and first != "born":
        return Clause(None, tuple(tail))
    if kind in ("VBN", "VBD") or first == "born":
        return Clause("was", tuple(tail))
    if first in BE | HAVE or (kind in _FINITE_TAGS and known):
        return finite(sent, tail)
    if first == "with" and known:
        return Clause("does", ("have", *tail[1:]))
    return Clause("is", tuple(tail)) if kind == "IN" and known else None


def entity(sent: Sentence, head: int) -> bool:
    """Tell whether "the N of X" is a person, body or place to be found, not a measure of X."""
    word = sent[head].low
    singular = sent[head].lemma
    if role(sent, head) or any(is_word(name, w) for name in ("kin", "place") for w in (word, singular)):
        return True
    if word in ("capital", "capitals"):
        return True
    return relational(sent, head) and not folding(sent, head)


def found(sent: Sentence, head: int) -> bool:
    """Tell whether the noun is surely someone or something to look up, also as "a bigger N"."""
    word = sent[head].low
    return role(sent, head) or is_word("kin", word) or is_word("place", word) or word in _BODIES


def lookup(sent: Sentence, thing: Thing) -> tuple[Piece, ...] | None:
    """Return the question that finds a described thing, () for a named one, None where it is described twice."""
    words = list(thing.words)
    marks = [k for k in range(1, len(words)) if _mark(sent, words, k)]
    if not marks:
        return ()
    at = marks[0]
    head = words[at - 1] if sent[words[at]].tag != "POS" else words[-1]
    if not entity(sent, head) and sent[words[at]].low not in _RELATIVE:
        return ()
    if len(marks) > 1:
        return None
    if sent[words[at]].tag == "POS" or sent[words[at]].tag == "IN":
        if sent[words[at]].low == "of" and sent[head].low in _APPOSED:
            return ()
        article = [] if sent[words[0]].tag in ("DT", "PRP$") or sent[words[at]].tag == "POS" else ["the"]
        return ("Who" if is_person(sent[words[at - 1] if not sent[head].noun else head].low) else "What", "is", *article, thing.text)
    return _relative_question(sent, words, at)


def _mark(sent: Sentence, words: Sequence[int], k: int) -> bool:
    """Tell whether the word at k begins a description of the noun before it."""
    node, before = sent[words[k]], sent[words[k - 1]]
    if node.word.atom:
        return False
    if node.tag == "POS":
        return k + 1 < len(words) and sent[words[-1]].noun and not sent[words[-1]].anchor
    if not before.noun or before.anchor:
        return False
    if node.low in ("of", "in", "at", "for", "behind") and node.tag == "IN":
        return k + 1 < len(words) and (node.low == "of" or role(sent, words[k - 1]))
    return (node.low in _RELATIVE or node.tag == "VBN") and k + 1 < len(words)


def _relative_question(sent: Sentence, words: Sequence[int], at: int) -> tuple[Piece, ...] | None:
    """Return the relative or participial clause as a question about its noun."""
    head = words[at - 1]
    noun = [i for i in words[:at] if sent[i].tag != "DT"]
    asked: list[Piece] = ["Who"] if sent[head].low in _PERSONS else ["Which" if is_person(sent[head].low) else "What", *noun]
    rest = list(words[at + 1 :])
    if sent[words[at]].tag == "VBN":
        return (*asked, "was", *words[at:])
    if sent[rest[0]].tag in _FINITE_TAGS or sent[rest[0]].low in BE | HAVE:
        return (*asked, *rest)
    verb = next((k for k, i in enumerate(rest) if sent[i].tag in ("VBD", "VBZ", "VBP", "VBN", "VB")), None)
    if verb is None:
        return None
    node = sent[rest[verb]]
    if node.low in BE | HAVE | MODALS | DO:
        return (*asked, rest[verb], *rest[:verb], *rest[verb + 1 :])
    aux = "does" if node.tag == "VBZ" else "do" if node.tag in ("VBP", "VB") else "did"
    return (*asked, aux, *rest[:verb], node.lemma, *rest[verb + 1 :])
