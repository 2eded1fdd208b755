"""What the service answers is what the program writes, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from hopsplit.corpora import demo
from program import program
from service import JSON, VERSUS, Service, serving, timeless

PAGE = Path(__file__).parents[1] / "serving" / "page"
COMPARED = "Which film has the director who is older, Jaws or Alien?"
# Each question as it is, with what a reader may take for markup, in capitals alone, with names that are titles.
QUESTIONS = [
    VERSUS,
    COMPARED,
    "Who was the second wife of the man who directed Citizen Kane?",
    'a <b>"é"</b> \u2028#1 ?',
]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run one service for the tests of this file."""
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of the titles of the collection, by which the service tells names."""
    rows = (demo("encyclopedia") / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path_factory.mktemp("titles") / "titles.txt"
    path.write_text("".join(f"{json.loads(row)['title']}\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("question", QUESTIONS)
def test_decompose(service: Service, titles: Path, question: str) -> None:
    """With the explanation and without it."""
    for explain in (False, True):
        options = ["--explain"] if explain else []
        written = program("decompose", question, "--titles", titles, "--format", "json", *options)
        assert service.post("/decompose", question=question, explain=explain).body.decode() == written.out


@pytest.mark.parametrize("method", ["hybrid", "bm25", "tfidf"])
def test_search(service: Service, method: str) -> None:
    """By each method, and with more than there is."""
    for question in QUESTIONS:
        reply = service.post("/search", question=question, k=3, method=method)
        written = program("search", question, "-k", "3", "--method", method, "--format", "json")
        assert reply.body.decode() == written.out
    assert len(service.post("/search", question="of", k=100).json["hits"]) == 100


@pytest.mark.parametrize("question", QUESTIONS)
def test_ask(service: Service, question: str) -> None:
    """Apart from the seconds; with ten passages where none are asked for."""
    for fields, options in (({}, []), ({"k": 2}, ["-k", "2"])):
        reply = service.post("/ask", question=question, **fields)
        written = program("ask", question, "--format", "json", *options).out.encode()
        assert timeless(reply.body) == timeless(written)
        assert len(reply.json["evidence"]) == fields.get("k", 10)


def test_every_reply_says_how_it_may_be_used(service: Service) -> None:
    """A reply and a refusal are JSON in UTF-8 that nobody keeps or takes for something else, with the time of it."""
    done, refused = service.post("/ask", question=VERSUS), service.post("/ask", question=" ")
    assert (done.status, refused.status) == (200, 422)
    for reply in (done, refused):
        assert {name: reply.headers[name] for name in ("content-type", "cache-control", "x-content-type-options")} == {
            "content-type": "application/json",
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
        }
        assert reply.headers["referrer-policy"] == "no-referrer"
        policy = reply.headers["content-security-policy"].split("; ")
        assert {"default-src 'self'", "form-action 'none'", "frame-ancestors 'none'"} <= set(policy)
        assert reply.body.endswith(b"}\n")
    timing = re.fullmatch(r"wait;dur=([\d.]+), work;dur=([\d.]+)", done.headers["server-timing"])
    assert timing
    assert 0 < float(timing[2]) < 5_000
    assert float(timing[2]) > 1_000 * done.json["usage"]["seconds"] - 0.1


def test_health(service: Service) -> None:
    """By GET, and by HEAD without a body."""
    assert service.send("GET", "/healthz").json == {"status": "ok"}
    head = service.send("HEAD", "/healthz")
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", "17")


def test_the_page(service: Service) -> None:
    """Every file of its folder is served as it is, the page itself at the root, and nothing else."""
    media = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    files = sorted(PAGE.iterdir())
    assert {path.suffix for path in files} <= media.keys()
    for path in files:
        reply = service.send("GET", f"/page/{path.name}")
        assert reply.body == path.read_bytes()
        assert reply.headers["content-type"].partition(";")[0] == media[path.suffix]
        assert reply.headers["cache-control"] == "no-cache"
    assert service.send("GET", "/").body == (PAGE / "index.html").read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        "/page/../forms.py",
        "/page/%2e%2e/forms.py",
        "/page/..%2fforms.py",
        "/page//etc/passwd",
        "/page/%00",
        "/page/",
        "/forms.py",
        "/ask/",
        "/docs",
    ],
)
def test_nothing_else_is_there(service: Service, path: str) -> None:
    """No way leads out of the folder of the page, and the error names the path."""
    reply = service.send("GET", path)
    assert reply.status == 404
    assert re.fullmatch("there is no /[^ ]*; /openapi.json says what there is", reply.json["error"])


def test_what_a_terminal_would_obey_is_not_sent_back(service: Service) -> None:
    """An error names the input, without its control characters and those that turn the direction of a line."""
    said = service.send("GET", "/%1b[1m%E2%80%AEx").json["error"]
    assert said == "there is no /\ufffd[1m\ufffdx; /openapi.json says what there is"


def test_figures(service: Service) -> None:
    """Requests by path and status, in their time; a path that is not there makes no new name."""

    def figures() -> dict[str, float]:
        reply = service.send("GET", "/metrics")
        assert reply.headers["content-type"].startswith("text/plain; version=")
        lines = [line.rpartition(" ") for line in reply.body.decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    before = figures()
    service.post("/search", question="film")
    service.post("/search", question="")
    service.send("GET", "/nowhere")
    after = figures()
    grown = {
        name
        for name, value in after.items()
        if name.startswith("hopsplit_requests_total") and value != before.get(name)
    }
    assert grown == {
        'hopsplit_requests_total{path="/search",status="200"}',
        'hopsplit_requests_total{path="/search",status="422"}',
        'hopsplit_requests_total{path="other",status="404"}',
        'hopsplit_requests_total{path="/metrics",status="200"}',
    }
    counted = 'hopsplit_request_seconds_count{path="/search"}'
    assert after[counted] - before.get(counted, 0) == 2
    assert after["hopsplit_requests_in_progress"] == 1  # this one
    assert after["hopsplit_requests_waiting"] == after["hopsplit_requests_working"] == 0
    assert after["hopsplit_llm_calls_total"] == after['hopsplit_llm_tokens_total{kind="prompt"}'] == 0
    assert after["process_resident_memory_bytes"] > 1e7


def test_the_document(service: Service) -> None:
    """Types of all that goes in and out, the limits that are set, every status, and no key where none is needed."""
    document = service.send("GET", "/openapi.json").json
    assert (document["info"]["title"], document["info"]["version"]) == ("hopsplit", version("hopsplit"))
    assert {f"{method} {path}" for path, each in document["paths"].items() for method in each} == {
        *("post /decompose", "post /search", "post /ask", "get /healthz", "get /metrics")
    }
    schemas, ask = document["components"]["schemas"], document["paths"]["/ask"]["post"]
    k = schemas["Search"]["properties"]["k"]
    assert [k[name] for name in ("type", "default", "minimum", "maximum")] == ["integer", 10, 1, 100]
    assert schemas["Ask"]["required"] == ["question"]
    assert schemas["Ask"]["properties"]["question"]["maxLength"] == 2_000
    assert schemas["Evidence"]["properties"].keys() == {"passage", "score", "hop", "via", "query"}
    assert set(ask["responses"]) == set("200 405 408 413 415 421 422 429 500".split())
    assert "securitySchemes" not in document["components"]
    assert "security" not in ask


def test_ten_may_be_written_as_any_number_that_is_ten(service: Service) -> None:
    """10.0 is an integer in JSON; the fields may come in any order."""
    bodies = [json.dumps({"question": VERSUS, "k": 2}), f'{{"k": 2.0, "question": {json.dumps(VERSUS)}}}']
    first, second = (service.send("POST", "/search", body, JSON) for body in bodies)
    assert first.body == second.body
    assert len(first.json["hits"]) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        # Newer versions of Python read as deep as that.
        (
            f'{{"question": {"[" * 8_000}{"]" * 8_000}}}',
            ("the body is no JSON that can be read: it is not in UTF-8, is ", "question should be a valid string"),
        ),
        (f'{{"question": "a", "k": {"9" * 5_000}}}', "the body is no JSON that can be read: it is not in UTF-8, is "),
        (f'{{"question": "a", "k": {"9" * 1_000}}}', "k is 9,9"),
        (f'{{"question": "a", "k": -{"9" * 1_000}}}', "k is -9"),
    ],
)
def test_endless_input(service: Service, body: str, said: str | tuple[str, ...]) -> None:
    """However long it is, it is named by its beginning, and the mend is told."""
    reply = service.send("POST", "/search", body, JSON)
    error = reply.json["error"]
    assert reply.status == 422
    assert error.startswith(said)
    assert error.endswith(
        (
            'such as {"question": "..."}',
            "ask for at most 100 passages (serve.k)",
            "at least 1 passage",
            "question should be a valid string",
        )
    )
    assert len(error) <= 405


def test_the_longest_question(service: Service) -> None:
    """Its characters are counted, not its bytes."""
    assert service.post("/search", question="é" * 2_000).status == 200
    refused = service.post("/ask", question="é" * 2_001)
    assert refused.status == 422
    assert refused.json == {"error": "the question has 2,001 characters; give at most 2,000"}
