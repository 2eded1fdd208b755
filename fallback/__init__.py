"""From a question to its evidence: the router, and a language model where the rules end."""

from __future__ import annotations

from .asker import Asker, ask
from .budget import Budget
from .llm import Llm, LlmError, Message, Reply
from .openai_client import OpenAIClient
from .router import route
from .types import UNSURE, Result, Route, RouteName, Step, Usage

__all__ = [
    "UNSURE",
    "Asker",
    "Budget",
    "Llm",
    "LlmError",
    "Message",
    "OpenAIClient",
    "Reply",
    "Result",
    "Route",
    "RouteName",
    "Step",
    "Usage",
    "ask",
    "route",
]
