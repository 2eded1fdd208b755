"""What every request to a model's endpoint and every answer goes through: address, headers, time and size."""

from __future__ import annotations

import time
from base64 import b64encode
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl, quote_plus, unquote, urlsplit

from ..decompose.plan import InputError
from .llm import LlmError

_MAX_BYTES = 1 << 20  # a reply is a few thousand
_LONG = 8  # characters of a user's name, or a value in a query, that may be a key


def address(url: str) -> str:
    """Return a base URL without the password that may stand in it; InputError where it is none."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_one = False
    if not (is_one and url.isprintable() and " " not in url):
        raise InputError("the base URL is no address; give one such as http://127.0.0.1:8080/v1")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def check_key(key: str) -> None:
    """Raise InputError, without telling the key, where a character of it cannot stand in a header."""
    for place, char in enumerate(key, 1):
        if not "!" <= char <= "~":
            raise InputError(
                f"the API key has a character that no key has, at place {place} of {len(key)}; set it anew"
            )


def secrets_of(url: str, key: str) -> tuple[str, ...]:
    """Return what no error may tell, the longest first: the key, and of the address the password and the query."""
    parts = urlsplit(url)
    known = [key, authorization_of(url, key).rpartition(" ")[2], unquote(parts.password or ""), parts.password or ""]
    values = [
        value for _, value in [("", unquote(parts.username or "")), *parse_qsl(parts.query)] if len(value) >= _LONG
    ]
    known += [*values, *map(quote_plus, values)]
    return tuple(sorted({secret for secret in known if secret}, key=lambda secret: (-len(secret), secret)))


def authorization_of(url: str, key: str) -> str:
    """Return the header that lets a request in: with the key, or else the password in the address; empty for none."""
    parts = urlsplit(url)
    if key or parts.username is None:
        return key and f"Bearer {key}"
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"Basic {b64encode(pair.encode()).decode()}"


def bare(request: Any, *, authorization: str) -> None:
    """Leave of the headers what the answer takes: the SDK adds some of the environment and of the machine."""
    # By the second the SDK itself knows what it was asked for.
    kept = {name: request.headers[name] for name in ("Content-Length", "X-Stainless-Raw-Response")}
    request.headers.clear()
    request.headers.update(
        kept
        | {
            "Host": request.url.netloc.decode("ascii"),
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "hopsplit",
            "Connection": "close",  # no socket stays open between two calls
        }
    )
    if authorization:
        request.headers["Authorization"] = authorization


def bounded(response: Any, *, seconds: float) -> None:
    """Read the answer as it comes, and not without end; what is read takes the place of the stream."""
    until = time.monotonic() + seconds
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise LlmError("the answer is compressed, which was not asked for")
    body = bytearray()
    for part in response.stream:
        body += part
        if len(body) > _MAX_BYTES:
            raise LlmError(f"the answer is longer than {_MAX_BYTES:,} bytes")
        if time.monotonic() > until:
            raise LlmError("timed out", may_pass=True, sent=True)
    response.stream.close()
    response.encoding = "utf-8"  # an answer could name one that inflates it, or does not exist
    library = import_module(type(response).__module__.partition(".")[0])  # httpx, or the one that the SDK has for it
    response.stream = library.ByteStream(bytes(body))
