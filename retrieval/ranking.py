"""How much of a question a passage covers, and the order of the final ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .forms import forms
from .pages import Page

Vector = NDArray[np.float64]
_K1, _B, _LENGTH = 1.5, 0.75, 90.0


class Found(NamedTuple):
    """Why a passage is in a ranking: score, the hop that it is for (0: the question), the name put in."""

    score: float
    hop: int
    via: str


class Coverage:
    """The terms of a question and of its hops, weighted by idf so that those of the question sum to 1.

    A passage covers a term by BM25's saturation of its frequency (Robertson and Zaragoza 2009, eq. 3.15),
    tf / (tf + k1 (1 - b + b length / 90)) with k1 = 1.5 and b = 0.75, times the term's weight. Unlike a BM25
    score it compares between queries: it says what share of the question is answered for. Where a page lacks a
    term, other forms of it stand in ("directed" for "director").
    """

    def __init__(self, question: Sequence[str], hops: Iterable[Sequence[str]], idf: Callable[[str], float]) -> None:
        asked = dict.fromkeys(question)
        self.terms = tuple(dict.fromkeys([*asked, *(term for hop in hops for term in hop)]))
        weights = np.array([idf(term) for term in self.terms])
        self._weights = weights / max(float(weights[: len(asked)].sum()), 1e-9)
        self.question = self.mask(question)
        self._forms = {form: place for place, term in enumerate(self.terms) for form in forms(term)}

    def mask(self, terms: Iterable[str]) -> Vector:
        """Return 1 for each of `terms` and 0 for the others, in the order of `self.terms`."""
        wanted = frozenset(terms)
        return np.array([float(term in wanted) for term in self.terms])

    def of(self, page: Page) -> Vector:
        """Return how far `page` covers each of `self.terms`."""
        norm = _K1 * (1 - _B + _B * page.length / _LENGTH)
        counts = np.array([page.counts[term] for term in self.terms], np.float64)
        for form in self._forms.keys() & page.counts.keys():
            place = self._forms[form]
            if self.terms[place] not in page.counts:
                counts[place] += page.counts[form]
        vector: Vector = self._weights * counts / (counts + norm)
        return vector


def best_of(rankings: Iterable[tuple[float, Mapping[str, Found]]]) -> dict[str, Found]:
    """Return the rankings as one, each scaled to a best score of what it is worth: all first places stand first."""
    result: dict[str, Found] = {}
    for worth, ranking in rankings:
        best = max((found.score for found in ranking.values()), default=0.0)
        for passage_id, found in ranking.items() if best > 0 else ():
            scaled = found._replace(score=worth * found.score / best)
            if passage_id not in result or scaled.score > result[passage_id].score:
                result[passage_id] = scaled
    return result


def merge(
    hits: Sequence[str],
    opened: Mapping[str, Found],
    planned: Mapping[str, Found],
    *,
    pool: int,
    hit_share: float,
    open_share: float,
    power: float,
) -> dict[str, Found]:
    """Return the sum of three rankings of passages; the plan's weighs most.

    opened, planned: scores from 0 to 1 (see `best_of`), raised to `power`. A high power lets the first places
    of both stand before the later places of either, so that a wrong plan costs places and not passages.
    hits: of the question, best first, by reciprocal rank: 5 / (5 + places before it). Those behind the first
    `pool` add nothing to what else is known of a passage; so the ranking is the same however many there are.
    The hop told is the plan's where it has one.
    """
    scores = {passage_id: hit_share * 5 / (5 + place) for place, passage_id in enumerate(hits[:pool])}
    for ranking, share in ((opened, open_share), (planned, 1.0)):
        for passage_id, found in ranking.items():
            gain = share * max(found.score, 0.0) ** power
            scores[passage_id] = scores.get(passage_id, 0.0) + gain
    for place, passage_id in enumerate(hits[pool:], pool):
        scores[passage_id] = max(scores.get(passage_id, 0.0), hit_share * 5 / (5 + place))
    plain = Found(0.0, 0, "")
    return {i: (planned.get(i) or opened.get(i, plain))._replace(score=s) for i, s in scores.items()}


def guarded(found: Mapping[str, Found], hits: Sequence[str], every: int) -> list[tuple[str, float]]:
    """Return the passages of `found` with their scores, best first by (-score, id), none of the `hits` too late.

    Among the first n times `every` passages are the first n `hits`, all of which must be in `found`. One that is
    moved up takes the score of the passage whose place it takes.
    """
    order = sorted(found, key=lambda passage_id: (-found[passage_id].score, passage_id))
    result: dict[str, float] = {}
    for passage_id in order:
        if passage_id in result:
            continue
        if (len(result) + 1) % every == 0:
            due = next((hit for hit in hits[: (len(result) + 1) // every] if hit not in result), passage_id)
            result[due] = max(found[due].score, found[passage_id].score)
        result.setdefault(passage_id, found[passage_id].score)
    return list(result.items())


def strictly(scores: Iterable[float]) -> list[float]:
    """Return `scores`, which do not rise, lowered by the least steps that make them fall strictly."""
    result: list[float] = []
    for score in scores:
        below = math.nextafter(result[-1], -math.inf) if result else score
        result.append(min(score, below))
    return result


def confidence(pair: float, parts: Sequence[float], ranking: Sequence[float]) -> float:
    """Return from 0 to 1 how well the scores speak for the first passages: the mean of three shares.

    pair: the best pair's score, 0 at 0.4 and 1 at 1: how much of the question two passages cover. parts: the
    best path's score of each part of the plan, their mean over 1.2, at most 1: how surely the hops were done.
    ranking: the final scores; 1 less the fifth over the second: whether a few passages stand out (1 where
    there are no five). Without a plan the first share stands for the second.

    docs/multihop.md says how often the gold is found at which confidence.
    """
    covered = min(max((pair - 0.4) / 0.6, 0.0), 1.0)
    done = min(sum(parts) / len(parts) / 1.2, 1.0) if parts else covered
    apart = 1 - ranking[4] / ranking[1] if len(ranking) >= 5 and ranking[1] > 0 else 1.0
    return round((covered + done + apart) / 3, 4) if ranking else 0.0
