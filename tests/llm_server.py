"""A real OpenAI-compatible server on the loopback address, that answers from a queue."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REPLIES = Path(__file__).parent / "replies"

SLOW = 3.0  # seconds of a reply that must not be waited for


@dataclass(slots=True)
class LlmServer:
    """What the server still has to say, and what it was asked.

    queue: (status, body, delay in seconds). asked: the requests, each with its path.
    """

    url: str
    queue: list[tuple[int, bytes, float]] = field(default_factory=list)
    asked: list[dict[str, object]] = field(default_factory=list)

    def will_say(self, *replies: str, delay: float = 0.0, usage: bool = True) -> None:
        """Queue files of tests/replies, each as what the model says."""
        for reply in replies:
            said = (REPLIES / reply).read_text(encoding="utf-8")
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
            whole = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
            if usage:
                whole["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
            self.queue.append((200, json.dumps(whole).encode(), delay))

    def will_fail(self, status: int, body: str = '{"error": {"message": "refused"}}') -> None:
        """Queue a bare HTTP answer."""
        self.queue.append((status, body.encode(), 0.0))


@contextmanager
def serving() -> Iterator[LlmServer]:
    """Run a server. Where its queue is empty it answers with status 400."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(sent | {"path": self.path})
            status, body, delay = state.queue.pop(0) if state.queue else (400, b'{"error": "empty queue"}', 0)
            time.sleep(delay)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

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
