"""Requests to servers on the loopback address that mean no good."""

from __future__ import annotations

import gzip
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from hopsplit.decompose import InputError
from hopsplit.fallback.endpoint import Endpoint, EndpointError, address

OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def serving(*parts: bytes, pause: float = 0.0) -> Iterator[tuple[str, list[bytes]]]:
    """Run a server that answers with these bytes, a pause after each; yield its address and the requests' heads."""
    heads: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            lines = iter(self.rfile.readline, b"\r\n")
            head = b"".join(lines)
            heads.append(head)
            length = next(line for line in head.lower().splitlines() if line.startswith(b"content-length"))
            self.rfile.read(int(length.partition(b":")[2]))
            for part in parts:
                self.wfile.write(part)
                time.sleep(pause)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address, daemon_threads = True, True

        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing where the client has gone."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", heads
        server.shutdown()


def post(url: str, seconds: float = 5.0, key: str = "") -> tuple[int, bytes]:
    """Send an empty object."""
    return Endpoint(url, key, name="URL").post("chat", {}, seconds)


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path, the key, no compression; nothing that the environment names, a proxy neither."""
    monkeypatch.setenv("HTTP_PROXY", "notaproxy://x")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    for name in ("ORG_ID", "PROJECT_ID", "API_KEY", "CUSTOM_HEADERS"):
        monkeypatch.setenv(f"OPENAI_{name}", "X-Mine: mine")
    with serving(OK + b"Content-Length: 2\r\n\r\n{}") as (url, heads):
        assert post(f"{url}/?a=b", key="k-1") == (200, b"{}")
    lines = heads[0].decode().splitlines()
    assert lines[0] == "POST /v1/chat?a=b HTTP/1.1"
    assert "Authorization: Bearer k-1" in lines
    assert "Accept-Encoding: identity" in lines
    assert "mine" not in heads[0].decode()


@pytest.mark.parametrize("begin", [OK + b"Content-Length: 999\r\n\r\n", OK + b"X-Long: "])
def test_a_dripping_server(begin: bytes) -> None:
    """Each byte comes in time, in the body or in a header, and the whole does not."""
    with serving(begin, *[b"a"] * 40, pause=0.05) as (url, _):
        start = time.monotonic()
        with pytest.raises(EndpointError, match="timed out"):
            post(url, 0.3)
        assert time.monotonic() - start < 1.0


def test_a_server_that_says_nothing() -> None:
    """The time limit holds before the first byte, too."""
    with serving(b"", pause=2.0) as (url, _), pytest.raises(EndpointError, match="timed out"):
        post(url, 0.2)


def test_an_endless_answer() -> None:
    """Two mebibytes are refused after one."""
    with serving(OK + b"\r\n", *[b"a" * (1 << 19)] * 4) as (url, _), pytest.raises(EndpointError, match="longer than"):
        post(url)


def test_a_compressed_answer() -> None:
    """It was not asked for, and a small one may become a huge one."""
    bomb = gzip.compress(bytes(30 << 20))
    head = OK + f"Content-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n".encode()
    with serving(head, bomb) as (url, _), pytest.raises(EndpointError, match="compressed"):
        post(url)


def test_a_redirection_is_not_followed() -> None:
    """The key and the question stay with the address that was named."""
    with serving(OK + b"Content-Length: 0\r\n\r\n") as (other, heads):
        head = f"HTTP/1.1 307 Moved\r\nLocation: {other}\r\nContent-Length: 0\r\n\r\n".encode()
        with serving(head) as (url, _):
            assert post(url) == (307, b"")
        assert heads == []


@pytest.mark.parametrize("junk", [b"", b"junk\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"])
def test_what_is_not_http(junk: bytes) -> None:
    """A connection error with the address."""
    with serving(junk) as (url, _), pytest.raises(EndpointError, match=r"connection error: .* \(http://127"):
        post(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nowhere",
        "ftp://a/v1",
        "file:///etc/passwd",
        "http://",
        "http://[::1",
        "http://a:99999/v1",
        "http://a b/v1",
        "http://a/\n",
    ],
)
@pytest.mark.parametrize("check", [lambda url: address(url, "URL"), lambda url: Endpoint(url, "", name="URL")])
def test_addresses_that_are_none(url: str, check: Callable[[str], object]) -> None:
    """The client and the check before it refuse the same ones."""
    with pytest.raises(InputError, match="URL is no address; give one such as"):
        check(url)
