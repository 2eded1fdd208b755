"""Work in a thread that nobody has to wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def start(act: Callable[[], T]) -> Future[T]:
    """Run `act` in a daemon thread of its own: one that hangs in a socket does not keep the program from ending."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # who waits for it may go; the work ends by itself

    def run() -> None:
        try:
            result = act()
        except Exception as error:  # noqa: BLE001  (raised by who asks for the result)
            future.set_exception(RuntimeError("StopIteration") if isinstance(error, StopIteration) else error)
        except BaseException as error:  # noqa: BLE001  (of a thread, it is nobody's wish to end the program)
            future.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
        else:
            future.set_result(result)

    threading.Thread(target=run, daemon=True).start()
    return future
