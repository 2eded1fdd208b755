"""Question decomposition: a question in, a Plan out. Imports spaCy only when a Decomposer is built."""

from __future__ import annotations

from .decomposer import Decomposer
from .plan import ANSWER_TYPES, KINDS, AnswerType, Hop, InputError, Kind, Plan

__all__ = ["ANSWER_TYPES", "KINDS", "AnswerType", "Decomposer", "Hop", "InputError", "Kind", "Plan"]
