"""The hop of each condition on an unknown, as pieces: what asks for the unknown, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clauses import clause, passive_be
from .render import invert, plural, third_person
from .sentence import AUXILIARIES, BE, FINITE_TAGS, SUBJECTS

if TYPE_CHECKING:
    from .phrases import Phrase
    from .render import Piece
    from .sentence import Sentence


def base_words(sent: Sentence, np: Phrase, verbs: list[int]) -> tuple[Piece, ...]:
    """Return the words that ask for the unknown in each condition: question word, noun, its modifiers."""
    drop: set[int] = set()
    for verb in verbs:
        drop |= set(sent.subtree(verb))
    for prep in np.preps:
        if sent[prep].low == "with":
            drop |= set(sent.subtree(prep))
    kept = [i for i in _with_partners(sent, np) if i not in drop]
    while kept and sent[kept[0]].tag in ("IN", "TO"):
        kept.pop(0)
    while kept and sent[kept[-1]].low in (",", "?"):
        kept.pop()
    return tuple(kept)


def _with_partners(sent: Sentence, np: Phrase) -> list[int]:
    """Return the phrase with nouns coordinated in it that have no article: "paper and ribbon merchant"."""
    words = set(np.all)
    for conj in sent.kids(np.head, "conj"):
        if sent[conj].noun and not sent.kids(conj, "det") and not sent[conj].anchor:
            words |= set(sent.subtree(conj)) | set(sent.kids(np.head, "cc"))
    return sorted(words)


def main_clause(sent: Sentence, np: Phrase, verbs: list[int]) -> list[Piece] | None:
    """Return the question without the clauses on the unknown, or None where nothing is said then."""
    drop: set[int] = set()
    for verb in verbs:
        drop |= set(sent.subtree(verb))
    kept = [n.i for n in sent.nodes if n.i not in drop]
    kept = [i for p, i in enumerate(kept) if not (sent[i].low == "," and _loose(kept, p, np))]
    said = [i for i in kept if i not in np.all and sent[i].low not in (*BE, "?", ",", "the")]
    return list(kept) if said else None


def _loose(kept: list[int], place: int, np: Phrase) -> bool:
    """Tell whether a comma only enclosed a clause that is gone."""
    before = kept[place - 1] if place else -1
    gone = place + 1 < len(kept) and kept[place + 1] != kept[place] + 1
    return gone or kept[place] - 1 != before or kept[place] in np.all


def of_clause(sent: Sentence, np: Phrase, verb: int, base: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """Return the conditions of one clause on the noun; a coordination in it gives several."""
    parts = split_coordination(sent, verb)
    hops: list[tuple[Piece, ...]] = []
    for number, (_, tokens) in enumerate(parts):
        c = clause(sent, np, verb)
        if number == 0:
            if c.pronoun is not None and sent[c.pronoun].tag == "WP$":
                # "which film whose director won": "Which film's director won".
                owned = [i for i in tokens if i > c.pronoun]
                hops.append((*base, "'s", *owned))
                continue
            rest = [i for i in tokens if i not in c.lead and not (sent[i].low == "," and i == tokens[0])]
            hops.append(statement(sent, np, verb, base, rest, has_pronoun=c.pronoun is not None, own=c.subject))
        else:
            hops.append((*base, *tokens))
    return [h for h in hops if h]


def statement(
    sent: Sentence,
    np: Phrase,
    verb: int,
    base: tuple[Piece, ...],
    rest: list[int],
    *,
    has_pronoun: bool,
    own: int | None,
) -> tuple[Piece, ...]:
    """Return the clause as a statement of `base`; `own` is the subject that the clause has of its own, if any."""
    node = sent[verb]
    bare = not sent.kids(verb, *AUXILIARIES) and not has_pronoun
    if own is not None:
        return (*base, *invert(sent, verb, rest))
    if bare and node.tag in ("VBN", "VBD"):
        return (*base, passive_be(sent, verb, many=sent[np.head].tag == "NNS"), *rest)
    if bare and node.tag == "VBG":
        finite = node.lemma if plural(sent, np.head) else third_person(node.lemma)
        return (*base, *[finite if i == verb else i for i in rest])
    return (*base, *rest)


def with_phrases(sent: Sentence, np: Phrase, base: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """Return "Which ship has a crew of N" for "Which ship with a crew of N ..."."""
    hops: list[tuple[Piece, ...]] = []
    for prep in np.preps:
        if sent[prep].low == "with":
            has = "have" if plural(sent, np.head) else "has"
            hops.append((*base, has, *[i for i in sent.subtree(prep) if i != prep]))
    return hops


def split_coordination(sent: Sentence, verb: int) -> list[tuple[int, list[int]]]:
    """Return (verb, words) of each coordinated verb phrase under `verb` that has words of its own."""
    whole = sent.subtree(verb)
    others = [k for k in sent.kids(verb, "conj") if own_predicate(sent, k)]
    if not others or not _complement(sent, verb, others[0]):
        return [(verb, list(whole))]
    gone: set[int] = set()
    for k in others:
        gone |= set(sent.subtree(k))
    gone |= set(sent.kids(verb, "cc"))
    first = [i for i in whole if i not in gone]
    while first and sent[first[-1]].low in (",", "?"):
        first.pop()
    parts = [(verb, first)]
    for k in others:
        parts += split_coordination(sent, k)
    return parts


def own_predicate(sent: Sentence, k: int) -> bool:
    """Tell whether the word is a finite verb without a subject of its own."""
    node = sent[k]
    if not node.tag.startswith("VB") and node.low not in BE:
        return False
    auxes = sent.kids(k, *AUXILIARIES)
    finite = node.tag in FINITE_TAGS or any(sent[a].tag in FINITE_TAGS for a in auxes)
    return (finite or shared_auxiliary(sent, k) is not None) and not sent.kids(k, *SUBJECTS)


def shared_auxiliary(sent: Sentence, k: int) -> int | None:
    """Return the auxiliary that a second participle shares: "was made by A and sold by B"."""
    auxes = sent.kids(sent[k].head, "auxpass")
    words = any(sent[c].dep in ("agent", "prep") and len(sent.subtree(c)) > 1 for c in sent[k].kids)
    second = sent[k].tag in ("VBN", "VBD") and sent[k].dep == "conj" and not sent.kids(k, *AUXILIARIES)
    return auxes[0] if auxes and second and words else None


def _complement(sent: Sentence, verb: int, before: int) -> bool:
    """Tell whether the first verb has an object or adjunct of its own: "wrote X and sang Y", not "wrote and sang"."""
    return any(
        verb < k < before and sent[k].dep not in ("cc", "punct", "conj", "neg", "advmod") for k in sent[verb].kids
    )


def coordinated(sent: Sentence, root: int, base: list[Piece], subject: int) -> list[tuple[Piece, ...]]:
    """Return one hop a coordinated verb phrase of the main clause, each with the unknown as its subject."""
    own = set(sent.subtree(subject))
    hops: list[tuple[Piece, ...]] = []
    lead = {n.i for n in sent.nodes if n.i < subject and n.i not in own and sent[n.i].dep == "punct"}
    for verb, tokens in split_coordination(sent, root):
        body = [i for i in tokens if i not in own and i not in lead]
        while body and sent[body[0]].low in (",", "and", "but"):
            body.pop(0)
        shared = shared_auxiliary(sent, verb) if verb != root else None
        hops.append((*base, *body) if shared is None else (*base, shared, *body))
    return hops
