"""Mends of clauses that the parser hung on the wrong word, or did not see at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .asked import question_word
from .lexicon import is_person, is_word
from .main_verb import opening_auxiliary
from .sentence import AUXILIARIES, BE, DO, FINITE_TAGS, HAVE, MODALS, NOUN_TAGS, RELATIVES, SUBJECTS

if TYPE_CHECKING:
    from .sentence import Node, Sentence


def that_clauses(sent: Sentence) -> None:
    """Read a finite clause with "that" on a noun as a relative clause unless the noun takes such clauses."""
    for node in sent.nodes:
        if node.dep == "acl" and sent.kids(node.i, *AUXILIARIES) and sent.kids(node.i, *SUBJECTS):
            # "that she is writing": a participle with an auxiliary and a subject is a finite clause.
            node.dep = "relcl"
            for mark in sent.kids(node.i, "mark"):
                sent[mark].dep = "dobj"
        if node.dep != "acl" or node.tag not in FINITE_TAGS | {"VBN"}:
            continue
        marks = [k for k in sent.kids(node.i, "mark") if sent[k].low == "that"]
        if marks and not is_word("that_noun", sent[node.head].low):
            node.dep = "relcl"
            sent[marks[0]].dep = "dobj"


def that_subject(sent: Sentence) -> None:
    """Read "the leak that the night crew mended" as a relative clause where "mended" was taken for a participle."""
    for node in sent.nodes:
        if node.dep != "acl" or node.tag not in ("VBN", "VBD") or node.head != node.i - 1:
            continue
        noun = node.head
        start = sent.subtree(noun)[0]
        pronoun, before = start - 1, start - 2
        told = before >= 0 and sent[pronoun].low in ("that", "which") and sent[before].noun and not sent[before].anchor
        if not told or sent.kids(node.i, "agent"):
            continue
        outer = sent[before].head
        sent[pronoun].head, sent[pronoun].dep, sent[pronoun].tag = node.i, "dobj", "WDT"
        sent[noun].head, sent[noun].dep = node.i, "nsubj"
        if outer in (pronoun, noun, node.i):
            sent[before].head = sent.root
        node.head, node.dep, node.tag = before, "relcl", "VBD"
        sent.link()
        return


def clause_object(sent: Sentence) -> None:
    """Read "the mill that village boys burned" with "that" as the object, where it was taken for "that village"."""
    for node in sent.nodes:
        subjects, objects = sent.kids(node.i, "nsubj"), sent.kids(node.i, "dobj")
        if node.dep != "relcl" or not subjects or not objects or objects[0] != subjects[0] - 1:
            continue
        dets = [k for k in sent.kids(objects[0], "det") if sent[k].low == "that" and sent[k - 1].noun]
        if dets:
            sent[objects[0]].head, sent[objects[0]].dep = subjects[0], "compound"
            sent[dets[0]].head, sent[dets[0]].dep, sent[dets[0]].tag = node.i, "dobj", "WDT"
            sent.link()


def clause_subject(sent: Sentence) -> None:
    """Read "Where is the river that local herders crossed?" with "is" as its verb and "crossed" as the clause's.

    The parser took the clause's subject for its verb, and its verb for that of the question.
    """
    root, main = sent[sent.root], opening_auxiliary(sent)
    if root.tag not in ("VBD", "VBN") or main is None or sent[main].low not in BE or sent[main].head != root.i:
        return
    noun = sent[root.i - 1]
    pronouns = [k for k in noun.kids if sent[k].low in RELATIVES]
    if noun.dep != "relcl" or noun.tag not in NOUN_TAGS or not pronouns or noun.head in (main, root.i):
        return
    sent[main].head, sent[main].dep = main, "ROOT"
    for kid in root.kids:
        if kid < noun.i and kid != main:
            sent[kid].head = main
            if sent[kid].dep == "nsubjpass":
                sent[kid].dep = "nsubj"
    root.head, root.dep, root.tag = noun.head, "relcl", "VBD"
    noun.head, noun.dep = root.i, "nsubj"
    sent[pronouns[0]].head, sent[pronouns[0]].dep, sent[pronouns[0]].tag = root.i, "dobj", "WDT"
    sent.link()


def stray_clauses(sent: Sentence) -> None:
    """Read "praised the bridge built to ..." as an object with a participle, where the parser made it a clause."""
    for node in sent.nodes:
        if node.dep not in ("relcl", "ccomp") or sent[node.head].noun or sent.kids(node.i, *AUXILIARIES):
            continue
        over = sent[node.head]
        subjects = sent.kids(node.i, "nsubj", "nsubjpass")
        participle = node.tag in ("VBN", "VBG") or (node.tag == "VBD" and node.dep == "relcl")
        behind = subjects and sent.subtree(subjects[0])[-1] in (node.i - 1, node.i - 2)
        adverb = sent[node.i - 1].low == "ever" or (subjects and subjects[0] == node.i - 1)
        if not behind or not participle or not adverb or not (over.tag.startswith("VB") or over.low in BE):
            continue
        noun = sent[subjects[0]]
        noun.head, noun.dep = over.i, "attr" if over.low in BE else "dobj"
        node.head, node.dep = noun.i, "acl"
        if node.tag == "VBD":
            node.tag = "VBN"
        sent.link()


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
        if low in ("that", "which", "whose", "whom") and i == start - 1:
            return i
    return None


def extraposed(sent: Sentence) -> None:
    """Hang a relative clause behind the main verb on what it describes: "Where did the choir meet that sang X?".

    It starts with who, that or which right behind a verb or a stranded preposition, before a finite verb.
    """
    aux = opening_auxiliary(sent)
    if aux is None or sent[aux].low not in DO | BE:
        return
    for node in sent.nodes[aux + 3 : -1]:
        before, after = sent[node.i - 1], sent[node.i + 1]
        starts = node.low in RELATIVES and before.tag in ("VB", "VBN", "IN", "RP") and node.tag != "IN"
        finite = after.tag in FINITE_TAGS or after.low in BE
        if not starts or not finite or (before.tag == "IN" and node.low == "which"):
            continue
        verb = after.head if after.dep in AUXILIARIES and after.head > after.i else after.i
        subjects = [n.i for n in sent.nodes[aux + 1 : node.i] if n.noun and not n.anchor and n.dep in SUBJECTS]
        wh = [n.i for n in sent.nodes[:aux] if n.noun]
        if subjects or wh:
            _extrapose(sent, aux, node.i, verb, (subjects or wh)[0])
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


def fronted_clause(sent: Sentence) -> None:
    """Read "When X died, who took over?" with "took" as its main verb, not as a clause on X."""
    word = question_word(sent)
    if word is None or word < 3 or sent[word - 1].low != "," or sent[0].low not in ("when", "where", "while"):
        return
    verb = sent[sent[word].head]
    if verb.i > word and verb.dep == "relcl" and verb.head < word:
        front = sent[sent.root]
        verb.head, verb.dep = verb.i, "ROOT"
        front.head, front.dep = verb.i, "advcl"
        sent.link()


def behind_finite_verb(sent: Sentence) -> None:
    """Find a reduced relative clause behind the finite verb of a question without inversion."""
    finite = next((n.i for n in sent.nodes if n.tag in ("VBZ", "VBD", "VBP") or n.low in BE), None)
    if finite is not None and opening_auxiliary(sent) is None:
        reduced_relative(sent, finite + 1)


def reduced_relative(sent: Sentence, start: int = 0) -> None:
    """Read "the company NAME owned" as a noun with a clause, in a phrase that has no verb of its own.

    `start`: where to look from; in a whole sentence, behind its finite verb.
    """
    for i in range(start, len(sent) - 2):
        named = i + 2 if sent[i + 1].tag == "DT" else i + 1
        if named + 1 >= len(sent) or not sent[i].noun or sent[i].anchor or not sent[named].word.atom:
            continue
        # Plain nouns may go on with the name: "the company NAME Airways owned".
        last = named
        while last + 2 < len(sent) and last < named + 2 and sent[last + 1].noun and not _third(sent[last + 1]):
            last += 1
        verb = sent[last + 1]
        finite = verb.low in BE | HAVE | MODALS or verb.tag in ("VBZ", "VBD", "VBP") or _third(verb)
        if not finite or (start and not sent.kids(i, "det")) or _inside_clause(sent, i):
            continue
        if verb.dep == "relcl" and verb.head == i:
            return
        main = verb.head if verb.dep in AUXILIARIES and verb.head > verb.i else verb.i
        if sent[main].dep == "relcl" and sent[main].head == i:
            return
        _make_clause(sent, i, last, main)
        return


def _inside_clause(sent: Sentence, noun: int) -> bool:
    """Tell whether the noun begins a clause itself: in "that the poem X is drawn from", the poem is X."""
    start = noun - 1
    while start > 0 and sent[start].tag in ("DT", "JJ"):
        start -= 1
    return start > 0 and sent[start].low in ("that", "which", "who", "where", "when", "whose")


def _make_clause(sent: Sentence, noun: int, named: int, main: int) -> None:
    """Hang everything behind the noun under it as a clause with the subject `named` and the verb `main`."""
    for node in sent.nodes[noun + 1 :]:
        outside = node.head <= noun or node.head in (node.i, named)
        if node.i != main and outside and node.low not in ("?", "."):
            node.head, node.dep = main, "nsubj" if node.i == named else node.dep
    sent[named].head, sent[named].dep = main, "nsubj"
    for node in sent.nodes[noun + 1 : named]:
        node.head, node.dep = named, "det" if node.tag == "DT" else "compound"
    if sent[main].tag == "NNS":
        sent[main].tag, sent[main].lemma = "VBZ", _singular(sent[main].low)
    for node in sent.nodes[:noun]:
        if node.head > noun:
            node.head = noun if node.dep in ("det", "amod", "compound", "nummod") else node.head
    if sent[noun].head > noun or sent[noun].head == noun:
        before = next((n for n in reversed(sent.nodes[:noun]) if n.tag in ("IN", "TO") and n.i >= noun - 4), None)
        if before is not None:
            sent[noun].head, sent[noun].dep = before.i, "pobj"
        else:
            sent[noun].head, sent[noun].dep = noun, "ROOT"
    sent[main].head, sent[main].dep = noun, "relcl"
    _reroot(sent, noun)
    sent.link()


def _reroot(sent: Sentence, noun: int) -> None:
    """Give words before the noun that hung under its clause to the finite verb before it."""
    verbs = [n for n in sent.nodes[:noun] if n.tag in ("VBZ", "VBD", "VBP") and n.dep not in AUXILIARIES]
    if not verbs:
        return
    main = verbs[0]
    for node in sent.nodes[:noun]:
        if node.i != main.i and node.head > noun:
            node.head = main.i
    if main.head > noun or main.head == main.i:
        main.head, main.dep = main.i, "ROOT"


def _third(node: Node) -> bool:
    return node.tag == "NNS" and is_word("bare_verb", _singular(node.low))


def _singular(low: str) -> str:
    return low[:-2] if is_word("bare_verb", low[:-2]) else low[:-1]
