"""One ranking for each question, by the method asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
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


def rankings(index: Index, questions: Sequence[Question], *, method: Method, k: int) -> Iterator[Ranked]:
    """Yield the first `k` passages of each question, in the order of the questions.

    rarag: what `ask` gives without a language model. overlap: the published search-then-search for plans of
    two hops, hybrid search for the others. hybrid, bm25, tfidf: one search.

    A question that cannot be asked is an InputError that names it.
    """
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    for question in questions:
        _check(question)
    found = _found(index, [question.text for question in questions], method, k)
    start = time.perf_counter()
    for question, (ranking, tokens) in zip(questions, found, strict=True):
        now = time.perf_counter()
        yield Ranked(question.id, ranking, tokens, now - start)
        start = time.perf_counter()


def _found(index: Index, texts: Sequence[str], method: Method, k: int) -> Iterator[tuple[tuple[Scored, ...], int]]:
    """Yield the ranking for each text, and the tokens spent on it."""
    if method == "rarag":
        for result in Asker(index).pipe(texts, k=k):
            yield _scored(result.evidence), result.usage.prompt_tokens + result.usage.completion_tokens
    elif method == "overlap":
        for plan in Decomposer(titles=titles(index)).pipe(texts):
            yield _scored(overlap(index, plan, k).evidence), 0
    else:
        for text in texts:
            hits = index.search(text, k, method=method)
            yield tuple((hit.id, hit.score) for hit in hits), 0


def _scored(evidence: Sequence[Evidence]) -> tuple[Scored, ...]:
    """Return evidence as a run file wants it."""
    return tuple((item.passage.id, item.score) for item in evidence)


def _check(question: Question) -> None:
    """Refuse half of a surrogate pair, which JSON can spell and no text may hold, and an endless question."""
    if len(question.text) > MAX_CHARS:
        raise InputError(f"the query {question.id!r} has {len(question.text):,} characters; give at most {MAX_CHARS:,}")
    if any("\ud800" <= char <= "\udfff" for char in question.text):
        raise InputError(f"the query {question.id!r} has a lone surrogate; give valid Unicode")
