"""Search: passages, hybrid index, the search-then-search schemes."""

from __future__ import annotations

from .corpus import read_corpus
from .executor import Executor
from .fusion import fuse
from .index import METHODS, Index, Method
from .own import PassageSearch, SearchFunction
from .parts import Settings
from .settings import CandidateWeights, ExecutorSettings
from .tokens import Analyser
from .types import Bridge, Evidence, Hit, Outcome, Passage, Retriever

__all__ = [
    "METHODS",
    "Analyser",
    "Bridge",
    "CandidateWeights",
    "Evidence",
    "Executor",
    "ExecutorSettings",
    "Hit",
    "Index",
    "Method",
    "Outcome",
    "Passage",
    "PassageSearch",
    "Retriever",
    "SearchFunction",
    "Settings",
    "fuse",
    "read_corpus",
]
