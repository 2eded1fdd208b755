"""Compared things that are reached over a relation: "the director of A", "A's mother", "has the older director"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .compare_asking import Asking, base, low, tag
from .compare_measure import measured
from .lexicon import is_person, is_word
from .phrases import role
from .sentence import BE, DO, FINITE_TAGS, HAVE, MODALS, RELATIVES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .compare_things import Thing
    from .render import Piece
    from .sentence import Sentence

_PERSONS = frozenset("someone somebody person people one man woman individual".split())
# Roles that many hold at once: "the tallest player" of a team is no relation of it.
_SHARED = frozenset("member player character student employee star actor actress citizen resident".split())
_PAST = frozenset("died lived won earned came went".split())  # tagged as participles at times
_BODIES = frozenset("capital company publisher label studio band network team bank university".split())
_APPOSED = frozenset("city state town republic kingdom island province county village university month isle".split())
_INSIDE = frozenset("of in at for behind".split())


@dataclass(frozen=True, slots=True)
class Relation:
    """A look-up: `before` THING `after`. `noun` is what it asks for, in lower case."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    noun: str


def relation(sent: Sentence, noun: Sequence[int]) -> Relation:
    """Return the look-up "Who is the <noun> of THING?"; a plural noun is asked for as a singular."""
    head = sent[noun[-1]]
    plural = head.plural
    short = head.word.text.removesuffix("s")
    said: Piece = (short if short.isupper() else head.lemma) if plural else noun[-1]
    word = "Who" if is_person(head.low) else "What"
    return Relation((word, "is", "the", *noun[:-1], said, "of"), (), head.lemma if plural else head.low)


def entity(sent: Sentence, head: int) -> bool:
    """Tell whether "the N of X" is a person, body, place or work to be found, not a measure or part of X."""
    return looked_up(sent, head) or is_word("class", sent[head].lemma + "s")


def looked_up(sent: Sentence, head: int) -> bool:
    """Tell whether the noun is surely someone or something to look up, also in "a bigger N"."""
    word, lemma = sent[head].low, sent[head].lemma
    if is_person(word) or is_word("kin", lemma) or lemma in _BODIES:
        return True
    return any(is_word("place", w) and not is_word("attribute", w) for w in (word, lemma))


def finite(sent: Sentence, rest: Sequence[Piece], *, sure: bool = False) -> Asking | None:
    """Read the words after a subject: auxiliary and the rest, or a finite verb and the rest.

    `sure` says that the first word is a verb whatever its tag.
    """
    if not rest:
        return None
    first = low(sent, rest[0])
    participle = any(tag(sent, p) in ("VBN", "VBD") for p in rest[1:3])
    if first in BE | MODALS or (first in HAVE and participle and low(sent, rest[1]) != "the"):
        return Asking(rest[0], tuple(rest[1:]))
    if tag(sent, rest[0]) in FINITE_TAGS | {"VBN", "VB"} or first in HAVE or sure:
        return Asking(None, tuple(rest))
    return None


def inner(sent: Sentence, asking: Asking) -> tuple[Relation, Asking] | None:
    """Take the relation out of a clause: what it asks of each thing, then of what it found there."""
    rest = asking.rest
    if rest and low(sent, rest[0]) in HAVE and (asking.aux is None or low(sent, asking.aux) in DO):
        read = _modified(sent, rest[1:])
        return (relation(sent, read[0]), read[1]) if read else None
    by = next((k for k, p in enumerate(rest) if low(sent, p) == "by"), None)
    if by and low(sent, asking.aux) in BE and tag(sent, rest[by - 1]) in ("VBN", "VBD"):
        read = _modified(sent, rest[by + 1 :], agent=True)
        if read is not None:
            return Relation(("Who", asking.aux or "was"), rest[: by + 1], "person"), read[1]
    return None


def _modified(sent: Sentence, pieces: Sequence[Piece], *, agent: bool = False) -> tuple[list[int], Asking] | None:
    """Read a noun phrase whose modifiers compare, as (noun, clause about it), or None.

    `agent`: the noun is who did it, so that any noun will do.
    """
    start = 1 if pieces and low(sent, pieces[0]) in ("the", "a", "an", "their", "its") else 0
    at = start
    while at < len(pieces) and _nominal(sent, pieces[at]):
        at += 1
    noun = [p for p in pieces[start:at] if isinstance(p, int) and sent[p].tag in ("NN", "NNS", "NNP")]
    if not noun or any(low(sent, p) == "same" for p in pieces[:at]):
        return None
    before, tail = [p for p in pieces[start:at] if p not in noun], pieces[at:]
    head = sent[noun[-1]]
    sure = (agent or looked_up(sent, noun[-1])) and head.lemma not in _SHARED
    if before and not tail:
        more = len(before) > 1 and low(sent, before[0]) in ("more", "most", "less", "least")
        compares = more or any(base(sent, p) for p in before)
        return (noun, Asking("is", tuple(before))) if sure and compares else None
    inside = _tail(sent, tail, known=agent or entity(sent, noun[-1]))
    if inside is None:
        return None
    person = sure and is_person(head.low) and not before
    return (noun, inside) if person or measured(sent, inside) else None


def _nominal(sent: Sentence, piece: Piece) -> bool:
    named = isinstance(piece, int) and sent[piece].anchor and not is_person(sent[piece].low)
    return not named and tag(sent, piece) in (
        "JJ",
        "JJR",
        "JJS",
        "RBR",
        "RBS",
        "NN",
        "NNS",
        "NNP",
        "VBG",
        "HYPH",
    )


def _tail(sent: Sentence, tail: Sequence[Piece], *, known: bool) -> Asking | None:
    """Read what follows the noun: a relative clause, a participle, a bare verb, a preposition."""
    if not tail:
        return None
    first, kind = low(sent, tail[0]), tag(sent, tail[0])
    if first in RELATIVES and len(tail) > 1:
        return finite(sent, tail[1:])
    if first in _PAST or (kind == "VBD" and first != "born"):
        return Asking(None, tuple(tail))
    if kind in ("VBN", "VBD") or first == "born":
        return Asking("was", tuple(tail))
    if first in BE | HAVE or (kind in FINITE_TAGS and known):
        return finite(sent, tail)
    if first == "with" and known:
        return Asking("does", ("have", *tail[1:]))
    return Asking("is", tuple(tail)) if (kind == "IN" and known and first != "of") or _of_same(sent, tail) else None


def _of_same(sent: Sentence, tail: Sequence[Piece]) -> bool:
    return low(sent, tail[0]) == "of" and any(low(sent, p) in ("same", "different") for p in tail[1:3])


def lookup(sent: Sentence, thing: Thing) -> tuple[Piece, ...] | None:
    """Return the question that finds a described thing, () for a named one, None where it is described twice."""
    words = list(thing.words)
    if len(words) == 1:
        return _titled(sent, thing)
    marks = [k for k in range(1, len(words)) if _mark(sent, words, k)]
    if not marks:
        return ()
    at = marks[0]
    mark = sent[words[at]]
    owned = mark.tag == "POS"
    head = words[-1] if owned else words[at - 1]
    if mark.low not in RELATIVES and mark.tag != "VBN" and not entity(sent, head):
        return ()
    if mark.low == "of" and sent[head].low in _APPOSED:
        return ()
    if len(marks) > 1:
        return None
    if owned or mark.tag == "IN":
        article = [] if owned or sent[words[0]].tag in ("DT", "PRP$") else ["the"]
        return ("Who" if is_person(sent[head].low) else "What", "is", *article, thing.text)
    return _relative_question(sent, words, at)


def _titled(sent: Sentence, thing: Thing) -> tuple[Piece, ...]:
    """Read an office in capitals that runs into the name: "(the) CEO of Acme"."""
    office, of, _ = thing.text.partition(" of ")
    word = office.removeprefix("the ")
    if sent[thing.words[0]].word.atom and of and word.isupper() and is_person(word.lower()):
        return ("Who", "is", *(["the"] if word == office else []), thing.text)
    return ()


def _mark(sent: Sentence, words: Sequence[int], k: int) -> bool:
    """Tell whether the word at k begins a description of the noun before it."""
    node, before = sent[words[k]], sent[words[k - 1]]
    if node.word.atom or k + 1 == len(words):
        return False
    if node.tag == "POS":
        return sent[words[-1]].noun and not sent[words[-1]].word.atom
    if not before.noun or (before.anchor and not is_person(before.low)):
        return False
    if node.low in _INSIDE and node.tag == "IN":
        return node.low == "of" or role(sent, words[k - 1])
    return node.low in RELATIVES or node.tag == "VBN"


def _relative_question(sent: Sentence, words: Sequence[int], at: int) -> tuple[Piece, ...] | None:
    """Return the relative or participial clause as a question about its noun."""
    head = sent[words[at - 1]]
    noun = [i for i in words[:at] if sent[i].tag != "DT"]
    asked: list[Piece] = ["Who"] if head.low in _PERSONS else ["Which" if is_person(head.low) else "What", *noun]
    if sent[words[at]].tag == "VBN":
        return (*asked, "was", *words[at:])
    rest = list(words[at + 1 :])
    first = sent[rest[0]]
    if first.tag in FINITE_TAGS or first.low in BE | HAVE or not (first.anchor or first.tag in ("DT", "PRP", "PRP$")):
        return (*asked, *rest)
    verb = next((k for k, i in enumerate(rest) if sent[i].tag in FINITE_TAGS | {"VBN", "VB"}), None)
    if verb is None:
        return None
    node = sent[rest[verb]]
    if node.low in BE | HAVE | MODALS | DO:
        return (*asked, rest[verb], *rest[:verb], *rest[verb + 1 :])
    aux = "does" if node.tag == "VBZ" else "do" if node.tag in ("VBP", "VB") else "did"
    return (*asked, aux, *rest[:verb], node.lemma, *rest[verb + 1 :])
