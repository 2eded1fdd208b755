"""The innermost entity that a sentence describes, and its answer's number in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .matchers import Found
from .phrases import Phrase, phrase
from .plan import InputError
from .rules import CLAUSE_RULES, LAST_CLAUSE_RULES, LAST_RESORT
from .sentence import Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .asked import Asked
    from .rules import Rule
    from .sentence import Sentence
    from .tracer import Tracer


def innermost(
    sent: Sentence, ask: Asked, own: Sequence[Rule], *, last_resort: bool, tracer: Tracer | None
) -> tuple[str, Found] | None:
    """Return the innermost entity that a rule finds (the leftmost of several), with the rule's name.

    own: the rules on noun phrases, in order; then come those on clauses. last_resort: also those for questions in
    which nothing was found yet.
    """
    for rules in (own, LAST_RESORT if last_resort else ()):
        found: list[tuple[str, Found]] = []
        for np in _candidates(sent, ask):
            for rule in rules:
                match = rule.match(sent, np)
                if not isinstance(match, (Found, str)):
                    raise InputError(f"the rule {rule.name!r} gave {match!r}; return a Found, or say where it stopped")
                if tracer is not None:
                    tracer.tried(rule.name, sent, np.all, match)
                if isinstance(match, Found):
                    found.append((rule.name, match))
                    break
        inner = [f for f in found if not any(set(g[1].covers) < set(f[1].covers) for g in found)]
        if inner:
            return min(inner, key=lambda f: f[1].covers[0])
    for clause_rule in (*CLAUSE_RULES, *(LAST_CLAUSE_RULES if last_resort else ())):
        match = clause_rule.match(sent, ask)
        if tracer is not None:
            tracer.tried(clause_rule.name, sent, range(len(sent)), match)
        if isinstance(match, Found):
            return clause_rule.name, match
    return None


def _candidates(sent: Sentence, ask: Asked) -> Iterator[Phrase]:
    """Yield the noun phrases that may describe an entity, left to right: not the unknown, not a bare name."""
    for node in sent.nodes:
        if not node.noun or node.word.ref or node.i in ask.heads:
            continue
        if node.word.atom and not sent.kids(node.i, "relcl", "acl"):
            continue
        if _part_played(sent, node.i) or _mark_of_another(sent, node.i):
            continue
        np = _limit(sent, phrase(sent, node.i), ask)
        if ask.word not in np.all:
            yield np


def _part_played(sent: Sentence, head: int) -> bool:
    """Tell whether the noun is a part in "(the actor who) played Runa's uncle": it belongs to the description."""
    verb = sent[sent[head].head]
    return sent[head].dep == "dobj" and verb.dep in ("relcl", "acl") and verb.lemma in ("play", "portray", "voice")


def _mark_of_another(sent: Sentence, head: int) -> bool:
    """Tell whether a superlative only marks another thing: "the land with the highest peak" is one description."""
    node = sent[head]
    prep = sent[node.head]
    outer = sent[prep.head]
    inside = node.dep == "pobj" and prep.low == "with" and outer.noun and not outer.anchor
    return inside and any(sent[k].tag in ("JJS", "RBS") for k in node.kids for k in (k, *sent[k].kids))


def _limit(sent: Sentence, np: Phrase, ask: Asked) -> Phrase:
    """Cut a phrase of a fronted adjunct before the question word: "Besides the artist behind X, who ..."."""
    if ask.word is None or not ask.initial or np.head > ask.word or np.all[-1] < ask.word:
        return np
    kept = [i for i in np.all if i < ask.word]
    while kept and (sent[kept[-1]].low == "," or sent[kept[-1]].tag == "IN"):
        kept.pop()
    return replace(np, all=tuple(kept), clauses=tuple(c for c in np.clauses if c in kept))


def substitute(words: tuple[Word, ...], entity: Found, number: int) -> tuple[Word, ...]:
    """Return the words with the number of the entity's answer in place of what describes it."""
    covers = set(entity.covers)
    first, last = entity.covers[0], entity.covers[-1]
    left: list[Word] = []
    for i, word in enumerate(words):
        if i == first:
            left.extend(Word(k, word.start, word.start, space=True) for k in entity.keep)
            left.append(Word("#", word.start, words[last].end, space=word.space, name=True, atom=True, ref=number))
        elif i not in covers:
            left.append(word)
    return tuple(left)
