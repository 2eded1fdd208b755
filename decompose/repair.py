"""Known mistakes of the small parser in questions, each found by what the grammar of a question needs.

An auxiliary before its subject leaves the main verb last: "When did the city where X will be held fall?". The
parser often takes that verb into the subject's last clause. A question opened by do needs a bare verb; one
opened by be and asking where, when or how needs a participle or an adjective.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexicon import is_person, is_word
from .sentence import BE, DO, HAVE, MODALS, NOUN_TAGS, SUBJECTS

if TYPE_CHECKING:
    from .sentence import Node, Sentence

_NO_VERB_AFTER = frozenset(
    {"DT", "JJ", "JJS", "JJR", "IN", "TO", "PRP$", "MD", "POS", "WP", "WDT", "CC", "CD", "HYPH"}
)
# Verbs whose past form or participle is the bare form.
_SAME_FORMS = frozenset(
    "become come run put set cut hit let shut cost hurt quit split spread read beat bet cast".split()
)
_BARE = frozenset({"VB", "VBP", "NN", "NNP", "JJ", "VBD", "VBN", "IN", "RB"})
_WH = frozenset("who whom whose what which when where why how".split())


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of an inverted question: auxiliary, subject phrase between it and `verb`, main verb.

    `verb` is one past the end of the phrase; for "who is <phrase>?" it is the auxiliary's own complement end.
    """

    aux: int
    end: int
    verb: int


def frame(sent: Sentence) -> Frame | None:
    """Return the frame that the grammar asks for where the parse has another, else None."""
    aux = opening_auxiliary(sent)
    if aux is None:
        return None
    verb: int | None = None
    if sent[aux].low in DO or sent[aux].low in MODALS:
        verb = bare_verb(sent, aux)
    elif sent[aux].low in BE:
        predicate = stranded_predicate(sent, aux)
        if predicate is not None:
            return Frame(aux, predicate, aux)
        verb = late_participle(sent, aux)
        if verb is None and _other_finite(sent, aux):
            end = len(sent) - 1 if sent[len(sent) - 1].low == "?" else len(sent)
            return Frame(aux, end, aux)
    if verb is None or _tidy(sent, aux, verb):
        return None
    end = verb
    while end - 1 > aux + 1 and sent[end - 1].tag == "RB" and sent[end - 1].low.endswith("ly"):
        end -= 1
    return Frame(aux, end, verb)


def _other_finite(sent: Sentence, aux: int) -> bool:
    """Tell whether the parse has taken a later finite verb for the main one."""
    root = sent[sent.root]
    return _asks_identity(sent, aux) and root.i > aux and root.tag in ("VBD", "VBZ", "VBP", "MD", "NN")


def _tidy(sent: Sentence, aux: int, verb: int) -> bool:
    """Tell whether the parse already has one subject phrase between the auxiliary and the main verb."""
    if sent.root != verb or sent[aux].head != verb or any(n.dep == "split" for n in sent.nodes):
        return False
    loose = [n for n in sent.nodes[aux + 1 : verb] if not aux < n.head < verb]
    tops = [n for n in loose if n.dep not in ("advmod", "neg", "punct", "aux", "auxpass")]
    into = [n for n in sent.nodes if not aux < n.i < verb and aux < n.head < verb and n.low != ","]
    return len(tops) == 1 and tops[0].noun and not into


def reframe(sent: Sentence, shape: Frame, inner: Sentence) -> None:
    """Put the separately parsed subject phrase `inner` into the frame, in place."""
    start = shape.aux + 1
    root = shape.verb
    reduced_relative(inner)
    noun_first(inner)
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
    verb, aux = sent[shape.verb], sent[shape.aux]
    verb.head, verb.dep = verb.i, "ROOT"
    if verb is not aux:
        passive = aux.low in BE and verb.tag in ("VBN", "VBD")
        aux.head, aux.dep = verb.i, "auxpass" if passive else "aux"
        if aux.low in DO | MODALS:
            verb.tag = "VB"
    for node in sent.nodes[: shape.aux]:
        if node.head == aux.i and verb is not aux:
            node.head = verb.i


def repair(sent: Sentence) -> None:
    """Mend smaller slips in place, one kind after the other; stop where a mend closed a loop."""
    for step in STEPS:
        step(sent)
        if sent.cyclic():
            return


def behind_finite_verb(sent: Sentence) -> None:
    """Find a reduced relative clause behind the finite verb of a question without inversion."""
    finite = next((n.i for n in sent.nodes if n.tag in ("VBZ", "VBD", "VBP") or n.low in BE), None)
    if finite is not None and opening_auxiliary(sent) is None:
        reduced_relative(sent, finite + 1)


def opening_auxiliary(sent: Sentence) -> int | None:
    """Return the auxiliary that stands before its subject: after the question word's phrase, or first."""
    wh = next((n.i for n in sent.nodes if n.low in _WH and not n.word.atom), None)
    start = 0 if wh is None else wh
    if sent[0].low in BE | DO | HAVE | MODALS:
        start = 0
    for node in sent.nodes[start : start + 9]:
        if node.low in BE | DO | HAVE | MODALS and not node.word.atom:
            follows = sent[node.i + 1].tag if node.i + 1 < len(sent) else "."
            return node.i if _subject_follows(sent, wh, node.i, follows) else None
        if node.i > start and (
            node.tag in ("VBD", "VBZ", "VBP") or node.low in _WH or node.low in (",", "that")
        ):
            return None
    return None


def _subject_follows(sent: Sentence, wh: int | None, aux: int, tag: str) -> bool:
    """Tell whether the subject, not the predicate, follows the auxiliary."""
    if (
        tag == "JJ"
        and sent[aux].low not in DO
        and not (aux + 2 < len(sent) and sent[aux + 2].tag in (*NOUN_TAGS, "JJ"))
    ):
        return False
    return (
        tag in NOUN_TAGS | {"DT", "PRP", "PRP$", "JJ", "JJS", "CD", "WP", "``", "NNS", "RBS"}
        or sent[aux].low in DO
    )


def bare_verb(sent: Sentence, aux: int) -> int | None:
    """Return the bare main verb of a do-question."""
    root = sent[sent.root]
    if root.tag == "VB" and sent[aux].head == root.i and root.i > aux + 1:
        return root.i
    found = [n.i for n in sent.nodes[aux + 2 :] if _may_be_bare(sent, n.i)]
    for tags in (("VB",), ("VBP",)):
        tagged = [i for i in found if sent[i].tag in tags]
        if tagged:
            return tagged[0]
    if found:
        return found[-1]
    last = len(sent) - 2 if sent[len(sent) - 1].low == "?" else len(sent) - 1
    if sent[last].tag == "IN" and last > aux + 3:
        last -= 1
    return last if last > aux + 2 and is_word("bare_verb", sent[last].low) else None


def _may_be_bare(sent: Sentence, i: int) -> bool:
    node, before = sent[i], sent[i - 1]
    if node.word.atom or node.word.name or node.tag not in _BARE or not node.low.isalpha():
        return False
    if (
        node.tag == "VB"
        and before.low not in ("to", "a", "an", "the")
        and before.low not in MODALS | DO | BE | HAVE
    ):
        return True
    if node.low in _SAME_FORMS and node.tag in ("VBD", "VBN", "VBP") and before.tag not in ("DT", "MD"):
        return before.low not in BE | HAVE
    if is_word("bare_verb", node.low) and i + 1 < len(sent) and sent[i + 1].tag in ("DT", "PRP$", "PRP"):
        return before.tag not in ("DT", "TO", "MD", "PRP$")
    if before.tag in _NO_VERB_AFTER and not (before.tag in ("IN", "TO") and _stranded(sent, i - 1)):
        return False
    if before.low in MODALS | DO | BE | HAVE or (before.low == "to" and node.tag == "VB"):
        return False
    if node.tag in ("VB", "VBP"):
        return True
    return is_word("bare_verb", node.low)


def _stranded(sent: Sentence, i: int) -> bool:
    return not sent.kids(i, "pobj", "pcomp") or all(k > i + 1 for k in sent.kids(i, "pobj", "pcomp"))


def stranded_predicate(sent: Sentence, aux: int) -> int | None:
    """Return where the predicate of "What team is <phrase> a member of?" begins."""
    last = len(sent) - 1
    while last > aux and sent[last].low in ("?", "."):
        last -= 1
    if sent[last].tag != "IN" or not sent[last - 1].noun or sent[last - 1].anchor or last - 3 <= aux:
        return None
    if sent[last - 1].low == "part":
        return last - 1
    start = last - 2
    while start > aux + 1 and sent[start].tag in ("JJ", "NN"):
        start -= 1
    if sent[start].low not in ("a", "an") or start <= aux + 1:
        return None
    # The words before it must not leave a relative clause without its verb: "... the river that X is".
    return None if sent[start - 1].low in BE else start


def late_participle(sent: Sentence, aux: int) -> int | None:
    """Return the participle that a be-question ends in ("... born", "... named after"), else None.

    It follows its subject phrase, has no auxiliary of its own, and nothing finite comes after it.
    """
    for i in range(len(sent) - 1, aux + 1, -1):
        node = sent[i]
        if node.tag in ("VBZ", "VBP", "MD", "WP", "WDT", "WRB") or node.low in BE:
            return None
        if node.tag in ("VBN", "VBD", "VBG", "JJ") and not node.anchor and _late(sent, aux, i):
            return i
    return None


def _completes(sent: Sentence, aux: int, i: int) -> bool:
    """Tell whether the word is the verb that a relative clause before it still lacks: "the state where X died"."""
    for k in range(i - 1, aux, -1):
        if sent[k].tag in ("VBD", "VBZ", "VBP", "MD", "VBN") or sent[k].low in BE | HAVE:
            return False
        if (
            sent[k].low in ("where", "who", "which", "that", "whom", "whose", "when")
            and sent[k].tag[0] == "W"
        ):
            return True
    return False


def _late(sent: Sentence, aux: int, i: int) -> bool:
    if _completes(sent, aux, i):
        return False
    node, before, after = sent[i], sent[i - 1], sent[i + 1] if i + 1 < len(sent) else None
    last = after is None or after.low in ("?", ".", ",")
    dangling = not last and after is not None and after.tag in ("IN", "RP", "TO") and _dangles(sent, after.i)
    if node.tag in ("JJ", "VBG") and not (
        dangling or node.low == "born" or is_word("predicate_adjective", node.low)
    ):
        return False
    if _asks_identity(sent, aux) and not dangling:
        return False
    if not last and after is not None and after.tag not in ("IN", "TO", "RB", "RP") and not dangling:
        return False
    if before.tag == "IN" and (sent[i - 2].tag in ("VBN", "VBD", "VBZ") or sent[i - 2].low == "part"):
        return last or (after is not None and after.tag == "IN")
    if before.low in BE | HAVE or before.tag in ("DT", "CC", "IN", "TO"):
        return False
    return not (before.tag == "RB" and sent[i - 2].low in BE | HAVE) and before.low != "ever"


def _dangles(sent: Sentence, prep: int) -> bool:
    """Tell whether the preposition has no object right after it."""
    after = sent[prep + 1].low if prep + 1 < len(sent) else "?"
    tag = sent[prep + 1].tag if prep + 1 < len(sent) else "."
    return after in ("?", ".") or tag in ("IN",)


def _asks_identity(sent: Sentence, aux: int) -> bool:
    """Tell whether the question is "who/what is <phrase>?", which is complete without a participle."""
    return aux > 0 and sent[aux - 1].low in ("who", "what")


def that_clauses(sent: Sentence) -> None:
    """Read a finite clause with "that" on a noun as a relative clause unless the noun takes such clauses."""
    for node in sent.nodes:
        if node.dep != "acl" or node.tag not in ("VBD", "VBZ", "VBP", "VBN", "MD"):
            continue
        marks = [k for k in sent.kids(node.i, "mark") if sent[k].low == "that"]
        if marks and not is_word("that_noun", sent[node.head].low):
            node.dep = "relcl"
            sent[marks[0]].dep = "dobj"


def stray_clauses(sent: Sentence) -> None:
    """Read "signed the act made to ..." as an object with a participle, where the parser made it a clause."""
    for node in sent.nodes:
        if node.dep != "relcl" or sent[node.head].noun or not sent[node.head].tag.startswith("VB"):
            continue
        subjects = sent.kids(node.i, "nsubj", "nsubjpass")
        if subjects and subjects[0] == node.i - 1 and node.tag in ("VBN", "VBD"):
            noun, verb = subjects[0], node.head
            sent[noun].head, sent[noun].dep = verb, "dobj"
            node.head, node.dep, node.tag = noun, "acl", "VBN"
            sent.link()


def low_attachment(sent: Sentence) -> None:
    """Hang what follows "N of the M" on M: the sister of the receptionist at X, the capital of the state in Y."""
    for node in sent.nodes:
        head = sent[node.head]
        if (
            node.i <= head.i
            or node.low == "of"
            or not head.noun
            or node.dep not in ("prep", "relcl", "acl", "advmod")
        ):
            continue
        inner = _innermost_of(sent, head.i, node.i)
        if inner is None or (
            node.dep == "relcl" and sent[sent.subtree(node.i)[0]].low in ("who", "where", "whose")
        ):
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


def participles(sent: Sentence) -> None:
    """Read "ever recorded" and "request closing ticket X" as participles on the noun before them."""
    for node in sent.nodes[2:-1]:
        before = sent[node.i - 1]
        if node.tag == "VBN" and before.low == "ever" and sent[node.i - 2].noun and node.head != node.i - 2:
            sent.attach(before.i, node.i, "advmod")
            sent.attach(node.i, node.i - 2, "acl")
        elif _fused(sent, node.i):
            _unfuse(sent, node.i)


def _fused(sent: Sentence, i: int) -> bool:
    """Tell whether an -ing word was taken for a modifier of the name that is its object."""
    node, before = sent[i], sent[i - 1]
    if not node.low.endswith("ing") or node.dep not in ("compound", "amod") or node.word.name:
        return False
    if not before.noun or before.word.name or sent[before.i - 1].tag in ("IN",):
        return False
    tops = [i, *sent.ancestors(i)]
    return any(sent[t].word.atom and t > i for t in tops[:3])


def _unfuse(sent: Sentence, i: int) -> None:
    noun = i - 1
    top = next(t for t in sent.ancestors(i)[:3] if sent[t].word.atom)
    outer_head, outer_dep = sent[top].head, sent[top].dep
    for node in sent.nodes[:noun]:
        if node.head in (top, i):
            node.head = noun
    sent[noun].head, sent[noun].dep = outer_head, outer_dep
    for node in sent.nodes[i + 1 : top]:
        if node.head in (i, top) or node.head <= noun:
            node.head = top
    sent[i].head, sent[i].dep, sent[i].tag, sent[i].lemma = noun, "acl", "VBG", base_of(sent[i].low)
    sent[top].head, sent[top].dep = i, "dobj"
    sent.link()


def base_of(low: str) -> str:
    """Return the base form of an -ing word."""
    stem = low[:-3]
    if is_word("bare_verb", stem):
        return stem
    if is_word("bare_verb", stem + "e"):
        return stem + "e"
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem


def reattach(sent: Sentence) -> None:
    """Hang a relative clause on the noun right before its pronoun, where the parser chose another head.

    A where-clause goes to the nearest place, a who-clause to the nearest noun for people.
    """
    for node in sent.nodes:
        if node.dep not in ("relcl", "advcl", "ccomp", "pcomp"):
            continue
        start = sent.subtree(node.i)[0]
        if start == 0 or start >= node.i:
            continue
        if sent[start].low in ("which", "whom", "whose", "who", "that", "where"):
            pronoun = start
        elif sent[start].tag == "IN" and sent[start + 1].low in ("which", "whom", "whose"):
            pronoun = start + 1
        else:
            continue
        if node.dep != "relcl" and not (sent[start - 1].noun and _relative_use(sent, start, pronoun, node.i)):
            continue
        near = _nearest(sent, start, node.head if node.head < start and node.dep == "relcl" else -1)
        if near is not None and near != node.head and near not in sent.subtree(node.i):
            sent.attach(node.i, near, "relcl")


def _relative_use(sent: Sentence, start: int, pronoun: int, verb: int) -> bool:
    """Tell whether a clause that the parser took for a complement is a relative one."""
    if pronoun > start or sent[pronoun].low == "whose":
        return True
    if sent[pronoun].low == "where":
        return is_word("place", sent[start - 1].low)
    gap = sent[pronoun].dep in ("nsubj", "nsubjpass", "dobj", "pobj")
    return gap and not sent[start - 1].anchor and sent[verb].head < start


def _nearest(sent: Sentence, start: int, head: int) -> int | None:
    """Return the noun that a clause starting at `start` describes, looking left no further than `head`."""
    low = sent[start].low
    if sent[start].tag == "IN" and low != "that":
        low = "that"
    for i in range(start - 1, head, -1):
        node = sent[i]
        if not node.noun or node.word.atom or node.word.name:
            continue
        if sent[node.head].i == i + 1 and node.dep == "compound":
            continue
        if low == "where" and is_word("place", node.low):
            return i
        if low == "who" and is_person(node.low):
            return None if head >= 0 and is_person(sent[head].low) and i != start - 1 else i
        if low in ("that", "which") and i == start - 1:
            return i
    return None


def reduced_relative(sent: Sentence, start: int = 0) -> None:
    """Read "the company NAME owned" as a noun with a clause, in a phrase that has no verb of its own.

    `start`: where to look from; in a whole sentence, behind its finite verb.
    """
    for i in range(start, len(sent) - 2):
        named = i + 2 if sent[i + 1].tag == "DT" else i + 1
        if named + 1 >= len(sent) or not sent[i].noun or sent[i].anchor or not sent[named].word.atom:
            continue
        verb = sent[named + 1]
        finite = verb.low in BE | HAVE | MODALS or verb.tag in ("VBZ", "VBD", "VBP") or _third(verb)
        if not finite or (start and not sent.kids(i, "det")):
            continue
        if verb.dep == "relcl" and verb.head == i:
            return
        main = verb.head if verb.dep in ("aux", "auxpass") and verb.head > verb.i else verb.i
        if sent[main].dep == "relcl" and sent[main].head == i:
            return
        _make_clause(sent, i, named, main)
        return


def _make_clause(sent: Sentence, noun: int, named: int, main: int) -> None:
    """Hang everything behind the noun under it as a clause with the subject `named` and the verb `main`."""
    for node in sent.nodes[noun + 1 :]:
        outside = node.head <= noun or node.head in (node.i, named)
        if node.i != main and outside and node.low not in ("?", "."):
            node.head, node.dep = main, "nsubj" if node.i == named else node.dep
    sent[named].head, sent[named].dep = main, "nsubj"
    for node in sent.nodes[noun + 1 : named]:
        node.head, node.dep = named, "det"
    if sent[main].tag == "NNS":
        sent[main].tag, sent[main].lemma = "VBZ", _singular(sent[main].low)
    for node in sent.nodes[:noun]:
        if node.head > noun:
            node.head = noun if node.dep in ("det", "amod", "compound", "nummod") else node.head
    if sent[noun].head > noun or sent[noun].head == noun:
        before = next(
            (n for n in reversed(sent.nodes[:noun]) if n.tag in ("IN", "TO") and n.i >= noun - 4), None
        )
        if before is not None:
            sent[noun].head, sent[noun].dep = before.i, "pobj"
        else:
            sent[noun].head, sent[noun].dep = noun, "ROOT"
    sent[main].head, sent[main].dep = noun, "relcl"
    _reroot(sent, noun)
    sent.link()


def _reroot(sent: Sentence, noun: int) -> None:
    """Give words before the noun that hung under its clause to the finite verb before it."""
    verbs = [
        n for n in sent.nodes[:noun] if n.tag in ("VBZ", "VBD", "VBP") and n.dep not in ("aux", "auxpass")
    ]
    if not verbs:
        return
    main = verbs[0]
    for node in sent.nodes[:noun]:
        if node.i != main.i and node.head > noun:
            node.head = main.i
    if main.head > noun or main.head == main.i or sent[main.head].head == main.head and main.head > noun:
        main.head, main.dep = main.i, "ROOT"


def _third(node: Node) -> bool:
    return node.tag == "NNS" and is_word("bare_verb", _singular(node.low))


def _singular(low: str) -> str:
    return low[:-2] if is_word("bare_verb", low[:-2]) else low[:-1]


def extraposed(sent: Sentence) -> None:
    """Hang a relative clause behind the main verb on what it describes: "Where did the band form that made X?".

    It starts with who, that or which right behind a verb or a stranded preposition, before a finite verb.
    """
    aux = opening_auxiliary(sent)
    if aux is None or sent[aux].low not in DO | BE:
        return
    for node in sent.nodes[aux + 3 : -1]:
        before, after = sent[node.i - 1], sent[node.i + 1]
        starts = (
            node.low in ("who", "that", "which")
            and before.tag in ("VB", "VBN", "IN", "RP")
            and node.tag != "IN"
        )
        finite = after.tag in ("VBD", "VBZ", "VBP", "MD") or after.low in BE
        if not starts or not finite or (before.tag == "IN" and node.low == "which"):
            continue
        verb = after.head if after.dep in ("aux", "auxpass") and after.head > after.i else after.i
        subjects = [
            n.i for n in sent.nodes[aux + 1 : node.i] if n.noun and not n.anchor and n.dep in SUBJECTS
        ]
        wh = [n.i for n in sent.nodes[:aux] if n.noun]
        target = subjects[0] if subjects and not sent[subjects[0] + 1].noun else (subjects or wh or [None])[0]
        if target is not None:
            _extrapose(sent, aux, node.i, verb, target)
        return


def _extrapose(sent: Sentence, aux: int, pronoun: int, verb: int, target: int) -> None:
    """Make `verb` with everything behind the pronoun a clause on `target`."""
    main = next((n.i for n in reversed(sent.nodes[aux + 1 : pronoun]) if n.tag in ("VB", "VBN")), aux)
    for node in sent.nodes:
        behind = node.i >= pronoun and node.low != "?"
        if behind and node.i != verb and node.head < pronoun:
            node.head = verb
        elif not behind and node.i != main and (node.head >= pronoun or node.head == node.i):
            node.head = main
    sent[pronoun].head, sent[pronoun].dep, sent[pronoun].tag = verb, "nsubj", "WDT"
    sent[verb].head, sent[verb].dep = target, "relcl"
    if target in sent.subtree(main) or target == main or sent[main].head == verb:
        sent[main].head, sent[main].dep = main, "ROOT"
    sent.link()


def owned_role(sent: Sentence) -> None:
    """Read "the director of X 's birthday" as (the director of X)'s birthday, not the director of a birthday."""
    for node in sent.nodes:
        owners = sent.kids(node.i, "poss")
        if (
            node.dep != "pobj"
            or not owners
            or not is_word("attribute", node.low)
            and not is_word("kin", node.low)
        ):
            continue
        of = sent[node.head]
        lead = sent[of.head]
        if of.low != "of" or not lead.noun or not is_person(lead.low):
            continue
        outer, dep = lead.head, lead.dep
        owner = sent[owners[0]]
        for mark in sent.kids(owner.i, "case"):
            sent[mark].head = lead.i
        owner.head, owner.dep = of.i, "pobj"
        node.head, node.dep = (node.i if outer == lead.i else outer), dep
        lead.head, lead.dep = node.i, "poss"
        sent.link()


def noun_first(sent: Sentence) -> None:
    """Make a noun phrase of what the parser read as a sentence: "the actor playing X", "the man considered Y"."""
    verb = sent[sent.root]
    subjects = sent.kids(verb.i, "nsubj", "nsubjpass")
    if not verb.tag.startswith("VB") or not subjects or sent.kids(verb.i, "aux", "auxpass"):
        return
    noun = sent[subjects[0]]
    if not noun.noun or noun.anchor or sent.subtree(noun.i)[-1] != verb.i - 1 or verb.tag == "VBZ":
        return
    noun.head, noun.dep = noun.i, "ROOT"
    verb.head, verb.dep = noun.i, "acl"
    if verb.tag == "VBD":
        verb.tag = "VBN"
    sent.link()


def wh_determiners(sent: Sentence) -> None:
    """Read "which Welsh filmmaker", "on which dates" as a question word with its noun."""
    for node in sent.nodes[:-1]:
        if (
            node.low not in ("which", "what")
            or node.word.atom
            or (node.dep == "det" and sent[node.head].noun)
        ):
            if node.low in ("which", "what") and node.dep == "det" and sent[node.head + 1 :]:
                _loosen(sent, node.head)
            continue
        after = node.i + 1
        if (
            sent[after].tag == "VBZ"
            and after + 1 < len(sent)
            and sent[after + 1].low in ("?", ".")
            and node.i
        ):
            sent[after].tag = "NNS"
        last = after
        while last < len(sent) and (
            sent[last].noun or sent[last].tag in ("JJ", "JJR", "JJS", "CD", "VBN", "HYPH")
        ):
            if sent[last].word.atom and last > after and not sent[last - 1].anchor:
                break
            last += 1
        noun = last - 1
        if noun < after or not sent[noun].noun or sent[noun].anchor:
            continue
        _determine(sent, node.i, noun)


def _determine(sent: Sentence, word: int, noun: int) -> None:
    """Make `word` the determiner of `noun`, which takes the word's place in the sentence if it has none."""
    old_head, old_dep = sent[word].head, sent[word].dep
    if (
        sent[noun].head <= word
        and sent[noun].head != noun
        and sent[noun].dep in ("dobj", "pobj")
        and old_dep != "pobj"
    ):
        pass
    elif old_head != noun and old_head != word:
        chain = sent.ancestors(old_head) + [old_head]
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


def with_phrases(sent: Sentence) -> None:
    """Hang "with the highest average" on the definite noun right before it."""
    for node in sent.nodes[2:]:
        noun = sent[node.i - 1]
        if node.low != "with" or node.head == noun.i or not noun.noun or noun.anchor:
            continue
        ranked_object = any(sent[i].tag == "JJS" or sent[i].low == "most" for i in sent.subtree(node.i))
        if ranked_object and any(sent[d].low == "the" for d in sent.kids(noun.i, "det")):
            sent.attach(node.i, noun.i, "prep")


def dangling_participles(sent: Sentence) -> None:
    """Read "of the county sharing X" as a participle on the noun, not as a second object of the preposition."""
    for node in sent.nodes[2:]:
        if node.dep != "pcomp" or node.tag != "VBG":
            continue
        objects = [k for k in sent.kids(node.head, "pobj") if k < node.i]
        if objects and sent[objects[-1]].noun and not sent[objects[-1]].anchor:
            sent.attach(node.i, objects[-1], "acl")


def compound_names(sent: Sentence) -> None:
    """Read "the next winter Olympics" as one phrase where its words were taken for two subjects."""
    for node in sent.nodes[:-1]:
        name = sent[node.i + 1]
        both = node.dep in SUBJECTS and name.dep in SUBJECTS and node.head != name.head
        if (
            not both
            or not node.noun
            or node.anchor
            or not name.word.atom
            or sent.kids(node.i, "relcl", "acl")
        ):
            continue
        for kid in list(node.kids):
            sent[kid].head = name.i
        node.head, node.dep = name.i, "compound"
        sent.link()


def part_of(sent: Sentence) -> None:
    """Read "What party was the candidate part of" with "part" as what the candidate is, not as the subject."""
    for node in sent.nodes[1:]:
        before = sent[node.i - 1]
        if (
            node.low != "part"
            or node.dep not in SUBJECTS
            or before.head != node.i
            or before.dep != "compound"
        ):
            continue
        before.head, before.dep = node.head, node.dep
        for kid in list(node.kids):
            if kid < before.i:
                sent[kid].head = before.i
        node.dep = "attr"
        sent.link()


STEPS = (
    part_of,
    wh_determiners,
    behind_finite_verb,
    that_clauses,
    stray_clauses,
    extraposed,
    owned_role,
    dangling_participles,
    with_phrases,
    low_attachment,
    reattach,
    compound_names,
    participles,
)
