"""Question decomposition: a question in, a Plan out."""

from __future__ import annotations

from .plan import ANSWER_TYPES, KINDS, AnswerType, Hop, InputError, Kind, Plan

__all__ = ["ANSWER_TYPES", "KINDS", "AnswerType", "Hop", "InputError", "Kind", "Plan"]
