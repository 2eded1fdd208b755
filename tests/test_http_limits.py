"""Each limit of the service gives its own clear refusal, and none of them costs it anything."""

from __future__ import annotations

import http.client
import json
import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from halls import UNPARSEABLE
from hopsplit.fallback import Asker
from hopsplit.retrieval import Hit, Index, Passage
from hopsplit.serving.app import create_app
from hopsplit.serving.service import Service as Asked
from llm_server import LlmServer
from llm_server import serving as llm_serving
from service import JSON, VERSUS, Reply, Service, exchange, serving

TOKEN = "sesame-open"  # noqa: S105
BODY = 300  # bytes
ROOM = BODY - len(json.dumps({"question": ""}))
KEY = {"Authorization": f"Bearer {TOKEN}"}
LIMITS = [f"--set=serve.{limit}" for limit in (f"body={BODY}", "k=5")]


@pytest.fixture(scope="module")
def limited() -> Iterator[Service]:
    """Run a service with a token and small limits."""
    with serving(*LIMITS, token=TOKEN) as running:
        yield running


def refused(reply: Reply, status: int) -> str:
    """Return the error of a refusal, which is all that it says."""
    assert reply.status == status, reply
    assert reply.headers["content-type"] == "application/json"
    (name, said), *others = reply.json.items()
    assert (name, others) == ("error", [])
    return str(said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", 'the body is no object; give one, such as {"question": "..."}, as application/json'),
        ("[]", 'the body is no object; give one, such as {"question": "..."}, as application/json'),
        ('{"question": "a"', "the body is no JSON: Expecting ',' delimiter (character 16); mend it"),
        (
            b'{"question": "\xff"}',
            "the body is no JSON that can be read: it is not in UTF-8, is nested too deeply, or has an endless number; "
            'give an object, such as {"question": "..."}',
        ),
        ("[" * BODY, "the body is no JSON: Expecting value (character 300); mend it"),
        ("{}", 'question is missing; give it, such as {"question": "..."}'),
        ('{"question": 7}', "question should be a valid string"),
        ('{"question": "  "}', "the question is empty; give at least one word"),
        (r'{"question": "a \ud800"}', "the query has a lone surrogate at character 2; give valid Unicode"),
        ('{"questoin": "a", "question": "b"}', "there is no field 'questoin'; did you mean question?"),
        ('{"question": "a", "x\\ny": 1}', "there is no field 'x\\ny'; there are question, k, method"),
        ('{"question": "a", "k": 0}', "k is 0; ask for at least 1 passage"),
        ('{"question": "a", "k": 6}', "k is 6; ask for at most 5 passages (serve.k)"),
        ('{"question": "a", "k": "3"}', "k should be a valid integer"),
        ('{"question": "a", "k": true}', "k should be a valid integer"),
        ('{"question": "a", "k": NaN}', "k should be a valid integer"),
        ('{"question": "a", "method": "rank-bm25"}', "method should be 'hybrid', 'bm25' or 'tfidf'"),
    ],
)
def test_wrong_input(limited: Service, body: str | bytes, said: str) -> None:
    """Status 422, and one line that names the input and the mend."""
    assert refused(limited.send("POST", "/search", body, JSON | KEY), 422) == said


@pytest.mark.parametrize("way", ["whole", "in chunks", "announced"])
def test_a_long_body(limited: Service, way: str) -> None:
    """Status 413 whether it says how long it is or not; one of just the limit is read."""
    said = "the body is longer than 300 bytes (serve.body); shorten it"
    for excess in (0, 1):
        body = json.dumps({"question": "a" * (ROOM + excess)}).encode()
        if way == "announced":  # and not sent
            head = f"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{_line(KEY)}"
            with socket.create_connection((limited.host, limited.port), timeout=20) as open_:
                open_.sendall(f"{head}Content-Length: {len(body) * 10**9 if excess else len(body)}\r\n\r\n".encode())
                open_.sendall(b"" if excess else body)
                assert open_.recv(64).startswith(b"HTTP/1.1 413 " if excess else b"HTTP/1.1 200 ")
            continue
        parts = (body[at : at + 50] for at in range(0, len(body), 50))
        reply = limited.send("POST", "/search", parts if way == "in chunks" else body, JSON | KEY)
        assert refused(reply, 413) == said if excess else reply.status == 200


def test_a_refused_body_is_read_to_its_end(limited: Service) -> None:
    """A client that sends it all before it listens gets the refusal, and the connection can go on."""
    connection = limited.connect()
    assert refused(exchange(connection, "POST", "/search", b"a" * 5_000_000, JSON | KEY), 413)
    assert exchange(connection, "POST", "/search", '{"question": "film"}', JSON | KEY).status == 200
    connection.close()


@pytest.mark.parametrize(
    ("header", "said", "challenge"),
    [
        (None, "there is no token", 'Bearer realm="hopsplit"'),
        (f"Bearer {TOKEN}x", "the token is wrong", 'Bearer realm="hopsplit", error="invalid_token"'),
        (f"Bearer {TOKEN[:-1]}", "the token is wrong", 'Bearer realm="hopsplit", error="invalid_token"'),
        ("Bearer", "the token is wrong", 'Bearer realm="hopsplit", error="invalid_token"'),
        (f"Basic {TOKEN}", "the token is wrong", 'Bearer realm="hopsplit", error="invalid_token"'),
        ("Bearer caf\xe9", "the token is wrong", 'Bearer realm="hopsplit", error="invalid_token"'),
    ],
)
def test_the_token(limited: Service, header: str | None, said: str, challenge: str) -> None:
    """Without it, or with a wrong one, status 401 for all that is not open; nothing tells what else is there."""
    headers = JSON | ({"Authorization": header} if header else {})
    for method, path in (("POST", "/ask"), ("GET", "/metrics"), ("GET", "/nowhere"), ("PUT", "/search")):
        reply = limited.send(method, path, headers=headers)
        assert refused(reply, 401) == f"{said}; send the header Authorization: Bearer TOKEN, with that of serve.token"
        assert reply.headers["www-authenticate"] == challenge


def test_what_is_open_without_the_token(limited: Service) -> None:
    """The page and what it is made of, the health, the document, which says what else needs the token."""
    for path in ("/", "/page/page.css", "/healthz"):
        assert limited.send("GET", path).status == 200
    document = limited.send("GET", "/openapi.json").json
    assert document["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    guarded = {path for path, each in document["paths"].items() for one in each.values() if "security" in one}
    assert guarded == {"/decompose", "/search", "/ask", "/metrics"}
    assert "401" in document["paths"]["/ask"]["post"]["responses"]
    k = document["components"]["schemas"]["Ask"]["properties"]["k"]
    assert (k["default"], k["maximum"]) == (5, 5)
    assert len(limited.send("POST", "/ask", json.dumps({"question": VERSUS}), JSON | KEY).json["evidence"]) == 5
    assert limited.send("POST", "/ask", "{}", JSON | {"authorization": f"bearer  {TOKEN}"}).status == 422


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/ask", "POST"),
        ("HEAD", "/ask", "POST"),
        ("POST", "/healthz", "GET, HEAD"),
        ("OPTIONS", "/search", "POST"),
    ],
)
def test_the_method(limited: Service, method: str, path: str, allowed: str) -> None:
    """Status 405, with those that there are."""
    reply = limited.send(method, path, headers=KEY)
    assert (reply.status, reply.headers["allow"]) == (405, allowed)
    if method != "HEAD":
        assert refused(reply, 405) == f"{path} is not for {method}; use {allowed}"


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("", 415),
    ],
)
def test_the_kind_of_body(limited: Service, kind: str, status: int) -> None:
    """Forms of other sites can send all but JSON: status 415."""
    reply = limited.send("POST", "/search", '{"question": "film"}', KEY | ({"Content-Type": kind} if kind else {}))
    assert reply.status == status
    if status == 415:
        named = f"the Content-Type is '{kind}'" if kind else "there is no Content-Type"
        assert refused(reply, 415) == f"{named}; send JSON, as application/json"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1234", 200),
        ("127.8.9.1:80", 200),
        ("[::1]:8080", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:8080", 421),
        ("192.168.0.7", 421),
    ],
)
def test_the_host(limited: Service, host: str, status: int) -> None:
    """A page of another host whose name leads here is refused, also where no token is needed."""
    reply = limited.send("GET", "/healthz", headers={"Host": host})
    assert reply.status == status
    if status == 421:
        said = f"the Host '{host}' is not this one; ask 127.0.0.1 or localhost, and let a proxy say so"
        assert refused(reply, 421) == said


def test_no_host_is_that_of_an_old_client(limited: Service) -> None:
    """HTTP/1.0 needs none, and no browser leaves it out."""
    with socket.create_connection((limited.host, limited.port), timeout=20) as open_:
        open_.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert open_.recv(64).startswith(b"HTTP/1.1 200 ")


def test_more_connections_than_files(limited: Service) -> None:
    """Those that it may not open wait for their turn; a few lines say so, not a thousand each second."""
    files, most = resource.prlimit(limited.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(limited.process.pid, resource.RLIMIT_NOFILE, (20, most))
    waiting = [socket.create_connection((limited.host, limited.port), timeout=20) for _ in range(30)]
    assert limited.process.stderr is not None
    assert limited.process.stderr.readline() == "socket.accept() out of system resource\n"
    time.sleep(0.3)  # enough to fill the pipe, which nobody reads, and to hang there
    for connection in waiting:
        connection.close()
    resource.prlimit(limited.process.pid, resource.RLIMIT_NOFILE, (files, most))
    assert limited.send("GET", "/healthz").status == 200


class Buggy(Index):
    """An index that cannot be searched."""

    def search(self, query: str, k: int, **_: Any) -> list[Hit]:
        """Fail, with the question in the error."""
        raise KeyError(query)


def test_a_bug_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """The client learns that there is one, the log where, and neither the question; in a server of one's own, too."""
    index = Buggy.build([Passage("1", "One", "The first of all passages.")])
    with TestClient(create_app(Asked(index, Asker(index))), base_url="http://localhost") as client:
        reply = client.post("/search", json={"question": "secret"})
        assert (reply.status_code, reply.json()) == (500, {"error": "the service has a bug here; its log says where"})
        assert client.get("/healthz").status_code == 200
    (line,) = (record.message for record in caplog.records if record.name == "hopsplit.serving")
    assert line.startswith("POST /search: KeyError at ")
    assert "test_http_limits.py:" in line
    assert "secret" not in line


@pytest.fixture(scope="module")
def slow() -> Iterator[tuple[Service, LlmServer]]:
    """Run a service that works on one request at a time, lets one wait, and asks a language model; over IPv6 if any."""
    with llm_serving() as llm:
        options = ["--llm", "m", "--llm-base-url", llm.url, "--set=chain.attempts=1"]
        limits = [f"--set=serve.{limit}" for limit in ("threads=1", "waiting=1", "seconds=1.2")]
        with serving(*options, *limits, *(["--host", "::1"] if has_ipv6() else [])) as running:
            yield running, llm


def has_ipv6() -> bool:
    """Return whether this machine has a loopback address of it."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


def test_the_newer_address(slow: tuple[Service, LlmServer]) -> None:
    """Only this machine can reach it: no warning, and the name of another host is refused."""
    service, _ = slow
    if not has_ipv6():
        pytest.skip("this machine has no IPv6")
    assert (service.host, len(service.said)) == ("[::1]", 1)
    assert service.send("GET", "/healthz", headers={"Host": "qa.example"}).status == 421


def figure(service: Service, name: str) -> float:
    """Return one of the figures."""
    lines = service.send("GET", "/metrics").body.decode().splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))


def until(service: Service, name: str, value: float) -> None:
    """Wait for a figure."""
    end = time.monotonic() + 10
    while figure(service, name) != value:
        assert time.monotonic() < end, f"{name} never was {value}"
        time.sleep(0.02)


def test_a_slow_request(slow: tuple[Service, LlmServer]) -> None:
    """Status 408 when its time is over, and its place is free at once; /healthz answers meanwhile."""
    service, llm = slow
    llm.will_reply("{}", delay=3)
    with ThreadPoolExecutor(1) as pool:
        begun = time.monotonic()
        late = pool.submit(service.post, "/ask", question=UNPARSEABLE)
        until(service, "hopsplit_requests_working", 1)
        assert service.send("GET", "/healthz").status == 200
        said = refused(late.result(), 408)
    assert said == "it took longer than 1.2 seconds (serve.seconds); ask again later, or for less"
    assert 1.2 <= time.monotonic() - begun < 2.2
    assert service.post("/search", question="film").status == 200
    assert time.monotonic() - begun < 2.5  # before the model's reply: its work is not waited for


def test_too_many_requests(slow: tuple[Service, LlmServer]) -> None:
    """One is worked on, one waits, the third is refused at once with status 429; the second gets its reply."""
    service, llm = slow
    llm.will_reply("{}", delay=0.5)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(service.post, "/ask", question=UNPARSEABLE)
        until(service, "hopsplit_requests_working", 1)
        second = pool.submit(service.post, "/search", question="film")
        until(service, "hopsplit_requests_waiting", 1)
        third = service.post("/search", question="film")
        assert refused(third, 429) == "too many requests wait (serve.waiting); ask again in 1 second"
        assert third.headers["retry-after"] == "1"
        assert (first.result().status, second.result().status) == (200, 200)
        waited = float(second.result().headers["server-timing"].split("=")[1].partition(",")[0])
    assert waited > 100


def test_a_client_that_goes_ends_its_work(slow: tuple[Service, LlmServer]) -> None:
    """The language model is not waited for any longer, and the next question has its place."""
    service, llm = slow
    llm.will_reply("{}", delay=1.2)
    connection = service.connect()
    connection.request("POST", "/ask", json.dumps({"question": UNPARSEABLE}), JSON)
    until(service, "hopsplit_requests_working", 1)
    while llm.queue:  # until the model is asked
        time.sleep(0.02)
    gone = time.monotonic()
    connection.close()
    until(service, "hopsplit_requests_working", 0)
    assert time.monotonic() - gone < 0.6
    assert figure(service, 'hopsplit_requests_total{path="/ask",status="499"}') == 1


def test_a_body_that_does_not_come(slow: tuple[Service, LlmServer]) -> None:
    """Status 408 too, and meanwhile it takes no thread."""
    service, _ = slow
    with socket.create_connection((service.host.strip("[]"), service.port), timeout=20) as open_:
        head = "POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        open_.sendall(head.encode())
        assert service.post("/search", question="film").status == 200
        got = http.client.HTTPResponse(open_)
        got.begin()
        said = refused(Reply(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read()), 408)
    assert said.startswith("the body took longer than 1.2 seconds (serve.seconds); ")


def test_what_a_language_model_took_is_counted(slow: tuple[Service, LlmServer]) -> None:
    """Calls and tokens, as the replies say them."""
    service, llm = slow
    names = [
        "hopsplit_llm_calls_total",
        *(f'hopsplit_llm_tokens_total{{kind="{kind}"}}' for kind in ("prompt", "completion")),
    ]
    before = [figure(service, name) for name in names]
    llm.will_reply("no JSON", usage=(70, 5))
    llm.will_reply("no JSON", usage=(80, 5))
    usage = service.post("/ask", question=UNPARSEABLE).json["usage"]
    grown = [figure(service, name) - then for name, then in zip(names, before, strict=True)]
    assert grown == [usage[name] for name in ("llm_calls", "prompt_tokens", "completion_tokens")] == [3, 150, 10]


def _line(headers: dict[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items())
