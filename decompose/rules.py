"""The rules that find a bridge entity: one ordered tuple, first match wins. Each reads the dependency parse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .clauses import asked_by_clause, asked_by_name, asked_by_participle, clause, past_tense
from .lexicon import is_word
from .phrases import Phrase, anchors, definite, folding, named, predicative, ranked, refers, relational, role
from .render import invert, subject

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .render import Piece
    from .sentence import Sentence


@dataclass(frozen=True, slots=True)
class Found:
    """A bridge entity: the words that its reference replaces, the question for it, and its noun.

    `keep` holds words left in place before the reference ("in" of a bare where-clause).
    """

    rule: str
    covers: tuple[int, ...]
    pieces: tuple[Piece, ...]
    noun: int
    keep: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to describe an entity without naming it.

    match: takes the sentence and a noun phrase, gives the question for the entity or None.
    example: a question it splits, and its hop 1. leaves_alone: a near miss that it does not touch.
    """

    name: str
    about: str
    match: Callable[[Sentence, Phrase], Found | None]
    example: tuple[str, str]
    leaves_alone: str


def _last_clause(sent: Sentence, np: Phrase, dep: str) -> int | None:
    found = [k for k in np.clauses if sent[k].dep == dep]
    return found[-1] if found else None


def _found(rule: str, np: Phrase, pieces: list[Piece]) -> Found:
    return Found(rule, np.all, tuple(pieces), np.head)


def relative(sent: Sentence, np: Phrase) -> Found | None:
    """A relative clause says which one: who, that, which, whose, where, in which, or no pronoun."""
    verb = _last_clause(sent, np, "relcl")
    if verb is None or not definite(sent, np) or named(sent, np, verb):
        return None
    bare = sent[np.head + 1].word.atom and is_word("class_work", sent[np.head].low)
    if bare and not sent[sent.root].tag.startswith(("VB", "MD")):
        return None
    if sent[np.head].word.atom and (np.det is None or sent[np.head + 1].low == ","):
        return None
    if sent[np.head].tag == "NNS" and np.det is None and np.poss is None:
        return None
    if ranked(sent, np) or (np.poss is not None and anchors(sent, sent.subtree(np.poss))):
        return _found("ranked", np, asked_by_name(sent, np, past=past_tense(sent, np)))
    asked = asked_by_clause(sent, np, clause(sent, np, verb))
    return _found(asked[0], np, asked[1]) if asked else None


def participle(sent: Sentence, np: Phrase) -> Found | None:
    """A participle says which one: designed by, located in, hired by, starring."""
    verb = _last_clause(sent, np, "acl")
    if verb is None or not definite(sent, np) or sent[verb].tag == "VB" or sent[np.head].word.atom:
        return None
    if sent[np.head].tag == "NNS" and np.det is None:
        return None
    if named(sent, np, verb) or (sent[verb].tag == "VBG" and np.det is not None and sent[np.det].low != "the"):
        return None
    if len(sent.subtree(verb)) < 2 or any(sent[k].low == "that" for k in sent.kids(verb, "mark")):
        return None
    if ranked(sent, np) or (np.poss is not None and anchors(sent, sent.subtree(np.poss))):
        return _found("ranked", np, asked_by_name(sent, np, past=past_tense(sent, np)))
    asked = asked_by_participle(sent, np, clause(sent, np, verb))
    return _found(asked[0], np, asked[1]) if asked else None


def possessive(sent: Sentence, np: Phrase) -> Found | None:
    """A possessor and a relation: X's mother, the Kestrels' head coach."""
    if np.poss is None or not relational(sent, np.head):
        return None
    owner = sent.subtree(np.poss)
    if not anchors(sent, owner) or (refers(sent, owner) and folding(sent, np.head)):
        return None
    return _found("possessive", np, asked_by_name(sent, np, past=past_tense(sent, np)))


def of_relation(sent: Sentence, np: Phrase) -> Found | None:
    """A relation with of: the founder of X, the capital of Y."""
    of = next((p for p in np.preps if sent[p].low == "of"), None)
    if of is None or not relational(sent, np.head) or not definite(sent, np) or predicative(sent, np.head):
        return None
    target = sent.subtree(of)
    if sent[np.head].tag == "NNS" and not role(sent, np.head):
        return None
    if len(target) < 2 or (np.det is not None and sent[np.det].low != "the"):
        return None
    if is_word("class_place", sent[np.head].low) and not ranked(sent, np) and sent[of + 1].word.atom:
        return None
    if not anchors(sent, target) and not role(sent, np.head) and not ranked(sent, np):
        return None
    if refers(sent, target) and folding(sent, np.head):
        return None
    return _found("of_relation", np, asked_by_name(sent, np, past=past_tense(sent, np)))


def compound_role(sent: Sentence, np: Phrase) -> Found | None:
    """A role straight after a title: the It'll Be Me singer, the Jaws cast member."""
    titles = [i for i in np.before if sent[i].anchor and sent[i].tag != "JJ"]
    the = np.det is not None or (bool(titles) and sent[titles[0]].low.startswith("the "))
    if not titles or not the or not role(sent, np.head) or titles[-1] < np.head - 2 or predicative(sent, np.head):
        return None
    if refers(sent, titles) and folding(sent, np.head):
        return None
    if not sent[titles[-1]].word.atom and (titles[0] != np.before[0] or is_word("demonym", sent[titles[-1]].low)):
        return None
    short = replace(np, all=tuple(i for i in np.all if i <= np.head))
    return _found("compound_role", short, asked_by_name(sent, short, past=False))


def prepositional(sent: Sentence, np: Phrase) -> Found | None:
    """A prepositional phrase says which one: the receptionist at X, the lead actor in Y, the city with Z."""
    if np.det is None or sent[np.det].low != "the":
        return None
    for prep in np.preps:
        inside = sent.subtree(prep)
        if sent[prep].low == "of" or not sent.kids(prep, "pobj"):
            continue
        strong = role(sent, np.head) or ranked(sent, np) or sent[prep].low in ("with", "behind")
        if strong and (anchors(sent, inside) or sent[prep].low == "with") and relational(sent, np.head):
            return _found("prepositional", np, asked_by_name(sent, np, past=past_tense(sent, np)))
    return None


def located(sent: Sentence, np: Phrase) -> Found | None:
    """A measured place says which one: the city 2.1 miles southwest of X."""
    if np.det is None or sent[np.det].low != "the":
        return None
    for kid in sent[np.head].kids:
        if kid > np.head and sent[kid].dep in ("advmod", "npadvmod") and anchors(sent, sent.subtree(kid)):
            base = [i for i in np.all if i <= np.head and i != np.det]
            return _found("located", np, ["What", *base, "is", *[i for i in np.all if i > np.head]])
    return None


def superlative(sent: Sentence, np: Phrase) -> Found | None:
    """A superlative or ordinal singles out the one: the highest grossing film."""
    if not ranked(sent, np) or not relational(sent, np.head) or np.det is None:
        return None
    if sent[np.head].tag == "NNS" or sent[np.det].low != "the":
        return None
    return _found("superlative", np, asked_by_name(sent, np, past=past_tense(sent, np)))


def free_relative(sent: Sentence, ask: Asked) -> Found | None:
    """A clause stands for the entity itself: "responsible for who sang X", "at home where X happened"."""
    for node in sent.nodes:
        if node.dep not in ("pcomp", "advcl", "ccomp", "relcl") or node.i == sent.root:
            continue
        span = sent.subtree(node.i)
        word = span[0]
        if word == ask.word or word == 0 or word >= node.i or len(span) < 3:
            continue
        if sent[word].low in ("who", "whoever") and node.dep == "pcomp":
            return Found("free_relative", tuple(span), tuple(span), node.i)
        if sent[word].low == "where" and not is_word("place", sent[node.head].low) and anchors(sent, span):
            body = invert(sent, node.i, [i for i in span if i != word])
            return Found("free_relative", tuple(span), ("Where", *body), node.i, ("in",))
    return None


def when_clause(sent: Sentence, ask: Asked) -> Found | None:
    """A when-clause about another named thing gives a time: "Who was mayor when X was born?"."""
    if ask.word is None or not ask.initial or sent[ask.word].low not in ("who", "what", "which", "how"):
        return None
    for node in sent.nodes:
        if node.dep not in ("advcl", "relcl") or node.i <= ask.word:
            continue
        span = sent.subtree(node.i)
        who = subject(sent, node.i)
        if sent[span[0]].low != "when" or who is None or not anchors(sent, sent.subtree(who)) or refers(sent, span):
            continue
        if any(n.tag in ("PRP", "PRP$") for n in sent.nodes):
            continue
        body = invert(sent, node.i, [i for i in span if i != span[0] and sent[i].low != "?"])
        return Found("when_clause", tuple(i for i in span if sent[i].low != "?"), ("When", *body), node.i, ("in",))
    return None


RULES: tuple[Rule, ...] = (
    Rule("relative", relative.__doc__ or "", relative, ("", ""), ""),
    Rule("participle", participle.__doc__ or "", participle, ("", ""), ""),
    Rule("possessive", possessive.__doc__ or "", possessive, ("", ""), ""),
    Rule("of_relation", of_relation.__doc__ or "", of_relation, ("", ""), ""),
    Rule("compound_role", compound_role.__doc__ or "", compound_role, ("", ""), ""),
    Rule("located", located.__doc__ or "", located, ("", ""), ""),
    Rule("prepositional", prepositional.__doc__ or "", prepositional, ("", ""), ""),
)
LAST_RESORT = (Rule("superlative", superlative.__doc__ or "", superlative, ("", ""), ""),)
