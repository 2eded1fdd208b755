"""The questions of a long run shared out to processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from ..decompose.plan import InputError
from ..retrieval import Index
from .dataset import Question
from .methods import Method, Ranker, check_question
from .report import Ranked

_BATCH = 32
_ranker: list[Ranker] = []


def shared_rankings(
    folder: Path, questions: Sequence[Question], *, method: Method, k: int, jobs: int
) -> Iterator[Ranked]:
    """Yield just what `rankings` gives for the index in `folder`, by `jobs` processes, in order.

    A process takes 1.5 s of its core before its first question, as it loads the model; so two idle cores pay from some
    300 questions on. Seconds are those of the process that did the question: their sum exceeds the wait.
    """
    if jobs < 1:
        raise InputError(f"the number of jobs is {jobs}; give at least 1")
    ranker = Ranker(Index.open(folder), method)  # also so that a bad index or method is refused here
    if jobs == 1:
        yield from ranker.rankings(questions, k)
        return
    for question in questions:
        check_question(question)
    batches = [questions[start : start + _BATCH] for start in range(0, len(questions), _BATCH)]
    # Spawned, not forked: a fork would copy the locks of the numeric libraries in whatever state they are.
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_start, initargs=(folder, method)
    ) as pool:
        for ranked in pool.map(_ranked, batches, repeat(k)):
            yield from ranked


def _start(folder: Path, method: Method) -> None:
    _ranker[:] = [Ranker(Index.open(folder), method)]


def _ranked(questions: Sequence[Question], k: int) -> list[Ranked]:
    return list(_ranker[0].rankings(questions, k))
