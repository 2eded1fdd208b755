"""Where a compared thing ends and what is said of it begins, by tags rather than by the parse.

The parser attaches compared things in many wrong ways ("are A and B from ..." has taken B for the verb), but
its tags around them hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .compare_asking import base
from .compare_frames import AND, AUX, BOTH, OR, plain
from .sentence import RELATIVES

if TYPE_CHECKING:
    from .sentence import Sentence

_VERBS = frozenset({"VB", "VBD", "VBZ", "VBP", "VBN", "MD"})
_ADVERBS = frozenset({"RB", "RBR", "RBS", "JJR", "JJS", "TO", "WDT", "WP"})


def member_end(sent: Sentence, at: int, hi: int) -> int:
    """Return where the noun phrase that starts at word `at` ends and its predicate begins (`hi` at most)."""
    i, verbs = at, 0
    while i < hi and not sent[i].anchor:
        if plain(sent, i, RELATIVES) and i > at and sent[i - 1].noun:
            verbs = 1
        elif verbs and sent[i].tag in _VERBS:
            verbs = 2 if verbs == 1 else verbs
        elif i > at and opens(sent, i, hi) and not (verbs and sent[i].tag in ("IN", "RB")):
            return i
        i += 1
    while i < hi:
        after = _more_name(sent, at, i, hi)
        if after == i:
            return i
        i = after
    return hi


def _more_name(sent: Sentence, at: int, i: int, hi: int) -> int:
    """Return the end of what continues a name at word i ("'s mother", "of the Nile"), or i."""
    if sent[i].anchor:
        return i + 1
    if i + 1 >= hi:
        return i
    following = sent[i + 1]
    if sent[i].tag == "POS":
        return _owned_end(sent, i, hi)
    if sent[i].low in (",", "of") and following.anchor:
        return i + 2
    if sent[i].low == "of" and following.low == "the" and i + 2 < hi and sent[i + 2].anchor:
        return i + 3
    # "the Elver bridge and the Marlow bridge", "the Elver bridge longer than"
    repeated = any(sent[k].low == sent[i].low and not sent[k].anchor for k in range(at))
    before_degree = bool(base(sent, i + 1)) or following.low in ("more", "less")
    return i + 1 if sent[i].noun and (repeated or before_degree) else i


def _owned_end(sent: Sentence, mark: int, hi: int) -> int:
    """Return the end of what a possessor owns: up to a noun that was owned before, else all nouns."""
    before = {sent[k + 1].low for k in range(mark) if sent[k].tag == "POS"}
    end = mark + 1
    while end < hi and sent[end].tag in ("NN", "NNS", "JJ") and not opens(sent, end, hi):
        end += 1
        if sent[end - 1].low in before:
            break
    return end


def opens(sent: Sentence, i: int, hi: int) -> bool:
    """Tell whether word i opens a predicate or parts two things."""
    node = sent[i]
    if node.word.atom:
        return False
    following = sent[i + 1].low if i + 1 < hi else ""
    if node.low in BOTH | AUX | AND | OR | {"same", "share", ",", "a", "an"} or (
        node.low == "the" and following == "same"
    ):
        return True
    if node.tag in _VERBS | _ADVERBS:
        return True
    if node.tag == "IN":
        return node.low != "of"
    return node.tag == "JJ" and not any(sent[k].noun for k in range(i + 1, min(hi, i + 3)))
