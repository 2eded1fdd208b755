"""The measures, each over one question; a table shows their mean over questions."""

from __future__ import annotations

from collections.abc import Sequence


def recall(gold: Sequence[str], ranking: Sequence[str], k: int) -> float:
    """Return the share of the gold passages that stand in the first `k` of the ranking.

    The denominator is the number of gold passages, also where it is larger than `k`; this is `R@k` of
    ir_measures and trec_eval's recall.
    """
    return len(set(gold) & set(ranking[:k])) / len(set(gold))


def all_gold(gold: Sequence[str], ranking: Sequence[str], k: int) -> float:
    """Return 1 where every gold passage stands in the first `k` of the ranking, else 0."""
    return float(set(gold) <= set(ranking[:k]))
