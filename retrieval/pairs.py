"""Pairs of passages for the question as a whole, split or not."""

from __future__ import annotations

import numpy as np

from .ranking import Found
from .trail import Trail


def pairs(trail: Trail, hits: list[str]) -> dict[str, Found]:
    """Rank `hits`, the passages that the question names, and the passages that these mention.

    A passage scores the share of the question that it covers, more if the question names it. Two of which one
    mentions the other's title score what they cover together, more for the mention: the first passage takes
    that score, the mentioned one a part of it. So the second half of a question finds its passage although
    the question does not name it.
    """
    settings = trail.settings
    titles = trail.titles_in(trail.plan.question)
    best: dict[str, Found] = {}

    def put(passage_id: str, score: float, via: str) -> None:
        if passage_id not in best or score > best[passage_id].score:
            best[passage_id] = Found(score, 0, via)

    def covered(*ids: str) -> float:
        vectors = [trail.vector(passage_id) for passage_id in ids]
        return float(np.maximum.reduce(vectors) @ trail.coverage.question)

    for one in dict.fromkeys([*titles, *hits]):
        put(one, covered(one) + settings.title * titles.get(one, 0.0), "")
    for one in dict.fromkeys([*titles, *hits[: settings.seeds]]):
        title = settings.title * titles.get(one, 0.0)
        for name in trail.known.named(one)[1]:
            for two, weight in name.titled:
                if two == one:
                    continue
                # Two passages that the question names need no bridge; their mention says half as much.
                mention = settings.mention * weight * (0.5 if two in titles else 1.0)
                score = covered(one, two) + title + mention
                put(one, score, "")
                put(two, settings.mentioned * score, name.written)
    return best
