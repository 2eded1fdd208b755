"""Search: passages, hybrid index, the search-then-search schemes."""

from __future__ import annotations

from .corpus import read_corpus
from .fusion import fuse
from .index import METHODS, Index, Method
from .parts import Settings
from .tokens import Analyser
from .types import Evidence, Hit, Passage, Retriever

__all__ = [
    "METHODS",
    "Analyser",
    "Evidence",
    "Hit",
    "Index",
    "Method",
    "Passage",
    "Retriever",
    "Settings",
    "fuse",
    "read_corpus",
]
