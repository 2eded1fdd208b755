"""The published search-then-search."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from films import BRIDGE, FILMS, plan
from hopsplit.decompose import InputError
from hopsplit.retrieval import Hit, Index, Passage
from hopsplit.retrieval.overlap import overlap


class Fixed:
    """A retriever with given hits for each query; it notes what it is asked."""

    def __init__(self, hits: dict[str, list[str]]) -> None:
        self.hits, self.asked = hits, []

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the given hits."""
        self.asked.append((query, k))
        found = self.hits.get(query, [])[:k]
        return [Hit(passage_id, 1 / rank, rank) for rank, passage_id in enumerate(found, 1)]

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Search one by one."""
        return [self.search(query, k) for query in queries]

    def passage(self, passage_id: str) -> Passage:
        """Make a passage of its id."""
        return Passage(passage_id, passage_id.upper(), f"text {passage_id}")


PLAN = plan("Q?", "bridge", "H1?", "H2 #1?")


def ids(retriever: Fixed, k: int, **settings: int) -> list[str]:
    """Return the ranked ids."""
    return [item.passage.id for item in overlap(retriever, PLAN, k, **settings).evidence]


def test_passages_in_both_lead_on_in_the_order_of_hop_1() -> None:
    """The text of each is searched with hop 2, the one that hop 1 ranks first comes first."""
    fixed = Fixed({"Q?": ["a", "b", "c"], "H1?": ["c", "x", "a"]})
    ids(fixed, 10)
    assert fixed.asked == [("Q?", 20), ("H1?", 20), ("text c H2 #1?", 20), ("text a H2 #1?", 20)]


def test_second_hits_are_merged_by_rank_and_take_turns_with_the_questions() -> None:
    """Merged: c, a, y, z (each place of both searches). Behind five of the question's hits: y and f, z and g."""
    own = ["a", "b", "c", "d", "e", "f", "g"]
    second = {"text c H2 #1?": ["c", "y"], "text a H2 #1?": ["a", "z"]}
    fixed = Fixed({"Q?": own, "H1?": ["c", "a"]} | second)
    # The turns are c f, a g, y, z; c and a stand already.
    assert ids(fixed, 10) == ["a", "b", "c", "d", "e", "f", "g", "y", "z"]
    assert [item.hop for item in overlap(fixed, PLAN, 10).evidence] == [2, 0, 2, 0, 0, 0, 0, 2, 2]
    fixed = Fixed({"Q?": own, "H1?": ["c"], "text c H2 #1?": ["y", "z"]})
    assert ids(fixed, 10) == ["a", "b", "c", "d", "e", "y", "f", "z", "g"]


def test_no_overlap_gives_the_questions_own_hits() -> None:
    """Nothing in both: plain search."""
    fixed = Fixed({"Q?": ["a", "b"], "H1?": ["x"]})
    assert ids(fixed, 10) == ["a", "b"]
    assert [query for query, _ in fixed.asked] == ["Q?", "H1?"]


def test_at_most_400_hits_are_taken_together() -> None:
    """With a sub_limit of 150, two passages are followed."""
    many = [f"p{n:03}" for n in range(150)]
    fixed = Fixed({"Q?": many, "H1?": many})
    ids(fixed, 10, sub_limit=150)
    assert len(fixed.asked) == 2 + 400 // 150


def test_only_the_first_sub_limit_hits_of_the_question_count() -> None:
    """A larger k does not widen the overlap."""
    many = [f"p{n:02}" for n in range(40)]
    fixed = Fixed({"Q?": many, "H1?": ["p39", "p00"]})
    ids(fixed, 40)
    assert [query for query, _ in fixed.asked] == ["Q?", "H1?", "text p00 H2 #1?"]


def test_the_pool_limits_the_scheme_and_k_the_result() -> None:
    """A pool of six has one passage of the second search; the question's hits fill up to k, as plain search has."""
    own = [f"p{n:02}" for n in range(40)]
    fixed = Fixed({"Q?": own, "H1?": ["p00"], "text p00 H2 #1?": ["y", "z"]})
    assert ids(fixed, 30, pool=6) == [*own[:5], "y", *own[5:29]]
    assert len(ids(fixed, 30)) == 30


def test_other_plans_are_searched_once() -> None:
    """Comparisons and longer chains have no second hop to search."""
    fixed = Fixed({"Q?": ["a"]})
    result = overlap(fixed, plan("Q?", "comparison", "A?", "B?"), 5)
    assert ([search.query for search in result.searches], [item.passage.id for item in result.evidence]) == (
        ["Q?"],
        ["a"],
    )


def test_k_below_one_is_refused() -> None:
    """One clear error."""
    with pytest.raises(InputError, match="k is 0"):
        overlap(Fixed({}), PLAN, 0)


def test_on_a_real_index() -> None:
    """The film leads to its director, scores fall strictly, nothing stands twice."""
    result = overlap(Index.build(FILMS), BRIDGE, 10)
    found = [item.passage.id for item in result.evidence]
    scores = [item.score for item in result.evidence]
    assert found[0] == "gate"
    assert "venn" in found
    assert len(set(found)) == len(found)
    assert scores == sorted(set(scores), reverse=True)
