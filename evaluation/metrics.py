"""The measures, as ir_measures computes them; all-gold@k is made of its recall.

ir_measures stands on trec_eval's own code, light and the field's reference; ranx, the other well-kept library, brings a
compiler and data frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import ir_measures
from ir_measures import RR, R, SetP, nDCG

DEPTH = 10  # of nDCG


class Measured(NamedTuple):
    """The measures of one question, each from 0 to 1; `recall` and `all_gold` in the order of the ks."""

    recall: tuple[float, ...]
    all_gold: tuple[float, ...]
    ndcg: float
    rr: float
    precision: float


def measured(
    gold: Mapping[str, Sequence[str]], rankings: Mapping[str, Sequence[str]], ks: Sequence[int]
) -> dict[str, Measured]:
    """Measure each question of `gold`; one that `rankings` has not counts as nothing found.

    gold: ids of passages by question, at least one each. rankings: ids of passages by question, best first, none twice.

    recall@k: share of the gold passages in the first k; the denominator is the number of gold passages, also where
    it is larger than k (trec_eval's recall). all_gold@k: 1 where all of them are there. nDCG@10: of Järvelin and
    Kekäläinen 2002, with log2 and gains of 1. rr: 1 / rank of the first gold passage. precision: share of gold
    among all passages given.
    """
    # Under numbers, as code in C is at work behind it, for which an id ends at a NUL.
    number = {
        name: str(place) for place, name in enumerate(sorted({*gold, *chain(*gold.values(), *rankings.values())}))
    }
    qrels = [ir_measures.Qrel(number[query], number[each], 1) for query, passages in gold.items() for each in passages]
    docs = [
        ir_measures.ScoredDoc(number[query], number[passage], -place)
        for query, ranking in rankings.items()
        if query in gold
        for place, passage in enumerate(ranking)
    ]
    wanted = [*(R @ k for k in ks), nDCG @ DEPTH, RR, SetP]
    values: dict[str, dict[object, float]] = {number[query]: {} for query in gold}
    for metric in ir_measures.iter_calc(wanted, qrels, docs):
        values[metric.query_id][metric.measure] = metric.value
    return {query: _of(values[number[query]], ks) for query in gold}


def _of(found: Mapping[object, float], ks: Sequence[int]) -> Measured:
    recall = tuple(found[R @ k] for k in ks)
    return Measured(recall, tuple(float(r == 1) for r in recall), found[nDCG @ DEPTH], found[RR], found[SetP])
