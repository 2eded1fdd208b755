"""How the service begins and ends: nothing that it took on is lost, and the index stays whole."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from halls import UNPARSEABLE
from hopsplit.corpora import demo
from hopsplit.retrieval import Index, read_corpus
from hopsplit.serving.server import listening
from hopsplit.serving.settings import ServeSettings
from llm_server import SLOW, LlmServer
from program import program
from service import JSON, VERSUS, Reply, Service, encyclopedia, exchange, serving, timeless

CLIENTS = 20
QUESTIONS = [VERSUS, "Who was the second wife of the man who directed Citizen Kane?", "Which is older, Jaws or Alien?"]


@pytest.fixture(scope="module")
def expected() -> list[bytes]:
    """Return what the program answers, without the seconds."""
    written = [program("ask", question, "--format", "json").out for question in QUESTIONS]
    return [timeless(one.encode()) for one in written]


@dataclass(slots=True)
class Crowd:
    """Clients that ask without a pause, each on its connection, until that is closed.

    replies: which question, and its reply without the seconds. lost: requests that had no whole reply.
    """

    replies: list[tuple[int, bytes]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def client(self, service: Service, number: int) -> None:
        """Ask until a reply says that it is the last one of its connection, or there is none."""
        connection = service.connect()
        for turn in range(number, 1_000_000):
            which = turn % len(QUESTIONS)
            try:
                reply = exchange(connection, "POST", "/ask", json.dumps({"question": QUESTIONS[which]}), JSON)
            except (OSError, http.client.HTTPException) as error:
                self.lost.append(repr(error))
                break
            self.replies.append((which, timeless(reply.body) if reply.status == 200 else reply.body))
            if reply.headers.get("connection") == "close":
                break
        connection.close()


@contextmanager
def crowd(service: Service) -> Iterator[Crowd]:
    """Let a crowd ask; yield it when it has had some replies, and wait for its end."""
    made = Crowd()
    threads = [threading.Thread(target=made.client, args=(service, number)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    while len(made.replies) < 2 * CLIENTS:
        assert any(thread.is_alive() for thread in threads), made.lost
        time.sleep(0.02)
    yield made
    for thread in threads:
        thread.join(timeout=20)
        assert not thread.is_alive()


@contextmanager
def busy(llm: LlmServer, delay: float, *options: str) -> Iterator[tuple[Service, Future[Reply]]]:
    """Run a service that works on a question whose language model takes so long; yield it and the reply to come."""
    llm.will_reply("{}", delay=delay)
    with serving("--llm", "m", "--llm-base-url", llm.url, *options) as service, ThreadPoolExecutor(1) as pool:
        reply = pool.submit(service.post, "/ask", question=UNPARSEABLE)
        while llm.queue:
            time.sleep(0.02)
        yield service, reply


def test_the_end_under_load_loses_nothing(tmp_path: Path, expected: list[bytes]) -> None:
    """After SIGTERM every request that was sent on an open connection has its right reply, and the exit code is 0.

    Meanwhile the index is replaced: the service goes on with the one that it opened, whose files are gone.
    """
    index = tmp_path / "index"
    shutil.copytree(encyclopedia(), index)
    before = sorted(path.name for path in index.iterdir())
    with serving(index=index) as service:
        with crowd(service) as asking:
            assert program("index", demo("company"), "--out", index).code == 0
            assert sorted(path.name for path in index.iterdir()) != before
            seen = len(asking.replies)
            while len(asking.replies) < seen + 2 * CLIENTS:
                time.sleep(0.02)
            begun = time.monotonic()
            code, written = service.stop()
        assert (code, written, asking.lost) == (0, "", [])
        assert time.monotonic() - begun < 10
        assert {(which, reply == expected[which]) for which, reply in asking.replies} == {
            (0, True),
            (1, True),
            (2, True),
        }
        with pytest.raises(ConnectionRefusedError):
            service.send("GET", "/healthz")
    assert {passage.id for passage in Index.open(index).passages} == {
        passage.id for passage in read_corpus([demo("company")])
    }


def test_what_was_sent_before_the_signal_is_answered(llm_server: LlmServer) -> None:
    """Where it takes a second, and where it has not been read yet: on a new connection, and on one that was idle."""
    with busy(llm_server, 1.0) as (service, working):
        idle, new = service.connect(), service.connect()
        assert exchange(idle, "GET", "/healthz").status == 200
        service.process.send_signal(signal.SIGSTOP)
        for connection in (idle, new):
            connection.request("POST", "/search", '{"question": "film"}', JSON)
        service.process.send_signal(signal.SIGINT)
        service.process.send_signal(signal.SIGCONT)
        for connection in (idle, new):
            reply = connection.getresponse()
            assert reply.status == 200
            assert len(json.loads(reply.read())["hits"]) == 10
            connection.close()
        assert working.result().status == 200
        assert service.process.wait(timeout=10) == 0


def test_a_kill_under_load_harms_nothing(expected: list[bytes]) -> None:
    """After SIGKILL the replies that came were right, the index is whole, and the port can be taken again."""
    with serving() as service:
        with crowd(service) as asking:
            service.process.kill()
            service.process.wait()
        assert len(asking.lost) == CLIENTS
        assert all(reply == expected[which] for which, reply in asking.replies)
    Index.verify(encyclopedia())
    with listening(ServeSettings(port=service.port)) as again:
        assert again.getsockname() == ("127.0.0.1", service.port)


def test_a_second_signal_ends_it_at_once(llm_server: LlmServer) -> None:
    """After the first one nothing new is taken, and what is worked on goes on, up to the second one."""
    with busy(llm_server, SLOW) as (service, reply):
        service.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        with pytest.raises(ConnectionRefusedError):
            service.send("GET", "/healthz")
        assert service.process.poll() is None
        assert not reply.done()
        begun = time.monotonic()
        service.process.terminate()
        assert service.process.wait(timeout=10) == 128 + signal.SIGTERM
        assert time.monotonic() - begun < 1
        assert isinstance(reply.exception(), OSError | http.client.HTTPException)


def test_the_end_has_a_bound(llm_server: LlmServer) -> None:
    """A request that takes longer than one may is refused, as ever, and the end does not wait for its work."""
    with busy(llm_server, SLOW, "--set=serve.seconds=1") as (service, reply):
        begun = time.monotonic()
        assert service.stop() == (0, "")
        assert time.monotonic() - begun < 2.5 < SLOW
        assert reply.result().status == 408


def test_a_port_that_is_taken() -> None:
    """One line, and exit code 2."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = program("serve", "--port", str(port))
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"error: 127.0.0.1:{port} cannot be listened at: Address already in use; choose another serve.host or "
        "serve.port (0: a free port)\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "no.such.host.invalid"], "error: no.such.host.invalid:8080 cannot be listened at: "),
        (["--host", ""], "error: option serve.host is empty; give an address"),
        (["--port", "65536"], "error: option serve.port is 65536; give 0 to 65535"),
        (["--set", "serve.threads=0"], "error: option serve.threads is 0; give at least 1"),
        (["--set", "serve.token=a b"], "error: option serve.token has a space, or a character outside of ASCII"),
        (["--index", "nowhere"], "error: nowhere: no such folder; build an index"),
        (["--answer"], "error: --answer needs a language model; name one with --llm MODEL"),
        (["--llm-base-url", "http://127.0.0.1:1/v1"], "error: --llm-base-url needs a language model"),
    ],
)
def test_what_cannot_be_served(options: list[str], said: str) -> None:
    """One line that names the input and the mend, and exit code 2."""
    done = program("serve", *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(said)
    assert done.err.count("\n") == 1


def test_it_can_be_reached_by_others() -> None:
    """A warning where no token is asked for, and no check of the Host; the log has no question and no unknown path."""
    with serving("--host", "0.0.0.0", "--access-log") as service:  # noqa: S104
        warning, ready = service.said
        assert warning == (
            "warning: 0.0.0.0 can be reached by others, and no token is asked for; set HOPSPLIT_SERVE_TOKEN"
        )
        assert re.fullmatch(r"serving 235 passages at http://0\.0\.0\.0:\d+", ready)
        assert service.send("POST", "/search", '{"question": "secret"}', JSON | {"Host": "qa.example"}).status == 200
        assert service.send("GET", "/secret").status == 404
        written = service.stop()[1]
    assert re.fullmatch(r"POST /search 200 \d+ ms\nGET other 404 \d+ ms\n", written)


def test_without_the_extra() -> None:
    """One line says what to install."""
    code = """
import sys
sys.modules["uvicorn"] = None
sys.argv = ["hopsplit", "serve"]
from hopsplit.cli.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=sys.prefix)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: serving needs the package uvicorn: pip install 'hopsplit[serve]' (from a checkout: pip install "
        "'.[serve]')\n"
    )
