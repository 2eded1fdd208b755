"""The published Rarag scheme: passages that both hop 1 and the question find lead to those of hop 2."""

from __future__ import annotations

from itertools import zip_longest

from ..decompose.plan import Plan
from .engines import check_k
from .types import Evidence, Outcome, Retriever, Search

SUB_LIMIT = 20
POOL = 200
_TOGETHER = 400  # hits of the second searches taken together: 400 / sub_limit passages are followed
_LEAD = 5


def overlap(retriever: Retriever, plan: Plan, k: int, *, sub_limit: int = SUB_LIMIT, pool: int = POOL) -> Outcome:
    """Return at most `k` passages for `plan`; InputError where `k` is below 1.

    The scheme, as published with MemMachine (pull request 1477): search hop 1 and the question, `sub_limit`
    hits each; take the passages in both, in the order of hop 1, at most 400 / `sub_limit`; search
    "passage text + hop 2" for each, `sub_limit` hits each; merge without repeats; keep at most `pool`. Where
    no passage is in both, and for plans that are not of two hops, the question's own hits.

    The publication orders its pool by age, which only a chat has. Here the second searches are merged by rank
    (all first places, then all second ones ..., the earlier search first). The question's first five hits lead,
    so that a small `k` is plain search; then a passage of the second searches and a hit of the question take
    turns. Behind the pool, further hits of the question fill up to `k`. The score is the reciprocal of the rank.
    """
    check_k(k)
    own = [hit.id for hit in retriever.search(plan.question, max(k, sub_limit))]
    texts: list[str] = []
    searches = [Search(plan.question, tuple(own[:k]))]
    if len(plan.hops) == 2 and plan.hops[1].refs:
        first = [hit.id for hit in retriever.search(plan.hops[0].text, sub_limit)]
        both = [passage_id for passage_id in first if passage_id in own[:sub_limit]]
        followed = [retriever.passage(passage_id).text for passage_id in both[: _TOGETHER // sub_limit]]
        texts = [f"{text} {plan.hops[1].text}" for text in followed]
        searches.append(Search(plan.hops[0].text, tuple(first[:k])))
    second = [[hit.id for hit in hits] for hits in retriever.search_many(texts, sub_limit)]
    searches += [Search(text, tuple(ids[:k])) for text, ids in zip(texts, second, strict=True)]
    merged = [passage_id for place in zip_longest(*second) for passage_id in place if passage_id is not None]
    turns = (passage_id for pair in zip_longest(merged, own[_LEAD:sub_limit]) for passage_id in pair if passage_id)
    pooled = list(dict.fromkeys([*own[:_LEAD], *turns]))[:pool]
    order = list(dict.fromkeys([*pooled, *own]))[:k]
    evidence = tuple(
        Evidence(retriever.passage(passage_id), 1 / rank, 2 if passage_id in merged else 0, "")
        for rank, passage_id in enumerate(order, 1)
    )
    return Outcome(evidence, (), tuple(searches), 0.0)
