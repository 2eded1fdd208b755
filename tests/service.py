"""The real service as a process of its own, and what it replies over a real connection; for benchmarks, too."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hopsplit.corpora import demo
from hopsplit.retrieval import Index, read_corpus

JSON = {"Content-Type": "application/json"}
VERSUS = "Where was the founder of Versus born?"
_READY = re.compile(r" at http://([\w.]+|\[[\da-f:]+\]):(\d+)$")
_SECONDS = re.compile(rb'"seconds": [\d.e-]+')
_WAIT = 20  # seconds


class Reply(NamedTuple):
    """What came back; the names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as a value."""
        return json.loads(self.body)


@dataclass(slots=True)
class Service:
    """A running service. said: the lines that it has written to standard error until it was ready."""

    process: subprocess.Popen[str]
    host: str
    port: int
    said: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://{self.host}:{self.port}"

    def connect(self) -> http.client.HTTPConnection:
        """Return a new connection."""
        return http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=_WAIT)

    def send(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Send one request on a connection of its own."""
        connection = self.connect()
        try:
            return exchange(connection, method, path, body, headers)
        finally:
            connection.close()

    def post(self, path: str, **fields: Any) -> Reply:
        """Send an object as JSON."""
        return self.send("POST", path, json.dumps(fields), JSON)

    def stop(self) -> tuple[int, str]:
        """Send SIGTERM; return the exit code, and what was written since the service was ready."""
        self.process.terminate()
        written = self.process.communicate(timeout=_WAIT)[1]
        return self.process.returncode, written


def exchange(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Send one request; return its reply."""
    connection.request(method, path, body, dict(headers or {}), encode_chunked=True)
    got = connection.getresponse()
    return Reply(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())


def timeless(reply: bytes) -> bytes:
    """Return a result without its times."""
    return _SECONDS.sub(b"", reply)


@cache
def encyclopedia() -> Path:
    """Return an index of the demo collection, built once: the service opens it sooner than it would build it."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    Index.build(read_corpus([demo("encyclopedia")])).save(Path(folder, "index"))
    return Path(folder, "index")


@contextmanager
def serving(*options: str, index: str | Path = "", token: str = "") -> Iterator[Service]:
    """Run `hopsplit serve` on a free port, and yield it when it is ready; end it if it still runs afterwards."""
    command = [
        sys.executable,
        "-m",
        "hopsplit.cli",
        "serve",
        "--port",
        "0",
        "--index",
        str(index or encyclopedia()),
        *options,
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HOPSPLIT_")}
    environment |= {"HOPSPLIT_SERVE_TOKEN": token} if token else {}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=sys.prefix, env=environment) as process:
        said: list[str] = []
        try:
            for line in process.stderr or ():
                said.append(line.rstrip())
                if found := _READY.search(said[-1]):
                    yield Service(process, found[1], int(found[2]), said)
                    return
            raise AssertionError(f"the service ended: {said}")
        finally:
            process.kill()
