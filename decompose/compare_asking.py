"""The clause that a comparison asks of each thing, and the small readings of its words that the rules share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexicon import words
from .sentence import NOUN_TAGS, PLURAL_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .plan import AnswerType
    from .render import Piece
    from .sentence import Sentence

RUN = NOUN_TAGS | {"JJ", "CD", "VBG", "POS", "HYPH"}
MORE = frozenset("more most less least fewer fewest".split())
_IRREGULAR = {
    **dict.fromkeys(("better", "best"), "good"),
    **dict.fromkeys(("worse", "worst"), "bad"),
    **dict.fromkeys(("further", "farther", "furthest", "farthest"), "far"),
    # Youth is asked for by age.
    **dict.fromkeys(("elder", "eldest", "younger", "youngest"), "old"),
}
_OF_TWO = (["of", "the", "two"], ["of", "the", "three"])
_OTHERS = frozenset({"other", "another", "one", "two"})
_PREDICATE = RUN | {"VBN", "VBD", "VB", "VBP", "RB", ",", "CC", "``", "''"}


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of each thing: `front` `aux` `pre` THING `rest`.

    Without `aux` the first of `rest` is the finite verb. `declarative`: the thing comes first and the question
    word stays in its place.
    """

    aux: Piece | None
    rest: tuple[Piece, ...]
    pre: tuple[Piece, ...] = ()
    front: tuple[Piece, ...] = ()
    declarative: bool = False
    answer: AnswerType | None = None


def low(sent: Sentence, piece: Piece | None) -> str:
    """Return the piece in lower case, "" for none."""
    if piece is None:
        return ""
    return piece.lower() if isinstance(piece, str) else sent[piece].low


def tag(sent: Sentence, piece: Piece) -> str:
    """Return the piece's tag. A capitalised word that ran into a name has no node: it is a name."""
    if isinstance(piece, int):
        return sent[piece].tag
    return ("NNPS" if piece.endswith("s") else "NNP") if piece[:1].isupper() else ""


def run_end(sent: Sentence, rest: Sequence[Piece], at: int) -> int:
    """Return the end of the noun phrase without article that starts at `at`, or `at` where there is none."""
    end = at
    while end < len(rest) and tag(sent, rest[end]) in RUN:
        end += 1
    while end > at and tag(sent, rest[end - 1]) not in NOUN_TAGS:
        end -= 1
    if end == at:
        return at
    inner = end + 1 < len(rest) and low(sent, rest[end]) == "of" and tag(sent, rest[end + 1]) in RUN
    return run_end(sent, rest, end + 1) if inner else end


def untail(sent: Sentence, rest: Sequence[Piece]) -> list[Piece]:
    """Drop "as each other", "than the other", "of the two" and closing punctuation."""
    kept = list(rest)
    for k, piece in enumerate(kept):
        of_two = [low(sent, p) for p in kept[k : k + 3]] in _OF_TWO
        if of_two or (low(sent, piece) in ("as", "than") and low(sent, kept[-1]) in _OTHERS):
            kept = kept[:k]
            break
    while kept and low(sent, kept[-1]) in (",", ":", ";", "-", "–"):
        kept.pop()
    return kept


def base(sent: Sentence, piece: Piece) -> str:
    """Return the adjective of a comparative or superlative in -er or -est, or ""."""
    word = low(sent, piece)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("er", "est"):
        stem = word.removesuffix(ending)
        if stem == word or not stem:
            continue
        forms = {stem, stem + "e"}
        if stem[-1] == stem[-2:-1]:
            forms.add(stem[:-1])
        if stem[-1] == "i":
            forms.add(stem[:-1] + "y")
        known = sorted(forms & words("scale"))
        if known:
            return known[0]
    if isinstance(piece, int) and sent[piece].tag in ("JJR", "JJS", "RBR") and sent[piece].lemma != word:
        return "" if word in MORE else sent[piece].lemma
    return ""


def predicate(sent: Sentence, rest: Sequence[Piece]) -> list[Piece]:
    """Return a plural predicate noun as a singular with its article ("film directors" -> "a film director")."""
    end = 0
    while end < len(rest) and tag(sent, rest[end]) in _PREDICATE:
        end += 1
    heads = [k for k in range(end) if tag(sent, rest[k]) in PLURAL_TAGS]
    if not heads or (tag(sent, rest[0]) in ("RB", ",", "CC") and heads[0] > 0):
        return list(rest)
    at = heads[-1]
    piece = rest[at]
    noun = sent[piece].lemma if isinstance(piece, int) else piece
    return [article(sent, rest[0] if at else noun), *rest[:at], noun, *rest[at + 1 :]]


def article(sent: Sentence, piece: Piece) -> str:
    """Return "a" or "an", by how the word sounds."""
    word = piece if isinstance(piece, str) else sent[piece].word.text
    spelt = word.partition("-")[0]
    if spelt.isupper() and 1 < len(spelt) <= 5:
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    sounded = word.lower()
    if sounded.startswith(("uni", "use", "usu", "eu", "one", "ura", "uto")):
        return "a"
    return "an" if sounded[:1] in tuple("aeiou") else "a"
