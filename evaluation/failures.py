"""Why gold passages are not among the first: each miss by its likeliest cause, with what was tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from ..decompose.plan import KINDS, Kind, Plan
from ..fallback import Asker, Result
from ..retrieval import Analyser, Index
from .dataset import Dataset, Judged

CAUSES = ("gold unreachable", "wrong kind", "wrong split", "bridge not named", "passage missed")
DEPTH = 20  # passages at least that are looked through for the gold
_FIRST = 20  # hits of a hop that refers to none
# The kinds that the types of the usual data sets amount to; a type that is the name of a kind is that kind.
_TYPES: Mapping[str, tuple[Kind, ...]] = {
    "compositional": ("bridge",),
    "inference": ("bridge", "single"),
    "bridge": ("bridge", "intersection", "deep"),
    "2hop": ("bridge",),
    "3hop": ("deep",),
    "4hop": ("deep",),
}


@dataclass(frozen=True, slots=True)
class Miss:
    """A question without all its gold among the first passages.

    ranks: of each gold passage, in the order of their ids; 0 where it is not among those looked through. names: put in
    for bridges, in the order in which they were searched with.
    """

    judged: Judged
    plan: Plan
    cause: str
    ranks: tuple[tuple[str, int], ...]
    names: tuple[str, ...]


def misses(dataset: Dataset, index: Index, asker: Asker, *, k: int) -> Iterator[Miss]:
    """Yield the questions whose gold is not all among the first `k` passages, ordered by cause and query id."""
    questions = [judged.question.text for judged in dataset.judged]
    found: list[Miss] = []
    for judged, result in zip(dataset.judged, asker.pipe(questions, k=max(k, DEPTH)), strict=True):
        place = {item.passage.id: rank for rank, item in enumerate(result.evidence, 1)}
        ranks = tuple((gold, place.get(gold, 0)) for gold in judged.gold)
        if any(not 0 < rank <= k for _, rank in ranks):
            late = [gold for gold, rank in ranks if not 0 < rank <= k]
            names = _names(result)
            found.append(Miss(judged, result.plan, _cause(judged, result.plan, names, index, late), ranks, names))
    yield from sorted(found, key=_order)


def _cause(judged: Judged, plan: Plan, names: Sequence[str], index: Index, late: Sequence[str]) -> str:
    """Return the first of CAUSES that the miss shows.

    gold unreachable: a passage is not in the collection. wrong kind: the plan is of another kind than the type of the
    question, or where that says nothing, is whole although the question has several gold passages. wrong split: a
    hop that refers to none has no gold passage among its first hits. bridge not named: no name that was put in
    stands in a late passage. passage missed: all else; the words were right, others stood before it.
    """
    try:
        passages = [index.passage(gold) for gold in late]
    except KeyError:
        return CAUSES[0]
    if plan.kind not in _expected(judged):
        return CAUSES[1]
    for hop in plan.hops:
        if not hop.refs and plan.kind != "single":
            hits = {hit.id for hit in index.search(hop.text, _FIRST)}
            if hits.isdisjoint(judged.gold):
                return CAUSES[2]
    named = (any(Analyser().stand_in(f"{passage.title} {passage.text}", names)) for passage in passages)
    if any(hop.refs for hop in plan.hops) and not any(named):
        return CAUSES[3]
    return CAUSES[4]


def _expected(judged: Judged) -> tuple[Kind, ...]:
    name = judged.question.type
    known = _TYPES.get(name) or _TYPES.get(re.sub(r"\d+$", "", name))
    if known:
        return known
    several = tuple(kind for kind in KINDS if kind not in ("single", "unparseable") or len(judged.gold) == 1)
    return tuple(kind for kind in KINDS if kind == name) or several


def _names(result: Result) -> tuple[str, ...]:
    """Return what was put in for ``#n``: what searches have in its place."""
    patterns = [re.compile(_pattern(hop.text)) for hop in result.plan.hops if hop.refs]
    whole = {result.question, *(hop.text for hop in result.plan.hops)}  # may read as another hop with a name put in
    queries = [step.text for step in result.trace if step.action == "search" and step.text not in whole]
    found = (match[1] for query in queries for pattern in patterns if (match := pattern.fullmatch(query)))
    return tuple(dict.fromkeys(found))


def _pattern(text: str) -> str:
    """Return a pattern for the text of a hop in which the first ``#n`` is what is looked for."""
    before, _, after = re.sub(r"#\d+", "\0", text).partition("\0")
    return re.escape(before) + "(.+)" + ".+".join(re.escape(part) for part in after.split("\0"))


def lines(found: Sequence[Miss], questions: int, *, k: int, shown: int) -> Iterator[str]:
    """Yield what a reader wants to know: how many of each cause, then the first `shown` of them."""
    yield f"{len(found)} of {questions} questions without all their gold in the first {k}"
    for cause in CAUSES:
        yield f"  {cause:<16} {sum(miss.cause == cause for miss in found):>4}"
    for miss in _spread(found, shown):
        yield ""
        asked = miss.judged.question
        yield f"{miss.cause}: {asked.text} ({asked.id}, {asked.type or 'no type'})"
        yield f"  {miss.plan.kind}{': ' if miss.plan.reason else ''}{miss.plan.reason}"
        yield from (f"  #{hop.id} {hop.text}  [{hop.rule}]" for hop in miss.plan.hops)
        if miss.names:
            yield f"  tried for the bridge: {', '.join(miss.names)}"
        beyond = f"more than {max(k, DEPTH)}"
        yield "  gold: " + ", ".join(f"{gold} at {rank or beyond}" for gold, rank in miss.ranks)


def _spread(found: Sequence[Miss], shown: int) -> list[Miss]:
    """Return so many misses, as many of each cause as there are, in the order of `misses`."""
    groups = [[miss for miss in found if miss.cause == cause] for cause in CAUSES]
    turns = (miss for turn in zip_longest(*groups) for miss in turn if miss is not None)
    return sorted(islice(turns, shown), key=_order)


def _order(miss: Miss) -> tuple[int, str]:
    return CAUSES.index(miss.cause), miss.judged.question.id
