"""What the answer of a hop may be called: the names in a passage, and what speaks for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..decompose.plan import AnswerType, Hop
from .lexicon import related, word_list
from .mentions import Names
from .pages import Words, capitals, opens_sentence, runs
from .settings import CandidateWeights
from .tokens import Analyser

Titled = tuple[tuple[str, float], ...]
Span = tuple[int, int]

_STEM = 5  # "director", "directed" and "directs" share five letters
_PART = 0.85  # names that weigh less do not count inside of a longer capitalised run
_HEAD = re.compile(
    r"\b(?:what|which)\s+(?!(?:is|was|are|were|did|does|do)\b)(?:[\w'\u2019]+\s+)??([\w'\u2019-]+)"
    r"|^\W*(?:what|who)\s+(?:is|was|are|were)\s+the\s+(?:name\s+of\s+the\s+)?([\w'\u2019-]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a passage. places: its first words; titled: (id, weight) of the passages that have it."""

    written: str
    terms: tuple[str, ...]
    places: tuple[int, ...]
    titled: Titled


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name put forward for an answer; `titled` without the passage that it was found in."""

    name: Name
    titled: Titled
    quality: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What a hop tells about its answer.

    stems: beginnings of the words that the passage may use beside the answer. head: beginning of the noun
    asked for, empty where there is none. barred: terms of the question; a name made of them is no answer.
    """

    stems: frozenset[str]
    head: str
    barred: frozenset[str]
    answer_type: AnswerType | None


def asked(hop: Hop, barred: frozenset[str], analyser: Analyser) -> Asked:
    """Read what `hop` asks for."""
    terms = [term for term in analyser.terms(hop.text) if term not in word_list("stop")]
    words = {word for term in terms for word in (term, *related(term))}
    stems = frozenset(word[:_STEM] for word in words if len(word) > 2)
    head = _HEAD.search(hop.text)
    noun = " ".join(analyser.terms(head[1] or head[2])) if head else ""
    return Asked(stems, "" if noun in word_list("stop") else noun[:_STEM], barred, hop.answer_type)


def names_in(text: Words, names: Names | None) -> tuple[Name, ...]:
    """Return the names in `text` in their order: titles of passages, capitalised runs, years.

    A capitalised word that only ever opens sentences is no name unless it is a title.
    """
    spans: dict[Span, Titled] = dict.fromkeys(_years(text), ())
    whole = list(runs(text))
    spans |= {span: _by_parts(text, span, names) for span in whole if not _calendar(text, span)}
    spans |= _mentioned(text, whole, names)
    places: dict[tuple[str, ...], list[Span]] = {}
    for span in sorted(spans):
        terms = tuple(term for term in text.terms[slice(*span)] if term)
        if terms:
            places.setdefault(terms, []).append(span)
    return tuple(
        Name(text.written(*found[0]), terms, tuple(start for start, _ in found), spans[found[0]])
        for terms, found in places.items()
        if spans[found[0]]
        or any(stop > start + 1 or not opens_sentence(text, start) for start, stop in found)
    )


def _years(text: Words) -> Iterator[Span]:
    for place, term in enumerate(text.terms):
        if len(term) == 4 and term.isdecimal() and term[0] in "12":
            yield place, place + 1


def _calendar(text: Words, span: Span) -> bool:
    return all(term.isdecimal() or term in word_list("calendar") for term in text.terms[slice(*span)])


def _mentioned(text: Words, whole: list[Span], names: Names | None) -> dict[Span, Titled]:
    """Return the titles in `text`; a part of a name within a longer run is somebody else's ("Mary Kelly")."""
    run_at = {place: span for span in whole for place in range(*span)}
    found: dict[Span, Titled] = {}
    for mention in names.find(text.terms, capitals(text)) if names else ():
        span = (mention.start, mention.stop)
        run = run_at.get(mention.start, span)
        inside = run != span and run[0] <= span[0] and span[1] <= run[1]
        weak = mention.stop - mention.start == 1 and mention.titled[0][1] < _PART
        if not (inside and weak) and not _calendar(text, span):
            found[span] = mention.titled
    return found


def _by_parts(text: Words, span: Span, names: Names | None) -> Titled:
    """Look up a personal name without its initials, then its first and last word ("Mills E. Godwin Jr.")."""
    terms = text.terms[slice(*span)]
    short = tuple(term for term in terms if len(term) > 1 and term not in ("jr", "sr"))
    if names is None or len(short) < 2:
        return ()
    for form in dict.fromkeys((short, (short[0], short[-1]))):
        if form != terms and (whole := [m for m in names.find(form, [0]) if m.stop == len(form)]):
            return tuple((passage_id, min(weight, 0.5)) for passage_id, weight in whole[0].titled)
    return ()


class Candidates:
    """Rates the names of pages as answers of hops."""

    def __init__(
        self,
        names: Callable[[str], tuple[Words, tuple[Name, ...]]],
        lead: Callable[[str], str],
        weights: CandidateWeights,
    ) -> None:
        """Take functions for the words and names of a passage by id, and for the opening of a passage."""
        self._names, self._lead, self._weights = names, lead, weights

    def rated(self, passage_id: str, hop: Asked) -> list[Candidate]:
        """Return the candidates for the answer of `hop` in that passage, ordered by (-quality, terms)."""
        text, names = self._names(passage_id)
        near = [place for place, term in enumerate(text.terms) if term[:_STEM] in hop.stems]
        rated = [
            self._rate(name, text, near, passage_id, hop)
            for name in names
            if not hop.barred.issuperset(name.terms)
        ]
        return sorted(rated, key=lambda c: (-c.quality, c.name.terms))

    def _rate(self, name: Name, text: Words, near: list[int], source: str, hop: Asked) -> Candidate:
        weights = self._weights
        titled = tuple(pair for pair in name.titled if pair[0] != source)
        quality = weights.early / (1 + name.places[0] / 40)
        if near:
            quality += weights.near / (1 + min(abs(p - n) for p in name.places for n in near) / weights.reach)
        if titled:
            quality += weights.titled * titled[0][1]
        elif name.titled:
            quality -= weights.own
        if hop.head and self._says(hop.head, name, text, titled):
            quality += weights.head
        if name.terms[0].isdecimal() and hop.answer_type not in ("date", "number"):
            quality -= weights.digits
        return Candidate(name, titled, quality)

    def _says(self, head: str, name: Name, text: Words, titled: Titled) -> bool:
        size = len(name.terms)
        around = [range(max(0, p - 3), min(len(text.terms), p + size + 2)) for p in name.places]
        if any(text.terms[place].startswith(head) for places in around for place in places):
            return True
        return any(
            weight >= 0.6 and f" {head}" in self._lead(passage_id) for passage_id, weight in titled[:2]
        )
