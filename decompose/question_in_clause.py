"""A question word in the clause on a noun: the noun is the bridge entity.

"X opens onto a square that has how many trees?" finds the square first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clauses import clause
from .condition_hops import statement
from .conditions import Conditions, UnknownRule
from .phrases import phrase
from .sentence import CLAUSES

if TYPE_CHECKING:
    from .asked import Asked
    from .conditions import Hops
    from .phrases import Phrase
    from .render import Piece
    from .sentence import Sentence

# What stands for the answer of the hop before.
ANSWER = "#"


def question_in_clause(sent: Sentence, ask: Asked, number: int) -> Conditions | None:
    """Return the two hops of a question asked in the clause on a noun, the first one with that number."""
    hops = QUESTION_IN_CLAUSE.read(sent, ask)
    if hops is None:
        return None
    told = tuple(tuple(f"#{number}" if piece == ANSWER else piece for piece in hop) for hop in hops)
    return Conditions(QUESTION_IN_CLAUSE.name, told)


def _in_clause(sent: Sentence, ask: Asked) -> Hops | None:
    """Read "X opens onto a square that has how many trees?": the noun of the clause is the bridge entity."""
    if ask.word is None or ask.initial or sent[ask.word - 1].low == ",":
        return None
    verb = next((a for a in sent.ancestors(ask.word) if sent[a].dep in CLAUSES and sent[a].tag[:2] == "VB"), None)
    if verb is None:
        return _in_phrase(sent, ask.word)
    if not sent[sent[verb].head].noun or sent[verb].head > ask.word:
        return None
    np = phrase(sent, sent[verb].head)
    c = clause(sent, np, verb)
    if c.subject is not None or (sent[np.head].dep == "attr" and sent[np.head].head == sent.root):
        return None
    main = _asked_for(sent, np, set(sent.subtree(verb)))
    if main is None:
        return None
    body = statement(sent, np, verb, (ANSWER,), list(c.rest), has_pronoun=c.pronoun is not None, own=None)
    return main, body


def _in_phrase(sent: Sentence, word: int) -> Hops | None:
    """Read "a poem by a miller from what valley": the noun that the preposition describes is the bridge entity."""
    asked_noun = sent[word].head if sent[word].dep == "det" else word
    prep = sent[sent[asked_noun].head]
    noun = sent[prep.head]
    described = prep.low in ("from", "in", "near") and noun.noun and not noun.anchor and noun.dep in ("pobj", "dobj")
    if not described or prep.i != noun.i + 1 or prep.i > word:
        return None
    np = phrase(sent, noun.i)
    main = _asked_for(sent, np, set(sent.subtree(prep.i)))
    if main is None or np.det is None or sent[np.det].low not in ("a", "an"):
        return None
    return main, (ANSWER, "is", *sent.subtree(prep.i))


def _asked_for(sent: Sentence, np: Phrase, gone: set[int]) -> tuple[Piece, ...] | None:
    """Return the question with "what" for the phrase's article and without the words gone, or None without a verb."""
    kept = [n.i for n in sent.nodes if n.i not in gone]
    if np.det is None or not any(sent[i].tag[:2] in ("VB", "MD") for i in kept):
        return None
    return tuple("what" if i == np.det else i for i in kept)


QUESTION_IN_CLAUSE = UnknownRule(
    "question_in_clause",
    "The question word stands in the clause on a noun, and the noun is the bridge entity.",
    (
        "The Amber Arcade opens onto a square that has how many trees?",
        ("The Amber Arcade opens onto what square?", "#1 has how many trees?"),
    ),
    "The Amber Arcade opens onto which square?",
    _in_clause,
)
