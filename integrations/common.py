"""What the modules of the frameworks share, beside `over`: what they say without their packages, and metadata."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ..retrieval import Evidence

T = TypeVar("T")


def missing(framework: str, extra: str) -> str:
    """Return what to say where the packages of a framework are not installed."""
    install = f"pip install 'hopsplit[{extra}]' (from a checkout: pip install '.[{extra}]')"
    return f"hopsplit.integrations for {framework} needs its packages: {install}"


def metadata(item: Evidence) -> dict[str, Any]:
    """Return what is known of a passage beyond its text and its score.

    hop: that it is evidence for. via: the names put in to find it. query: only where a language model asked on.
    """
    return {"hop": item.hop, "via": item.via} | ({"query": item.query} if item.query else {})


class Once(Generic[T]):
    """What is loaded once, by whichever thread asks for it first."""

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load
        self._loading = threading.Lock()
        self._loaded: T | None = None

    def get(self) -> T:
        """Return it."""
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded
