"""One ranking for each question, by the method asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, get_args

from ..decompose import Decomposer, InputError
from ..decompose.normalise import MAX_CHARS
from ..fallback.asker import Asker, titles
from ..fallback.types import Result
from ..retrieval import Evidence, Index
from ..retrieval.index import Method as Engine
from ..retrieval.overlap import overlap
from .dataset import Question
from .report import Ranked
from .runfile import Scored

Method = Literal["rarag", "overlap", "hybrid", "bm25", "tfidf", "chain-of-query"]
METHODS: tuple[Method, ...] = get_args(Method)


class Ranker:
    """Ranks the passages of an index by one method. Build it once: it may load the model.

    rarag: what `ask` gives without a language model. chain-of-query: what the given `asker` gives, which has one.
    overlap: the published search-then-search for plans of two hops, hybrid search for the others. hybrid, bm25, tfidf:
    one search.
    """

    def __init__(self, index: Index, method: Method, *, asker: Asker | None = None) -> None:
        if method not in METHODS:
            raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
        if method == "chain-of-query" and asker is None:
            raise InputError("the method chain-of-query needs a language model; name one with --llm MODEL")
        self._index, self._method, self._given = index, method, asker

    @cached_property
    def _asker(self) -> Asker:
        return self._given or Asker(self._index)

    @cached_property
    def _decomposer(self) -> Decomposer:
        return Decomposer(titles=titles(self._index))

    def rankings(self, questions: Sequence[Question], k: int) -> Iterator[Ranked]:
        """Yield the first `k` passages of each question, in the order of the questions.

        A question that cannot be asked is an InputError that names it. Questions are parsed in batches, so that the
        first of a batch seems to take longest; `timed` gives the same, one by one.
        """
        texts = _checked(questions)
        start = time.perf_counter()
        for question, found in zip(questions, self._found(texts, k), strict=True):
            now = time.perf_counter()
            yield Ranked(question.id, *found, now - start)
            start = time.perf_counter()

    def timed(self, questions: Sequence[Question], k: int) -> Iterator[Ranked]:
        """Yield what `rankings` gives, each question with the seconds that it takes alone; the first, after a trial."""
        texts = _checked(questions)
        for text in texts[:1]:  # so that no question pays for the start
            list(self._found([text], k))
        for question, text in zip(questions, texts, strict=True):
            start = time.perf_counter()
            (found,) = self._found([text], k)
            yield Ranked(question.id, *found, time.perf_counter() - start)

    def _found(self, texts: Sequence[str], k: int) -> Iterator[tuple[tuple[Scored, ...], int, int]]:
        """Yield the ranking for each question, the calls of a language model for it, and their tokens."""
        if self._method == "rarag" or self._method == "chain-of-query":  # noqa: PLR1714  (the type checker reads this)
            for result in self._asker.pipe(texts, k=k):
                yield _scored(result.evidence), *_spent(result)
        elif self._method == "overlap":
            for plan in self._decomposer.pipe(texts):
                yield _scored(overlap(self._index, plan, k).evidence), 0, 0
        else:
            engine: Engine = self._method
            for hits in self._index.search_many(texts, k, method=engine):
                yield tuple((hit.id, hit.score) for hit in hits), 0, 0


def _scored(evidence: Sequence[Evidence]) -> tuple[Scored, ...]:
    """Return evidence as a run file wants it."""
    return tuple((item.passage.id, item.score) for item in evidence)


def _spent(result: Result) -> tuple[int, int]:
    usage = result.usage
    return usage.llm_calls, usage.prompt_tokens + usage.completion_tokens


def _checked(questions: Sequence[Question]) -> list[str]:
    for question in questions:
        check_question(question)
    return [question.text for question in questions]


def check_question(question: Question) -> None:
    """Refuse half of a surrogate pair, which JSON can spell and no text may hold, and an endless question."""
    if len(question.text) > MAX_CHARS:
        raise InputError(f"the query {question.id!r} has {len(question.text):,} characters; give at most {MAX_CHARS:,}")
    if any("\ud800" <= char <= "\udfff" for char in question.text):
        raise InputError(f"the query {question.id!r} has a lone surrogate; give valid Unicode")
