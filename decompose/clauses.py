"""Relative and participial clauses turned into questions about their head noun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexicon import is_person, is_word
from .render import invert, plural, subject, third_person
from .sentence import AUXILIARIES, BE, WH_TAGS

if TYPE_CHECKING:
    from .phrases import Phrase
    from .render import Piece
    from .sentence import Sentence


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause on a noun.

    pronoun: its relative pronoun or None. lead: the words fronted with it ("in which", "whose wife"). rest: all its
    other words. subject: the head of its own subject or None.
    """

    verb: int
    pronoun: int | None
    lead: tuple[int, ...]
    rest: tuple[int, ...]
    subject: int | None


def clause(sent: Sentence, np: Phrase, verb: int) -> Clause:
    """Read the clause headed by `verb` on the phrase."""
    inside = [i for i in sent.subtree(verb) if i in np.all or i > np.head]
    inside = [i for i in inside if sent[i].low not in (",", "?") or not _edge(inside, i)]
    pronoun = next((i for i in inside[:4] if i < verb and _relative(sent, i, verb)), None)
    if pronoun is None and inside and sent[inside[0]].low == "that" and inside[0] < verb:
        pronoun = inside[0]
    lead: tuple[int, ...] = ()
    if pronoun is not None:
        lead = tuple(i for i in inside if i <= pronoun and sent[i].low != ",")
        if sent[pronoun].tag == "WP$":
            owned = sent[pronoun].head
            lead = tuple(sorted({*lead, *(i for i in sent.subtree(owned) if i <= owned)}))
    rest = tuple(i for i in inside if i not in lead)
    skip = frozenset(lead)
    who = subject(sent, verb, skip)
    # What stands behind the verb of a who-clause is its object, whatever the parser calls it.
    return Clause(verb, pronoun, lead, rest, who if who is None or pronoun is None or who < verb else None)


def _edge(inside: list[int], i: int) -> bool:
    return i in (inside[0], inside[-1])


def _relative(sent: Sentence, i: int, verb: int) -> bool:
    node = sent[i]
    if node.tag in WH_TAGS:
        return not (node.dep == "det" and node.head != verb)
    return node.low == "that" and i < verb and node.dep in ("nsubj", "nsubjpass", "dobj", "pobj", "mark", "det")


def asks(sent: Sentence, np: Phrase, verbs: tuple[int, ...]) -> tuple[str, list[Piece]]:
    """Return (question word, noun words) that ask for the head: ("What", [company]), ("Who", []).

    The noun keeps its modifiers and the prepositional phrases before the clause.
    """
    outside = set(np.all)
    for verb in verbs:
        outside -= set(sent.subtree(verb))
    words: list[Piece] = [i for i in sorted(outside) if i != np.det and sent[i].low != ","]
    low = sent[np.head].low
    if is_word("generic", low) and len(words) == 1:
        return "Who", []
    if words and isinstance(words[0], int) and sent[words[0]].tag == "PRP$":
        return "Which", ["of", *words]
    return ("Which" if is_person(low) else "What"), words


def asked_by_clause(sent: Sentence, np: Phrase, c: Clause) -> tuple[str, list[Piece]] | None:
    """Return (form, question) for a finite relative clause, or None where it has no such reading."""
    word, noun = asks(sent, np, (c.verb,))
    if c.pronoun is not None and sent[c.pronoun].tag == "WP$":
        return _whose(sent, word, noun, c)
    if c.pronoun is not None and sent[c.pronoun].low in ("where", "when"):
        return _where(sent, np, word, noun, c)
    if c.pronoun is not None and len(c.lead) > 1:
        return _fronted(sent, word, noun, c)
    if c.subject is None and c.rest and sent[c.rest[0]].low in ("that", "which", "who", "whom"):
        # A pronoun that found no place in the clause: the parse is not to be trusted.
        return None
    if c.subject is None:
        return "subject", [word, *noun, *_finite(sent, np, c)]
    if is_word("year", sent[np.head].low) and not _gap(sent, c):
        return "when", [_preposition(sent, np), word.lower(), *noun, *invert(sent, c.verb, c.rest)]
    form = "reduced" if c.pronoun is None else "object"
    return form, [word, *noun, *invert(sent, c.verb, c.rest)]


def _gap(sent: Sentence, c: Clause) -> bool:
    """Tell whether the clause lacks an object that its head noun could be."""
    stranded = any(sent[i].dep == "prep" and not sent.kids(i, "pobj", "pcomp") for i in c.rest)
    return stranded or (c.pronoun is not None and sent[c.pronoun].dep in ("dobj", "pobj"))


def _finite(sent: Sentence, np: Phrase, c: Clause) -> list[Piece]:
    """Return the clause of a subject relative as it follows its question word."""
    verb = sent[c.verb]
    has_aux = bool(sent.kids(c.verb, *AUXILIARIES))
    if verb.tag == "VBN" and not has_aux and c.pronoun is None:
        return [passive_be(sent, c.verb, many=plural(sent, np.head)), *c.rest]
    return list(c.rest)


def _whose(sent: Sentence, word: str, noun: list[Piece], c: Clause) -> tuple[str, list[Piece]] | None:
    owned = [i for i in c.lead if i != c.pronoun]
    preps = [i for i in owned if sent[i].dep == "prep" and i < (c.pronoun or 0)]
    owned = [i for i in owned if i not in preps]
    possessor: list[Piece] = [*([word.lower()] if preps else [word]), *noun]
    if not noun:
        possessor = ["whose" if preps else "Whose"]
    else:
        possessor.append("'s")
    head = sent[c.pronoun or 0].head
    if sent[head].dep in ("nsubj", "nsubjpass"):
        return "whose", [*possessor, *owned, *c.rest]
    return "whose", [*preps, *possessor, *owned, *invert(sent, c.verb, c.rest)]


def _where(sent: Sentence, np: Phrase, word: str, noun: list[Piece], c: Clause) -> tuple[str, list[Piece]] | None:
    if c.subject is None:
        return None
    body = invert(sent, c.verb, c.rest)
    if is_word("anywhere", sent[np.head].low) and len(noun) == 1:
        return "where", ["Where", *body]
    if any(sent[i].tag == "IN" and not sent.kids(i, "pobj", "pcomp") and sent[i].dep == "prep" for i in c.rest):
        # "the state where X is from" holds its preposition already.
        return "where", [word, *noun, *body]
    return "where", [_preposition(sent, np), word.lower(), *noun, *body]


def _preposition(sent: Sentence, np: Phrase) -> str:
    low = sent[np.head].low
    return "On" if is_word("on_place", low) else "At" if is_word("at_place", low) else "In"


def _fronted(sent: Sentence, word: str, noun: list[Piece], c: Clause) -> tuple[str, list[Piece]] | None:
    """Ask "In which film did A appear" for "the film in which A appeared"."""
    preps = [i for i in c.lead if i != c.pronoun]
    asked: list[Piece] = ["whom"] if word == "Who" else [word.lower(), *noun]
    if c.subject is None:
        return None
    return "prep", [*preps, *asked, *invert(sent, c.verb, c.rest)]


def passive_be(sent: Sentence, verb: int, *, many: bool) -> str:
    """Return the form of "be" before a participle: the present for lasting states without an agent."""
    agent = any(sent[k].low == "by" for k in sent[verb].kids)
    if is_word("stative", sent[verb].low) and not agent:
        return "are" if many else "is"
    return "were" if many else "was"


def asked_by_participle(sent: Sentence, np: Phrase, c: Clause) -> tuple[str, list[Piece]] | None:
    """Return (form, question) for a participial clause: "the tower designed by E", "the ticket closing X"."""
    word, noun = asks(sent, np, (c.verb,))
    verb = sent[c.verb]
    many = plural(sent, np.head)
    if verb.tag in ("VBN", "VBD"):
        return "passive", [word, *noun, passive_be(sent, c.verb, many=many), *with_be(sent, c, many=many)]
    if verb.tag == "VBG" or verb.low.endswith("ing"):
        finite = verb.lemma if many else third_person(verb.lemma)
        rest = with_be(sent, c, many=many)
        return "active", [word, *noun, *[finite if i == c.verb else i for i in rest]]
    return None


def with_be(sent: Sentence, c: Clause, *, many: bool) -> list[Piece]:
    """Return the rest of a participial clause, with "was" before a past participle joined to it by and."""
    joined = {k for k in sent.kids(c.verb, "conj") if sent[k].tag in ("VBN", "VBD") and sent[c.verb].tag == "VBG"}
    pieces: list[Piece] = []
    for i in c.rest:
        if i in joined:
            pieces.append(passive_be(sent, i, many=many))
        pieces.append(i)
    return pieces


def asked_by_name(sent: Sentence, np: Phrase, *, past: bool) -> list[Piece]:
    """Return "Who is <phrase>?" for a phrase that is best kept whole."""
    joined = any(sent[i].low == "and" and sent[i].head == np.head for i in np.all)
    many = sent[np.head].plural or (joined and not is_person(sent[np.head].low))
    verb = ("were" if many else "was") if past else ("are" if many else "is")
    # An article that opened the question stands inside now.
    words: list[Piece] = [sent[i].low if i == np.det == 0 else i for i in np.all]
    return ["Who" if is_person(sent[np.head].low) else "What", verb, *words]


def past_tense(sent: Sentence, np: Phrase) -> bool:
    """Tell whether a phrase is better asked in the past: "Who was the first king" in a question about the past."""
    ordinal = any(sent[i].low in ("first", "last", "second", "third") for i in np.before)
    superlative = any(sent[i].tag in ("JJS", "RBS") for i in np.before)
    return ordinal and not superlative and any((n.low in BE and n.tag == "VBD") or n.low == "did" for n in sent.nodes)
