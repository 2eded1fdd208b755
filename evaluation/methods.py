"""One ranking for each question, by the method asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, get_args

from ..decompose import Decomposer, InputError
from ..decompose.normalise import MAX_CHARS
from ..fallback.asker import Asker, titles
from ..retrieval import Evidence, Index
from ..retrieval.overlap import overlap
from .dataset import Question
from .report import Ranked
from .runfile import Scored

Method = Literal["rarag", "overlap", "hybrid", "bm25", "tfidf"]
METHODS: tuple[Method, ...] = get_args(Method)


class Ranker:
    """Ranks the passages of an index by one method. Build it once: it may load the model.

    rarag: what `ask` gives without a language model. overlap: the published search-then-search for plans of
    two hops, hybrid search for the others. hybrid, bm25, tfidf: one search.
    """

    def __init__(self, index: Index, method: Method) -> None:
        if method not in METHODS:
            raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
        self._index, self._method = index, method

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self._index)

    @cached_property
    def _decomposer(self) -> Decomposer:
        return Decomposer(titles=titles(self._index))

    def rankings(self, questions: Sequence[Question], k: int) -> Iterator[Ranked]:
        """Yield the first `k` passages of each question, in the order of the questions.

        A question that cannot be asked is an InputError that names it.
        """
        for question in questions:
            check_question(question)
        start = time.perf_counter()
        for question, (ranking, tokens) in zip(questions, self._found(questions, k), strict=True):
            now = time.perf_counter()
            yield Ranked(question.id, ranking, tokens, now - start)
            start = time.perf_counter()

    def _found(self, questions: Sequence[Question], k: int) -> Iterator[tuple[tuple[Scored, ...], int]]:
        """Yield the ranking for each question, and the tokens spent on it."""
        texts = [question.text for question in questions]
        if self._method == "rarag":
            for result in self._asker.pipe(texts, k=k):
                yield _scored(result.evidence), result.usage.prompt_tokens + result.usage.completion_tokens
        elif self._method == "overlap":
            for plan in self._decomposer.pipe(texts):
                yield _scored(overlap(self._index, plan, k).evidence), 0
        else:
            for hits in self._index.search_many(texts, k, method=self._method):
                yield tuple((hit.id, hit.score) for hit in hits), 0


def rankings(index: Index, questions: Sequence[Question], *, method: Method, k: int) -> Iterator[Ranked]:
    """Yield the first `k` passages of each question by a method; see `Ranker`."""
    return Ranker(index, method).rankings(questions, k)


def _scored(evidence: Sequence[Evidence]) -> tuple[Scored, ...]:
    """Return evidence as a run file wants it."""
    return tuple((item.passage.id, item.score) for item in evidence)


def check_question(question: Question) -> None:
    """Refuse half of a surrogate pair, which JSON can spell and no text may hold, and an endless question."""
    if len(question.text) > MAX_CHARS:
        raise InputError(f"the query {question.id!r} has {len(question.text):,} characters; give at most {MAX_CHARS:,}")
    if any("\ud800" <= char <= "\udfff" for char in question.text):
        raise InputError(f"the query {question.id!r} has a lone surrogate; give valid Unicode")
