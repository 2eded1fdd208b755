"""Fills a folder of replies, from several threads. Run as a program it waits for a line before it begins."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from hopsplit.fallback import Completion, Message, Replay

REQUESTS = 40


class Echo:
    """A model that says which process it is in, and what it was asked, many times over."""

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Return the reply; see `Llm.complete`."""
        return Completion(f"{os.getpid()} " + messages[-1].content * 5_000, 1, 1)


def ask_all(replay: Replay) -> list[str]:
    """Send all requests, in four threads; return the replies in the order of the requests."""

    def ask(number: int) -> str:
        return replay.complete([Message("user", str(number))], 0.1, 50, {}).text

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(ask, range(REQUESTS)))


if __name__ == "__main__":
    print("ready", flush=True)  # noqa: T201  (to who waits for it)
    sys.stdin.readline()
    ask_all(Replay(sys.argv[1], Echo()))
