"""A chat model behind an OpenAI-compatible endpoint (the extra `llm`)."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import TypeGuard

from ..decompose.plan import InputError
from .endpoint import Endpoint, EndpointError, check_key
from .llm import LlmError, Message, Reply, estimate_tokens

BASE_URL = "HOPSPLIT_LLM_BASE_URL"
API_KEY = "HOPSPLIT_LLM_API_KEY"
SERVICE = "https://api.openai.com/v1"
_FIRST_WAIT = 0.25
_LONGEST = 86_400.0  # seconds
_MOST_TOKENS = 10**9  # of one reply; a count beyond is none


class OpenAIClient:
    """Implements `Llm` for one model.

    Where `base_url` or `api_key` is None it is read from HOPSPLIT_LLM_BASE_URL or HOPSPLIT_LLM_API_KEY, here
    and only here. A base URL needs no key (local servers). `attempts` bounds the tries for one reply: a reply
    that is late, refused for load (429) or failed in the server (5xx) is asked for again.
    `usd_per_million` is the price of a million prompt and completion tokens.

    No other variable of the environment is read, and no redirection followed. A reply of more than a mebibyte is
    refused, and errors do not tell the key.

    Raises InputError where httpx is not installed, nothing says where the model is, or what says so is wrong.
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
        if not all(math.isfinite(price) and price >= 0 for price in usd_per_million):
            raise InputError(f"the prices {usd_per_million} are none; give US dollars a million tokens, 0 or more")
        self._prices = usd_per_million
        self._key = api_key or ""
        check_key(self._key, API_KEY)
        self._endpoint = Endpoint(base_url or SERVICE, self._key, name=BASE_URL)

    def complete(self, messages: Sequence[Message], *, temperature: float, max_tokens: int, timeout: float) -> Reply:
        """Return the reply; see `Llm.complete`."""
        body, tries = self._ask(messages, temperature, max_tokens, time.monotonic() + min(timeout, _LONGEST))
        said = _dig(body, "choices", 0, "message", "content")
        text = said if isinstance(said, str) else ""
        prompt = _dig(body, "usage", "prompt_tokens")
        completion = _dig(body, "usage", "completion_tokens")
        if not (_is_count(prompt) and _is_count(completion)):
            prompt = sum(estimate_tokens(message.content) for message in messages)
            completion = estimate_tokens(text)
        cost = (prompt * self._prices[0] + completion * self._prices[1]) / 1e6
        return Reply(text, prompt, completion, cost, tries)

    def _ask(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, deadline: float
    ) -> tuple[object, int]:
        """Return the JSON of the answer and how many tries it took, at most `attempts`, before the deadline."""
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
        """Return the JSON of the answer as it came."""
        body = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        try:
            status, answer = self._endpoint.post("chat/completions", body, timeout)
        except EndpointError as error:
            raise (_BusyError if error.may_pass else LlmError)(self._masked(str(error))) from error
        if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            return _parsed(answer)
        said = _dig(_parsed_or_none(answer), "error", "message") or answer.decode("utf-8", "replace")
        problem = f"status {status}: {self._masked(' '.join(str(said).split()))[:200]}"
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _BusyError(problem)
        raise LlmError(problem)

    def _masked(self, text: str) -> str:
        """Return the text without the key, which a server may well repeat."""
        return text.replace(self._key, "...") if self._key else text


class _BusyError(LlmError):
    """A trouble that may be over at the next try."""


def _parsed(answer: bytes) -> object:
    """Return the JSON of an answer; LlmError where it is none."""
    try:
        value: object = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise LlmError("the endpoint's answer is not JSON") from error
    return value


def _parsed_or_none(answer: bytes) -> object:
    try:
        return _parsed(answer)
    except LlmError:
        return None


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


def _is_count(value: object) -> TypeGuard[int]:
    """Return whether this can be a count of tokens."""
    return type(value) is int and 0 <= value <= _MOST_TOKENS
