"""From a question to its evidence: the router, and a language model where the rules end."""

from __future__ import annotations

from .asker import Asker, ask
from .budget import Budget, Price
from .chain import ChainSettings
from .llm import Completion, Llm, LlmError, Message
from .openai_client import OpenAIClient
from .replay import Replay
from .router import RouterSettings, route
from .types import UNSURE, Answer, Judgement, Result, Route, RouteName, Step, Usage

__all__ = [
    "UNSURE",
    "Answer",
    "Asker",
    "Budget",
    "ChainSettings",
    "Completion",
    "Judgement",
    "Llm",
    "LlmError",
    "Message",
    "OpenAIClient",
    "Price",
    "Replay",
    "Result",
    "Route",
    "RouteName",
    "RouterSettings",
    "Step",
    "Usage",
    "ask",
    "route",
]
