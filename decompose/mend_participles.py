"""Mends of participles: taken for modifiers, nouns, objects or prepositions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import is_word

if TYPE_CHECKING:
    from .sentence import Sentence


def coordinated_plurals(sent: Sentence) -> None:
    """Read "works in X and mentors NAME" as two verbs where the second was taken for a plural noun."""
    root = sent[sent.root]
    for node in sent.nodes[2:-1]:
        after = sent[node.i + 1]
        plural = node.tag == "NNS" and sent[node.i - 1].low == "and" and root.tag == "VBZ" and root.i < node.i
        verb = is_word("bare_verb", node.low[:-1]) or node.low[:-1] in sent.verbs
        if plural and verb and (after.word.atom or after.tag in ("DT", "PRP$")):
            node.head, node.dep, node.tag, node.lemma = root.i, "conj", "VBZ", node.low[:-1]
            sent[node.i - 1].head = root.i
            if after.head < node.i:
                after.head, after.dep = node.i, "dobj"
            sent.link()
            return


def participles(sent: Sentence) -> None:
    """Read "ever measured" and "letter ending contract X" as participles on the noun before them."""
    for node in sent.nodes[2:-1]:
        before = sent[node.i - 1]
        if node.tag == "VBN" and before.low == "ever" and sent[node.i - 2].noun and node.head != node.i - 2:
            sent.attach(before.i, node.i, "advmod")
            sent.attach(node.i, node.i - 2, "acl")
        elif node.tag == "VBN" and node.dep == "prep" and before.noun and not before.anchor:
            sent.attach(node.i, before.i, "acl")
        elif node.tag == "VBD" and node.dep == "amod" and before.low == "and" and sent[node.head].dep == "conj":
            _verb_after_and(sent, node.i)
        elif _standing(sent, node.i):
            _stand(sent, node.i)
        elif _fused(sent, node.i):
            _unfuse(sent, node.i)


def _standing(sent: Sentence, i: int) -> bool:
    """Tell whether "standing" in "the statue standing in X" was taken for the noun."""
    node, before = sent[i], sent[i - 1]
    noun = node.tag == "NN" and node.low.endswith("ing") and sent[i + 1].tag == "IN" and sent[i + 1].low != "of"
    taken = before.noun and not before.anchor and before.dep == "compound" and before.head == i
    return noun and taken and bool(sent.kids(i, "det")) and _base_of(node.low) in sent.verbs


def _stand(sent: Sentence, i: int) -> None:
    node, noun = sent[i], sent[i - 1]
    for kid in list(node.kids):
        if kid < noun.i:
            sent[kid].head = noun.i
    noun.head, noun.dep = (noun.i if node.head == i else node.head), node.dep
    node.head, node.dep, node.tag, node.lemma = noun.i, "acl", "VBG", _base_of(node.low)
    sent.link()


def _verb_after_and(sent: Sentence, i: int) -> None:
    """Make "ended" in "joined in May and ended contract X" the second verb, not a modifier of its object."""
    noun = sent[sent[i].head]
    first = noun.head
    sent[i].head, sent[i].dep = first, "conj"
    noun.head, noun.dep = i, "dobj"
    sent.link()


def _fused(sent: Sentence, i: int) -> bool:
    """Tell whether an -ing word was taken for a modifier of the name that is its object."""
    node, before = sent[i], sent[i - 1]
    if not node.low.endswith("ing") or node.dep not in ("compound", "amod") or node.word.name:
        return False
    if not before.noun or before.word.name or sent[before.i - 1].tag == "IN":
        return False
    tops = [i, *sent.ancestors(i)]
    return any(sent[t].word.atom and t > i for t in tops[:3])


def _unfuse(sent: Sentence, i: int) -> None:
    noun = i - 1
    top = next(t for t in sent.ancestors(i)[:3] if sent[t].word.atom)
    outer_head, outer_dep = sent[top].head, sent[top].dep
    for node in sent.nodes[:noun]:
        if node.head in (top, i) or (noun < node.head < top and node.dep in ("det", "amod", "compound", "nummod")):
            node.head = noun
    sent[noun].head, sent[noun].dep = outer_head, outer_dep
    for node in sent.nodes[i + 1 : top]:
        if node.head in (i, top) or node.head <= noun:
            node.head = top
    sent[i].head, sent[i].dep, sent[i].tag, sent[i].lemma = noun, "acl", "VBG", _base_of(sent[i].low)
    sent[top].head, sent[top].dep = i, "dobj"
    sent.link()


def _base_of(low: str) -> str:
    """Return the base form of an -ing word."""
    stem = low[:-3]
    if is_word("bare_verb", stem):
        return stem
    if is_word("bare_verb", stem + "e"):
        return stem + "e"
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem


def dangling_participles(sent: Sentence) -> None:
    """Read "of the valley facing X" as a participle on the noun, not as a second object of the preposition."""
    for node in sent.nodes[2:]:
        if node.dep != "pcomp" or node.tag != "VBG":
            continue
        objects = [k for k in sent.kids(node.head, "pobj") if k < node.i]
        if objects and sent[objects[-1]].noun and not sent[objects[-1]].anchor:
            sent.attach(node.i, objects[-1], "acl")
