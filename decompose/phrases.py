"""Noun phrases as the rules see them: what describes a head noun, and whether that names somebody unnamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexicon import is_person, is_word
from .sentence import AUXILIARIES, CLAUSES, SUBJECTS

if TYPE_CHECKING:
    from .sentence import Sentence

_DEFINITE = frozenset({"the", "a", "an", "this", "that"})
_LOOSE_ADVERBS = frozenset("still also ever already yet now too either currently mostly originally".split())
_VAGUE = frozenset("any every each some no another all both either neither many several few".split())
_RANKS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth last only current main".split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. All members are indices into the sentence, ascending.

    all: the whole phrase, without a coordinated neighbour. det: its article. before: modifiers left of the
    head, without article and possessor. poss: the head of the possessor. clauses: relative and participial
    clauses. preps: prepositions.
    """

    head: int
    all: tuple[int, ...]
    det: int | None
    before: tuple[int, ...]
    poss: int | None
    clauses: tuple[int, ...]
    preps: tuple[int, ...]


def phrase(sent: Sentence, head: int) -> Phrase:
    """Return the noun phrase of the noun at `head`."""
    whole = set(sent.subtree(head))
    for kid in sent[head].kids:
        node = sent[kid]
        if node.dep in ("conj", "cc") and _shared_role(sent, head):
            continue
        if node.dep in ("conj", "preconj", "cc", "split", "case") or (
            node.dep == "appos" and node.noun and _second(sent, kid)
        ):
            whole -= set(sent.subtree(kid))
    det = next((k for k in sent.kids(head, "det") if k < head), None)
    poss = next((k for k in sent.kids(head, "poss") if k < head and sent[k].low != "whose"), None)
    lead = set(sent.subtree(poss)) if poss is not None else set()
    before = [i for i in sorted(whole) if i < head and i != det and i not in lead]
    clauses = [k for k in sent[head].kids if k > head and sent[k].dep in CLAUSES]
    preps = [k for k in sent.kids(head, "prep") if k > head]
    kept = trim(sent, head, sorted(whole))
    return Phrase(head, tuple(kept), det, tuple(i for i in before if i in kept), poss, tuple(clauses), tuple(preps))


def _shared_role(sent: Sentence, head: int) -> bool:
    """Tell whether two roles are one person's: "the founder and lead guitarist of X"."""
    others = sent.kids(head, "conj")
    return (
        len(others) == 1
        and role(sent, head)
        and role(sent, others[0])
        and not sent.kids(others[0], "det")
        and not any(sent[k].low == "of" and k < others[0] for k in sent.kids(head, "prep"))
    )


def _second(sent: Sentence, appos: int) -> bool:
    """Tell whether an apposition is a phrase of its own with an article ("the film Jaws" is none)."""
    return bool(sent.kids(appos, "det")) and not sent[appos].word.atom


def trim(sent: Sentence, head: int, whole: list[int]) -> list[int]:
    """Drop punctuation at the ends, keeping the comma that closes a clause with the clause."""
    while whole and sent[whole[-1]].low in ("?", ".", ";", "-"):
        whole.pop()
    while len(whole) > 1 and whole[-1] != head and sent[whole[-1]].low in _LOOSE_ADVERBS:
        whole.pop()
    while whole and whole[0] != head and sent[whole[0]].low in (",", "-"):
        whole.pop(0)
    # A last comma closes a clause only where one before opened it.
    while whole and sent[whole[-1]].low == "," and not any(sent[i].low == "," for i in whole[:-1]):
        whole.pop()
    return whole


def anchors(sent: Sentence, indices: tuple[int, ...] | list[int]) -> list[int]:
    """Return the names and references among the indices."""
    return [i for i in indices if sent[i].anchor]


def nameable(sent: Sentence, head: int, indices: tuple[int, ...] | list[int]) -> list[int]:
    """Return the anchors among the indices; without capitals to go by, also nouns, where the head is a relation."""
    found = anchors(sent, indices)
    if found or sent.cased:
        return found
    known = folding(sent, head) or is_word("thing_relation", sent[head].low)
    superlative = any(sent[i].tag in ("JJS", "RBS") for k in sent[head].kids if k < head for i in sent.subtree(k))
    relation = known or role(sent, head) or superlative
    one = [i for i in indices if sent[i].noun and (sent[i].tag != "NNS" or sent.kids(i, "det"))]
    return one if relation else []


def refers(sent: Sentence, indices: tuple[int, ...] | list[int]) -> bool:
    """Tell whether an answer of an earlier hop is among the indices."""
    return any(sent[i].word.ref for i in indices)


def definite(sent: Sentence, np: Phrase) -> bool:
    """Tell whether the phrase points at one thing: an article, a possessor, or a bare singular."""
    if np.poss is not None:
        return True
    if np.det is not None:
        return sent[np.det].low in _DEFINITE
    quantified = any(sent[i].low in _VAGUE or sent[i].dep == "nummod" for i in np.before)
    return not quantified and sent[np.head].tag in ("NN", "NNP")


def ranked(sent: Sentence, np: Phrase) -> bool:
    """Tell whether a superlative or an ordinal singles the thing out ("the second largest city")."""
    if np.det is None and np.poss is None:
        return False
    for i in np.before:
        node = sent[i]
        # "the most wins" is an amount, "the most populous city" and "the highest tower" are things.
        if node.low in _RANKS or (
            node.tag in ("JJS", "RBS") and not (node.low in ("most", "least") and node.dep == "amod")
        ):
            return True
    return False


def role(sent: Sentence, head: int) -> bool:
    """Tell whether the head noun is one for people or bodies in a role: author, maker, mayor."""
    return not sent[head].word.atom and is_person(sent[head].low)


def relational(sent: Sentence, head: int) -> bool:
    """Tell whether "the N of X" names an entity rather than a happening or a quantity."""
    low = sent[head].low
    singular = low.removesuffix("s")
    if is_word("event", low) or is_word("event", singular):
        return False
    if (
        role(sent, head)
        or is_word("place", low)
        or is_word("body", low)
        or any(sent[k].tag == "JJS" for k in sent[head].kids)
    ):
        return True
    return not low.endswith(("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ing", "ship", "ism"))


def folding(sent: Sentence, head: int) -> bool:
    """Tell whether the head noun is a mere attribute (folding rule): kinship, birth, headquarters."""
    low = sent[head].low
    singular = low[:-1] if low.endswith("s") and not low.endswith("ss") else low
    return any(is_word(name, w) for name in ("kin", "attribute") for w in (low, singular))


def named(sent: Sentence, np: Phrase, verb: int) -> bool:
    """Tell whether a name follows the head, so that the clause describes a named thing ("the song X sung by").

    A name between the head and its clause's finite verb is that verb's subject instead.
    """
    after = np.head + 1
    if after >= len(sent) or not sent[after].word.atom:
        return False
    if sent[after].head != verb:
        return True
    agent = any(sent[k].low == "by" and k == verb + 1 for k in sent[verb].kids)
    return agent and not sent.kids(verb, *AUXILIARIES)


def predicative(sent: Sentence, head: int) -> bool:
    """Tell whether the noun is what somebody is said to be: "(the country) that was the champion of X"."""
    node = sent[head]
    verb = sent[node.head]
    if node.dep == "oprd" or (node.dep == "pobj" and verb.low == "as"):
        return True
    if node.dep != "attr" or verb.dep not in ("relcl", "acl", "advcl", "ccomp"):
        return False
    # Not in "whose harbour is the birthplace of X": there it is another thing that is the birthplace.
    return not any(sent[k].dep in SUBJECTS and sent[k].noun and not sent[k].anchor for k in verb.kids)
