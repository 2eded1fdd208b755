"""Is it a question at all, and is a split sound? Deterministic signals, each with the reason it gives.

Precision comes first: what fails a check is left unsplit, with the reason in the plan.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from .lexicon import is_word, words
from .main_verb import asks_identity, bare_verb, opening_auxiliary
from .sentence import BE, DO, FINITE_TAGS, HAVE, MODALS, WH_TAGS, WH_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .asked import Asked
    from .sentence import Sentence

_CODE = frozenset(["=", "{", "}", "<", ">", ";", "|", "\\", "==", "!=", "=>", ";;", "()", "*", "+"])
_FOREIGN_MARKS = frozenset("¿¡")
_CUT = frozenset("of the a an and or by to in at from with for".split())
_WH = WH_WORDS | {"whats", "whos"}


def unreadable(sent: Sentence, ask: Asked) -> str | None:
    """Return what makes the sentence no grammatical English question, or None where it is one."""
    for signal in SIGNALS:
        said = signal(sent, ask)
        if said is not None:
            return said
    return None


def _no_words(sent: Sentence, _: Asked) -> str | None:
    if not any(c.isalpha() for n in sent.nodes for c in n.low):
        return "no words"
    return None


def _code(sent: Sentence, ask: Asked) -> str | None:
    if ask.word is not None and ask.initial:
        return None
    marks = [n.low for n in sent.nodes if n.low in _CODE and not n.word.atom]
    return f"no sentence: it holds {marks[0]!r}" if marks else None


def _foreign(sent: Sentence, ask: Asked) -> str | None:
    """Count function words: English text is full of English ones."""
    if (ask.word is not None and ask.initial) or sent[0].low in BE | DO | HAVE | MODALS:
        return None
    plain = [n.low for n in sent.nodes if not n.word.atom and any(c.isalpha() for c in n.low)]
    if any(c in _FOREIGN_MARKS for n in sent.nodes for c in n.low):
        return "not English"
    english = sum(is_word("opener", w) or is_word("closed", w) for w in plain)
    foreign = sum(is_word("foreign", w) for w in plain)
    letters = [c for w in plain for c in w if c.isalpha()]
    strange = sum(ord(c) > 0x24F for c in letters)
    if foreign > english or (letters and strange * 2 > len(letters)):
        return "not English"
    return None


def _sentences(sent: Sentence, _: Asked) -> str | None:
    for node in sent.nodes[2:-2]:
        after = sent[node.i + 1]
        if node.low in ("?", "!") and not (is_word("opener", after.low) or after.low in _WH):
            continue
        ends = node.low in (".", "!", "?") or (node.low.endswith(".") and len(node.low) > 4 and not node.anchor)
        if ends and not node.word.atom and (after.word.text[:1].isupper() or after.low in _WH) and after.word.space:
            return "several sentences"
    return None


def _heap(sent: Sentence, ask: Asked) -> str | None:
    """Find a heap of keywords: neither a question word, nor a verb, nor any other function word."""
    content = [n for n in sent.nodes if any(c.isalnum() for c in n.low)]
    function = [n for n in content if is_word("closed", n.low) or n.low in _WH]
    if ask.word is None and not function and len(content) > 1 and not _imperative(sent):
        return "keywords without a sentence"
    return None


def _cut(sent: Sentence, ask: Asked) -> str | None:
    last = next((n for n in reversed(sent.nodes) if any(c.isalnum() for c in n.low)), None)
    if last is None or last.word.atom or last.low not in _CUT:
        return None
    fronted = ask.word is not None or opening_auxiliary(sent) is not None
    if not fronted or last.low in ("the", "a", "an", "and", "or"):
        return f"it breaks off after {last.low!r}"
    return None


def _asks_nothing(sent: Sentence, ask: Asked) -> str | None:
    first = sent[0].low
    if ask.word is not None or first in BE | DO | HAVE | MODALS or _imperative(sent):
        return None
    if any(n.tag in WH_TAGS and n.low in _WH for n in sent.nodes):
        return None
    finite = any(n.tag in FINITE_TAGS for n in sent.nodes)
    if finite:
        return "it asks nothing"
    noun = sent[sent.root].noun and (sent.kids(sent.root, "prep", "poss", "det", "relcl", "acl"))
    return None if noun else "no question word and no verb"


def _imperative(sent: Sentence) -> bool:
    return is_word("imperative", sent[0].low)


def _not_finite(sent: Sentence, ask: Asked) -> str | None:
    """Find a question without a finite verb, and one with a finite verb right behind an article."""
    for node in sent.nodes[1:]:
        if node.low in BE | HAVE and sent[node.i - 1].low in ("the", "a", "an"):
            return f"{node.low!r} behind {sent[node.i - 1].low!r}"
    if ask.word is None:
        return None
    finite = any(n.tag in FINITE_TAGS and n.low != "born" for n in sent.nodes)
    could = any(n.lemma in sent.verbs for n in sent.nodes if n.tag in ("NNS", "NN", "VB", "VBN") and not n.anchor)
    said = any(n.low in BE | DO | HAVE | MODALS or n.low in ("'s", "whats", "whos") for n in sent.nodes)
    return None if finite or could or said else "no finite verb"


def _no_verb(sent: Sentence, ask: Asked) -> str | None:
    aux = opening_auxiliary(sent)
    if aux is None:
        return None
    if sent[aux].low in DO and bare_verb(sent, aux) is None and len(sent) > aux + 3 and _needs_verb(sent, ask, aux):
        return f"no main verb after {sent[aux].low!r}"
    if sent[aux].low in BE and ask.word is not None and _second_verb(sent, aux):
        return f"a second main verb beside {sent[aux].low!r}"
    return None


def _needs_verb(sent: Sentence, ask: Asked, aux: int) -> bool:
    """Tell whether "did" is no main verb ("Who did the voice of X?") and nothing after it could be one."""
    main = ask.word is not None and sent[ask.word].low in ("who", "what") and aux == ask.word + 1
    return not main and not any(n.tag in ("VB", "VBP") for n in sent.nodes[aux + 2 :])


def _two_questions(sent: Sentence, ask: Asked) -> str | None:
    """Find a second question joined by and: "Where was X born and when did he die?"."""
    for node in sent.nodes[3:-2]:
        joined = node.low in WH_WORDS and sent[node.i - 1].low in ("and", "or") and ask.word is not None
        if joined and sent[node.i + 1].low in BE | DO | HAVE and node.i != ask.word:
            return "two questions in one"
    return None


def _left_over(sent: Sentence, ask: Asked) -> str | None:
    """Find a participle behind a comma at the end of "what was <phrase>?", which has no place there."""
    aux = opening_auxiliary(sent)
    end = len(sent) - 1
    while end > 1 and sent[end].low in ("?", "."):
        end -= 1
    loose = sent[end].tag in ("VBN", "VBD") and sent[end - 1].low == "," and not sent[end].anchor
    opened = sum(n.low == "," for n in sent.nodes) == 1 or not any(n.tag[0] == "W" for n in sent.nodes[2:])
    if aux is not None and asks_identity(sent, aux) and loose and opened:
        return f"{sent[end].low!r} is left over"
    return None


def _second_verb(sent: Sentence, aux: int) -> bool:
    """Tell whether a bare verb follows a participle or noun with nothing that governs it: "is X born in 1987 play"."""
    for node in sent.nodes[aux + 2 :]:
        before = sent[node.i - 1]
        dated = before.tag == "CD" and len(before.low) == 4 and sent[node.i - 2].low == "in"
        if dated and not node.anchor and is_word("bare_verb", node.low) and node.tag in ("VB", "VBP", "NN"):
            return True
        if node.tag == "VB" and before.tag == "CD" and not sent.kids(node.i, "aux", "mark") and node.dep != "conj":
            return True
    return False


SIGNALS: tuple[Callable[[Sentence, Asked], str | None], ...] = (
    _no_words,
    _code,
    _foreign,
    _sentences,
    _heap,
    _cut,
    _asks_nothing,
    _not_finite,
    _no_verb,
    _left_over,
    _two_questions,
)


def _stray_name(sent: Sentence) -> str | None:
    """Return what follows a reference and has no place there: the rest of a name that was taken apart."""
    for node, after in zip(sent.nodes, sent.nodes[1:], strict=False):
        if not node.word.ref:
            continue
        mark = after.low in (":", "(", ")") or (after.low == "?" and after.i < len(sent) - 1)
        name = after.word.name and after.tag != "CD" and not after.word.ref and after.dep != "acomp"
        more = after.low == "and" and after.i + 2 < len(sent) and sent[after.i + 1].low in ("a", "an")
        if mark or more or (name and not is_word("nationality", after.low)):
            return after.word.text
    return None


def unsound(sent: Sentence) -> str | None:
    """Return what is missing in a last hop, given as the sentence with its references, or None where it is sound."""
    said = [n for n in sent.nodes if not n.word.ref and any(c.isalnum() for c in n.low)]
    content = [n for n in said if n.low not in BE | {"the", "a", "an", "and", "in"}]
    if not content or (len(content) == 1 and content[0].low in ("what", "which", "whose", "how", "name")):
        return "nothing is left to ask about the answer"
    last = [n for n in sent.nodes if n.low not in ("?", ".")][-2:]
    if len(last) == 2 and last[1].word.ref and last[0].low in ("that", "which", "who", "whose", "where"):
        return f"{last[0].low!r} is left without its clause"
    stray = _stray_name(sent)
    if stray is not None:
        return f"{stray!r} is left behind an answer"
    if any(a.word.ref and b.word.ref for a, b in zip(sent.nodes, sent.nodes[1:], strict=False)):
        return "two answers stand side by side"
    aux = opening_auxiliary(sent)
    voiced = aux is not None and aux > 0 and sent[aux - 1].low == "who"
    if aux is not None and sent[aux].low in DO and not voiced and bare_verb(sent, aux) is None:
        return f"no main verb is left after {sent[aux].low!r}"
    return None


def unsaid(hops: Sequence[str], question_words: Sequence[str]) -> list[str]:
    """Return the content words of the question that stand in no hop, in the question's order."""
    told = unicodedata.normalize("NFKC", " ".join(hops)).casefold()
    light = words("closed") | words("opener") | words("generic") | words("anywhere") | words("imperative")
    return [w for w in question_words if w not in light and w.isalpha() and w not in told]
