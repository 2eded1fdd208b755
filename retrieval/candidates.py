"""What the answer of a hop may be called: the names in a passage, and what speaks for each."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..decompose.plan import AnswerType, Hop
from .lexicon import country_of, is_country, kind_of, related, word_list
from .mentions import Names
from .pages import Words, capitals, opens_sentence, runs
from .settings import CandidateWeights
from .tokens import Analyser

Titled = tuple[tuple[str, float], ...]
Span = tuple[int, int]

_STEM = 5  # "director", "directed" and "directs" share five letters
_PART = 0.85  # names that weigh less do not count inside of a longer capitalised run
_PLACED = frozenset({"in", "at", "near", "from", "to"})
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

    stems: beginnings of the words that the passage may use beside the answer. question: the question's terms
    between spaces. wanted: the kind of answer.
    """

    stems: frozenset[str]
    question: str
    wanted: AnswerType | None

    def bars(self, name: Name) -> bool:
        """Tell whether the question says the name, which is then no answer.

        Its words alone are enough, unless the name is a title: a father may share all of his with his son.
        """
        if name.titled:
            return f" {' '.join(name.terms)} " in self.question
        return all(f" {term} " in self.question for term in name.terms)


def asked(hop: Hop, question: str, analyser: Analyser) -> Asked:
    """Read what `hop` asks for."""
    terms = [term for term in analyser.terms(hop.text) if term not in word_list("stop")]
    words = {word for term in terms for word in (term, *related(term))}
    stems = frozenset(word[:_STEM] for word in words if len(word) > 2)
    head = _HEAD.search(hop.text)
    noun = " ".join(analyser.terms(head[1] or head[2])) if head else ""
    wanted = hop.answer_type or kind_of(noun) or kind_of(next(iter(analyser.terms(hop.text)), ""))
    return Asked(stems, question, wanted)


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
        if any(len(term) > 1 for term in terms) or country_of(terms):
            places.setdefault(terms, []).append(span)
    return tuple(
        _named(text, terms, found, spans[found[0]])
        for terms, found in places.items()
        if spans[found[0]] or not all(_initial(text, span) for span in found)
    )


def _initial(text: Words, span: Span) -> bool:
    return span[1] == span[0] + 1 and opens_sentence(text, span[0])


def _named(text: Words, terms: tuple[str, ...], found: list[Span], titled: Titled) -> Name:
    """Return the name at `found`; a demonym stands for its country, which is what questions ask for."""
    places = tuple(start for start, _ in found)
    if country := country_of(terms):
        return Name(country, tuple(country.lower().split()), places, ())
    return Name(text.written(*found[0]), terms, places, titled)


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
        if form != terms and (titled := names.titled(form)):
            return tuple((passage_id, min(weight, 0.5)) for passage_id, weight in titled)
    return ()


class Candidates:
    """Rates the names of pages as answers of hops."""

    def __init__(self, names: Callable[[str], tuple[Words, tuple[Name, ...]]], weights: CandidateWeights) -> None:
        """Take a function for the words and the names of a passage by its id."""
        self._names, self._weights = names, weights

    def rated(self, passage_id: str, hop: Asked) -> list[Candidate]:
        """Return the candidates for the answer of `hop` in that passage, ordered by (-quality, place)."""
        text, names = self._names(passage_id)
        near = [place for place, term in enumerate(text.terms) if term[:_STEM] in hop.stems]
        rated = [self._rate(name, text, near, passage_id, hop) for name in names if not hop.bars(name)]
        return sorted(rated, key=lambda c: (-c.quality, c.name.places))

    def _rate(self, name: Name, text: Words, near: list[int], source: str, hop: Asked) -> Candidate:
        weights = self._weights
        titled = tuple(pair for pair in name.titled if pair[0] != source)
        quality = 0.0
        if near:
            quality += weights.near / (1 + _apart(name.places, near) / weights.reach)
        if titled:
            quality += weights.titled * titled[0][1]
        if name.terms[0].isdecimal() and hop.wanted not in ("date", "number"):
            quality -= weights.digits
        quality += weights.kind * _kind(name, text, hop.wanted)
        return Candidate(name, titled, quality)


def _apart(places: Sequence[int], near: Sequence[int]) -> int:
    """Return the least distance between one of `places` and one of `near`, which ascend."""
    behind = ((place, bisect(near, place)) for place in places)
    return min(abs(place - one) for place, stop in behind for one in near[max(stop - 1, 0) : stop + 1])


def _kind(name: Name, text: Words, wanted: AnswerType | None) -> float:
    """Return how the name fits the kind of answer wanted, from -1 to 1; 0 where nothing speaks for or against.

    Countries and names with a word like "River" or "Records" are no persons; what stands after "in" is
    likelier a place.
    """
    thing = is_country(name.terms) or any(term in word_list("things") for term in name.terms)
    if wanted == "person":
        return -1.0 if thing or name.terms[0].isdecimal() else 0.5 * (len(name.terms) > 1)
    if wanted == "place":
        before = {text.terms[place - 1] for place in name.places if place}
        return float(is_country(name.terms) or not before.isdisjoint(_PLACED))
    if wanted == "date":
        return 1.0 if name.terms[0].isdecimal() else -1.0
    return 0.0
