"""What a language model is to the fallback: one method; and how its replies are read: as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, TypeVar

T = TypeVar("T")

# Replies are asked to be one small object; what lies beyond this is not read.
_MAX_CHARS = 20_000
_MAX_OBJECTS = 50
_BYTES_PER_TOKEN = 3


class LlmError(Exception):
    """The model could not be reached or refused, after so many `calls`. The caller goes on without it."""

    def __init__(self, message: str, *, calls: int = 1) -> None:
        super().__init__(message)
        self.calls = calls


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, the tokens it counted, the price in US dollars (0 where none is known), the calls it took."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float = 0.0
    calls: int = 1


class Llm(Protocol):
    """A chat model."""

    def complete(self, messages: Sequence[Message], *, temperature: float, max_tokens: int, timeout: float) -> Reply:
        """Return the reply within `timeout` seconds, retries included; raise LlmError where there is none."""
        ...


def estimate_tokens(text: str) -> int:
    """Return a cautious count of tokens: one for three UTF-8 bytes, at least one."""
    return len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN + 1


def read_json(text: str, read: Callable[[dict[str, object]], T | None]) -> T | None:
    """Return what `read` makes of the first JSON object in `text` that it accepts, None where there is none.

    Code fences, prose around the object and braces in that prose are passed over. Nothing is evaluated.
    """
    text = text[:_MAX_CHARS]
    decoder = json.JSONDecoder(parse_constant=_refuse)
    start = text.find("{")
    for _ in range(_MAX_OBJECTS):
        if start < 0:
            return None
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            found = read(value) if isinstance(value, dict) else None
            if found is not None:
                return found
        start = text.find("{", end)
    return None


def _refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads and JSON has not."""
    raise ValueError(f"{constant} is not JSON")
