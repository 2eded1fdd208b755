"""Term counts, and strings packed into bytes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsplit.retrieval import Analyser, Passage, counts
from hopsplit.retrieval.counts import TermNumbers, count_terms
from hopsplit.retrieval.strings import Strings

ROWS = [Passage("1", "Jade gate", "gate gate amber"), Passage("2", "", ""), Passage("3", "amber", "Zoe")]


def test_counts_worked_out_by_hand() -> None:
    """Terms are sorted; title and text are counted apart."""
    result = count_terms(ROWS, Analyser())
    assert result.terms == ["amber", "gate", "jade", "zoe"]
    assert result.starts.tolist() == [0, 3, 3, 5]
    assert result.numbers.tolist() == [0, 1, 2, 0, 3]
    assert result.title.tolist() == [0, 1, 1, 1, 0]
    assert result.text.tolist() == [1, 2, 0, 0, 1]
    assert result.matrix(title=4).toarray().tolist() == [[1, 6, 4, 0], [0, 0, 0, 0], [4, 0, 0, 1]]
    assert list(TermNumbers(result.matrix(title=1))) == [[0, 1, 1, 1, 2], [], [0, 3]]


@given(st.lists(st.tuples(st.text("abc "), st.text("abc ")), min_size=1, max_size=20), st.integers(1, 5))
@settings(deadline=None)
def test_counts_in_blocks_equal_plain_counting(texts: list[tuple[str, str]], block: int) -> None:
    """Whatever the block, the counts are those of a Counter."""
    passages = [Passage(str(number), title, text) for number, (title, text) in enumerate(texts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "_BLOCK", block)
        result = count_terms(passages, Analyser())
    for row, (title, text) in enumerate(texts):
        expected = Counter(title.split()) + Counter(text.split())
        values = result.matrix(title=1).toarray()[row].tolist()
        assert {t: v for t, v in zip(result.terms, values, strict=True) if v} == expected


@given(st.sets(st.text(st.characters(codec="utf-8"))), st.text(st.characters(codec="utf-8")))
def test_strings_are_found(strings: set[str], other: str) -> None:
    """Every string is found at its place, another one is not; line ends and NULs are part of a string."""
    ordered = sorted(strings)
    packed = Strings.of(ordered)
    assert list(packed) == ordered
    assert [packed.find(string) for string in ordered] == list(range(len(ordered)))
    assert packed.find(other) == (ordered.index(other) if other in strings else None)
