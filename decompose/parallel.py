"""Batches of questions shared out to processes, in order."""

from __future__ import annotations

import pickle
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

from .plan import InputError
from .rules import RULES, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from .decomposer import Decomposer
    from .plan import Plan

_worker: list[Decomposer] = []


def pipe_batches(
    kind: type[Decomposer],
    batches: Iterable[list[str]],
    titles: Sequence[str],
    rules: Sequence[Rule],
    n_process: int,
    *,
    explain: bool,
) -> Iterator[Plan]:
    """Yield the plans of all batches, in order, by a decomposer of that kind in each process.

    Raises InputError where a rule of the caller's own cannot be sent to a process.
    """
    sent = _sendable(rules)
    # Spawned, not forked: a fork would copy the locks of the numeric libraries in whatever state they are.
    with ProcessPoolExecutor(
        n_process, mp_context=get_context("spawn"), initializer=_start, initargs=(kind, titles, sent)
    ) as pool:
        waiting: deque[Future[list[Plan]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(_plans, batch, explain))
            if len(waiting) > 2 * n_process:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _sendable(rules: Sequence[Rule]) -> bytes:
    """Return the rules as bytes: a shipped one by its place, as its matcher may be made on import."""
    sent = [RULES.index(rule) if rule in RULES else rule for rule in rules]
    try:
        return pickle.dumps(sent)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"a rule cannot be sent to another process ({error}); "
            "give it a match function defined at the top of a module, or use one process"
        ) from None


def _start(kind: type[Decomposer], titles: Sequence[str], sent: bytes) -> None:
    # From our own parent process, which made the bytes.
    rules = [RULES[rule] if isinstance(rule, int) else rule for rule in pickle.loads(sent)]  # noqa: S301
    _worker[:] = [kind(titles=titles, rules=rules)]


def _plans(questions: list[str], explain: bool) -> list[Plan]:
    return list(_worker[0].pipe(questions, batch_size=len(questions), explain=explain))
