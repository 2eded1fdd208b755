"""The words of a hop: joining pieces of the question, inverting clauses, inflecting verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import is_person, is_word
from .sentence import AUXILIARIES, BE, DO, HAVE, MODALS, SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .plan import AnswerType
    from .sentence import Sentence

Piece = int | str  # an index into the sentence, or words of our own

_TIGHT_LEFT = frozenset("? , ; : . ! ) ] % 's ' n't".split())
_TIGHT_RIGHT = frozenset("( [ $ £ €".split())


def join(sent: Sentence, pieces: Iterable[Piece], source: str) -> str:
    """Return the pieces as text. Words keep the source's spelling; neighbours in it keep their spacing."""
    out: list[str] = []
    last: Piece = ""
    for piece in pieces:
        word = _spelt(sent, piece, source)
        if not word:
            continue
        if out and _spaced(sent, last, piece, out[-1], word):
            out.append(" ")
        out.append(word)
        last = piece
    return "".join(out)


def _spelt(sent: Sentence, piece: Piece, source: str) -> str:
    if isinstance(piece, str):
        return piece
    word = sent[piece].word
    if word.ref:
        return f"#{word.ref}"
    # A word of our own ("in" before the answer of a where-clause) takes no text from the source.
    return " ".join(source[word.start : word.end].split()) or word.text


def _spaced(sent: Sentence, last: Piece, piece: Piece, before: str, word: str) -> bool:
    if isinstance(last, int) and isinstance(piece, int) and piece == last + 1 and not sent[last].word.ref:
        return sent[piece].word.space
    tight = word in _TIGHT_LEFT or word.lower() in ("'s", "\u2019s", "\u2019")
    return not tight and before not in _TIGHT_RIGHT


def question(sent: Sentence, pieces: Sequence[Piece], source: str) -> str:
    """Return the pieces as a question: one "?" last, no comma at an end; a capital first where the source has one."""
    lower = not source.strip()[:1].isupper()
    trimmed = list(pieces)
    while trimmed and _text(sent, trimmed[-1]) in (",", "?", ";", ".", "and", "-", "–"):
        trimmed.pop()
    while trimmed and _text(sent, trimmed[0]) in (",", ";"):
        trimmed.pop(0)
    commas = [_text(sent, p) == "," for p in trimmed]
    trimmed = [p for i, p in enumerate(trimmed) if not (commas[i] and i and commas[i - 1])]
    if lower and trimmed and isinstance(trimmed[0], str):
        trimmed[0] = trimmed[0].lower()
    said = join(sent, trimmed, source)
    if said and not lower and said[0].islower() and not _named(sent, trimmed[0]):
        said = said[0].upper() + said[1:]
    return said + "?" if not lower or source.rstrip().endswith("?") else said


def _named(sent: Sentence, piece: Piece) -> bool:
    return isinstance(piece, int) and sent[piece].word.atom


def _text(sent: Sentence, piece: Piece) -> str:
    return piece if isinstance(piece, str) else sent[piece].low


def plural(sent: Sentence, i: int) -> bool:
    """Tell whether the noun at i takes a plural verb (a coordination does)."""
    if sent[i].plural:
        return True
    return any(sent[k].low == "and" for k in sent.kids(i, "cc"))


def third_person(lemma: str) -> str:
    """Return the third person singular present of a verb."""
    if lemma == "be":
        return "is"
    if lemma == "have":
        return "has"
    if lemma.endswith(("s", "sh", "ch", "x", "z", "o")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in tuple("aeiou"):
        return lemma[:-1] + "ies"
    return lemma + "s"


def subject(sent: Sentence, verb: int, skip: frozenset[int] = frozenset()) -> int | None:
    """Return the subject of the verb other than those in `skip`, else None."""
    for kid in sent[verb].kids:
        if sent[kid].dep in SUBJECTS and kid not in skip:
            return kid
    return None


def invert(sent: Sentence, verb: int, tokens: Sequence[int]) -> list[Piece]:
    """Return the clause `tokens` headed by `verb` in question order: auxiliary, subject, rest.

    The clause keeps its tense: a finite verb without an auxiliary takes did, does or do.
    """
    inside = set(tokens)
    who = next((kid for kid in sent.kids(verb, *SUBJECTS) if kid in inside), None)
    if who is None:
        return list(tokens)
    subj = [i for i in sent.subtree(who) if i in inside]
    auxes = [a for a in sent.kids(verb, *AUXILIARIES) if a in inside]
    rest = [i for i in tokens if i not in set(subj)]
    first = next((a for a in auxes if sent[a].low in BE | DO | HAVE | MODALS), None)
    if first is None and sent[verb].low in BE:
        first = verb
    if first is not None:
        return [first, *subj, *[i for i in rest if i != first]]
    return [support(sent, verb, who), *subj, *[sent[verb].lemma if i == verb else i for i in rest]]


def support(sent: Sentence, verb: int, who: int) -> str:
    """Return the form of "do" that carries the tense and number of the verb."""
    tag = sent[verb].tag
    if tag in ("VBD", "VBN") or (tag not in ("VBZ", "VBP", "VB") and sent[verb].low.endswith("ed")):
        return "did"
    many = plural(sent, who) or sent[who].low in ("they", "we", "you", "i")
    return "do" if many or (tag == "VBP" and sent[who].word.ref == 0 and not sent[who].anchor) else "does"


def answer_type(first: str, noun: str) -> AnswerType | None:
    """Return what a question asks for, from its question word and the noun beside it."""
    if first in ("who", "whom"):
        return "person"
    if first == "where":
        return "place"
    if first == "when":
        return "date"
    if first == "how":
        return "number" if noun in ("many", "much", "long", "old", "tall", "far", "big", "large", "high") else None
    if not noun:
        return None
    if noun in ("year", "date", "day", "month", "decade", "century", "birthday"):
        return "date"
    if noun in ("number", "population", "age", "amount", "percentage", "height", "length", "price", "cost"):
        return "number"
    if is_person(noun):
        return "person"
    return "place" if is_word("place", noun) else "thing"
