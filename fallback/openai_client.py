"""A chat model behind an OpenAI-compatible endpoint (the extra `llm`, which brings the SDK `openai`)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from ..decompose.plan import InputError
from .endpoint import address, authorization_of, bare, bounded, check_key, secrets_of
from .llm import Completion, LlmError, Message, estimate_tokens, is_count, sendable
from .threads import start

if TYPE_CHECKING:
    from openai import APIStatusError

SCHEMAS = ("json_schema", "json_object", "none")
SERVICE = "https://api.openai.com/v1"
INSTALL = "a language model needs the package openai: pip install openai (from a checkout: pip install '.[llm]')"
_MAX_SAID = 200  # characters of a server's complaint that are passed on
_LONGEST = 86_400.0  # seconds
_LONG = 8  # characters of a key
_UNKNOWN = frozenset({400, 404, 415, 422, 500, 501})
_ELSEWHERE = frozenset({404, 405, 501})
_BUSY = frozenset({408, 409, 429})
_NEWER_LIMIT = "max_completion_tokens"
# What servers call the field in the complaint that they do not know it.
_SCHEMA_WORDS = ("response_format", "schema", "grammar")


class OpenAIClient:
    """Implements `Llm` for one model. Nothing of the environment is read but proxies and certificates.

    base_url: of the endpoint, without the `/chat/completions`; a password in it is sent where there is no key.
    api_key: not needed by local servers; no error tells it. timeout: seconds for one request. schema: how a server is
    asked to hold replies to their JSON schema, as different servers take it: `json_schema`, `json_object`, `none`. One
    that complains of the way is asked in the next way from then on; one that complains of a temperature, without; and
    one that wants `max_completion_tokens`, with that.

    One request is one try: retries are the caller's. No redirection is followed, and of a reply no more than a
    mebibyte is read.

    Raises InputError where openai is not installed, nothing says where the model is, or what says so is wrong.
    """

    def __init__(
        self, model: str, *, base_url: str = "", api_key: str = "", timeout: float = 60.0, schema: str = "json_schema"
    ) -> None:
        if not model.strip():
            raise InputError("the language model has no name; give one")
        if not (base_url or api_key):
            raise InputError(
                f"the LLM {model!r} needs HOPSPLIT_LLM_BASE_URL (a local server) or HOPSPLIT_LLM_API_KEY to be set"
            )
        if not (math.isfinite(timeout) and timeout > 0):
            raise InputError(f"the timeout {timeout} is none; give seconds above 0")
        url = base_url or SERVICE
        self.model = model
        self.address = address(url)
        self._secrets = secrets_of(url, api_key)
        check_key(api_key)
        if schema not in SCHEMAS:
            raise InputError(f"there is no way {schema!r} of asking for a schema; choose one of {', '.join(SCHEMAS)}")
        self._shape = _Shape(SCHEMAS.index(schema), "max_tokens", warm=True)
        self._timeout = timeout
        try:
            from openai import DefaultHttpxClient, OpenAI  # noqa: PLC0415  (an extra)
        except ImportError as error:
            raise InputError(INSTALL) from error
        hooks: dict[str, list[Any]] = {
            "request": [partial(bare, authorization=authorization_of(url, api_key))],
            "response": [partial(bounded, seconds=timeout)],
        }
        try:
            self._client = OpenAI(
                base_url=self.address,
                default_query=dict(parse_qsl(urlsplit(url).query)),
                api_key=api_key or "none",
                timeout=timeout,
                max_retries=0,
                http_client=DefaultHttpxClient(follow_redirects=False, event_hooks=hooks),
            )
        except Exception as error:  # of several kinds: what is no address, proxy or certificate
            raise InputError(f"{self.address} cannot be asked: {self._masked(str(error))}") from error

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Return the reply; see `Llm.complete`."""
        body = self._sent(messages, temperature, max_tokens, schema)
        try:
            said = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise LlmError(f"the endpoint's answer is not JSON ({self.address})") from error
        text = _dig(said, "choices", 0, "message", "content")
        if not isinstance(text, str):
            text = ""
        for secret in self._secrets:
            if len(secret) >= _LONG:  # a short one may be a word of the reply
                text = text.replace(secret, "...")
        prompt, completion = _dig(said, "usage", "prompt_tokens"), _dig(said, "usage", "completion_tokens")
        if not (is_count(prompt) and is_count(completion)):
            prompt, completion = estimate_tokens(messages), estimate_tokens([Message("assistant", text)])
        return Completion(text, prompt, completion)

    def _sent(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> bytes:
        """Send one request; return the answer as it came.

        What a server may have repeated the key in is no cause of the error: a traceback would tell it.
        """
        import openai  # noqa: PLC0415  (an extra)

        shape = self._shape
        create = partial(
            # The answer is read here, as data: the SDK's classes trust what a server says of itself.
            self._client.chat.completions.with_raw_response.create,
            model=sendable(self.model),
            messages=[{"role": each.role, "content": sendable(each.content)} for each in messages],
            **_format(SCHEMAS[shape.way], schema),
            **{shape.limit: max_tokens},
            **({"temperature": temperature} if shape.warm else {}),
        )
        try:
            # No timeout of a socket covers looking up a name, or headers that drip.
            answer = start(create).result(self._timeout)
        except (TimeoutError, openai.APITimeoutError) as error:
            raise LlmError("timed out", may_pass=True, sent=True) from error
        except openai.APIStatusError as error:
            raise self._refused(error, shape) from None
        except (openai.APIConnectionError, UnicodeError) as error:  # the second of a name that cannot be looked up
            if isinstance(error.__cause__, LlmError):  # of `bounded`; some versions of the SDK pass it as it is
                raise error.__cause__ from None
            said = self._masked(str(error.__cause__ or error))
            sent = type(error.__cause__).__name__ not in ("ConnectError", "UnicodeError", "NoneType")
            may_pass = not isinstance(error, UnicodeError)
            raise LlmError(f"connection error: {said} ({self.address})", may_pass=may_pass, sent=sent) from None
        except openai.OpenAIError as error:
            raise LlmError(self._masked(str(error))) from None
        return answer.http_response.content

    def _refused(self, error: APIStatusError, sent: _Shape) -> LlmError:
        """Return what a status other than 2xx means; after a complaint of how it was `sent` the next goes otherwise."""
        status = error.status_code
        whole = str(_dig(error.body, "message") or error.response.text)
        said = self._masked(whole)
        other = sent.after(whole.casefold()) if status in _UNKNOWN else None
        if other:
            self._shape = other
            return LlmError(f"status {status}: {said}; from now on {other}", may_pass=True, changed=True)
        busy = status in _BUSY or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        may_pass = busy and _dig(error.body, "code") != "insufficient_quota"
        if status in _ELSEWHERE or HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            said = f"{said} ({self.address}; is this the base URL of an OpenAI-compatible endpoint?)"
        return LlmError(f"status {status}: {said}", may_pass=may_pass, retry_after=_seconds(error))

    def _masked(self, text: str) -> str:
        """Return the beginning of a text, on one line, without what a server may well repeat of the secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "...").replace(repr(secret)[1:-1], "...")
        return " ".join(text.split())[:_MAX_SAID] or "nothing said"


class _Shape(NamedTuple):
    """How a request is made: the way of asking for a schema, the name of the limit, whether with a temperature."""

    way: int
    limit: str
    warm: bool

    def __str__(self) -> str:
        warm = "" if self.warm else ", without temperature"
        return f"with {self.limit} and the schema as {SCHEMAS[self.way]}{warm}"

    def after(self, complaint: str) -> _Shape | None:
        """Return how to ask after a complaint, None where it is of nothing that can be changed."""
        if self.way + 1 < len(SCHEMAS) and any(word in complaint for word in _SCHEMA_WORDS):
            return self._replace(way=self.way + 1)
        if self.limit != _NEWER_LIMIT and _NEWER_LIMIT in complaint:
            return self._replace(limit=_NEWER_LIMIT)
        return self._replace(warm=False) if self.warm and "temperature" in complaint else None


def _format(way: str, schema: Mapping[str, object]) -> dict[str, Any]:
    """Return what a request says of the schema of its reply, in one of the ways of SCHEMAS."""
    if way == "json_schema":
        named = {"name": str(schema.get("title", "reply")), "schema": dict(schema), "strict": True}
        return {"response_format": {"type": way, "json_schema": named}}
    return {"response_format": {"type": way, "schema": dict(schema)}} if way == "json_object" else {}


def _seconds(error: APIStatusError) -> float:
    """Return the seconds that a server asks to be left alone, 0 where it names none."""
    try:
        seconds = float(error.response.headers.get("Retry-After", 0))
    except ValueError:  # a date: clocks differ
        return 0.0
    return seconds if 0 <= seconds < _LONGEST else 0.0


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
