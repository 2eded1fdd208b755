"""What fails or takes too long costs no evidence and tells no secret: engines, servers, models, settings."""

from __future__ import annotations

import asyncio
import json
import math
import os
import socket
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from decomposing import decomposer
from halls import (
    ASK,
    DEEP,
    DEEP_HOPS,
    HALLS,
    LOOK_UPS,
    PLAN,
    TURIN,
    YES,
    acts,
    asker,
    further,
    ids,
    index,
    no,
    say,
    shown,
    unaided,
)
from hopsplit.cli.config import settings
from hopsplit.decompose import InputError
from hopsplit.fallback import (
    Asker,
    Budget,
    ChainSettings,
    Completion,
    Judgement,
    LlmError,
    Message,
    OpenAIClient,
    Price,
    Result,
    RouterSettings,
)
from hopsplit.fallback.llm import estimate_tokens
from hopsplit.retrieval import Hit, Index
from llm_server import LlmServer, answer
from program import program

ASKED = [Message("user", "Enough?")]
SCHEMA = {"title": "Verdict", "type": "object"}
ANSWER = {"answer": "the Po", "passages": [1], "contradictions": ""}
BOTH = {"queries": ["Monviso", TURIN]}
KEY = "sk-hidden-1"


class Engine:
    """An engine of its own kind: before it searches the collection it does something with the query."""

    def __init__(self, before: Callable[[str], object]) -> None:
        self.passage, self._before = index().passage, before

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the hits of the index."""
        self._before(query)
        return index().search(query, k)

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return the hits of each query."""
        return [self.search(query, k) for query in queries]


def over(before: Callable[[str], object], server: LlmServer | None, **given: Budget | ChainSettings) -> Asker:
    """Return an asker over an engine that does that before it searches."""
    llm = OpenAIClient("m", base_url=server.url) if server else None
    return Asker(Engine(before), llm=llm, decomposer=decomposer(), **given)  # type: ignore[arg-type]


def plain() -> Result:
    """Return what such an engine finds without a model."""
    return over(len, None).ask(DEEP, k=6)


@pytest.fixture
def hang() -> Iterator[Callable[[float], bool]]:
    """Give something that waits for so many seconds, or until the test is over."""
    over = threading.Event()
    yield over.wait
    over.set()


def test_a_search_that_hangs(llm_server: LlmServer, hang: Callable[[float], bool]) -> None:
    """Of two further queries the first never ends: what the second has found is there once the time is up."""
    say(llm_server, PLAN, no(0.3), BOTH)
    plain()  # what is loaded once takes time of its own
    slow = over(lambda query: query == "Monviso" and hang(30), llm_server, budget=Budget(seconds=1.5))
    begun = time.monotonic()
    result = slow.ask(DEEP, k=6)
    assert 1.5 <= time.monotonic() - begun < 2.5
    assert (result.stopped, further(result)) == ("budget:seconds", [TURIN])
    assert {item.passage.id: item.query for item in result.evidence}["turin"] == TURIN


@pytest.mark.parametrize(
    ("failing", "last", "searched", "hops"),
    [("Monviso", "ask", [TURIN], LOOK_UPS), (LOOK_UPS[0], "plan", [], DEEP_HOPS)],
    ids=["further query", "plan"],
)
def test_a_search_that_fails(
    llm_server: LlmServer, failing: str, last: str, searched: list[str], hops: list[str]
) -> None:
    """What else was found stays, an answer is asked for all the same, and the error is told on one line."""

    def before(query: str) -> None:
        if query == failing:
            raise OSError("disk\n\x1bgone")

    say(llm_server, PLAN, *([no(0.3), BOTH] if last == "ask" else []), ANSWER)
    result = over(before, llm_server, chain=ChainSettings(answer=True)).ask(DEEP, k=6)
    assert (result.stopped, result.route) == ("search: OSError: disk gone", "chain")
    assert (acts(result)[-2:], further(result)) == ([last, "answer"], searched)
    assert [hop.text for hop in result.plan.hops] == hops
    assert ("turin" in ids(result)) == bool(searched)
    assert searched or result.evidence == plain().evidence


def test_a_plan_that_takes_long_to_search(llm_server: LlmServer, hang: Callable[[float], bool]) -> None:
    """It is not waited for beyond the time, nor once somebody cancels; the rules' plan and evidence come back."""
    cancel, before = threading.Event(), plain()
    say(llm_server, PLAN, PLAN)
    slow = over(lambda query: query == LOOK_UPS[0] and hang(30), llm_server, budget=Budget(seconds=1))
    begun = time.monotonic()
    late = slow.ask(DEEP, k=6)
    assert time.monotonic() - begun < 2
    told = over(lambda query: query == LOOK_UPS[0] and (cancel.set(), hang(30)), llm_server)
    begun = time.monotonic()
    cancelled = told.ask(DEEP, k=6, cancel=cancel)
    assert time.monotonic() - begun < 2
    assert [result.stopped for result in (late, cancelled)] == ["budget:seconds", "cancelled"]
    for result in (late, cancelled):
        assert (acts(result), result.evidence) == (["plan"], before.evidence)
        assert [hop.text for hop in result.plan.hops] == DEEP_HOPS


def test_an_engine_that_raises_what_ends_a_loop() -> None:
    """A task would wait for ever if StopIteration came to it as it is."""

    def before(_: str) -> None:
        raise StopIteration

    with pytest.raises(RuntimeError, match=r"^StopIteration$"):
        asyncio.run(asyncio.wait_for(over(before, None).aask(DEEP), 10))


def test_an_endless_title(llm_server: LlmServer) -> None:
    """Of the first passage two hundred characters are shown of it, and the others after it."""
    passages = [replace(each, title="Glass Hall" + "s" * 100_000) if each.id == "hall" else each for each in HALLS]
    say(llm_server, {"questions": DEEP_HOPS}, YES)
    llm = OpenAIClient("m", base_url=llm_server.url)
    result = Asker(Index.build(passages), llm=llm, decomposer=decomposer()).ask(DEEP, k=5)
    assert ids(result)[0] == "hall"
    titles = [item.passage.title[:200] for item in result.evidence]
    assert (shown(llm_server.asked[1]), len(titles)) == (titles, 5)


def timing_out(server: LlmServer, attempts: int, **limits: int) -> Result:
    """Ask a server that takes longer than the client waits."""
    server.asked.clear()
    server.queue.clear()
    say(server, PLAN, PLAN, delay=0.5)
    llm = OpenAIClient("m", base_url=server.url, timeout=0.2)
    chain = ChainSettings(attempts=attempts)
    return Asker(index(), llm=llm, budget=Budget(**limits), chain=chain, decomposer=decomposer()).ask(DEEP)


def test_a_call_that_times_out_counts(llm_server: LlmServer) -> None:
    """As estimated, since the server works on: a second try would pass the limit, and is not made."""
    result = timing_out(llm_server, 1)
    sent = estimate_tokens([Message(said["role"], said["content"]) for said in llm_server.asked[0]["messages"]])  # type: ignore[attr-defined]
    assert (result.stopped, sent > 100) == ("llm: timed out", True)
    assert (result.usage.llm_calls, result.usage.prompt_tokens, result.usage.completion_tokens) == (1, sent, 500)
    assert [(step.prompt_tokens, step.completion_tokens) for step in result.trace if step.prompt] == [(sent, 500)]
    for limit, stopped, calls in ((2 * sent, "llm: timed out", 2), (2 * sent - 1, "budget:prompt_tokens", 1)):
        result = timing_out(llm_server, 2, prompt_tokens=limit)
        assert (result.stopped, len(llm_server.asked), result.usage.prompt_tokens) == (stopped, calls, calls * sent)


def test_a_call_that_nobody_worked_on_counts_no_tokens(llm_server: LlmServer) -> None:
    """One that was refused, and one that did not arrive."""
    llm_server.will_fail(401)
    refused = asker(llm_server).ask(DEEP)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and does not listen
        llm = OpenAIClient("m", base_url=f"http://127.0.0.1:{free.getsockname()[1]}/v1")
        unheard = Asker(index(), llm=llm, chain=ChainSettings(attempts=1), decomposer=decomposer()).ask(DEEP)
    assert refused.stopped == "llm: status 401: refused"
    assert unheard.stopped.startswith("llm: connection error: ")
    for result in (refused, unheard):
        assert (result.usage.llm_calls, result.usage.prompt_tokens, result.usage.completion_tokens) == (1, 0, 0)
        assert [step.prompt_tokens + step.completion_tokens for step in result.trace if step.prompt] == [0]


@pytest.mark.parametrize("last", ["use max_completion_tokens", "temperature is not supported"])
def test_complaints_of_a_request_are_no_tries(llm_server: LlmServer, last: str) -> None:
    """Three of them are answered at once with another request, though no second try is allowed; they cost calls."""
    at: list[float] = []

    def answered(status: int, said: str) -> Iterator[bytes]:
        at.append(time.monotonic())
        yield answer(status, json.dumps({"error": {"message": said}}))

    for said in ("no json_schema", "no response_format", last):
        llm_server.will_send(answered(400, said))
    llm_server.will_send(answered(503, "busy"))
    result = asker(llm_server, chain=ChainSettings(attempts=1)).ask(DEEP)
    assert (result.stopped, result.usage.llm_calls, len(llm_server.asked)) == ("llm: status 503: busy", 4, 4)
    assert all(after - before < 0.5 for before, after in pairwise(at))  # the least pause there is
    final = llm_server.asked[3]
    shape = "response_format" in final, "max_tokens" in final, "temperature" in final
    assert shape == ((False, False, True) if "max_" in last else (False, True, False))


def test_errors_tell_nothing_of_the_address(llm_server: LlmServer) -> None:
    """A server that repeats its password, plain or as it was sent, and what may be a key of its query, is masked."""
    secrets = ["p@ss-word", "p%40ss-word", b64encode(b"me:p@ss-word").decode(), "s1g/nature", "s1g%2Fnature"]
    url = llm_server.url.replace("//", "//me:p%40ss-word@") + "?code=s1g%2Fnature&version=12"
    llm_server.will_fail(401, json.dumps({"error": {"message": " ".join([*secrets, "version=12"])}}))
    with pytest.raises(LlmError) as caught:
        OpenAIClient("m", base_url=url).complete(ASKED, 0.1, 50, SCHEMA)
    assert str(caught.value) == "status 401: ... ... ... ... ... version=12"
    assert llm_server.headers[0]["authorization"] == f"Basic {secrets[2]}"
    assert llm_server.asked[0]["path"] == "/v1/chat/completions?code=s1g%2Fnature&version=12"


@pytest.mark.parametrize(("key", "told"), [(KEY, "the river of ..., next"), ("x", "the river of sk-hidden-1, next")])
def test_a_key_in_a_reply(llm_server: LlmServer, key: str, told: str) -> None:
    """One that is no word is left out of what the model said; a short one may be a letter of it."""
    say(llm_server, PLAN, no(0.3, f"the river of {KEY}, next"), {"queries": [f"Turin {KEY}"]}, YES)
    llm = OpenAIClient("m", base_url=llm_server.url, api_key=key)
    result = Asker(index(), llm=llm, decomposer=decomposer()).ask(DEEP, k=5)
    assert (acts(result), result.stopped) == (["plan", "judge", "ask", "judge"], "")
    assert [step.text for step in result.trace if step.action == "ask"] == [told]
    assert (KEY in repr(result)) == (key != KEY)


@pytest.mark.parametrize("body", ['{"error": {"message": "busy"}}', "busy"])
@pytest.mark.parametrize("charset", ["hex", "bz2", "nonsense"])
def test_an_error_in_an_encoding_that_is_none(llm_server: LlmServer, charset: str, body: str) -> None:
    """Python would inflate with some of them, and fail with others; it is read as UTF-8."""
    llm_server.will_fail(503, body, {"Content-Type": f"application/json; charset={charset}"})
    with pytest.raises(LlmError, match=r"^status 503: busy$") as caught:
        OpenAIClient("m", base_url=llm_server.url).complete(ASKED, 0.1, 50, SCHEMA)
    assert caught.value.may_pass


def test_no_pause_before_a_try_that_is_not_allowed(llm_server: LlmServer) -> None:
    """A server that wants to be left alone for five seconds is not waited for by whose last call it was."""
    llm_server.will_fail(429, headers={"Retry-After": "5"})
    begun = time.monotonic()
    result = asker(llm_server, budget=Budget(llm_calls=1)).ask(DEEP)
    assert time.monotonic() - begun < 4
    assert (result.stopped, result.usage.llm_calls) == ("budget:llm_calls", 1)


@pytest.mark.parametrize(("then", "stopped"), [(0.85, ""), (0.84, "the confidence rises no more")])
def test_the_least_rise_of_the_confidence(llm_server: LlmServer, then: float, stopped: str) -> None:
    """A rise from 0.8 to 0.85 is the usual gain, though as floats it is a little less."""
    assert 0.85 - 0.8 < ChainSettings().gain == 0.05
    say(llm_server, PLAN, no(0.8), ASK, no(then, "more"), {"queries": ["Monviso"]}, YES)
    result = asker(llm_server).ask(DEEP, k=5)
    assert (result.stopped, result.usage.llm_calls) == (stopped, 4 if stopped else 6)
    last = Judgement(sufficient=False, confidence=0.84, missing="more")
    assert result.judgement == (last if stopped else Judgement(sufficient=True, confidence=0.9, missing=""))


def test_a_plan_of_another_question_is_not_searched(llm_server: LlmServer) -> None:
    """It shares stop words alone with the question; the plan of the rules is judged in its place."""
    say(llm_server, {"questions": ["What is the capital of Peru?", "Where in #1 was the flag?"]}, YES)
    result, before = asker(llm_server).ask(DEEP, k=5), unaided().ask(DEEP, k=5)
    assert (result.plan, result.evidence) == (before.plan, before.evidence)
    assert result.usage.searches == before.usage.searches
    failed = [step.outcome for step in result.trace if step.action == "failed"]
    assert failed == ["the plan is of another question: it has none of its words"]
    assert (before.judgement, result.judgement) == (None, Judgement(sufficient=True, confidence=0.9, missing=""))


def test_an_answer_after_a_follow_up_that_is_none(llm_server: LlmServer) -> None:
    """A model that said nothing of use is asked for the answer; a server that failed is asked for nothing more."""
    chain = ChainSettings(answer=True, attempts=1)
    say(llm_server, PLAN, no(0.3), "?", "??", ANSWER)
    unusable = asker(llm_server, chain=chain).ask(DEEP, k=5)
    assert unusable.stopped.startswith("llm: no usable reply to follow_up@")
    assert (unusable.answer and unusable.answer.text, len(llm_server.asked)) == ("the Po", 5)
    say(llm_server, PLAN, no(0.3))
    llm_server.will_fail(503)
    say(llm_server, ANSWER)
    failed = asker(llm_server, chain=chain).ask(DEEP, k=5)
    assert (failed.stopped, failed.answer, len(llm_server.queue)) == ("llm: status 503: refused", None, 1)


class Raising:
    """A model that raises something."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Raise it."""
        raise self._error


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt("stop")])
def test_a_model_that_would_end_the_program(error: BaseException) -> None:
    """It ends its own call."""
    result = Asker(index(), llm=Raising(error), decomposer=decomposer()).ask(DEEP)
    assert result.stopped == f"llm: RuntimeError: {type(error).__name__}: {error}"
    assert result.evidence == unaided().ask(DEEP).evidence


def test_settings_that_keep_a_question_from_the_model(llm_server: LlmServer) -> None:
    """The reason is not that there is none."""
    router = RouterSettings(kinds=(), max_hops=3, min_confidence=0)
    result = asker(llm_server, router=router).ask(DEEP)
    assert (result.route, result.evidence) == ("executor", unaided().ask(DEEP).evidence)
    assert result.reason == "deep: the settings keep it from the language model, so the plan as far as it goes"
    assert llm_server.asked == []


def test_a_half_call_is_no_limit() -> None:
    """Calls are counted whole, or not at all."""
    with pytest.raises(InputError, match=r"^budget\.llm_calls is 0\.5; give a whole number$"):
        Budget(llm_calls=0.5)  # type: ignore[arg-type]
    assert Budget(llm_calls=math.inf).llm_calls == math.inf  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a file to write settings to, where nothing else sets any."""
    for name in [name for name in os.environ if name.startswith("HOPSPLIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return Path("s.toml")


NO_PRICE = "is no price; give US dollars a million tokens, such as 0.15,0.60"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[budget]\nrounds = " + "9" * 5_000, "no TOML: Exceeds the limit"),
        (f"[llm]\nprice = [1{'0' * 400}, 1]", f"llm.price: [1{'0' * 78} {NO_PRICE}"),
        ("[llm]\nprices = {m = [true, false]}", "llm.prices.m: give two prices, such as 0.15,0.60"),
    ],
)
def test_settings_that_are_too_much(file: Path, text: str, said: str) -> None:
    """Numbers that no computer word holds, and truth values that Python would take for numbers."""
    file.write_text(text, encoding="utf-8")
    done = program("ask", DEEP, "--config", file)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: s.toml: {said}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("model", ["m", "replay"])
@pytest.mark.parametrize("folder", ["a\x00b", "a\x1b[31mb/\x07"])
def test_a_folder_that_a_terminal_would_obey(file: Path, model: str, folder: str) -> None:
    """An error that names it says so on one line, without its control characters."""
    Path("a\x1b[31mb").write_text("no folder", encoding="utf-8")
    file.write_text('[llm]\nbase_url = "http://127.0.0.1:1"\n' + f"cache = {json.dumps(folder)}\n", encoding="utf-8")
    done = program("ask", DEEP, "--config", file, "--llm", model)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: a\ufffd")
    assert done.err.removesuffix("\n").isprintable()


def test_a_failed_model_is_told_apart_from_the_evidence(file: Path, llm_server: LlmServer) -> None:
    """On standard error, without what a terminal would obey in the server's words; the exit code is that of success."""
    llm_server.will_fail(401, json.dumps({"error": {"message": "\x1b[31mno\x07"}}))
    done = program("ask", DEEP, "--llm", "m", "--llm-base-url", llm_server.url, "--trace")
    told = "the language model failed, and the evidence is without it from there on: status 401: [31mno\n"
    assert (done.code, done.err) == (0, told)
    assert done.out.replace("\n", "").isprintable()


@pytest.mark.parametrize(("prices", "price"), [("m = [1, 2]", Price(1, 2)), ("m = [1, 2]\nn = [3, 4]", None)])
def test_the_price_of_a_replay(file: Path, prices: str, price: Price | None) -> None:
    """That of the only model that has one; of two it could be either."""
    file.write_text(f"[llm]\nmodel = 'replay'\n[llm.prices]\n{prices}\n", encoding="utf-8")
    assert settings({}, file=file).llm.of_tokens() == price
