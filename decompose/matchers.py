"""What a matcher finds, and the matchers of entities that a noun phrase without a clause describes.

Each tells in a few words where it stopped where it finds nothing. There is one for each rule; those of clauses are
in `clause_matchers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .clauses import asked_by_name, past_tense
from .lexicon import is_word
from .phrases import (
    Phrase,
    anchors,
    definite,
    folding,
    nameable,
    predicative,
    ranked,
    refers,
    relational,
    role,
)

if TYPE_CHECKING:
    from .render import Piece
    from .sentence import Sentence


@dataclass(frozen=True, slots=True)
class Found:
    """A bridge entity.

    covers: the words that the number of its answer replaces. pieces: the question for it. head: its noun, or the
    verb of a clause. keep: words of our own that stand before the number ("in" for a bare where-clause).
    """

    covers: tuple[int, ...]
    pieces: tuple[Piece, ...]
    head: int
    keep: tuple[str, ...] = ()


Match = Found | str


def whole(np: Phrase, pieces: list[Piece]) -> Found:
    """Return the whole phrase with the question for it."""
    return Found(np.all, tuple(pieces), np.head)


def by_name(sent: Sentence, np: Phrase) -> Found:
    """Return the whole phrase, asked for as it stands."""
    return whole(np, asked_by_name(sent, np, past=past_tense(sent, np)))


def possessive(sent: Sentence, np: Phrase) -> Match:
    """Find what somebody or something named has: "Elin Storm's mother"."""
    if np.poss is None:
        return "no possessor"
    if not relational(sent, np.head):
        return "a happening or a part"
    owner = sent.subtree(np.poss)
    if not nameable(sent, np.head, owner):
        return "the possessor is not named"
    if refers(sent, owner) and folding(sent, np.head):
        return "an attribute of another hop's answer"
    return by_name(sent, np)


def of_relation(sent: Sentence, np: Phrase) -> Match:
    """Find what stands in a relation to something named: "the founder of Versus"."""
    of = next((p for p in np.preps if sent[p].low == "of"), None)
    if of is None:
        return "no of"
    if not relational(sent, np.head) or predicative(sent, np.head):
        return "a happening, a part or a predicate"
    if not definite(sent, np) or (np.det is not None and sent[np.det].low != "the"):
        return "not one definite thing"
    if sent[np.head].tag == "NNS" and not role(sent, np.head):
        return "a class, not one thing"
    if np.det is None and not np.before and is_word("complex_preposition", sent[np.head].low):
        return "a complex preposition"
    if any(sent[i].low == "or" for i in np.all):
        return "a choice"
    target = sent.subtree(of)
    if len(target) < 2:
        return "nothing after of"
    if is_word("class_place", sent[np.head].low) and not ranked(sent, np) and sent[of + 1].word.atom:
        return "the class of a name"
    named_target = [i for i in nameable(sent, np.head, target) if sent[i].tag != "CD"]
    if not named_target and not role(sent, np.head) and not ranked(sent, np):
        return "nothing named after of"
    if refers(sent, target) and folding(sent, np.head):
        return "an attribute of another hop's answer"
    return by_name(sent, np)


def compound_role(sent: Sentence, np: Phrase) -> Match:
    """Find a role with a title right before it: "the Paper Moons director"."""
    titles = [i for i in np.before if sent[i].anchor and sent[i].tag != "JJ"]
    if not titles and is_word("creator", sent[np.head].low):
        titles = [i for i in np.before if not sent.cased and sent[i].tag in ("NN", "NNP", "VBG", "JJR", "VBN")]
    article = np.det is not None or (bool(titles) and sent[titles[0]].low.startswith("the "))
    if not titles or not article or titles[-1] < np.head - 2:
        return "no title before the noun"
    if not role(sent, np.head) or predicative(sent, np.head):
        return "no role"
    if refers(sent, titles) and folding(sent, np.head):
        return "an attribute of another hop's answer"
    if (
        sent.cased
        and not sent[titles[-1]].word.atom
        and (titles[0] != np.before[0] or is_word("demonym", sent[titles[-1]].low))
    ):
        return "a people or place, not a title"
    short = replace(np, all=tuple(i for i in np.all if i <= np.head))
    return whole(short, asked_by_name(sent, short, past=False))


def located(sent: Sentence, np: Phrase) -> Match:
    """Find a place by its distance or direction from a named one."""
    if np.det is None or sent[np.det].low != "the":
        return "not one definite thing"
    for kid in sent[np.head].kids:
        if kid > np.head and sent[kid].dep in ("advmod", "npadvmod") and anchors(sent, sent.subtree(kid)):
            base = [i for i in np.all if i <= np.head and i != np.det]
            return whole(np, ["What", *base, "is", *[i for i in np.all if i > np.head]])
    return "no distance or direction"


def prepositional(sent: Sentence, np: Phrase) -> Match:
    """Find a noun that a preposition other than "of" describes: "the caretaker at X"."""
    if np.det is None or sent[np.det].low != "the":
        return "not one definite thing"
    if not relational(sent, np.head):
        return "a happening or a part"
    for prep in np.preps:
        inside = sent.subtree(prep)
        if sent[prep].low == "of" or not sent.kids(prep, "pobj"):
            continue
        first = ranked(sent, np) and sent[np.head].tag != "NNS"
        work = sent[prep].low in ("by", "about") and is_word("class_work", sent[np.head].low)
        strong = role(sent, np.head) or first or work or sent[prep].low in ("with", "behind")
        if strong and (anchors(sent, inside) or sent[prep].low == "with"):
            return by_name(sent, np)
    return "no preposition that says which one"


def superlative(sent: Sentence, np: Phrase) -> Match:
    """Find a noun that a superlative alone describes."""
    if np.det is None or sent[np.det].low != "the" or not ranked(sent, np):
        return "no superlative"
    if sent[np.head].tag == "NNS" or not relational(sent, np.head) or is_word("year", sent[np.head].low):
        return "a class, a happening, a part or a time"
    return by_name(sent, np)
