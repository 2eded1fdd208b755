"""What a question asks for: its question word and the noun phrases that are the unknown itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from .lexicon import is_word
from .phrases import folding
from .sentence import BE, CLAUSES, DO, FINITE_TAGS, HAVE, MODALS, OBJECTS, SUBJECTS, WH_WORDS

if TYPE_CHECKING:
    from .sentence import Sentence

_TRANSPARENT = frozenset("name names title kind type sort form number list example part one percentage term".split())


@dataclass(frozen=True, slots=True)
class Asked:
    """The unknown. `word`: index of the question word or None. `heads`: the nouns that are the unknown.

    `initial`: the question word opens the question (after an adjunct or a preposition at most).
    """

    word: int | None
    heads: frozenset[int]
    initial: bool


def asked(sent: Sentence) -> Asked:
    """Read what the sentence asks for; once for a tree as it stands."""
    key = ("asked", ())
    if key not in sent.memo:
        sent.memo[key] = _asked(sent)
    return cast("Asked", sent.memo[key])


def _asked(sent: Sentence) -> Asked:
    word = question_word(sent)
    if word is None:
        return Asked(None, frozenset(), initial=False)
    heads: set[int] = set()
    node = sent[word]
    if node.low in ("what", "which", "whose") and sent[node.head].noun and node.head > word:
        heads.add(node.head)
        heads |= _predicate(sent, word)
    elif node.low == "how" and sent[node.head].low in ("many", "much"):
        quantity = sent[node.head]
        if sent[quantity.head].noun:
            heads.add(quantity.head)
    if not heads and (_initial(sent, word) or _bare_last(sent, word)) and copular(sent, word):
        heads |= {k for k in sent[sent.root].kids if sent[k].dep in SUBJECTS | OBJECTS and k != word and sent[k].noun}
    if not heads and node.low == "how":
        heads |= _measured(sent, word)
    for head in sorted(heads):
        heads |= _through(sent, head)
    return Asked(word, frozenset(heads), initial=_initial(sent, word))


def _predicate(sent: Sentence, word: int) -> set[int]:
    """Return the noun that is said to be the unknown: "which city is the capital of X" asks for the capital.

    Not so where an attribute is asked for: "what nationality is the director of X".
    """
    noun, root = sent[sent[word].head], sent[sent.root]
    last = sent[sent.end - 1]
    if word or noun.head != root.i or noun.i > root.i or folding(sent, noun.i) or not copular(sent, word):
        return set()
    if last.tag in ("IN", "RP", "TO", "VBN"):
        # "What country is the miller from", "what town are the kilns located": the noun is said of something else.
        return set()
    return {k for k in root.kids if k > root.i and sent[k].dep in SUBJECTS | OBJECTS and sent[k].noun}


# Verbs that ask for a mere attribute of their subject: birth, death, burial, marriage, schooling.
_OF_A_LIFE = frozenset("die bury marry study graduate attend educate bear".split())


def asks_attribute(sent: Sentence) -> bool:
    """Tell whether the sentence asks for a mere attribute of one answer and names nothing else: "When did #2 die?"."""
    answers = [n for n in sent.nodes if n.word.ref]
    if len(answers) != 1 or any(n.anchor and not n.word.ref for n in sent.nodes):
        return False
    answer, root = answers[0], sent[sent.root]
    if answer.head == root.i and answer.dep in SUBJECTS:
        measured = root.low in BE and sent[1].low == "old"
        return measured or root.low == "born" or root.lemma in _OF_A_LIFE
    heads = asked(sent).heads
    return any(_personal(sent, h) and answer.i in sent.subtree(h) and _directly(sent, h, answer.i) for h in heads)


def _personal(sent: Sentence, head: int) -> bool:
    """Tell whether the noun is kinship, or a fact of birth, death and the like."""
    low = sent[head].low
    return any(is_word(name, w) for name in ("kin", "personal") for w in (low, low.removesuffix("s")))


def _directly(sent: Sentence, head: int, answer: int) -> bool:
    """Tell whether nothing but "of" or "'s" stands between the noun and the answer."""
    over = sent[answer].head
    return over == head or (sent[over].low == "of" and sent[over].head == head)


def _measured(sent: Sentence, word: int) -> set[int]:
    """Return the attribute that "how high is the salary of X" asks for: it is the unknown, as in "what is"."""
    root = sent[sent.root]
    if root.low not in BE or word + 2 != root.i:
        return set()
    subjects = [k for k in root.kids if sent[k].dep in SUBJECTS | OBJECTS and sent[k].noun]
    return {k for k in subjects if folding(sent, k)}


def _through(sent: Sentence, head: int) -> set[int]:
    """Return the nouns behind a transparent one: "the name of the singer" asks for the singer."""
    found: set[int] = set()
    while sent[head].low in _TRANSPARENT and not sent.kids(head, "amod", "compound"):
        of = [k for k in sent.kids(head, "prep") if sent[k].low == "of"]
        inner = [p for k in of for p in sent.kids(k, "pobj") if sent[p].noun]
        if not inner:
            break
        head = inner[0]
        found.add(head)
    return found


def question_word(sent: Sentence) -> int | None:
    """Return the interrogative word: the first wh-word that is no relative pronoun."""
    candidates = [n.i for n in sent.nodes if n.low in WH_WORDS and not n.word.atom]
    asking = [i for i in candidates if not _is_relative(sent, i)]
    if not asking:
        return None
    behind = [i for i in candidates if i > 2 and sent[i - 1].low == ","]
    # "When the founder of X died, who took over?": a clause is fronted, the question comes behind its comma.
    fronted = sent[0].low in ("when", "where", "while") and asking[0] == 0 and opening_clause(sent)
    return behind[0] if fronted and behind else asking[0]


def opening_clause(sent: Sentence) -> bool:
    """Tell whether the first word begins a clause in statement order: no auxiliary stands right behind it."""
    return len(sent) > 2 and sent[1].low not in BE | DO | HAVE | MODALS


def _is_relative(sent: Sentence, i: int) -> bool:
    if i == 0 or _initial(sent, i):
        return False
    low, after = sent[i].low, sent[i + 1] if i + 1 < len(sent) else None
    if low in ("what", "how"):
        return False
    if after is None or after.low in ("?", ",", "."):
        return False
    if low == "which":
        return not (sent[i].dep == "det" and sent[sent[i].head].noun and sent[i].head > i) and after.tag not in (
            "NN",
            "NNS",
            "CD",
            "JJ",
            "NNP",
        )
    return True


def _initial(sent: Sentence, i: int) -> bool:
    """Tell whether nothing but a preposition or an adjunct with a comma stands before word i."""
    if i == 0 or (i == 1 and sent[0].tag in ("IN", "TO")):
        return True
    before = sent.nodes[:i]
    if any(n.tag in FINITE_TAGS and n.dep not in CLAUSES for n in before if n.dep == "ROOT"):
        return False
    comma = before[-1].low == "," or (len(before) > 1 and before[-1].tag == "IN" and before[-2].low == ",")
    return comma and before[0].tag in ("IN", "VBG", "RB", "CC")


def _bare_last(sent: Sentence, word: int) -> bool:
    """Tell whether the sentence ends in "... was who?"."""
    return sent[word].low in ("who", "what") and not sent[word].kids and sent[word].head == sent.root


def copular(sent: Sentence, word: int) -> bool:
    """Tell whether the question is "who/what/where is <phrase>?": the phrase itself is asked for."""
    root = sent[sent.root]
    if root.low not in BE:
        return False
    for kid in root.kids:
        node = sent[kid]
        if node.dep in ("acomp", "advcl", "xcomp", "ccomp") or (
            node.dep == "prep" and kid != word and _content(sent, kid)
        ):
            return sent[word].low in ("who", "what") and node.dep in ("advcl", "prep")
    return sent[word].low in ("who", "what", "where", "when", "why", "whom") or sent[word].low == "which"


def _content(sent: Sentence, prep: int) -> bool:
    return bool(sent.kids(prep, "pobj")) and not is_word("generic", sent[prep].low)
