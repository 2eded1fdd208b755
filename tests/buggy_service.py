"""Serves an index whose search has a bug; run by test_http_limits.py."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from hopsplit.fallback import Asker
from hopsplit.retrieval import Hit, Index, Passage
from hopsplit.serving.server import run
from hopsplit.serving.service import Service
from hopsplit.serving.settings import ServeSettings


class Buggy(Index):
    """An index that cannot be searched."""

    def search(self, query: str, k: int, **_: Any) -> list[Hit]:
        """Fail, with the question in the error."""
        raise KeyError(query)

    def search_many(self, queries: Sequence[str], k: int, **_: Any) -> list[list[Hit]]:
        """Fail."""
        return [self.search(query, k) for query in queries]


index = Buggy.build([Passage("1", "One", "The first of all passages.")])
run(Service(index, Asker(index)), ServeSettings(port=0), lambda line: print(line, file=sys.stderr))  # noqa: T201
