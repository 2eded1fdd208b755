"""Batches of questions shared out to processes, in order."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from .decomposer import Decomposer
    from .plan import Plan
    from .rules import Rule

_worker: list[Decomposer] = []


def _start(titles: Sequence[str], rules: Sequence[Rule] | None) -> None:
    from .decomposer import Decomposer  # noqa: PLC0415
    from .rules import RULES  # noqa: PLC0415

    _worker[:] = [Decomposer(titles=titles, rules=RULES if rules is None else rules)]


def _plans(questions: list[str]) -> list[Plan]:
    return list(_worker[0].pipe(questions, batch_size=len(questions)))


def pipe_batches(
    batches: Iterable[list[str]], titles: Sequence[str], rules: Sequence[Rule], n_process: int
) -> Iterator[Plan]:
    """Yield the plans of all batches, in order. The shipped rules stay out of the pickle; one's own go in it."""
    from .rules import RULES  # noqa: PLC0415

    own = None if tuple(rules) == RULES else tuple(rules)
    # Spawned, not forked: a fork would copy the locks of the numeric libraries in whatever state they are.
    with ProcessPoolExecutor(
        n_process, mp_context=get_context("spawn"), initializer=_start, initargs=(titles, own)
    ) as pool:
        waiting: deque[Future[list[Plan]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(_plans, batch))
            if len(waiting) > 2 * n_process:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
