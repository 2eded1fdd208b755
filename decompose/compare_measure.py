"""What a comparison measures: a shared noun, a point in time, an amount or a degree, each as its own question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .compare_asking import MORE, Asking, article, base, low, predicate, run_end, tag, untail
from .lexicon import is_person, is_word
from .render import answer_type
from .sentence import BE, HAVE, PLURAL_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .plan import AnswerType
    from .render import Piece
    from .sentence import Sentence

_ORDER = frozenset("first last earlier earliest later latest sooner soonest".split())
_MOMENTS = frozenset("date day point stage time year".split())
_DIRECTIONS = frozenset("north south east west away apart back".split())
_BOOST = frozenset("much far even slightly the a an significantly considerably".split())
_COUNTS = {"number": "How many", "amount": "How much", "quantity": "How much"}
_SHARE = frozenset("share shares shared".split())


def measured(sent: Sentence, asking: Asking) -> Asking | None:
    """Return the clause that asks for what is compared ("first" -> "when"), or None where nothing is."""
    asking = replace(asking, rest=tuple(untail(sent, asking.rest)))
    for read in (shared, moment, amount, equal, degree):
        found = read(sent, asking)
        if found:
            return found
    return None


def shared(sent: Sentence, asking: Asking) -> Asking | None:
    """Read "the same N", "different Ns", "share a N": the noun goes to the front, its preposition stays."""
    rest = asking.rest
    at = next((k for k, p in enumerate(rest) if _sameness(sent, rest, k)), None)
    if at is None:
        return None
    end = run_end(sent, rest, at + 1)
    if end == at + 1:
        return None
    noun, head = list(rest[at + 1 : end]), _head(sent, rest, at + 1, end)
    if low(sent, rest[at]) == "different":
        noun[-1] = head
    start = at - 1 if at and low(sent, rest[at - 1]) == "the" else at
    after = untail(sent, rest[end:])
    prep = low(sent, rest[start - 1]) if start and tag(sent, rest[start - 1]) in ("IN", "TO") else ""
    if prep in ("in", "at", "from", "on") and (is_word("anywhere", head) or head in ("time", "moment")):
        kind: AnswerType = "place" if is_word("anywhere", head) else "date"
        return _asking(asking, ["Where" if kind == "place" else "When"], [*rest[: start - 1], *after], kind)
    if start == 1 and low(sent, rest[0]) in HAVE | _SHARE:
        return _owned(sent, asking, noun, head, after)
    if prep == "of" and asking.aux is not None and start == 1:
        start -= 1
    return _had(sent, asking, noun, head, (rest[:start], after))


def _sameness(sent: Sentence, rest: Sequence[Piece], k: int) -> bool:
    word = low(sent, rest[k])
    if word == "different" and k + 1 < len(rest):
        return tag(sent, rest[k + 1]) in PLURAL_TAGS
    return word == "same" or (k == 1 and word in ("a", "an", "any") and low(sent, rest[0]) in _SHARE)


def _head(sent: Sentence, rest: Sequence[Piece], at: int, end: int) -> str:
    """Return the head of the noun phrase at..end, the word before its first "of", as a singular."""
    k = next((k for k in range(at, end) if low(sent, rest[k]) == "of"), end) - 1
    piece = rest[k]
    return sent[piece].lemma if isinstance(piece, int) and tag(sent, piece) == "NNS" else low(sent, piece)


def _had(
    sent: Sentence, asking: Asking, noun: list[Piece], head: str, around: tuple[Sequence[Piece], list[Piece]]
) -> Asking:
    """Ask for the shared noun that the thing is, or that a preposition or verb governs."""
    before, after = around
    if head == "age":
        return _asking(asking, ["How old"], [*before, *after], "number")
    if head in _COUNTS and len(noun) > 2:
        return _asking(asking, [_COUNTS[head], *noun[2:]], [*before, *after], "number")
    left = predicate(sent, before) if low(sent, asking.aux) in BE else list(before)
    if is_word("generic", head) or head == "people":
        return _asking(asking, ["Who"], [*left, *after], "person")
    return _asking(asking, ["What", *noun], [*left, *after], answer_type("what", head))


def _owned(sent: Sentence, asking: Asking, noun: list[Piece], head: str, after: list[Piece]) -> Asking:
    """Ask for the shared noun that the thing has ("have/share the same N")."""
    if head in _COUNTS and len(noun) > 2:
        return _asking(asking, [_COUNTS[head], *noun[2:]], ["have", *after], "number")
    # What lasts is asked for in the present, whatever the question's tense.
    present = replace(asking, aux="is", pre=(), rest=tuple(after))
    if head in ("nationality", "ethnicity"):
        return replace(present, front=("What", *noun), answer="thing")
    if head == "age":
        return replace(present, front=("How old",), answer="number")
    if is_person(head):
        return replace(present, front=("Who",), pre=("the", *noun, "of"), answer="person")
    if is_word("attribute", head):
        return replace(present, front=("What",), pre=("the", *noun, "of"), answer=answer_type("what", head))
    return _asking(asking, ["What", *noun], ["have", *after], answer_type("what", head))


def moment(sent: Sentence, asking: Asking) -> Asking | None:
    """Read a place in time: first, earlier, later, more recently, on a later day, the first to do it."""
    rest = asking.rest
    for k, piece in enumerate(rest):
        word = low(sent, piece)
        start = k - 1 if k and low(sent, rest[k - 1]) == "the" else k
        if word == "recently" and k and low(sent, rest[k - 1]) in MORE:
            start = k - 2 if k > 1 and low(sent, rest[k - 2]) == "the" else k - 1
            return when(sent, asking, [*rest[:start], *rest[k + 1 :]])
        if word not in _ORDER:
            continue
        if _adverb(sent, rest, k):
            return when(sent, asking, [*rest[:start], *rest[k + 1 :]])
        if k >= 2 and k + 1 < len(rest) and low(sent, rest[k + 1]) in _MOMENTS and tag(sent, rest[k - 2]) == "IN":
            return when(sent, asking, [*rest[: k - 2], *rest[k + 2 :]])
        if start == 0 and k + 2 < len(rest) and low(sent, rest[k + 1]) == "to" and tag(sent, rest[k + 2]) == "VB":
            return when(sent, replace(asking, aux="did"), list(rest[k + 2 :]))
    return None


def _adverb(sent: Sentence, rest: Sequence[Piece], k: int) -> bool:
    """Tell whether the order word at k stands by itself: no noun follows it and no "at" precedes it."""
    if k and low(sent, rest[k - 1]) == "at":
        return False
    if k + 1 == len(rest):
        return True
    after = tag(sent, rest[k + 1])
    numbered = after in ("NN", "NNS", "JJ", "CD", "JJS", "JJR", "VBG", "HYPH")
    return not numbered and low(sent, rest[k + 1]) not in ("to", "of", "than")


def when(sent: Sentence, asking: Asking, rest: Sequence[Piece]) -> Asking:
    """Return the clause asking for the time of `rest`; "came first" asks when the thing was."""
    left = untail(sent, rest)
    if asking.aux is None and len(left) == 1 and low(sent, left[0]) in ("came", "come", "comes"):
        return replace(asking, aux="was", rest=(), front=("When",), answer="date")
    return _asking(asking, ["When"], left, "date")


def amount(sent: Sentence, asking: Asking) -> Asking | None:
    """Read an amount: more N, the most N, fewer N, a greater number of N, or a bare "more" at the end."""
    rest = asking.rest
    for k, piece in enumerate(rest):
        word = low(sent, piece)
        counted = k + 2 < len(rest) and low(sent, rest[k + 1]) in _COUNTS and low(sent, rest[k + 2]) == "of"
        if word not in MORE and not (counted and base(sent, piece)):
            continue
        if k and low(sent, rest[k - 1]) == "at" and word in ("least", "most"):
            continue
        first = k + 3 if counted and word not in MORE else k + 1
        start = k - 1 if k and low(sent, rest[k - 1]) in ("the", "a", "many", "much") else k
        return _quantity(sent, asking, start, first)
    return None


def _quantity(sent: Sentence, asking: Asking, start: int, first: int) -> Asking | None:
    """Return the question for the amount that starts at `start` and whose noun starts at `first`, if it has one."""
    rest = asking.rest
    end = run_end(sent, rest, first)
    before = list(rest[:start])
    qualified = end > first and tag(sent, rest[first]) == "JJ" and tag(sent, rest[end - 1]) == "NN"
    if end > first and not qualified:
        if tag(sent, rest[first]) == "CD":
            return None
        plural = any(tag(sent, p) in PLURAL_TAGS for p in rest[first:end])
        asked: list[Piece] = ["How many" if plural else "How much", *rest[first:end]]
        return _asking(asking, asked, [*before, *untail(sent, rest[end:])], "number")
    bare = first == len(rest) or tag(sent, rest[first]) in ("IN", "TO", "")
    if start and bare and end == first and not (first < len(rest) and low(sent, rest[first]) == "than"):
        return _asking(asking, ["How much"], [*before, *untail(sent, rest[first:])], "number")
    return None


def equal(sent: Sentence, asking: Asking) -> Asking | None:
    """Read an equal measure: as tall (as B), as many members (as B)."""
    rest = asking.rest
    at = next((k for k, p in enumerate(rest) if low(sent, p) == "as"), None)
    if at is None or at + 1 == len(rest) or tag(sent, rest[at + 1]) not in ("JJ", "RB", "NN"):
        return None
    end = run_end(sent, rest, at + 2) if low(sent, rest[at + 1]) in ("many", "much") else at + 2
    return _asking(asking, ["How", *rest[at + 1 : end]], [*rest[:at], *rest[end:]], "number")


def degree(sent: Sentence, asking: Asking) -> Asking | None:
    """Read a degree: older, the longest, more expensive, a larger garden, to a greater depth."""
    rest = asking.rest
    for k, piece in enumerate(rest):
        word: Piece = base(sent, piece)
        end = k + 1
        if low(sent, piece) in MORE and end < len(rest) and tag(sent, rest[end]) in ("JJ", "RB", "VBN", "VBG"):
            word, end = rest[end], end + 1
        if word == "" or (end < len(rest) and low(sent, rest[end]) == "than"):
            continue
        start = _boosted(sent, rest, k)
        noun = run_end(sent, rest, end)
        if noun > end and low(sent, rest[end]) not in _DIRECTIONS:
            return _attributive(sent, asking, word, (start, end, noun))
        return _predicative(sent, asking, word, (start, end))
    return None


def _boosted(sent: Sentence, rest: Sequence[Piece], k: int) -> int:
    """Return where a degree starts with what raises it: "much taller", "how many years older"."""
    while k and low(sent, rest[k - 1]) in _BOOST:
        k -= 1
    if k >= 2 and low(sent, rest[k - 2]) == "many" and tag(sent, rest[k - 1]) == "NNS":
        k -= 2
    return k


def _predicative(sent: Sentence, asking: Asking, word: Piece, at: tuple[int, int]) -> Asking:
    """Ask for a degree that stands by itself: "is older", "lived longer", "is further north"."""
    start, end = at
    rest, after = asking.rest, end
    while after < len(rest) and low(sent, rest[after]) in _DIRECTIONS:
        after += 1
    if start and low(sent, rest[start - 1]) == "for":
        start -= 1
    left = [*rest[:start], *untail(sent, rest[after:])]
    if low(sent, word) == "old" and any(low(sent, p) in ("died", "die") for p in rest):
        return _asking(asking, ["At what age"], left, "number")
    return _asking(asking, ["How", word, *rest[end:after]], left, answer_type("how", low(sent, word)))


def _attributive(sent: Sentence, asking: Asking, word: Piece, at: tuple[int, int, int]) -> Asking:
    """Ask for a degree that stands before a noun: "a larger garden", "to a greater depth"."""
    start, end, stop = at
    rest = asking.rest
    noun, after = rest[end:stop], untail(sent, rest[stop:])
    if start and tag(sent, rest[start - 1]) in ("IN", "TO"):
        prep, kind = low(sent, rest[start - 1]).capitalize(), answer_type("what", low(sent, noun[-1]))
        return _asking(asking, [prep, "what", *noun], [*rest[: start - 1], *after], kind)
    timed = low(sent, word) in ("early", "late", "recent")
    if timed and start == 1 and low(sent, rest[0]) in HAVE:
        # "the earlier release date"
        return replace(asking, aux="is", front=("What",), pre=("the", *noun, "of"), rest=tuple(after), answer="date")
    if start == 0 and low(sent, asking.aux) in BE:
        return _asking(asking, ["How", word], after, answer_type("how", low(sent, word)))
    single = tag(sent, noun[-1]) == "NN" and not timed
    asked: list[Piece] = ["How", word, article(sent, noun[0]), *noun] if single else ["What", *noun]
    return _asking(asking, asked, [*rest[:start], *after], None)


def _asking(asking: Asking, front: Sequence[Piece], rest: Sequence[Piece], answer: AnswerType | None) -> Asking:
    return replace(asking, front=tuple(front), rest=tuple(rest), answer=answer)
