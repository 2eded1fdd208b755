"""Named bridge: search a hop, name its answer, put the name into the next hop, search again.

The scheme is Rarag's search-then-search (see `overlap`), with the name of the bridge in the second query
in place of the first passage's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from ..decompose.plan import Hop
from .candidates import Candidate, Candidates
from .ranking import Found, Vector
from .trail import REF, Trail, bare


class Step(NamedTuple):
    """One hop done: its number, the passage, and the name that was put into the hop's text."""

    hop: int
    passage_id: str
    via: str


@dataclass(frozen=True, slots=True)
class Path:
    """Passages for the first hops of a plan.

    names: what each ``#n`` was taken to be. covered: per term, the best that a passage of the path covers.
    split: the sum over the hops of what each one's own passage covers of it. bonus: what names, titles and
    links add. score: all of it weighed.
    """

    score: float
    steps: tuple[Step, ...]
    names: dict[int, Candidate]
    covered: Vector
    split: float
    bonus: float

    def passage_of(self, hop: int) -> str:
        """Return the passage that the path has for `hop`, "" where nothing was found for it."""
        return next((step.passage_id for step in self.steps if step.hop == hop), "")


class Rarag:
    """Walks hops that belong together, keeping the best partial paths."""

    def __init__(self, trail: Trail, candidates: Candidates) -> None:
        self._trail, self._settings = trail, trail.settings
        self._rated = cache(lambda passage_id, ref: candidates.rated(passage_id, trail.asked(ref)))

    def walk(self, hops: Sequence[Hop]) -> Iterator[list[Path]]:
        """Yield the paths after each of `hops`, ordered by (-score, steps); never more than `beam`."""
        paths = [Path(0.0, (), {}, np.zeros(len(self._trail.coverage.terms)), 0.0, 0.0)]
        for hop in hops:
            longer = self._named(hop, paths) if hop.refs else self._plain(hop, paths)
            paths = sorted(longer, key=lambda path: (-path.score, path.steps))[: self._settings.beam] or paths
            yield paths

    def _extend(self, path: Path, hop: Hop, found: Step, names: dict[int, Candidate], bonus: float) -> Path:
        settings, vector = self._settings, self._trail.vector(found.passage_id)
        covered = np.maximum(path.covered, vector)
        split = path.split + float(vector @ self._trail.masks[hop.id])
        bonus += path.bonus
        score = settings.union * float(covered @ self._trail.coverage.question) + settings.split * split + bonus
        return Path(score, (*path.steps, found), path.names | names, covered, split, bonus)

    def _plain(self, hop: Hop, paths: list[Path]) -> Iterator[Path]:
        """Extend by the hits of a hop that refers to none and by the passages that it names."""
        settings = self._settings
        titles = self._trail.titles_in(hop.text)
        ids = dict.fromkeys([*self._trail.search(hop.text, settings.first), *titles])
        for path in paths[: settings.evidence]:
            used = {step.passage_id for step in path.steps}
            for passage_id in ids:
                if passage_id not in used:
                    bonus = settings.title * titles.get(passage_id, 0.0)
                    yield self._extend(path, hop, Step(hop.id, passage_id, ""), {}, bonus)

    def _named(self, hop: Hop, paths: list[Path]) -> Iterator[Path]:
        """Extend by what is found with each of the likeliest names in place of the hop's ``#n``."""
        settings = self._settings
        titles = self._trail.titles_in(bare(hop))
        hits: dict[str, list[str]] = {}
        for path, names in self._tries(hop, paths):
            text = _filled(hop, names)
            if text not in hits and len(hits) < settings.searches:
                hits[text] = self._trail.quick(text, settings.named)
            chosen = [names[ref] for ref in hop.refs]
            titled = {i: weight for name in reversed(chosen) for i, weight in reversed(name.titled)}
            via = ", ".join(name.name.written for name in chosen)
            quality = sum(name.quality for ref, name in names.items() if ref not in path.names)
            used = {step.passage_id for step in path.steps}
            for passage_id in dict.fromkeys([*titled, *hits.get(text, ())]):
                if passage_id not in used:
                    bonus = quality + settings.title / 2 * titles.get(passage_id, 0.0)
                    bonus += settings.link * titled.get(passage_id, 0.0)
                    bonus += settings.text_link * sum(self._says(passage_id, c) for c in chosen) / len(chosen)
                    yield self._extend(path, hop, Step(hop.id, passage_id, via), names, bonus)

    def _tries(self, hop: Hop, paths: list[Path]) -> list[tuple[Path, dict[int, Candidate]]]:
        """Return the `beam` likeliest choices of a path and names for the hop's references."""
        settings = self._settings
        tries = [
            (path, dict(zip(hop.refs, chosen, strict=True)))
            for path in paths[: settings.evidence]
            for chosen in product(*(self._options(path, ref, len(hop.refs)) for ref in hop.refs))
        ]

        def order(choice: tuple[Path, dict[int, Candidate]]) -> tuple[object, ...]:
            path, names = choice
            quality = sum(name.quality for ref, name in names.items() if ref not in path.names)
            return -(path.score + quality), path.steps, tuple(name.name.terms for name in names.values())

        return sorted(tries, key=order)[: settings.beam]

    def _options(self, path: Path, ref: int, together: int) -> list[Candidate]:
        """Return the names to try for ``#ref``; fewer of each where several are put in together."""
        if ref in path.names:
            return [path.names[ref]]
        passage_id = path.passage_of(ref)
        rated = self._rated(passage_id, ref) if passage_id else []
        return rated[: self._settings.candidates // together]

    def _says(self, passage_id: str, candidate: Candidate) -> float:
        """Return from 0 to 1 how surely the passage speaks of the candidate; little for a common word."""
        terms, page, idf = candidate.name.terms, self._trail.known.page(passage_id), self._trail.idf
        rare = min(1.0, max(idf(term) for term in terms) / (0.55 * idf("")))
        if f" {' '.join(terms)} " in page.line:
            return rare
        there = sum(idf(term) for term in terms if term in page.counts)
        return rare * 0.5 * there / sum(idf(term) for term in terms)


def _filled(hop: Hop, names: dict[int, Candidate]) -> str:
    return REF.sub(lambda ref: names[int(ref[1])].name.written, hop.text)


def found_on(walk: Sequence[Sequence[Path]], *, later: float, other: float) -> dict[str, Found]:
    """Return for each passage of a walk's paths the score of the best path that it is on.

    Each step behind the first multiplies it by `later`, so that the passages of a path stand in the order of
    its hops. `other` multiplies it for passages that are not on the best of the longest paths: in a plan of
    several parts, the best path of every part goes before second thoughts about any.
    """
    found: dict[str, Found] = {}
    best = {step.passage_id for path in walk[-1][:1] for step in path.steps}
    for path in chain.from_iterable(walk):
        for place, step in enumerate(path.steps):
            score = path.score * later**place * (1.0 if step.passage_id in best else other)
            if step.passage_id not in found or score > found[step.passage_id].score:
                found[step.passage_id] = Found(score, step.hop, step.via)
    return found
