"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def fuse(rankings: Sequence[tuple[float, Iterable[str]]], *, constant: float = 60) -> list[tuple[str, float]]:
    """Merge weighted rankings of ids into one: ``score(d) = sum of weight / (constant + rank of d)``.

    Cormack, Clarke and Büttcher 2009 (constant = 60), with a weight for each ranking. Ranks are 1-based. An
    id that a ranking names twice counts once, at its first place, and takes no rank from those behind it. The
    order is (-score, id); ids whose score is not above zero are left out.
    """
    scores: dict[str, float] = {}
    for weight, ids in rankings:
        for rank, identity in enumerate(dict.fromkeys(ids), 1):
            scores[identity] = scores.get(identity, 0.0) + weight / (constant + rank)
    return sorted(((i, s) for i, s in scores.items() if s > 0), key=lambda pair: (-pair[1], pair[0]))
