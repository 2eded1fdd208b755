"""The OpenAI-compatible client against a real server on the loopback address."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from hopsplit.decompose import InputError
from hopsplit.fallback.llm import LlmError, Message, Reply
from hopsplit.fallback.openai_client import OpenAIClient
from llm_server import SLOW, LlmServer

ASKED = [Message("system", "Reply in JSON."), Message("user", "Is {this} {0} enough?")]


def ask(server: LlmServer, *, timeout: float = 10.0, attempts: int = 3) -> Reply:
    """Ask the server once."""
    client = OpenAIClient("m-1", base_url=server.url, attempts=attempts, usd_per_million=(1.0, 20.0))
    return client.complete(ASKED, temperature=0.1, max_tokens=50, timeout=timeout)


def test_the_request_and_the_reply(llm_server: LlmServer) -> None:
    """All of the request arrives; text, tokens and price (100 x 1 + 10 x 20 per million) return."""
    llm_server.will_say("sufficient.txt")
    reply = ask(llm_server)
    assert reply.text == '{"sufficient": true, "answer": "Turin"}\n'
    assert (reply.prompt_tokens, reply.completion_tokens) == (100, 10)
    assert reply.cost_usd == pytest.approx(0.0003)
    assert llm_server.asked == [
        {
            "model": "m-1",
            "messages": [
                {"role": "system", "content": "Reply in JSON."},
                {"role": "user", "content": "Is {this} {0} enough?"},
            ],
            "temperature": 0.1,
            "max_tokens": 50,
            "path": "/v1/chat/completions",
        }
    ]


def test_tokens_are_estimated_where_the_server_counts_none(llm_server: LlmServer) -> None:
    """14 + 21 bytes asked and 40 said, at three bytes a token and one more for each text."""
    llm_server.will_say("sufficient.txt", usage=False)
    reply = ask(llm_server)
    assert (reply.prompt_tokens, reply.completion_tokens) == (5 + 8, 14)


def test_a_busy_and_a_failing_server_are_asked_again(llm_server: LlmServer) -> None:
    """429 and 500 are passed over; the third try has the reply."""
    llm_server.will_fail(429)
    llm_server.will_fail(500)
    llm_server.will_say("sufficient.txt")
    reply = ask(llm_server)
    assert "Turin" in reply.text
    assert (reply.calls, len(llm_server.asked)) == (3, 3)


def test_tries_are_bounded(llm_server: LlmServer) -> None:
    """After two tries the trouble is reported, in one line."""
    for _ in range(3):
        llm_server.will_fail(503)
    with pytest.raises(LlmError, match="503") as caught:
        ask(llm_server, attempts=2)
    assert "\n" not in str(caught.value)
    assert (caught.value.calls, len(llm_server.asked)) == (2, 2)


def test_a_refusal_is_not_asked_again(llm_server: LlmServer) -> None:
    """A wrong key stays wrong."""
    llm_server.will_fail(401)
    with pytest.raises(LlmError, match="401"):
        ask(llm_server)
    assert len(llm_server.asked) == 1


def test_a_slow_server_is_left_at_the_deadline(llm_server: LlmServer) -> None:
    """The time limit holds for all tries together."""
    llm_server.will_say("sufficient.txt", delay=SLOW)
    start = time.monotonic()
    with pytest.raises(LlmError, match="timed out"):
        ask(llm_server, timeout=0.3)
    assert time.monotonic() - start < SLOW


@pytest.mark.parametrize("body", ["", "<html>busy</html>", "[" * 200_000])
def test_a_body_that_is_not_json(llm_server: LlmServer, body: str) -> None:
    """What a proxy might say is an LlmError."""
    llm_server.will_fail(200, body)
    with pytest.raises(LlmError, match="not JSON"):
        ask(llm_server)


@pytest.mark.parametrize("body", ["[]", '"x"', '{"choices": []}', '{"choices": null}', '{"choices": [7]}'])
def test_a_body_that_is_no_completion(llm_server: LlmServer, body: str) -> None:
    """JSON of another form is an empty reply, which the caller asks for again."""
    llm_server.will_fail(200, body)
    assert ask(llm_server).text == ""


def test_a_dead_address() -> None:
    """A refused connection is an LlmError that names the address, without the password in it."""
    client = OpenAIClient("m", base_url="http://me:word@127.0.0.1:9/v1", attempts=1)
    with pytest.raises(LlmError, match="connection error") as caught:
        client.complete(ASKED, temperature=0.1, max_tokens=50, timeout=5)
    assert "(http://127.0.0.1:9/v1); check it with hopsplit doctor" in str(caught.value)
    with pytest.raises(InputError, match="HOPSPLIT_LLM_BASE_URL is no address"):
        OpenAIClient("m", base_url="nowhere")


def test_where_the_model_is_must_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a base URL and a key the error names the two variables."""
    monkeypatch.delenv("HOPSPLIT_LLM_BASE_URL", raising=False)
    monkeypatch.delenv("HOPSPLIT_LLM_API_KEY", raising=False)
    with pytest.raises(InputError, match=r"HOPSPLIT_LLM_BASE_URL.*HOPSPLIT_LLM_API_KEY"):
        OpenAIClient("m")


def test_without_httpx_the_error_says_how_to_install_it() -> None:
    """A fresh interpreter in which `httpx` cannot be imported."""
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from hopsplit.fallback.openai_client import OpenAIClient\n"
        "try:\n    OpenAIClient('m', base_url='http://127.0.0.1:9')\n"
        "except ValueError as error:\n    print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "InputError a language model needs the package httpx: pip install httpx (from a checkout: pip install '.[llm]')"
    )


@pytest.mark.parametrize(
    "usage",
    ['{"prompt_tokens": -5, "completion_tokens": 1}', '{"prompt_tokens": 1%s, "completion_tokens": 1}' % ("0" * 400)],
)
def test_counts_that_are_none_are_not_believed(llm_server: LlmServer, usage: str) -> None:
    """As many tokens are estimated as where the server counts none."""
    llm_server.will_fail(200, '{"choices": [{"message": {"content": "{}"}}], "usage": ' + usage + "}")
    reply = ask(llm_server)
    assert (reply.prompt_tokens, reply.completion_tokens) == (5 + 8, 1)


def test_the_key_is_sent_and_not_told(llm_server: LlmServer) -> None:
    """A server that repeats it in its error does not bring it into ours."""
    llm_server.will_fail(401, '{"error": {"message": "Incorrect API key: sk-hidden-1."}}')
    client = OpenAIClient("m", base_url=llm_server.url, api_key="sk-hidden-1")
    with pytest.raises(LlmError, match=r"status 401: Incorrect API key: \.\.\.\."):
        client.complete(ASKED, temperature=0.1, max_tokens=50, timeout=5)


@pytest.mark.parametrize("key", ["sk-\N{EN DASH}1", "sk 1", "sk-1\n"])
def test_a_key_that_no_header_can_hold(key: str) -> None:
    """Refused at once, without telling it."""
    with pytest.raises(InputError, match="HOPSPLIT_LLM_API_KEY has a character that no key has, at place") as caught:
        OpenAIClient("m", api_key=key)
    assert "sk" not in str(caught.value)


@pytest.mark.parametrize("prices", [(-1.0, 0.0), (0.0, float("nan")), (float("inf"), 0.0)])
def test_prices_that_are_none(prices: tuple[float, float]) -> None:
    """The budget could not be kept with them."""
    with pytest.raises(InputError, match="give US dollars a million tokens, 0 or more"):
        OpenAIClient("m", base_url="http://127.0.0.1:9/v1", usd_per_million=prices)
