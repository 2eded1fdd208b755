"""Around the application: who may ask, how much and how long; what every reply says; what is counted."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import time
import traceback
from http import HTTPStatus
from typing import TYPE_CHECKING

from .refusals import JSON, RefusedError
from .settings import ServeSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from .metrics import Metrics

log = logging.getLogger("hopsplit.serving")

QUESTIONS = frozenset({"/decompose", "/search", "/ask"})
PAGE = "/page/"
OPEN = frozenset({"/", PAGE, "/healthz", "/openapi.json"})  # without a token
_KNOWN = QUESTIONS | OPEN | {"/metrics"}
_GONE = 499  # of a client that did not wait for the reply; counted so, never sent
# The page of the service alone may be shown here, and it may load and ask nothing elsewhere. Its forms are sent by its
# script; without it a browser would put the question into an address.
_POLICY = b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_EVERY_REPLY = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", _POLICY),
]
_CALL_PLACES = 3  # of a bug that the log tells


class Gate:
    """An ASGI application around the one that answers.

    local: it can be reached from this machine alone, so what comes under another host's name is a page of that host
    that wants to look in (DNS rebinding). is_ending: every reply ends its connection from now on.
    """

    def __init__(self, app: ASGIApp, settings: ServeSettings, metrics: Metrics, *, local: bool) -> None:
        self._app, self._settings, self._metrics, self._local = app, settings, metrics, local
        self._token = settings.token.encode()
        self.is_ending = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":  # the start and the end of a server, or a websocket, which nothing is at
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        reply = _Reply(send, self)
        self._metrics.open.inc()
        try:
            await self._answer(scope, receive, reply)
        finally:
            took = time.perf_counter() - begun
            label = _label(scope["path"])
            self._metrics.open.dec()
            self._metrics.ended(label, reply.status, took)
            log.info("%s %s %d %.0f ms", scope["method"], label, reply.status, 1e3 * took)

    async def _answer(self, scope: Scope, receive: Receive, reply: _Reply) -> None:
        end = asyncio.get_running_loop().time() + self._settings.seconds
        try:
            self._check(scope)
            try:
                async with asyncio.timeout_at(end):
                    body = await self._body(scope, receive)
            except TimeoutError:
                raise self._late("the body took") from None
            await self._pass_on(scope, body, receive, reply, end)
        except _GoneError:
            reply.status = _GONE
        except RefusedError as refused:
            if not reply.is_begun:
                await refused.reply()(scope, receive, reply.send)
        except Exception as error:  # noqa: BLE001  (a bug, of which the client has been told)
            places = traceback.extract_tb(error.__traceback__)[-_CALL_PLACES:]
            where = " < ".join(f"{place.filename}:{place.lineno}" for place in reversed(places))
            # Without its text, in which a question may stand.
            log.error("%s %s: %s at %s", scope["method"], _label(scope["path"]), type(error).__name__, where)

    def _check(self, scope: Scope) -> None:
        """Refuse what need not be read."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if self._local and host and not self._is_here(host):
            raise RefusedError(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"the Host {host[:80]!r} is not this one; ask 127.0.0.1 or localhost, and let a proxy say so",
            )
        if self._token and _label(scope["path"]) not in OPEN:
            self._check_token(headers.get(b"authorization"))
        kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and scope["path"] in QUESTIONS and kind != JSON:
            said = f"the Content-Type is {kind[:80]!r}" if kind else "there is no Content-Type"
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"{said}; send JSON, as application/json")

    def _is_here(self, host: str) -> bool:
        """Return whether a Host header names this machine."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        name = name.lower().strip("[]")
        if name in ("localhost", self._settings.host.lower()):
            return True
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False

    def _check_token(self, given: str | None) -> None:
        scheme, _, token = (given or "").partition(" ")
        is_right = hmac.compare_digest(token.strip().encode("utf-8", "replace"), self._token)
        if scheme.lower() == "bearer" and is_right:
            return
        challenge = 'Bearer realm="hopsplit"' + (', error="invalid_token"' if given else "")
        said = "the token is wrong" if given else "there is no token"
        raise RefusedError(
            HTTPStatus.UNAUTHORIZED,
            f"{said}; send the header Authorization: Bearer TOKEN, with that of serve.token",
            {"WWW-Authenticate": challenge},
        )

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Read the body."""
        most = self._settings.body
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        body = bytearray()
        is_whole = False
        while not is_whole and max(len(body), int(declared)) <= most:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _GoneError
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False)
        if max(len(body), int(declared)) > most:
            raise RefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body is longer than {most:,} bytes (serve.body); shorten it"
            )
        return bytes(body)

    async def _pass_on(self, scope: Scope, body: bytes, receive: Receive, reply: _Reply, end: float) -> None:
        """Let the application answer, as long as there is time and somebody waits."""
        said = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def heard() -> Message:
            return next(said, None) or await receive()

        # What HEAD asks for is what GET would get, and the server leaves the body out.
        scope = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        work = asyncio.ensure_future(self._app(scope, heard, reply.send))
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            left = end - asyncio.get_running_loop().time()
            await asyncio.wait({work, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not (work.done() or reply.is_whole):
                raise _GoneError if gone.done() else self._late("it took")
            await work
        finally:
            gone.cancel()
            if work.cancel():
                await asyncio.wait({work})

    def _late(self, what: str) -> RefusedError:
        return RefusedError(
            HTTPStatus.REQUEST_TIMEOUT,
            f"{what} longer than {self._settings.seconds:g} seconds (serve.seconds); ask again later, or for less",
        )


def _label(path: str) -> str:
    """Return what a path is counted as: no client can make up new ones."""
    return path if path in _KNOWN else PAGE if path.startswith(PAGE) else "other"


class _GoneError(Exception):
    """Nobody waits for the reply."""


class _Reply:
    """What is sent in reply, with what every reply says; how far it has come, and its status."""

    def __init__(self, send: Send, gate: Gate) -> None:
        self._send, self._gate = send, gate
        self.status, self.is_begun, self.is_whole = int(HTTPStatus.INTERNAL_SERVER_ERROR), False, False

    async def send(self, message: Message) -> None:
        """Send a part."""
        if message["type"] == "http.response.start":
            self.status, self.is_begun = message["status"], True
            headers = [*message["headers"], *_EVERY_REPLY]
            headers += [(b"connection", b"close")] if self._gate.is_ending else []
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await self._send(message)
        self.is_whole = message["type"] == "http.response.body" and not message.get("more_body", False)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
