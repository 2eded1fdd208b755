"""Matchers of entities that a clause describes, and of clauses that stand for an entity themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from .clauses import asked_by_clause, asked_by_participle, clause
from .lexicon import is_word
from .matchers import Found, by_name, whole
from .phrases import anchors, definite, named, ranked, refers
from .render import invert, subject
from .sentence import BE, NOUN_TAGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .matchers import Match
    from .phrases import Phrase
    from .render import Piece
    from .sentence import Sentence


def _described(sent: Sentence, np: Phrase, dep: str) -> int | str:
    """Return the verb of the last clause of that label on the phrase, or why it describes nothing unnamed."""
    verbs = [k for k in np.clauses if sent[k].dep == dep]
    if not verbs:
        return "no relative clause" if dep == "relcl" else "no participle"
    if not definite(sent, np):
        return "not one definite thing"
    if sent[np.head].tag == "NNS" and np.det is None and np.poss is None:
        return "a class, not one thing"
    if named(sent, np, verbs[-1]):
        return "a name follows"
    return verbs[-1]


def _relative_verb(sent: Sentence, np: Phrase) -> int | str:
    verb = _described(sent, np, "relcl")
    if isinstance(verb, str):
        return verb
    # The parser took a noun ("that local herders crossed") for the verb.
    if sent[verb].tag in NOUN_TAGS and sent.kids(verb, "compound", "amod", "det", "poss"):
        return "the clause has no verb"
    after = sent[np.head + 1]
    if after.word.atom and is_word("class_work", sent[np.head].low) and sent[sent.root].tag[:2] not in ("VB", "MD"):
        return "a name follows"
    if sent[np.head].word.atom and (np.det is None or after.low == ","):
        return "it is named"
    return verb


def _participle_verb(sent: Sentence, np: Phrase) -> int | str:
    verb = _described(sent, np, "acl")
    if isinstance(verb, str):
        return verb
    if sent[np.head].word.atom:
        return "it is named"
    if (
        sent[verb].tag == "VB"
        or sent[verb].low in BE
        or len(sent.subtree(verb)) < 2
        or any(sent[k].low == "that" for k in sent.kids(verb, "mark"))
    ):
        return "no participle with words of its own"
    if sent[verb].tag == "VBG" and np.det is not None and sent[np.det].low != "the":
        return "not one definite thing"
    return verb


def _ranked_or_owned(sent: Sentence, np: Phrase) -> bool:
    return ranked(sent, np) or (np.poss is not None and bool(anchors(sent, sent.subtree(np.poss))))


def read_relative(sent: Sentence, np: Phrase) -> tuple[str, list[Piece]] | str:
    """Return (form, question) of the relative clause on the phrase, or where the reading stops."""
    verb = _relative_verb(sent, np)
    if isinstance(verb, str):
        return verb
    if _ranked_or_owned(sent, np):
        return "ranked or owned"
    if sum(sent[k].dep == "relcl" for k in np.clauses) > 1:
        return "two relative clauses on one noun"
    c = clause(sent, np, verb)
    if c.subject is not None and sent[c.subject].tag == "PRP":
        return "a pronoun ties the clause to the question"
    asked = asked_by_clause(sent, np, c)
    loose = np.det is not None and sent[np.det].low in ("a", "an") and not is_word("place", sent[np.head].low)
    if asked is not None and asked[0] == "where" and loose:
        return "the clause tells where something happens, not which thing"
    return asked or "the clause has no reading"


def read_participle(sent: Sentence, np: Phrase) -> tuple[str, list[Piece]] | str:
    """Return (voice, question) of the participle on the phrase, or where the reading stops."""
    verb = _participle_verb(sent, np)
    if isinstance(verb, str):
        return verb
    if _ranked_or_owned(sent, np):
        return "ranked or owned"
    return asked_by_participle(sent, np, clause(sent, np, verb)) or "no participle"


def clause_of(
    read: Callable[[Sentence, Phrase], tuple[str, list[Piece]] | str], form: str
) -> Callable[[Sentence, Phrase], Match]:
    """Return the matcher of clauses of one form. A phrase's clause is read once for all forms."""

    def match(sent: Sentence, np: Phrase) -> Match:
        key = (read.__name__, np.all)
        if key not in sent.memo:
            sent.memo[key] = read(sent, np)
        reading = cast("tuple[str, list[Piece]] | str", sent.memo[key])
        if isinstance(reading, str):
            return reading
        if reading[0] != form:
            return f"a clause of the form {reading[0]}"
        found = whole(np, reading[1])
        bare = form == "when" and np.all[0] > 0 and sent[np.all[0] - 1].tag not in ("IN", "TO")
        # "won the Regatta the year X was born": the answer needs the preposition that the phrase did without.
        return replace(found, keep=("in",)) if bare else found

    return match


def ranked_clause(sent: Sentence, np: Phrase) -> Match:
    """Find a noun that a rank or a possessor together with a clause describes."""
    verb = _relative_verb(sent, np)
    if isinstance(verb, str):
        verb = _participle_verb(sent, np)
    if isinstance(verb, str):
        return verb
    if not _ranked_or_owned(sent, np):
        return "neither ranked nor owned"
    return by_name(sent, np)


def free_relative(sent: Sentence, ask: Asked) -> Match:
    """Find a clause with who or where that stands for an entity itself."""
    for node in sent.nodes:
        span = sent.subtree(node.i)
        word = span[0]
        free = node.dep in ("pcomp", "advcl", "ccomp", "relcl") and node.i != sent.root and len(span) > 2
        if not free or word in (ask.word, 0) or word >= node.i:
            continue
        if sent[word].low in ("who", "whoever") and node.dep == "pcomp":
            return Found(tuple(span), tuple(span), node.i)
        who = subject(sent, node.i)
        own = who is not None and sent[who].tag != "PRP" and not any(sent[i].tag == "PRP$" for i in span)
        if sent[word].low == "where" and not is_word("place", sent[node.head].low) and own:
            body = invert(sent, node.i, [i for i in span if i != word])
            return Found(tuple(span), ("Where", *body), node.i, ("in",))
    return "no clause that stands for an entity"


def when_clause(sent: Sentence, ask: Asked) -> Match:
    """Find a when-clause about a named thing, which stands for a time."""
    if ask.word is None or not ask.initial or sent[ask.word].low not in ("who", "what", "which", "how"):
        return "does not ask who, what, which or how first"
    if any(n.tag in ("PRP", "PRP$") for n in sent.nodes):
        return "a pronoun ties the clause to the question"
    for node in sent.nodes:
        span = [i for i in sent.subtree(node.i) if sent[i].low != "?"]
        if node.dep not in ("advcl", "relcl") or node.i <= ask.word or sent[span[0]].low != "when":
            continue
        who = subject(sent, node.i)
        if who is not None and anchors(sent, sent.subtree(who)) and not refers(sent, span):
            return Found(tuple(span), ("When", *invert(sent, node.i, span[1:])), node.i, ("in",))
    return "no when-clause about a named thing"
