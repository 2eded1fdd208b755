"""Work in threads for an event loop: so much at a time, so much waiting, no more."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..fallback.threads import start

T = TypeVar("T")


class BusyError(Exception):
    """As many as may wait are waiting."""


@dataclass(frozen=True, slots=True)
class Worked(Generic[T]):
    """What came of the work, and the seconds that it waited for a thread and worked."""

    value: T
    waited: float
    worked: float


class Workers:
    """Belongs to one event loop. Who came first is served first.

    running: threads at work, those that nobody waits for any more included. waiting: who waits for a thread.
    """

    def __init__(self, threads: int, waiting: int) -> None:
        self._free = asyncio.Semaphore(threads)
        self._most_waiting = waiting
        self.running = self.waiting = 0

    async def run(self, work: Callable[[threading.Event], T]) -> Worked[T]:
        """Return what `work` returns, or raise what it raises; BusyError where too many wait.

        The event that it is given is set as soon as nobody waits for it any more; its place is free when it has ended.
        """
        if self._free.locked() and self.waiting >= self._most_waiting:
            raise BusyError
        begun = time.perf_counter()
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        self.running += 1
        cancel, loop, at_work = threading.Event(), asyncio.get_running_loop(), time.perf_counter()
        future = start(lambda: work(cancel))
        future.add_done_callback(lambda _: self._tell(loop))
        try:
            value = await asyncio.wrap_future(future)
        finally:
            cancel.set()
        return Worked(value, at_work - begun, time.perf_counter() - at_work)

    def _tell(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended before this work
            loop.call_soon_threadsafe(self._ended)

    def _ended(self) -> None:
        self.running -= 1
        self._free.release()
