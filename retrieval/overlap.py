"""The published Rarag scheme: passages that both hop 1 and the question find lead to those of hop 2."""

from __future__ import annotations

from itertools import zip_longest

from ..decompose.plan import Plan
from .engines import check_k
from .fusion import fuse
from .types import Evidence, Outcome, Retriever

SUB_LIMIT = 20
POOL = 200
_TOGETHER = 400  # hits of the second searches taken together: 400 / sub_limit passages are followed
_CONSTANT = 5  # of the fusion; small, so that the first places of both rankings stand first


def overlap(retriever: Retriever, plan: Plan, k: int, *, sub_limit: int = SUB_LIMIT, pool: int = POOL) -> Outcome:
    """Return at most `k` passages for `plan`; InputError where `k` is below 1.

    The scheme, as published with MemMachine (pull request 1477): search hop 1 and the question, `sub_limit`
    hits each; take the passages in both, in the order of hop 1, at most 400 / `sub_limit`; search
    "passage text + hop 2" for each, `sub_limit` hits each; merge without repeats; keep at most `pool`. Where
    no passage is in both, and for plans that are not of two hops, the question's own hits.

    The publication orders its pool by age, which only a chat has. Here the second searches are merged by rank
    (all first places, then all second ones ..., the earlier search first) and fused by reciprocal ranks with
    the question's own hits, so that a small `k` keeps the best of both; further hits of the question fill up.
    The score is the reciprocal of the rank.
    """
    check_k(k)
    own = [hit.id for hit in retriever.search(plan.question, max(k, sub_limit))]
    texts: list[str] = []
    queries = [plan.question]
    if len(plan.hops) == 2 and plan.hops[1].refs:
        first = [hit.id for hit in retriever.search(plan.hops[0].text, sub_limit)]
        both = [passage_id for passage_id in first if passage_id in own[:sub_limit]]
        followed = [retriever.passage(passage_id).text for passage_id in both[: _TOGETHER // sub_limit]]
        texts = [f"{text} {plan.hops[1].text}" for text in followed]
        queries += [plan.hops[0].text, *texts]
    second = [[hit.id for hit in hits] for hits in retriever.search_many(texts, sub_limit)]
    merged = [passage_id for place in zip_longest(*second) for passage_id in place if passage_id is not None]
    fused = [passage_id for passage_id, _ in fuse([(1, own[:sub_limit]), (1, merged)], constant=_CONSTANT)]
    order = list(dict.fromkeys([*fused, *own]))[: min(k, pool)]
    evidence = tuple(
        Evidence(retriever.passage(passage_id), 1 / rank, 2 if passage_id in merged else 0, "")
        for rank, passage_id in enumerate(order, 1)
    )
    return Outcome(evidence, (), len(queries), 0.0, tuple(queries))
