"""Mends inside noun phrases: question words, possessors, attachment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import is_person, is_word
from .sentence import BE, SUBJECTS

if TYPE_CHECKING:
    from .sentence import Sentence


def low_attachment(sent: Sentence) -> None:
    """Hang what follows "N of the M" on M: the brother of the caretaker at X, the port of the island in Y."""
    for node in sent.nodes:
        head = sent[node.head]
        if node.i <= head.i or node.low == "of" or not head.noun or node.dep not in ("prep", "relcl", "acl", "advmod"):
            continue
        inner = _innermost_of(sent, head.i, node.i)
        if inner is None or (node.dep == "relcl" and sent[sent.subtree(node.i)[0]].low in ("who", "where", "whose")):
            continue
        sent.attach(node.i, inner, node.dep)


def _innermost_of(sent: Sentence, head: int, before: int) -> int | None:
    """Return the last common noun of the chain of "of" from head that ends before the given word."""
    found = None
    while True:
        of = [k for k in sent.kids(head, "prep") if sent[k].low == "of" and k < before]
        inner = [p for k in of for p in sent.kids(k, "pobj") if p < before]
        if not inner:
            return found
        head = inner[0]
        if sent[head].anchor or not sent[head].noun:
            return found
        found = head


def owned_role(sent: Sentence) -> None:
    """Read "the director of film X's birthday" as (the director of X)'s birthday: a film has none.

    "the wife of X's brother" is left as it is: X has a brother.
    """
    for node in sent.nodes:
        owners = sent.kids(node.i, "poss")
        if node.dep != "pobj" or not owners or (not is_word("attribute", node.low) and not is_word("kin", node.low)):
            continue
        of = sent[node.head]
        lead = sent[of.head]
        if of.low != "of" or not lead.noun or not is_person(lead.low) or not _titled_work(sent, owners[0]):
            continue
        outer, dep = lead.head, lead.dep
        owner = sent[owners[0]]
        for mark in sent.kids(owner.i, "case"):
            sent[mark].head = lead.i
        owner.head, owner.dep = of.i, "pobj"
        node.head, node.dep = (node.i if outer == lead.i else outer), dep
        lead.head, lead.dep = node.i, "poss"
        sent.link()


def _titled_work(sent: Sentence, owner: int) -> bool:
    """Tell whether the owner is named as a work, or an apostrophe apart from it closes a longer phrase."""
    mark = next(iter(sent.kids(owner, "case")), None)
    apart = mark is not None and sent[mark].word.space
    return apart or (owner > 0 and is_word("class_work", sent[owner - 1].low) and not is_person(sent[owner - 1].low))


def wh_determiners(sent: Sentence) -> None:
    """Read "which Danish sculptor", "on which dates" as a question word with its noun."""
    for node in sent.nodes[:-1]:
        if node.low in ("which", "what") and node.i and sent[node.i - 1].tag == "IN" and sent[node.head].dep == "relcl":
            _object_of(sent, node.i - 1, node.head)
        if node.low not in ("which", "what") or node.word.atom or (node.dep == "det" and sent[node.head].noun):
            if node.low in ("which", "what") and node.dep == "det" and node.head + 1 < len(sent):
                _loosen(sent, node.head)
            continue
        after = node.i + 1
        if sent[after].tag == "VBZ" and after + 1 < len(sent) and sent[after + 1].low in ("?", ".") and node.i:
            sent[after].tag = "NNS"
        last = after
        while last < len(sent) and (sent[last].noun or sent[last].tag in ("JJ", "JJR", "JJS", "CD", "VBN", "HYPH")):
            if sent[last].word.atom and last > after and not sent[last - 1].anchor:
                break
            last += 1
        noun = last - 1
        if noun < after or not sent[noun].noun or sent[noun].anchor:
            continue
        _determine(sent, node.i, noun)


def _object_of(sent: Sentence, prep: int, noun: int) -> None:
    """Make the noun of "in which state" the object of its preposition, where it was taken for a clause."""
    if sent[noun].noun and noun > prep and sent[noun].dep == "relcl" and not sent.kids(noun, *SUBJECTS):
        over = sent[noun].head
        sent[noun].head, sent[noun].dep = prep, "pobj"
        if sent[prep].head == noun:
            sent[prep].head, sent[prep].dep = over, "prep"
        sent.link()


def _determine(sent: Sentence, word: int, noun: int) -> None:
    """Make `word` the determiner of `noun`, which takes the word's place in the sentence if it has none."""
    old_head, old_dep = sent[word].head, sent[word].dep
    if sent[noun].head <= word and sent[noun].head != noun and sent[noun].dep in ("dobj", "pobj") and old_dep != "pobj":
        pass
    elif old_head not in (noun, word):
        chain = [*sent.ancestors(old_head), old_head]
        if noun not in chain:
            sent[noun].head, sent[noun].dep = old_head, old_dep if old_dep != "det" else "dobj"
    for i in range(word + 1, noun):
        if not word < sent[i].head <= noun:
            sent[i].head, sent[i].dep = noun, "compound"
    sent[word].head, sent[word].dep = noun, "det"
    sent.link()


def _loosen(sent: Sentence, noun: int) -> None:
    """Free "which country" from a name after it that it was taken to modify."""
    node, name = sent[noun], sent[noun + 1] if noun + 1 < len(sent) else None
    if (
        name is None
        or node.dep != "compound"
        or not name.word.atom
        or node.head != name.i
        or is_word("class_work", node.low)
    ):
        return
    chain = [a for a in sent.ancestors(noun) if not sent[a].noun and sent[a].tag not in ("POS", "IN")]
    if chain:
        sent.attach(noun, chain[0], "dobj")


def stranded_preposition(sent: Sentence) -> None:
    """Hang the preposition that ends the question on the main verb, not on the noun before it: "is X's wife from"."""
    last = sent[sent.end - 1]
    # "of" is its noun's: "is she a member of".
    if last.tag != "IN" or last.low == "of" or last.kids or not sent[last.head].noun or sent[0].tag[:1] != "W":
        return
    if sent[last.head].i < last.i and sent[sent.root].low in BE:
        sent.attach(last.i, sent.root, "prep")


def with_phrases(sent: Sentence) -> None:
    """Hang "with the highest average", and "by NAME" behind a work, on the definite noun right before it."""
    for node in sent.nodes[2:]:
        noun = sent[node.i - 1]
        if node.head == noun.i or not noun.noun or noun.anchor:
            continue
        if node.low == "by" and _work_by(sent, node.i):
            sent.attach(node.i, noun.i, "prep")
        some = any(sent[d].low in ("a", "an") for d in sent.kids(noun.i, "det"))
        asks = node.i + 1 < len(sent) and sent[node.i + 1].low in ("what", "which")
        if (node.low == "from" or (node.low == "in" and asks)) and noun.dep == "pobj" and some:
            sent.attach(node.i, noun.i, "prep")
        if node.low != "with":
            continue
        ranked_object = any(sent[i].tag == "JJS" or sent[i].low == "most" for i in sent.subtree(node.i))
        if ranked_object and any(sent[d].low == "the" for d in sent.kids(noun.i, "det")):
            sent.attach(node.i, noun.i, "prep")


def _work_by(sent: Sentence, by: int) -> bool:
    """Tell whether "by" names the maker of a work: "inspired the poem by NAME"."""
    noun, verb = sent[by - 1], sent[sent[by].head]
    active = verb.tag in ("VBD", "VBZ", "VBP", "VB") and not sent.kids(verb.i, "auxpass")
    the = any(sent[d].low == "the" for d in sent.kids(noun.i, "det"))
    return active and the and noun.dep == "dobj" and is_word("class_work", noun.low) and sent[by + 1].word.atom


def compound_names(sent: Sentence) -> None:
    """Read "the last spring Regatta" as one phrase where its words were taken for two subjects."""
    for node in sent.nodes[:-1]:
        name = sent[node.i + 1]
        both = node.dep in SUBJECTS and name.dep in SUBJECTS and node.head != name.head
        if not both or not node.noun or node.anchor or not name.word.atom or sent.kids(node.i, "relcl", "acl"):
            continue
        for kid in list(node.kids):
            sent[kid].head = name.i
        node.head, node.dep = name.i, "compound"
        sent.link()


def class_names(sent: Sentence) -> None:
    """Hang a name on the class right before it: "signed contract C-12", "the director of film NAME"."""
    for node in sent.nodes[:-1]:
        name = sent[node.i + 1]
        loose = name.dep in ("appos", "npadvmod", "dep", "nmod", "dobj") and name.head != node.i
        plain = node.noun and not node.anchor and name.word.atom and is_word("class_work", node.low)
        taken = name.dep in SUBJECTS and node.i > 0 and sent[node.i - 1].low == "of"
        if plain and taken and not sent.kids(node.i, "det") and name.head > name.i:
            _subject_above(sent, node.i, name.i)
            continue
        if not plain or not loose or sent.kids(node.i, "det") or node.i in sent.ancestors(name.i):
            continue
        if node.head == name.i:
            # The name headed the pair: the class takes its place.
            node.head, node.dep = name.head, name.dep
            name.head, name.dep = node.i, "appos"
            sent.link()
        elif name.dep != "dobj":
            sent.attach(name.i, node.i, "appos")


def _subject_above(sent: Sentence, noun: int, name: int) -> None:
    """Give the verb of "the director of film NAME won" its subject: the phrase that the class and the name end."""
    verb = sent[name].head
    top = noun
    while sent[top].head < top and (sent[sent[top].head].noun or sent[sent[top].head].low == "of"):
        top = sent[top].head
    outer = sent[top].head
    if verb in sent.subtree(top):
        sent[verb].head, sent[verb].dep = (verb, "ROOT") if outer == top else (outer, sent[top].dep)
    sent[top].head, sent[top].dep = verb, "nsubj"
    sent[name].head, sent[name].dep = noun, "appos"
    sent.link()


def nominal_adjectives(sent: Sentence) -> None:
    """Read "the longest serving pilot" as a noun phrase where its noun was taken for an adjective."""
    for node in sent.nodes:
        if node.tag == "JJ" and node.dep in ("dobj", "pobj", "nsubj", "nsubjpass") and sent.kids(node.i, "det"):
            node.tag = "NN"


def part_of(sent: Sentence) -> None:
    """Read "What choir was the miller part of" with "part" as what the candidate is, not as the subject."""
    for node in sent.nodes[1:]:
        before = sent[node.i - 1]
        if node.low != "part" or node.dep not in SUBJECTS or before.head != node.i or before.dep != "compound":
            continue
        before.head, before.dep = node.head, node.dep
        for kid in list(node.kids):
            if kid < before.i:
                sent[kid].head = before.i
        node.dep = "attr"
        sent.link()
