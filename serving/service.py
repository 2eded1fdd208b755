"""What every way in offers: decompose, search and ask over one index, as JSON values. Any number of threads may ask."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Literal

from ..decompose.normalise import MAX_CHARS
from ..decompose.plan import InputError
from . import forms

if TYPE_CHECKING:
    from ..fallback import Asker
    from ..retrieval import Index


# `rank-bm25` is a reference for small collections, which a service is not asked for.
SearchMethod = Literal["hybrid", "bm25", "tfidf"]


class Service:
    """An index and what asks it. Names in questions are told by the titles of the index, in all three alike."""

    def __init__(self, index: Index, asker: Asker) -> None:
        self.index = index
        self._asker = asker

    def decompose(self, question: str, *, explain: bool = False) -> dict[str, Any]:
        """Return the plan of a question, with the tree and each rule tried where `explain` asks for it."""
        check_question(question)
        return forms.of_plan(self._asker.plan(question, explain=explain), explain=explain)

    def search(self, question: str, k: int, method: SearchMethod = "hybrid") -> dict[str, Any]:
        """Return at most `k` hits of one search, without splitting the question."""
        check_question(question)
        return forms.of_hits(question, method, self.index.search(question, k, method=method), self.index)

    def ask(self, question: str, k: int, cancel: threading.Event | None = None) -> dict[str, Any]:
        """Return the result of a question; see `Asker.ask`."""
        check_question(question)
        return forms.of_result(self._asker.ask(question, k=k, cancel=cancel))


def check_question(text: str) -> None:
    """Raise InputError where a question is empty or endless."""
    if not text.strip():
        raise InputError("the question is empty; give at least one word")
    if len(text) > MAX_CHARS:
        raise InputError(f"the question has {len(text):,} characters; give at most {MAX_CHARS:,}")
