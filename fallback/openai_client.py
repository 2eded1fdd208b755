"""A chat model behind an OpenAI-compatible endpoint (the extra `llm`). The SDK loads on first use."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..decompose.plan import InputError
from .llm import LlmError, Message, Reply, estimate_tokens

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletionMessageParam

BASE_URL = "HOPSPLIT_LLM_BASE_URL"
API_KEY = "HOPSPLIT_LLM_API_KEY"
INSTALL = "a language model needs the package openai: pip install openai (from a checkout: pip install '.[llm]')"
_FIRST_WAIT = 0.25


class OpenAIClient:
    """Implements `Llm` for one model.

    Where `base_url` or `api_key` is None it is read from HOPSPLIT_LLM_BASE_URL or HOPSPLIT_LLM_API_KEY, here
    and only here. A base URL needs no key (local servers). `attempts` bounds the tries for one reply: a reply
    that is late, refused for load (429) or failed in the server (5xx) is asked for again.
    `usd_per_million` is the price of a million prompt and completion tokens.

    Raises InputError where the SDK is not installed or nothing says where the model is.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        attempts: int = 3,
        usd_per_million: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        base_url = base_url or os.environ.get(BASE_URL) or None
        api_key = api_key or os.environ.get(API_KEY) or None
        if not (base_url or api_key):
            raise InputError(f"the LLM {model!r} needs {BASE_URL} (a local server) or {API_KEY} to be set")
        self._model = model
        self._attempts = attempts
        self._prices = usd_per_million
        self._where = address(base_url, BASE_URL) if base_url else "the OpenAI service"
        self._client = _client(base_url, api_key or "none")

    def complete(self, messages: Sequence[Message], *, temperature: float, max_tokens: int, timeout: float) -> Reply:
        """Return the reply; see `Llm.complete`."""
        body, tries = self._ask(messages, temperature, max_tokens, time.monotonic() + timeout)
        said = _dig(body, "choices", 0, "message", "content")
        text = said if isinstance(said, str) else ""
        prompt = _dig(body, "usage", "prompt_tokens")
        completion = _dig(body, "usage", "completion_tokens")
        if not isinstance(prompt, int) or not isinstance(completion, int):
            prompt = sum(estimate_tokens(message.content) for message in messages)
            completion = estimate_tokens(text)
        cost = (prompt * self._prices[0] + completion * self._prices[1]) / 1e6
        return Reply(text, prompt, completion, cost, tries)

    def _ask(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, deadline: float
    ) -> tuple[object, int]:
        """Return the JSON of the answer and how many tries it took, at most `attempts`, before the deadline.

        The SDK's own retries know no deadline.
        """
        problem = LlmError("no time left", calls=0)
        for attempt in range(self._attempts):
            wait = _FIRST_WAIT * 2 ** (attempt - 1) if attempt else 0.0
            left = deadline - time.monotonic() - wait
            if left <= 0:
                break
            time.sleep(wait)
            try:
                return self._once(messages, temperature, max_tokens, left), attempt + 1
            except LlmError as error:
                problem = error
                problem.calls = attempt + 1
                if not isinstance(error, _BusyError):
                    break
        raise problem

    def _once(self, messages: Sequence[Message], temperature: float, max_tokens: int, timeout: float) -> object:
        """Return the JSON of the answer as it came: the SDK's parsed form trusts the server too much."""
        import openai  # noqa: PLC0415  (an extra)

        try:
            answer = self._client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=[_sendable(message) for message in messages],
                temperature=temperature,
                max_tokens=max_tokens,
                timeout=timeout,
            )
            body: object = answer.http_response.json()
        except openai.APIConnectionError as error:
            raise _BusyError(f"{_line(error)} ({self._where}); check it with hopsplit doctor") from error
        except (openai.RateLimitError, openai.InternalServerError) as error:
            raise _BusyError(_line(error)) from error
        except openai.OpenAIError as error:
            raise LlmError(_line(error)) from error
        except ValueError as error:
            raise LlmError("the endpoint's answer is not JSON") from error
        return body


class _BusyError(LlmError):
    """A trouble that may be over at the next try."""


def address(url: str, name: str) -> str:
    """Return a URL without the password that may stand in it; InputError, by `name`, where it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if not (parts.scheme in ("http", "https") and parts.hostname):
        raise InputError(f"{name} is no address; give one such as http://127.0.0.1:8080/v1")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _client(base_url: str | None, api_key: str) -> openai.OpenAI:
    """Make the SDK's client, or say how to install the SDK."""
    try:
        import openai  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise InputError(INSTALL) from error
    return openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)


def _sendable(message: Message) -> ChatCompletionMessageParam:
    """Give the SDK's form of a message."""
    if message.role == "system":
        return {"role": "system", "content": message.content}
    if message.role == "user":
        return {"role": "user", "content": message.content}
    return {"role": "assistant", "content": message.content}


def _dig(value: object, *path: str | int) -> object:
    """Follow keys and places into JSON; None where the path ends early."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def _line(error: Exception) -> str:
    """Give an error in one short line."""
    return " ".join(str(error).split())[:200] or type(error).__name__
