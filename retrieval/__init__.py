"""Search: passages, hybrid index, the search-then-search schemes."""

from __future__ import annotations

from .types import Evidence, Hit, Passage, Retriever

__all__ = ["Evidence", "Hit", "Passage", "Retriever"]
