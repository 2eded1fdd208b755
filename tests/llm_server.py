"""A real OpenAI-compatible server on the loopback address, that answers from a queue, well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import responses
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SLOW = 3.0  # seconds of a reply that must not be waited for


@dataclass(frozen=True, slots=True)
class Sent:
    """What goes over the wire as the answer to one request: bytes, with a pause before each part.

    is_last: the connection is closed after it.
    """

    parts: Iterable[bytes]
    pause: float
    is_last: bool


@dataclass(slots=True)
class LlmServer:
    """What the server still has to say, and what it was asked.

    asked: the requests, each with its path. headers: those of each request, by their name in lower case.
    """

    url: str
    queue: list[Sent] = field(default_factory=list)
    asked: list[dict[str, object]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def will_reply(self, said: str, *, delay: float = 0.0, usage: tuple[object, object] | None = (100, 10)) -> None:
        """Queue what the model says, and the tokens that it counts."""
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        if usage:
            whole["usage"] = dict(zip(("prompt_tokens", "completion_tokens"), usage, strict=True))
        self.queue.append(Sent([answer(200, json.dumps(whole))], delay, is_last=False))

    def will_fail(
        self, status: int, body: str = '{"error": {"message": "refused"}}', headers: Mapping[str, str] | None = None
    ) -> None:
        """Queue a bare HTTP answer."""
        self.queue.append(Sent([answer(status, body, headers)], 0.0, is_last=False))

    def will_send(self, parts: Iterable[bytes], *, pause: float = 0.0) -> None:
        """Queue bytes as they are, a pause before each part; the connection is cut after them."""
        self.queue.append(Sent(parts, pause, is_last=True))

    def will_cut(self) -> None:
        """Queue an answer that ends before the end it has announced."""
        self.will_send([head(200, 999) + b'{"choices": '])


def head(status: int, length: int | None, headers: Mapping[str, str] | None = None) -> bytes:
    """Return the head of an HTTP answer; without a length it ends where the connection does."""
    own = {"Content-Type": "application/json"} | ({} if length is None else {"Content-Length": str(length)})
    lines = [f"{name}: {value}" for name, value in (own | dict(headers or {})).items()]
    return "\r\n".join([f"HTTP/1.1 {status} {responses.get(status, '')}", *lines, "", ""]).encode("latin-1")


def answer(status: int, body: str, headers: Mapping[str, str] | None = None) -> bytes:
    """Return a whole HTTP answer."""
    return head(status, len(body.encode()), headers) + body.encode()


@contextmanager
def serving() -> Iterator[LlmServer]:
    """Run a server. Where its queue is empty it answers with status 400."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(sent | {"path": self.path})
            state.headers.append({name.lower(): value for name, value in self.headers.items()})
            empty = Sent([answer(400, '{"error": "empty queue"}')], 0.0, is_last=False)
            said = state.queue.pop(0) if state.queue else empty
            self.close_connection = said.is_last
            for part in said.parts:
                time.sleep(said.pause)
                self.wfile.write(part)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Write no log."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing where the client has gone."""

    server = Server(("127.0.0.1", 0), Handler)
    state = LlmServer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
