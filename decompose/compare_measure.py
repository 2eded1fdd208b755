"""What a comparison measures: a shared noun, a point in time, an amount or a degree, each as its own question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .lexicon import is_word, words
from .render import answer_type
from .lexicon import is_person
from .sentence import BE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .plan import AnswerType
    from .render import Piece
    from .sentence import Sentence

_IRREGULAR = {
    **dict.fromkeys(("better", "best"), "good"),
    **dict.fromkeys(("worse", "worst"), "bad"),
    **dict.fromkeys(("further", "farther", "furthest", "farthest"), "far"),
    # Youth is asked for by age.
    **dict.fromkeys(("elder", "eldest", "younger", "youngest"), "old"),
}
_MORE = frozenset("more most less least fewer fewest".split())
_ORDER = frozenset("first last earlier earliest later latest sooner soonest".split())
_MOMENTS = frozenset("date day point stage time year".split())
_RUN = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "CD", "VBG", "POS", "HYPH"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_KINDS = frozenset("kind type sort number amount country date place cause city town form genre style family".split())
_DIRECTIONS = frozenset("north south east west away apart back".split())
_BOOST = frozenset("much far even slightly the a an significantly considerably".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """What is asked of each thing: `front` `aux` `pre` THING `rest`.

    Without `aux` the first of `rest` is the finite verb. `declarative`: the thing comes first and the
    question word stays in its place.
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


def measured(sent: Sentence, clause: Clause) -> Clause | None:
    """Return the clause that asks for what is compared ("first" -> "when"), or None where nothing is."""
    clause = replace(clause, rest=tuple(untail(sent, clause.rest)))
    for read in (shared, moment, amount, equal, degree):
        found = read(sent, clause)
        if found:
            return found
    return None


def shared(sent: Sentence, clause: Clause) -> Clause | None:
    """Read "the same N": the noun becomes the question word's, its preposition stays or makes "where"."""
    rest = clause.rest
    at = next((k for k, p in enumerate(rest) if low(sent, p) == "same"), None)
    if at is None:
        return None
    end = _run_end(sent, rest, at + 1)
    if end == at + 1:
        return None
    noun, head = rest[at + 1 : end], low(sent, rest[_head(sent, rest, at + 1, end)])
    start = at - 1 if at and low(sent, rest[at - 1]) == "the" else at
    prep = low(sent, rest[start - 1]) if start and tag(sent, rest[start - 1]) in ("IN", "TO") else ""
    after = untail(sent, rest[end:])
    if prep in ("in", "at", "from", "on") and (is_word("anywhere", head) or head in ("time", "moment")):
        where = is_word("anywhere", head)
        return _moved(clause, ["Where" if where else "When"], [*rest[: start - 1], *after], "place" if where else "date")
    verb = low(sent, rest[0]) if start == 1 else ""
    if verb in ("have", "share", "has", "had", "shares", "shared"):
        return _owned(sent, clause, noun, head, after)
    if prep == "of" and clause.aux is not None and start == 1:
        start -= 1
    if head == "age":
        return _moved(clause, ["How old"], [*rest[:start], *after], "number")
    if head in ("number", "amount") and end > at + 2:
        many = "How many" if head == "number" else "How much"
        return _moved(clause, [many, *noun[2:]], [*rest[:start], *after], "number")
    left = [*_singular(sent, rest[:start], clause), *after]
    if is_word("generic", head) or head == "people":
        return _moved(clause, ["Who"], left, "person")
    return _moved(clause, ["What", *noun], left, answer_type("what", head))


def _owned(sent: Sentence, clause: Clause, noun: Sequence[Piece], head: str, after: Sequence[Piece]) -> Clause:
    """"have/share the same N": an attribute of the thing."""
    be = "was" if low(sent, clause.aux) in ("did", "had", "were") else "is"
    if head in ("nationality", "ethnicity"):
        # An attribute that lasts is asked in the present, whatever the question's tense.
        return replace(clause, aux="is", front=("What", *noun), pre=(), rest=tuple(after), answer="thing")
    if head == "age":
        return replace(clause, aux=be, front=("How old",), pre=(), rest=tuple(after), answer="number")
    if head in ("number", "amount") and len(noun) > 2:
        many = "How many" if head == "number" else "How much"
        return _moved(clause, [many, *noun[2:]], ["have", *after], "number")
    if is_person(head) or is_word("attribute", head):
        who: AnswerType | None = "person" if is_person(head) else answer_type("what", head)
        front = "Who" if is_person(head) else "What"
        return replace(clause, aux="is", front=(front,), pre=("the", *noun, "of"), rest=tuple(after), answer=who)
    return _moved(clause, ["What", *noun], ["have", *after], answer_type("what", head))


def moment(sent: Sentence, clause: Clause) -> Clause | None:
    """Read a place in time: first, earlier, later, more recently, at a later date."""
    rest = clause.rest
    for k, piece in enumerate(rest):
        word = low(sent, piece)
        if word in _ORDER and _adverb(sent, rest, k):
            start = k - 1 if k and low(sent, rest[k - 1]) == "the" else k
            return _when(sent, clause, [*rest[:start], *rest[k + 1 :]])
        if word == "recently" and k and low(sent, rest[k - 1]) in ("more", "most", "less", "least"):
            start = k - 2 if k > 1 and low(sent, rest[k - 2]) == "the" else k - 1
            return _when(sent, clause, [*rest[:start], *rest[k + 1 :]])
        if word in _ORDER and k >= 2 and k + 1 < len(rest) and low(sent, rest[k + 1]) in _MOMENTS:
            if tag(sent, rest[k - 2]) == "IN":
                return _when(sent, clause, [*rest[: k - 2], *rest[k + 2 :]])
    return None


def _adverb(sent: Sentence, rest: Sequence[Piece], k: int) -> bool:
    """Tell whether the order word at k stands by itself: no noun follows it and no "at" precedes it."""
    if k and low(sent, rest[k - 1]) == "at":
        return False
    if k + 1 == len(rest):
        return True
    after = tag(sent, rest[k + 1])
    return after not in _RUN | {"JJS", "JJR"} and low(sent, rest[k + 1]) not in ("to", "of", "than")


def when(sent: Sentence, clause: Clause) -> Clause:
    """Return the clause asking for its time."""
    return _when(sent, clause, list(clause.rest))


def _when(sent: Sentence, clause: Clause, rest: list[Piece]) -> Clause:
    rest = untail(sent, rest)
    if clause.aux is None and len(rest) == 1 and low(sent, rest[0]) in ("came", "come", "comes"):
        return replace(clause, aux="was", rest=(), front=("When",), answer="date")
    return _moved(clause, ["When"], rest, "date")


def amount(sent: Sentence, clause: Clause) -> Clause | None:
    """Read an amount: more N, the most N, fewer N, a greater number of N, or a bare "more" at the end."""
    rest = clause.rest
    for k, piece in enumerate(rest):
        many = low(sent, piece) in _MORE
        counted = k + 2 < len(rest) and low(sent, rest[k + 1]) in ("number", "amount") and low(sent, rest[k + 2]) == "of"
        if not many and not (counted and base(sent, piece)):
            continue
        if k and low(sent, rest[k - 1]) == "at" and low(sent, piece) in ("least", "most"):
            continue
        first = k + 3 if counted and not many else k + 1
        end = _run_end(sent, rest, first)
        start = k - 1 if k and low(sent, rest[k - 1]) in ("the", "a", "many", "much") else k
        if end > first and not (tag(sent, rest[first]) == "JJ" and tag(sent, rest[end - 1]) == "NN"):
            if tag(sent, rest[first]) == "CD":
                return None
            plural = any(tag(sent, p) in ("NNS", "NNPS") for p in rest[first:end])
            return _moved(clause, ["How many" if plural else "How much", *rest[first:end]],
                          [*rest[:start], *untail(sent, rest[end:])], "number")
        if many and k and (first == len(rest) or tag(sent, rest[first]) in ("IN", "TO", "")):
            return _moved(clause, ["How much"], [*rest[:start], *untail(sent, rest[first:])], "number")
    return None


def equal(sent: Sentence, clause: Clause) -> Clause | None:
    """Read an equal measure: as tall (as B), as many members (as B)."""
    rest = clause.rest
    at = next((k for k, p in enumerate(rest) if low(sent, p) == "as"), None)
    if at is None or at + 1 == len(rest) or tag(sent, rest[at + 1]) not in ("JJ", "RB", "NN"):
        return None
    end = _run_end(sent, rest, at + 2) if low(sent, rest[at + 1]) in ("many", "much") else at + 2
    return _moved(clause, ["How", *rest[at + 1 : end]], [*rest[:at], *rest[end:]], "number")


def degree(sent: Sentence, clause: Clause) -> Clause | None:
    """Read a degree: older, the longest, more expensive, a larger population, to an older age."""
    rest = clause.rest
    for k, piece in enumerate(rest):
        word, end = base(sent, piece), k + 1
        if low(sent, piece) in _MORE and k + 1 < len(rest) and tag(sent, rest[k + 1]) in ("JJ", "RB", "VBN", "VBG"):
            word, end = rest[k + 1], k + 2
        if not word or (end < len(rest) and low(sent, rest[end]) == "than"):
            continue
        start = _boosted(sent, rest, k)
        noun = _run_end(sent, rest, end)
        if noun > end and low(sent, rest[end]) not in _DIRECTIONS:
            return _attributive(sent, clause, word, (start, end, noun))
        after = end
        while after < len(rest) and low(sent, rest[after]) in _DIRECTIONS:
            after += 1
        if start and low(sent, rest[start - 1]) == "for":
            start -= 1
        asked: list[Piece] = ["How", word, *rest[end:after]]
        if low(sent, word) == "old" and any(low(sent, p) in ("died", "die") for p in rest):
            asked = ["At what age"]
        return _moved(clause, asked, [*rest[:start], *untail(sent, rest[after:])], answer_type("how", low(sent, word)))
    return None


def _boosted(sent: Sentence, rest: Sequence[Piece], k: int) -> int:
    """Return where a degree starts with what raises it: "much taller", "how many years older"."""
    while k and low(sent, rest[k - 1]) in _BOOST:
        k -= 1
    if k >= 2 and low(sent, rest[k - 2]) == "many" and tag(sent, rest[k - 1]) == "NNS":
        k -= 2
    return k


def _attributive(sent: Sentence, clause: Clause, word: Piece, at: tuple[int, int, int]) -> Clause:
    """The compared adjective stands before a noun: "a larger population", "to an older age"."""
    start, end, stop = at
    rest = clause.rest
    noun, after = rest[end:stop], untail(sent, rest[stop:])
    if start and tag(sent, rest[start - 1]) in ("IN", "TO"):
        prep = low(sent, rest[start - 1])
        kind = answer_type("what", low(sent, noun[-1]))
        return _moved(clause, [prep.capitalize(), "what", *noun], [*rest[: start - 1], *after], kind)
    verb = low(sent, rest[0])
    timed = low(sent, word) in ("early", "late", "recent")
    if start == 1 and verb in ("has", "have", "had"):
        front: tuple[Piece, ...] = ("What",) if timed else ("How", word)
        be = "was" if verb == "had" or low(sent, clause.aux) == "did" else "is"
        return replace(clause, aux=be, front=front, pre=("the", *noun, "of"), rest=tuple(after), answer=None)
    if start == 0 and low(sent, clause.aux) in BE:
        return _moved(clause, ["How", word], list(after), answer_type("how", low(sent, word)))
    single = tag(sent, noun[-1]) == "NN" and not timed
    asked: list[Piece] = ["How", word, "a", *noun] if single else ["What", *noun]
    return _moved(clause, asked, [*rest[:start], *after], None)


def base(sent: Sentence, piece: Piece) -> str:
    """Return the adjective of a comparative or superlative in -er or -est, or ""."""
    word = low(sent, piece)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("er", "est"):
        stem = word.removesuffix(ending)
        forms = {stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem, stem[:-1] + "y" if stem[-1:] == "i" else stem}
        known = sorted(forms & words("scale")) if stem != word else []
        if known:
            return known[0]
    if isinstance(piece, int) and sent[piece].tag in ("JJR", "JJS", "RBR") and sent[piece].lemma != word:
        return "" if word in _MORE else sent[piece].lemma
    return ""


def _moved(clause: Clause, front: Sequence[Piece], rest: Sequence[Piece], answer: AnswerType | None) -> Clause:
    return replace(clause, front=tuple(front), rest=tuple(rest), answer=answer)


def _run_end(sent: Sentence, rest: Sequence[Piece], at: int) -> int:
    """Return the end of the noun phrase without article that starts at `at`, or `at` where there is none."""
    end = at
    while end < len(rest) and tag(sent, rest[end]) in _RUN:
        end += 1
    while end > at and tag(sent, rest[end - 1]) not in _NOUNS:
        end -= 1
    if end == at:
        return at
    inner = end + 1 < len(rest) and low(sent, rest[end]) == "of" and tag(sent, rest[end + 1]) in _RUN
    return _run_end(sent, rest, end + 1) if inner else end


def _head(sent: Sentence, rest: Sequence[Piece], at: int, end: int) -> int:
    of = next((k for k in range(at, end) if low(sent, rest[k]) == "of"), end)
    return of - 1


def untail(sent: Sentence, rest: Sequence[Piece]) -> list[Piece]:
    """Drop "as each other", "than the other" and closing punctuation."""
    kept = list(rest)
    for k, piece in enumerate(kept):
        if low(sent, piece) in ("as", "than") and low(sent, kept[-1]) in ("other", "another", "one", "two"):
            kept = kept[:k]
            break
    while kept and low(sent, kept[-1]) in (",", ":", ";", "-", "–"):
        kept.pop()
    return kept


def _singular(sent: Sentence, rest: Sequence[Piece], clause: Clause) -> list[Piece]:
    return predicate(sent, rest) if low(sent, clause.aux) in BE else list(rest)


def predicate(sent: Sentence, rest: Sequence[Piece]) -> list[Piece]:
    """Return a plural predicate noun as a singular with its article ("film directors" -> "a film director")."""
    end = 0
    while end < len(rest) and tag(sent, rest[end]) in _RUN | {"VBN", "VBD", "RB", ",", "CC", "``", "''"}:
        end += 1
    heads = [k for k in range(end) if tag(sent, rest[k]) in ("NNS", "NNPS")]
    if not heads or tag(sent, rest[0]) in ("RB", ",", "CC", "VBN") and heads[0] > 0 and tag(sent, rest[0]) != "VBN":
        return list(rest)
    if tag(sent, rest[0]) == "CD" and low(sent, rest[0]) != "one" and not low(sent, rest[0])[0].isdigit():
        return list(rest)
    at = heads[-1]
    piece = rest[at]
    noun = sent[piece].lemma if isinstance(piece, int) else piece
    return [_article(sent, rest[0] if at else noun), *rest[:at], noun, *rest[at + 1 :]]


def _article(sent: Sentence, piece: Piece) -> str:
    word = piece if isinstance(piece, str) else sent[piece].word.text
    if word.isupper() and 1 < len(word) <= 5:
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    sounded = word.lower()
    if sounded.startswith(("uni", "use", "usu", "eu", "one", "ura", "uto")):
        return "a"
    return "an" if sounded[:1] in tuple("aeiou") else "a"
