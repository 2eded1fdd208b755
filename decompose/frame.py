"""The frame of an inverted question, where the parse has another: auxiliary, subject phrase, main verb.

The small parser often takes the late main verb into the subject's last clause. The subject phrase is then parsed
alone, which it does well, and put back between the auxiliary and the verb.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .asked import question_word
from .lexicon import is_word
from .main_verb import asks_identity, bare_verb, late_participle, opening_auxiliary, stranded_predicate
from .mend_clauses import reduced_relative
from .sentence import AUXILIARIES, BE, DO, FINITE_TAGS, HAVE, MODALS, WH_TAGS

if TYPE_CHECKING:
    from .sentence import Sentence


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the subject phrase of a question stands: from `start` up to `end`, with its auxiliary and main verb.

    aux: the auxiliary, before the phrase in an inverted question, behind it in others, None where there is none.
    verb: the main verb; the auxiliary itself where nothing but a phrase completes it ("who is <phrase>?").
    """

    start: int
    end: int
    verb: int
    aux: int | None


def frame(sent: Sentence) -> Frame | None:
    """Return the frame that the grammar asks for where the parse has another, else None."""
    aux = opening_auxiliary(sent)
    if aux is None:
        return _statement(sent)
    verb: int | None = None
    if sent[aux].low in DO or sent[aux].low in MODALS:
        verb = bare_verb(sent, aux)
    elif sent[aux].low in BE:
        predicate = stranded_predicate(sent, aux)
        if predicate is not None:
            return Frame(aux + 1, predicate, aux, aux)
        verb = late_participle(sent, aux)
        if verb is None and aux == 0 and sent.end > 3 and is_word("nationality", sent[sent.end - 1].low):
            return Frame(1, sent.end - 1, 0, 0)
        if verb is None and _other_finite(sent, aux):
            return Frame(aux + 1, sent.end, aux, aux)
    if verb is None or _tidy(sent, aux, verb):
        return None
    end = verb
    while end - 1 > aux + 1 and sent[end - 1].tag == "RB" and sent[end - 1].low.endswith("ly"):
        end -= 1
    return Frame(aux + 1, end, verb, aux)


def _statement(sent: Sentence) -> Frame | None:
    """Return the frame of a question in statement order whose subject has relative clauses.

    Each relative pronoun takes the next finite verb; the first finite verb that none takes is the main one: "The
    city where X died lies on what river?".
    """
    if sent[0].tag not in ("DT", "PRP$") and not sent[0].noun:
        return None
    main = _first_free_verb(sent)
    if main is None or main == sent.root:
        return None
    aux = main if sent[main].low in BE | HAVE | MODALS else None
    verb = main
    if aux is not None and main + 1 < len(sent) and sent[main + 1].tag in ("VBN", "VB", "VBG"):
        verb = main + 1
    if sent.root == verb:
        return None
    return Frame(0, main, verb, aux)


def _first_free_verb(sent: Sentence) -> int | None:
    open_clauses = seen = 0
    for node in sent.nodes[1 : question_word(sent)]:
        before = sent[node.i - 1]
        if node.tag in WH_TAGS or (node.low == "that" and before.noun):
            open_clauses += 1
            seen += 1
        elif node.tag in FINITE_TAGS or node.low in BE | HAVE:
            if before.tag in FINITE_TAGS and node.low in BE | HAVE:
                continue
            if node.tag == "VBD" and (before.low in BE | HAVE or (before.tag == "RB" and sent[node.i - 2].low in BE)):
                continue
            if not open_clauses:
                return node.i if seen else None
            open_clauses -= 1
    return _mistagged(sent) if seen and not open_clauses else None


def _mistagged(sent: Sentence) -> int | None:
    """Return a main verb that was taken for a plural noun or a participle: the last candidate before a preposition."""
    for node in reversed(sent.nodes[2:-1]):
        before, after = sent[node.i - 1], sent[node.i + 1]
        if after.tag not in ("IN", "TO") or node.word.name:
            continue
        if node.tag == "NNS" and (before.tag in ("VBD", "VBZ") or before.noun) and is_word("bare_verb", node.low[:-1]):
            node.tag = "VBZ"
            return node.i
        if node.tag == "VBN" and before.noun and node.dep in ("ccomp", "xcomp", "conj", "dep"):
            node.tag = "VBD"
            return node.i
    return None


def _other_finite(sent: Sentence, aux: int) -> bool:
    """Tell whether the parse has taken a later finite verb for the main one."""
    root = sent[sent.root]
    return asks_identity(sent, aux) and root.i > aux and root.tag in FINITE_TAGS | {"NN"}


def _tidy(sent: Sentence, aux: int, verb: int) -> bool:
    """Tell whether the parse already has one subject phrase between the auxiliary and the main verb."""
    if sent.root != verb or sent[aux].head != verb or any(n.dep == "split" for n in sent.nodes):
        return False
    loose = [n for n in sent.nodes[aux + 1 : verb] if not aux < n.head < verb]
    tops = [n for n in loose if n.dep not in ("advmod", "neg", "punct", *AUXILIARIES)]
    into = [n for n in sent.nodes if not aux < n.i < verb and aux < n.head < verb and n.low != ","]
    return len(tops) == 1 and tops[0].noun and not into


def reframe(sent: Sentence, shape: Frame, inner: Sentence) -> None:
    """Put the separately parsed subject phrase `inner` into the frame, in place."""
    start, root = shape.start, shape.verb
    reduced_relative(inner)
    _noun_first(inner)
    for node in inner.nodes:
        old = sent[start + node.i]
        old.tag, old.lemma, old.dep = node.tag, node.lemma, node.dep
        old.head = start + node.head if node.head != node.i else root
        if node.head == node.i:
            old.dep = "nsubj" if old.noun or root == shape.aux else "dep"
    for node in sent.nodes:
        inside = start <= node.i < shape.end
        if not inside and node.i != root and (start <= node.head < shape.end or node.head == node.i):
            node.head = root
    _settle(sent, shape)
    sent.link()


def _settle(sent: Sentence, shape: Frame) -> None:
    verb = sent[shape.verb]
    verb.head, verb.dep = verb.i, "ROOT"
    if shape.aux is None or shape.aux == shape.verb:
        return
    aux = sent[shape.aux]
    passive = aux.low in BE and verb.tag in ("VBN", "VBD")
    aux.head, aux.dep = verb.i, "auxpass" if passive else "aux"
    if aux.low in DO | MODALS:
        verb.tag = "VB"
    for node in sent.nodes[: shape.aux]:
        if node.head == aux.i:
            node.head = verb.i


def _noun_first(sent: Sentence) -> None:
    """Make a noun phrase of what the parser read as a sentence: "the actor playing X", "the man considered Y"."""
    verb = sent[sent.root]
    subjects = sent.kids(verb.i, "nsubj", "nsubjpass")
    if not verb.tag.startswith("VB") or not subjects or sent.kids(verb.i, *AUXILIARIES):
        return
    noun = sent[subjects[0]]
    if not noun.noun or noun.anchor or sent.subtree(noun.i)[-1] != verb.i - 1 or verb.tag == "VBZ":
        return
    noun.head, noun.dep = noun.i, "ROOT"
    verb.head, verb.dep = noun.i, "acl"
    if verb.tag == "VBD":
        verb.tag = "VBN"
    sent.link()
