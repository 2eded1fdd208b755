"""What a language model is to the fallback: one method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeGuard

_MOST_TOKENS = 10**9  # of one reply; a count beyond is none
_BYTES_PER_TOKEN = 3
_PER_MESSAGE = 8  # tokens of a message's frame


class LlmError(Exception):
    """The model gave no reply. The caller goes on without it.

    may_pass: another try may have more luck. retry_after: seconds that the model asked to be left alone. sent: it may
    be at work on the request all the same, so that counts as if it had replied at length. changed: the next try will be
    made otherwise, so it comes at once and this one is not counted as one of a few.
    """

    def __init__(
        self,
        message: str,
        *,
        may_pass: bool = False,
        retry_after: float = 0.0,
        sent: bool = False,
        changed: bool = False,
    ) -> None:
        super().__init__(message)
        self.may_pass, self.retry_after, self.sent, self.changed = may_pass, retry_after, sent, changed


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, and the tokens that it counted."""

    text: str
    prompt_tokens: int
    completion_tokens: int


class Llm(Protocol):
    """A chat model. Questions may be asked in several threads at once."""

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Return what the model says to `messages`, in one try; LlmError where it says nothing.

        schema: the JSON schema that the text is asked to follow. A model that cannot be held to it need not be.
        """
        ...


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Return a cautious count of tokens: one for three UTF-8 bytes, eight for the frame of a message."""
    return sum(len(m.content.encode("utf-8", "replace")) // _BYTES_PER_TOKEN + _PER_MESSAGE for m in messages)


def is_count(value: object) -> TypeGuard[int]:
    """Return whether this can be a count of tokens."""
    return type(value) is int and 0 <= value <= _MOST_TOKENS


def sendable(text: str) -> str:
    """Return a text that a request can carry: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
