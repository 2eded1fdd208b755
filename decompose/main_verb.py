"""The main verb that the grammar of an inverted question asks for.

An auxiliary before its subject leaves the main verb last: "When did the village where X will be staged burn?". A
question opened by do or a modal needs a bare verb; one opened by be and asking where, when or how needs a
participle or an adjective.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import is_word
from .sentence import BE, DO, FINITE_TAGS, HAVE, MODALS, NOUN_TAGS, WH_WORDS

if TYPE_CHECKING:
    from .sentence import Sentence

_NO_VERB_AFTER = frozenset({"DT", "JJ", "JJS", "JJR", "IN", "TO", "PRP$", "MD", "POS", "WP", "WDT", "CC", "CD", "HYPH"})
# Verbs whose past form or participle is the bare form.
_SAME_FORMS = frozenset(
    "become come run put set cut hit let shut cost hurt quit split spread read beat bet cast".split()
)
_BARE = frozenset({"VB", "VBP", "NN", "NNP", "JJ", "VBD", "VBN", "IN", "RB"})


def opening_auxiliary(sent: Sentence) -> int | None:
    """Return the auxiliary that stands before its subject: after the question word's phrase, or first."""
    wh = next((n.i for n in sent.nodes if n.low in WH_WORDS and not n.word.atom), None)
    start = 0 if wh is None else wh
    if sent[0].low in BE | DO | HAVE | MODALS:
        start = 0
    for node in sent.nodes[start : start + 9]:
        if node.low in BE | DO | HAVE | MODALS and not node.word.atom:
            follows = sent[node.i + 1].tag if node.i + 1 < len(sent) else "."
            return node.i if _subject_follows(sent, wh, node.i, follows) else None
        if node.i > start and (node.tag in ("VBD", "VBZ", "VBP") or node.low in WH_WORDS or node.low in (",", "that")):
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
    return tag in NOUN_TAGS | {"DT", "PRP", "PRP$", "JJ", "JJS", "CD", "WP", "``", "NNS", "RBS"} or sent[aux].low in DO


def bare_verb(sent: Sentence, aux: int) -> int | None:
    """Return the bare main verb of a do-question."""
    root = sent[sent.root]
    if root.tag == "VB" and sent[aux].head == root.i and root.i > aux + 1:
        return root.i
    if sent[aux + 1].word.atom and _plain_word(sent, aux + 2):
        # "did Spielberg direct Jaws": what follows a bare name is its verb, whatever the tagger takes it for.
        return aux + 2
    found = [n.i for n in sent.nodes[aux + 2 :] if _may_be_bare(sent, n.i)]
    for tags in (("VB",), ("VBP",)):
        tagged = [i for i in found if sent[i].tag in tags]
        if tagged:
            return tagged[0]
    if found:
        return found[-1]
    last = sent.end - 1
    if sent[last].tag == "IN" and last > aux + 3:
        last -= 1
    two = last == aux + 2 and sent[aux + 1].noun
    verb = is_word("bare_verb", sent[last].low) or (sent[last].low in sent.verbs and not sent.kids(last, "det"))
    return last if two or (last > aux + 2 and verb) else None


def _plain_word(sent: Sentence, i: int) -> bool:
    """Tell whether word i is a lower-case word that is neither a function word nor a name."""
    if i >= len(sent):
        return False
    node = sent[i]
    plain = node.low.isalpha() and node.word.text.islower() and not node.word.name
    return plain and node.tag != "RB" and not is_word("closed", node.low) and not is_word("opener", node.low)


def _may_be_bare(sent: Sentence, i: int) -> bool:
    node, before = sent[i], sent[i - 1]
    if node.word.atom or node.word.name or node.tag not in _BARE or not node.low.isalpha():
        return False
    if node.tag == "VB" and before.low not in ("to", "a", "an", "the") and before.low not in MODALS | DO | BE | HAVE:
        return True
    if node.low in _SAME_FORMS and before.tag not in ("DT", "MD", "JJ"):
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


def _how(sent: Sentence, aux: int) -> bool:
    """Tell whether "how tall" and the like are what is said of the subject: no participle is needed then."""
    return aux > 1 and sent[aux - 2].low == "how" and sent[aux - 1].tag in ("JJ", "RB", "JJR")


def late_participle(sent: Sentence, aux: int) -> int | None:
    """Return the participle that a be-question ends in ("... born", "... named after"), else None.

    It follows its subject phrase, has no auxiliary of its own, and nothing finite comes after it.
    """
    if _how(sent, aux):
        return None
    for i in range(len(sent) - 1, aux + 1, -1):
        node = sent[i]
        if node.tag in ("VBZ", "VBP", "MD", "WP", "WDT", "WRB") or node.low in BE:
            return None
        if node.tag in ("VBN", "VBD", "VBG", "JJ") and not node.anchor and _late(sent, aux, i):
            return i
    return None


def _completes(sent: Sentence, aux: int, i: int) -> bool:
    """Tell whether the word is the verb that a relative clause before it still lacks: "the parish where X slept"."""
    for k in range(i - 1, aux, -1):
        if sent[k].tag in FINITE_TAGS | {"VBN"} or sent[k].low in BE | HAVE:
            return False
        if sent[k].low in ("where", "who", "which", "that", "whom", "whose", "when") and sent[k].tag[0] == "W":
            return True
    return False


def _late(sent: Sentence, aux: int, i: int) -> bool:
    if _completes(sent, aux, i):
        return False
    node, before, after = sent[i], sent[i - 1], sent[i + 1] if i + 1 < len(sent) else None
    last = after is None or after.low in ("?", ".", ",")
    dangling = not last and after is not None and after.tag in ("IN", "RP", "TO") and _dangles(sent, after.i)
    if node.tag in ("JJ", "VBG") and not (dangling or node.low == "born" or is_word("predicate_adjective", node.low)):
        return False
    if asks_identity(sent, aux) and not dangling:
        return False
    if not last and after is not None and after.tag not in ("IN", "TO", "RB", "RP") and not dangling:
        return False
    if before.tag == "IN" and (sent[i - 2].tag in ("VBN", "VBD", "VBZ") or sent[i - 2].low == "part"):
        return last or (after is not None and after.tag == "IN")
    if sent[aux].low in ("is", "are") and after is not None and after.low == "by":
        # "Where is the firm founded by X?": what was once done by somebody describes the firm.
        return False
    if before.low in BE | HAVE or before.tag in ("DT", "CC", "IN", "TO"):
        return False
    return not (before.tag == "RB" and sent[i - 2].low in BE | HAVE) and before.low != "ever"


def _dangles(sent: Sentence, prep: int) -> bool:
    """Tell whether the preposition has no object right after it."""
    after = sent[prep + 1].low if prep + 1 < len(sent) else "?"
    tag = sent[prep + 1].tag if prep + 1 < len(sent) else "."
    return after in ("?", ".") or tag == "IN"


def asks_identity(sent: Sentence, aux: int) -> bool:
    """Tell whether the question is "who/what is <phrase>?", which is complete without a participle."""
    return aux > 0 and sent[aux - 1].low in ("who", "what")
