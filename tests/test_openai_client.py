"""The client of OpenAI-compatible endpoints, against a real server on the loopback address."""

from __future__ import annotations

import gzip
import itertools
import json
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hopsplit.decompose import InputError
from hopsplit.fallback import Completion, LlmError, Message, OpenAIClient
from llm_server import LlmServer, answer, head

ASKED = [Message("system", "Reply in JSON."), Message("user", "Is {this} {0} enough?")]
SCHEMA = {"title": "Verdict", "type": "object"}
AS_SCHEMA = {"type": "json_schema", "json_schema": {"name": "Verdict", "schema": SCHEMA, "strict": True}}
AS_OBJECT = {"type": "json_object", "schema": SCHEMA}
SAID = '{"sufficient": true}'
KEY = "sk-hidden-1"
MEBIBYTE = 1 << 20


def ask(server: LlmServer, *, key: str = "", timeout: float = 10.0, schema: str = "json_schema") -> Completion:
    """Ask the server once."""
    client = OpenAIClient("m-1", base_url=server.url, api_key=key, timeout=timeout, schema=schema)
    return client.complete(ASKED, 0.1, 50, SCHEMA)


def trouble(server: LlmServer, *, key: str = "", timeout: float = 10.0) -> LlmError:
    """Ask the server once; return the error that comes of it."""
    with pytest.raises(LlmError) as caught:
        ask(server, key=key, timeout=timeout)
    return caught.value


def test_the_request_and_the_reply(llm_server: LlmServer) -> None:
    """All of the request arrives, with no other header than these; text and tokens return."""
    llm_server.will_reply(SAID)
    assert ask(llm_server) == Completion(SAID, 100, 10)
    assert llm_server.asked == [
        {
            "model": "m-1",
            "messages": [
                {"role": "system", "content": "Reply in JSON."},
                {"role": "user", "content": "Is {this} {0} enough?"},
            ],
            "temperature": 0.1,
            "max_tokens": 50,
            "response_format": AS_SCHEMA,
            "path": "/v1/chat/completions",
        }
    ]
    assert int(llm_server.headers[0].pop("content-length")) > 0
    assert llm_server.headers == [
        {
            "host": llm_server.url.removeprefix("http://").removesuffix("/v1"),
            "content-type": "application/json",
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": "hopsplit",
            "connection": "close",
            "x-stainless-raw-response": "true",
        }
    ]


@pytest.mark.parametrize(
    ("password", "key", "sent"),
    [
        ("", "", None),
        ("", "k-1", "Bearer k-1"),
        ("me:p%40ss@", "", "Basic bWU6cEBzcw=="),  # me:p@ss
        ("me:word@", "k-1", "Bearer k-1"),
    ],
)
def test_nothing_of_the_environment_says_where_or_as_whom(
    llm_server: LlmServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, password: str, key: str, sent: str | None
) -> None:
    """The key is sent, or else the password in the address, whatever the variables of the SDK and a .netrc say."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login mine password mine\n", encoding="ascii")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/mine")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer mine\nX-Mine: mine\nHost: mine")
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", "mine")
    llm_server.will_reply(SAID)
    client = OpenAIClient("m-1", base_url=llm_server.url.replace("//", f"//{password}"), api_key=key)
    assert client.address == llm_server.url
    client.complete(ASKED, 0.1, 50, SCHEMA)
    assert llm_server.headers[0].get("authorization") == sent
    assert "mine" not in json.dumps([llm_server.headers, llm_server.asked])


def test_the_query_of_an_address(llm_server: LlmServer) -> None:
    """It goes behind the path, as some services want their version there."""
    llm_server.will_reply(SAID)
    OpenAIClient("m", base_url=f"{llm_server.url}/?api-version=1&a=b").complete(ASKED, 0.1, 50, SCHEMA)
    assert llm_server.asked[0]["path"] == "/v1/chat/completions?api-version=1&a=b"


def test_a_proxy_of_the_environment(llm_server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for an address that nothing else knows, and told the key no other way than the endpoint is."""
    for name in ("http_proxy", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", llm_server.url.removesuffix("/v1"))
    llm_server.will_reply(SAID)
    OpenAIClient("m", base_url="http://model.invalid/v1", api_key="k-1").complete(ASKED, 0.1, 50, SCHEMA)
    assert llm_server.asked[0]["path"] == "http://model.invalid/v1/chat/completions"
    assert llm_server.headers[0]["host"] == "model.invalid"


def test_lone_surrogates(llm_server: LlmServer) -> None:
    """No UTF-8 has them: they are sent as question marks, and come back from JSON as they were said."""
    llm_server.will_reply('"\ud83d"', usage=None)
    client = OpenAIClient("m", base_url=llm_server.url)
    assert client.complete([Message("user", "a\ud800b")], 0.1, 50, SCHEMA) == Completion('"\ud83d"', 9, 9)
    assert llm_server.asked[0]["messages"] == [{"role": "user", "content": "a?b"}]


@pytest.mark.parametrize(
    "usage",
    [None, (-5, 1), (1, 10**9 + 1), (1, 10**400), ("5", "5"), (True, 1), (1.5, 1), (5, None), ([], {})],
)
def test_tokens_are_estimated_where_the_server_counts_none(
    llm_server: LlmServer, usage: tuple[object, object] | None
) -> None:
    """14 and 21 bytes asked and 20 said, at three bytes a token and eight more for each message."""
    llm_server.will_reply(SAID, usage=usage)
    assert ask(llm_server) == Completion(SAID, (4 + 8) + (7 + 8), 6 + 8)


@pytest.mark.parametrize(
    ("status", "may_pass"),
    [
        *((status, False) for status in (307, 400, 401, 403, 404, 413, 422)),
        *((status, True) for status in (408, 409, 429, 500, 502, 503, 504, 529)),
    ],
)
def test_a_refusal_is_one_try_and_says_whether_another_may_help(
    llm_server: LlmServer, status: int, may_pass: bool
) -> None:
    """The server's own words are passed on, in one line; a redirection is not followed."""
    body = '{"error": {"message": "refused:\\n\\nbadly"}}'
    llm_server.will_fail(status, body, headers={"Location": f"{llm_server.url}/elsewhere"})
    error = trouble(llm_server)
    said = f"status {status}: refused: badly"
    if status in (307, 404):
        said += f" ({llm_server.url}; is this the base URL of an OpenAI-compatible endpoint?)"
    assert (str(error), error.may_pass, error.sent) == (said, may_pass, False)
    assert len(llm_server.asked) == 1


def test_a_quota_that_is_used_up(llm_server: LlmServer) -> None:
    """It is told with the status of a busy server, and no pause brings it back."""
    llm_server.will_fail(429, '{"error": {"message": "no credit", "code": "insufficient_quota"}}')
    error = trouble(llm_server)
    assert (str(error), error.may_pass) == ("status 429: no credit", False)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (None, 0.0),
        ("7", 7.0),
        ("0.5", 0.5),
        ("-1", 0.0),
        ("nan", 0.0),
        ("1e9", 0.0),
        ("soon", 0.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 0.0),
    ],
)
def test_how_long_a_server_asks_to_be_left_alone(llm_server: LlmServer, said: str | None, seconds: float) -> None:
    """A number of seconds below a day is believed."""
    llm_server.will_fail(429, headers={"Retry-After": said} if said else {})
    assert trouble(llm_server).retry_after == seconds


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [b"junk\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"],
        [head(200, 999), b'{"choices": '],
        [head(200, None, {"Transfer-Encoding": "chunked"}), b"5\r\n{"],
    ],
)
def test_what_is_not_a_whole_answer(llm_server: LlmServer, parts: list[bytes]) -> None:
    """Nothing, no HTTP, and answers that are cut are errors of the connection, which may pass, after the request."""
    llm_server.will_send(parts)
    error = trouble(llm_server)
    assert str(error).startswith("connection error: ")
    assert str(error).endswith(f" ({llm_server.url})")
    assert (error.may_pass, error.sent) == (True, True)


@pytest.mark.parametrize("url", ["http://me:word@127.0.0.1:{}/v1", "http://me:word@a..b:{}/v1"])
def test_nobody_answers(url: str) -> None:
    """A closed port and a name that cannot be looked up: the address is told without its password."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = url.format(unused.getsockname()[1])
    with pytest.raises(LlmError) as caught:
        OpenAIClient("m", base_url=url).complete(ASKED, 0.1, 50, SCHEMA)
    assert not caught.value.sent
    assert str(caught.value).startswith("connection error: ")
    assert str(caught.value).endswith(f" ({url.replace('me:word@', '')})")
    assert "word" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("parts", "pause"),
    [
        ([answer(200, "{}")], 2.0),
        ([head(200, 999), *[b"a"] * 40], 0.05),
        ([b"HTTP/1.1 200 OK\r\nX-Long: ", *[b"a"] * 40], 0.05),
    ],
    ids=["silent", "body drips", "header drips"],
)
def test_the_time_limit_is_of_the_whole_request(llm_server: LlmServer, parts: list[bytes], pause: float) -> None:
    """Bytes that each come in time are no help where all together do not."""
    llm_server.will_send(parts, pause=pause)
    start = time.monotonic()
    error = trouble(llm_server, timeout=0.3)
    assert (str(error), error.may_pass, error.sent) == ("timed out", True, True)
    assert 0.3 <= time.monotonic() - start < 1.0


def test_a_body_that_drips_is_given_up(llm_server: LlmServer) -> None:
    """Not in the background either: the server finds the connection closed."""
    is_over = threading.Event()

    def drip() -> Iterator[bytes]:
        try:
            yield from itertools.chain([head(200, None)], itertools.repeat(b"a"))
        finally:
            is_over.set()

    llm_server.will_send(drip(), pause=0.02)
    assert str(trouble(llm_server, timeout=0.2)) == "timed out"
    assert is_over.wait(5)


def test_the_size_of_an_answer(llm_server: LlmServer) -> None:
    """A mebibyte is read, whatever it holds; a byte more is not."""
    llm_server.will_fail(200, "{}".ljust(MEBIBYTE))
    assert ask(llm_server).text == ""
    llm_server.will_fail(200, "{}".ljust(MEBIBYTE + 1))
    error = trouble(llm_server)
    assert (str(error), error.may_pass) == ("the answer is longer than 1,048,576 bytes", False)


def packed(body: bytes) -> bytes:
    """Return a compressed answer."""
    sent = gzip.compress(body)
    return head(200, len(sent), {"Content-Encoding": "gzip"}) + sent


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (itertools.chain([head(200, None)], itertools.repeat(b"a" * 65_536)), "longer than 1,048,576 bytes"),
        ([packed(bytes(30 * MEBIBYTE))], "compressed"),
    ],
    ids=["endless", "bomb"],
)
def test_an_answer_that_means_harm(llm_server: LlmServer, parts: Iterable[bytes], said: str) -> None:
    """No more of it is read than its head, or a mebibyte."""
    llm_server.will_send(parts)
    error = trouble(llm_server)
    assert said in str(error)
    assert not error.may_pass


@pytest.mark.parametrize("body", ["", "<html>busy</html>", "[" * 200_000, '{"choices": [' + "9" * 5_000 + "]}"])
def test_a_body_that_is_not_json(llm_server: LlmServer, body: str) -> None:
    """What a proxy might say, and JSON that no parser takes."""
    llm_server.will_fail(200, body)
    assert str(trouble(llm_server)) == f"the endpoint's answer is not JSON ({llm_server.url})"


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        '"x"',
        "null",
        '{"choices": []}',
        '{"choices": null}',
        '{"choices": [7]}',
        '{"choices": [{"message": {"content": null}}]}',
        '{"choices": [{"message": {"content": ["a"]}}]}',
    ],
)
def test_a_body_that_is_no_completion(llm_server: LlmServer, body: str) -> None:
    """JSON of another form is an empty reply, which the caller asks for again."""
    llm_server.will_fail(200, body)
    assert ask(llm_server) == Completion("", 27, 8)


def test_an_error_too_deep_to_read(llm_server: LlmServer) -> None:
    """It is told by its beginning."""
    llm_server.will_fail(400, "[" * 200_000)
    assert str(trouble(llm_server)) == "status 400: " + "[" * 200


@pytest.mark.parametrize(
    ("way", "sent"), [("json_schema", AS_SCHEMA), ("json_object", AS_OBJECT), ("none", "not there")]
)
def test_the_ways_of_asking_for_a_schema(llm_server: LlmServer, way: str, sent: object) -> None:
    """Each as the servers that know it want it."""
    llm_server.will_reply(SAID)
    ask(llm_server, schema=way)
    assert llm_server.asked[0].get("response_format", "not there") == sent


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, '{"error": {"message": "Unknown field: Response_Format"}}'),
        (400, '{"error": {"message": "%s response_format"}}' % ("x" * 300)),
        (404, "No json_schema here"),
        (422, '{"detail": [{"loc": ["body", "response_format"]}]}'),
        (500, '{"error": "grammar"}'),
    ],
)
def test_a_server_that_knows_no_schema(llm_server: LlmServer, status: int, body: str) -> None:
    """It is asked in the next way from then on; a complaint of the last is a plain error."""
    client = OpenAIClient("m", base_url=llm_server.url)
    ways = [("json_object", True), ("none", True)]
    for way, may_pass in ways:
        llm_server.will_fail(status, body)
        with pytest.raises(LlmError, match=f"from now on with max_tokens and the schema as {way}$") as caught:
            client.complete(ASKED, 0.1, 50, SCHEMA)
        assert caught.value.may_pass is may_pass
    llm_server.will_reply(SAID)
    llm_server.will_fail(status, body)
    assert client.complete(ASKED, 0.1, 50, SCHEMA).text == SAID
    with pytest.raises(LlmError, match=f"^status {status}: ") as caught:
        client.complete(ASKED, 0.1, 50, SCHEMA)
    assert "from now on" not in str(caught.value)
    assert caught.value.may_pass is (status == 500)
    assert [asked.get("response_format") for asked in llm_server.asked] == [AS_SCHEMA, AS_OBJECT, None, None]


def test_a_model_that_wants_another_limit_and_no_temperature(llm_server: LlmServer) -> None:
    """As the newer models of the service do; what it complained of is not sent again."""
    client = OpenAIClient("m", base_url=llm_server.url)
    for complaint in ("Use 'max_completion_tokens' instead.", "Unsupported value: 'temperature'"):
        llm_server.will_fail(400, json.dumps({"error": {"message": complaint}}))
        with pytest.raises(LlmError, match="from now on with max_completion_tokens and the schema as json_schema") as e:
            client.complete(ASKED, 0.1, 50, SCHEMA)
        assert e.value.may_pass
    llm_server.will_reply(SAID)
    assert client.complete(ASKED, 0.1, 50, SCHEMA).text == SAID
    keys = ("max_tokens", "max_completion_tokens", "temperature")
    shapes = [{key: asked.get(key) for key in keys} for asked in llm_server.asked]
    assert shapes == [
        {"max_tokens": 50, "max_completion_tokens": None, "temperature": 0.1},
        {"max_tokens": None, "max_completion_tokens": 50, "temperature": 0.1},
        {"max_tokens": None, "max_completion_tokens": 50, "temperature": None},
    ]


def test_a_wrong_key_is_no_complaint_of_the_schema(llm_server: LlmServer) -> None:
    """Whatever words the server has for it."""
    llm_server.will_fail(401, '{"error": {"message": "key not in response_format"}}')
    error = trouble(llm_server)
    assert (str(error), error.may_pass) == ("status 401: key not in response_format", False)


@pytest.mark.parametrize(("way", "following", "sent"), [(0, "json_object", AS_OBJECT), (1, "none", None)])
def test_two_complaints_of_one_way(llm_server: LlmServer, way: int, following: str, sent: object) -> None:
    """Two questions at once that were both sent in one way go on in the next, and none is skipped."""
    client = OpenAIClient("m", base_url=llm_server.url, schema=("json_schema", "json_object")[way])
    both = threading.Barrier(2, timeout=5)

    def refusal() -> Iterator[bytes]:
        both.wait()
        yield answer(400, '{"error": {"message": "no schema"}}')

    for _ in range(2):
        llm_server.will_send(refusal())
    with ThreadPoolExecutor(2) as pool:
        made = [pool.submit(client.complete, ASKED, 0.1, 50, SCHEMA) for _ in range(2)]
        errors = [each.exception() for each in made]
    said = f"status 400: no schema; from now on with max_tokens and the schema as {following}"
    assert [str(error) for error in errors] == [said] * 2
    llm_server.will_reply(SAID)
    client.complete(ASKED, 0.1, 50, SCHEMA)
    assert llm_server.asked[0]["response_format"] == llm_server.asked[1]["response_format"]
    assert llm_server.asked[2].get("response_format") == sent


@pytest.mark.parametrize(
    "said",
    [
        answer(401, json.dumps({"error": {"message": f"Incorrect API key: {KEY}."}})),
        answer(401, f"<p>{KEY}</p>"),
        answer(401, "x" * 195 + KEY),
        answer(429, json.dumps({"error": {"message": [KEY]}})),
        answer(400, json.dumps({"error": {"message": f"no response_format for {KEY}"}})),
        f"HTTP/1.1 {KEY}\r\n\r\n".encode(),
    ],
)
def test_no_error_tells_the_key(llm_server: LlmServer, said: bytes) -> None:
    """It is sent, and a server that repeats it brings it neither into the message nor into the traceback."""
    llm_server.will_send([said])
    error = trouble(llm_server, key=KEY)
    assert llm_server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "..." in str(error)
    assert KEY[:5] not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    "url",
    [
        "nowhere",
        "ftp://a/v1",
        "file:///etc/passwd",
        "http://",
        "http://:80/v1",
        "http://[::1",
        "http://a:0/v1",
        "http://a:99999/v1",
        "http://a b/v1",
        "http://a/\n",
        "http://me:word@/v1",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    """They are refused before anything is sent."""
    with pytest.raises(InputError, match=r"^the base URL is no address; give one such as http://127\.0\.0\.1:8080/v1$"):
        OpenAIClient("m", base_url=url)


@pytest.mark.parametrize("url", ["http://me:word@[v1.a]/v1", "http://me:word@999.1.1.1/v1", "http://a/" + "b" * 70_000])
def test_addresses_that_the_sdk_does_not_take(url: str) -> None:
    """They are wrong input as well, and no password is told."""
    with pytest.raises(InputError, match=r"^http://.* cannot be asked: \w") as caught:
        OpenAIClient("m", base_url=url)
    assert "word" not in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("HTTP_PROXY", "none://me:word@a"), ("SSL_CERT_FILE", __file__)])
def test_an_environment_that_no_client_can_be_made_of(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """It is wrong input, and no password is told."""
    monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=r"^http://127.0.0.1:9/v1 cannot be asked: ") as caught:
        OpenAIClient("m", base_url="http://127.0.0.1:9/v1")
    assert "word" not in str(caught.value)


@pytest.mark.parametrize(("key", "place"), [("sk-\N{EN DASH}1", 4), ("sk 1", 3), ("sk-1\n", 5), ("\x00", 1)])
def test_a_key_that_no_header_can_hold(key: str, place: int) -> None:
    """Refused at once, without telling it."""
    with pytest.raises(InputError) as caught:
        OpenAIClient("m", api_key=key)
    assert str(caught.value) == (
        f"the API key has a character that no key has, at place {place} of {len(key)}; set it anew"
    )


@pytest.mark.parametrize(
    ("model", "options", "said"),
    [
        ("", {}, "the language model has no name"),
        (" ", {}, "the language model has no name"),
        ("m", {"base_url": ""}, "the LLM 'm' needs HOPSPLIT_LLM_BASE_URL .* or HOPSPLIT_LLM_API_KEY"),
        ("m", {"timeout": 0.0}, "the timeout 0.0 is none"),
        ("m", {"timeout": float("nan")}, "the timeout nan is none"),
        ("m", {"timeout": float("inf")}, "the timeout inf is none"),
        ("m", {"schema": "xml"}, "there is no way 'xml' .* choose one of json_schema, json_object, none"),
    ],
)
def test_settings_that_are_none(
    monkeypatch: pytest.MonkeyPatch, model: str, options: dict[str, str | float], said: str
) -> None:
    """The error names what is wrong; the variables of the SDK are no help."""
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/mine")
    with pytest.raises(InputError, match=said):
        OpenAIClient(model, **({"base_url": "http://127.0.0.1:9/v1"} | options))


def test_with_a_key_alone_the_service_is_asked() -> None:
    """Where no base URL is given."""
    assert OpenAIClient("m", api_key="k-1").address == "https://api.openai.com/v1"


def python(code: str) -> str:
    """Run code in a fresh interpreter; return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_without_openai_the_error_says_how_to_install_it() -> None:
    """A fresh interpreter in which `openai` cannot be imported."""
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from hopsplit.fallback import OpenAIClient\n"
        "try:\n    OpenAIClient('m', base_url='http://127.0.0.1:9')\n"
        "except ValueError as error:\n    print(type(error).__name__, error)"
    )
    assert python(code) == (
        "InputError a language model needs the package openai: pip install openai "
        "(from a checkout: pip install '.[llm]')"
    )
