"""Walks any plan over a collection and ranks the passages of all its hops."""

from __future__ import annotations

from collections.abc import Iterable

from ..decompose.plan import Hop, Plan
from .candidates import Candidates
from .engines import check_k
from .index import Index
from .kinship import expand
from .known import Known
from .pairs import pairs
from .ranking import Found, best_of, confidence, guarded, merge, strictly
from .rarag import Path, Rarag, found_on
from .settings import ExecutorSettings
from .trail import Trail
from .types import Bridge, Evidence, Outcome, Retriever

# For an engine of somebody else's. It may know more of meanings than the weights here, which go by words, so every
# second place is for a hit of the question: the first n of these are among the first 2 n. Measured: docs/own_search.md.
OTHERS = ExecutorSettings(first=4, named=4, every=2)
_SHOWN = 3  # names of a bridge that an outcome tells


class Executor:
    """Searches for the hops of plans. Any `Retriever` will do; an `Index` brings names and term weights.

    settings: None: `ExecutorSettings()` for an `Index`, `OTHERS` for others.
    """

    def __init__(self, index: Retriever, *, settings: ExecutorSettings | None = None) -> None:
        self.settings = settings or (ExecutorSettings() if isinstance(index, Index) else OTHERS)
        self._known = Known(index, cache=self.settings.cache)
        self._candidates = Candidates(self._known.named, self.settings.candidate)

    def run(self, plan: Plan, k: int) -> Outcome:
        """Return at most `k` passages for `plan`, best first; InputError where `k` is below 1.

        The question's own hits and the pairs among them always take part; the paths of the plan are added. The
        first fifth (`OTHERS`: half) of the `k` best hits is always there (see `guarded`); what `k` is does not change
        the order.
        """
        settings = self.settings
        longer, origin = expand(plan)
        trail = Trail(self._known, longer, settings, check_k(k))
        hits = trail.hits
        opened = pairs(trail, hits[: settings.pool])
        rarag = Rarag(trail, self._candidates)
        parts = components(longer.hops)
        walks = [list(rarag.walk(part)) for part in parts]
        other = settings.other if len(walks) > 1 else 1.0
        worth = [min(1.0, trail.own_share(part) / settings.own) for part in parts]
        found = [found_on(walk, later=settings.later, other=other) for walk in walks]
        merged = merge(
            hits,
            best_of([(1.0, opened)]),
            best_of(zip(worth, found, strict=True)),
            pool=settings.pool,
            hit_share=settings.hit_share,
            open_share=settings.open_share,
            power=settings.power,
        )
        ranking = guarded(merged, hits, settings.every)
        evidence = self._evidence(ranking[:k], merged, origin)
        ends = [walk[-1] for walk in walks]
        pair = max((found.score for found in opened.values()), default=0.0)
        scores = sorted((item.score for item in merged.values()), reverse=True)
        done = [share * paths[0].score for share, paths in zip(worth, ends, strict=True)]
        sure = confidence(pair, done, scores)
        bridges = tuple(bridge for paths in ends for bridge in _bridges(paths, origin))
        return Outcome(evidence, bridges, tuple(trail.searches(k)), sure)

    def _evidence(
        self, ranking: list[tuple[str, float]], found: dict[str, Found], origin: dict[int, int]
    ) -> tuple[Evidence, ...]:
        """Return the passages of a ranking, each with the hop of the caller's plan."""
        scores = strictly(score for _, score in ranking)
        return tuple(
            Evidence(self._known.page(i).passage, score, origin.get(found[i].hop, 0), found[i].via)
            for (i, _), score in zip(ranking, scores, strict=True)
        )


def components(hops: Iterable[Hop]) -> list[list[Hop]]:
    """Return the hops in groups that hang together by their references, in the order of the hops.

    The sides of a comparison, or the conditions of an intersection, are groups of their own.
    """
    groups: list[list[Hop]] = []
    for hop in hops:
        joined = [group for group in groups if any(other.id in hop.refs for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append(sorted([hop, *(other for group in joined for other in group)], key=lambda h: h.id))
    return sorted(groups, key=lambda group: group[0].id)


def _bridges(paths: list[Path], origin: dict[int, int]) -> list[Bridge]:
    """Return the likeliest names of each hop that is referred to: those of the best paths, each name once."""
    best: dict[tuple[int, str], Bridge] = {}
    for path in paths:
        for hop, candidate in path.names.items():
            name = candidate.name.written
            bridge = Bridge(origin.get(hop, 0), name, path.passage_of(hop), path.score)
            best.setdefault((hop, name), bridge)
    # A look-up in two steps is one hop of the caller's plan: its name is that of the last step.
    hops = {origin.get(hop, 0): hop for hop in sorted({hop for hop, _ in best})}
    return [b for hop in hops.values() for b in [b for (h, _), b in best.items() if h == hop][:_SHOWN]]
