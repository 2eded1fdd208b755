"""Sends one JSON request to an HTTP endpoint, within a time and a size; and checks where to and with which key.

httpx loads on first use. Nothing but what is given here decides where a request goes: no proxy, certificate or
password that the environment or a .netrc names, and no redirection.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeVar
from urllib.parse import urlsplit

from ..decompose.plan import InputError

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

INSTALL = "a language model needs the package httpx: pip install httpx (from a checkout: pip install '.[llm]')"
_MAX_BYTES = 1 << 20  # a reply is a few thousand


class EndpointError(Exception):
    """No answer, or one that cannot be read. `may_pass`: another try may have more luck."""

    def __init__(self, message: str, *, may_pass: bool = True) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class Endpoint:
    """An address that takes POST requests. InputError where httpx is missing or the address or key is none."""

    def __init__(self, url: str, key: str, *, name: str) -> None:
        """`name` is what errors call the address; an empty `key` is not sent."""
        self.shown = address(url, name)
        try:
            import httpx  # noqa: PLC0415  (an extra)
        except ImportError as error:
            raise InputError(INSTALL) from error
        try:
            self._url = httpx.URL(url)
        except (httpx.InvalidURL, ValueError) as error:
            raise InputError(f"{name} is no address; give one such as http://127.0.0.1:8080/v1") from error
        headers = {"Accept-Encoding": "identity", "Content-Type": "application/json", "User-Agent": "hopsplit"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        once = httpx.Limits(max_keepalive_connections=0)  # no socket stays open between two calls
        self._client = httpx.Client(trust_env=False, follow_redirects=False, headers=headers, limits=once)

    def post(self, path: str, body: Mapping[str, object], seconds: float) -> tuple[int, bytes]:
        """Return the status and the body of the answer to `body` sent to `path` below the address.

        EndpointError after `seconds`, where nobody answers, and on an answer that is compressed or endless.
        """
        url = self._url.copy_with(path=f"{self._url.path.rstrip('/')}/{path}")
        sent = json.dumps(body).encode()
        return _within(seconds, lambda: self._post(url, sent, seconds))

    def _post(self, url: httpx.URL, sent: bytes, seconds: float) -> tuple[int, bytes]:
        import httpx  # noqa: PLC0415  (an extra)

        until = time.monotonic() + seconds
        try:
            with self._client.stream("POST", url, content=sent, timeout=seconds) as answer:
                if answer.headers.get("Content-Encoding", "identity") != "identity":
                    raise EndpointError("the answer is compressed, which was not asked for", may_pass=False)
                return answer.status_code, _read(answer, until)
        except httpx.TimeoutException as error:
            raise EndpointError("timed out") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise EndpointError(f"connection error: {said} ({self.shown}); check it with hopsplit doctor") from error


def address(url: str, name: str) -> str:
    """Return a URL without the password that may stand in it; InputError, by `name`, where it is none."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_one = False
    if not (is_one and url.isprintable() and " " not in url):
        raise InputError(f"{name} is no address; give one such as http://127.0.0.1:8080/v1")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def check_key(key: str, name: str) -> None:
    """Raise InputError, without telling the key, where a character of it cannot stand in a header."""
    for place, char in enumerate(key, 1):
        if not "!" <= char <= "~":
            raise InputError(f"{name} has a character that no key has, at place {place} of {len(key)}; set it anew")


def _read(answer: httpx.Response, until: float) -> bytes:
    """Return the body; EndpointError where it takes too long or too much room."""
    body = bytearray()
    for part in answer.iter_raw():
        body += part
        if len(body) > _MAX_BYTES:
            raise EndpointError(f"the answer is longer than {_MAX_BYTES:,} bytes", may_pass=False)
        if time.monotonic() > until:
            raise EndpointError("timed out")
    return bytes(body)


def _within(seconds: float, act: Callable[[], T]) -> T:
    """Return what `act` returns, or raise what it raises; EndpointError after `seconds`.

    In a thread that is left behind: no timeout of a socket covers looking up a name, or headers that drip.
    """
    done: queue.SimpleQueue[Callable[[], T]] = queue.SimpleQueue()

    def run() -> None:
        try:
            result = act()
        except Exception as error:  # noqa: BLE001  (raised by who waits)
            done.put(partial(_raise, error))
        else:
            done.put(lambda: result)

    threading.Thread(target=run, daemon=True).start()
    try:
        outcome = done.get(timeout=seconds)
    except queue.Empty:
        raise EndpointError("timed out") from None
    return outcome()


def _raise(error: Exception) -> NoReturn:
    raise error
