"""One call of a language model: replies that cannot be read, tries, refusals, models of any make, cancelling."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence

import pytest

from decomposing import decomposer
from halls import ASK, CODE, DEEP, DEEP_HOPS, PLAN, UNPARSEABLE, YES, acts, asker, ids, index, no, say, unaided
from hopsplit.decompose import InputError
from hopsplit.fallback import Asker, Budget, ChainSettings, Completion, Judgement, LlmError, Message, Result
from hopsplit.fallback.llm import estimate_tokens
from llm_server import SLOW, LlmServer

NONE = "no JSON object in it"
# What is said -> what is wrong with it as a plan, and as a verdict.
UNREADABLE = {
    "truncated": ('In {short}: ```json\n{"sufficient": true, "questions": ["Who ' + "re" * 500 + "built", NONE, NONE),
    "code": (CODE, NONE, NONE),
    "keys and types": (
        '{"questions": "Who?", "enough": true, "confidence": 1, "missing": ""}',
        "questions: Input should be a valid list",
        "sufficient: Field required",
    ),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_unusable_reply_is_asked_for_once_more(llm_server: LlmServer, kind: str) -> None:
    """The model is shown what it said and what is wrong with it; the trace has that, and all tokens are counted."""
    said, of_plan, of_verdict = UNREADABLE[kind]
    say(llm_server, said, PLAN, said, YES)
    result = asker(llm_server).ask(DEEP)
    assert (acts(result), result.stopped) == (["retry", "plan", "retry", "judge"], "")
    assert [step.outcome for step in result.trace if step.action == "retry"] == [of_plan, of_verdict]
    assert (result.usage.llm_calls, result.usage.prompt_tokens, result.usage.completion_tokens) == (4, 400, 40)
    first, again = llm_server.asked[2:]
    assert (
        again["messages"]
        == [
            *first["messages"],  # type: ignore[misc]
            {"role": "assistant", "content": said[:1_000]},
            {
                "role": "user",
                "content": "That cannot be read. Send one JSON object as asked for, and nothing else. The trouble: "
                + of_verdict,
            },
        ]
    )
    assert again["temperature"] == first["temperature"]


@pytest.mark.parametrize(
    ("kind", "question", "route"),
    [*((kind, DEEP, "executor") for kind in UNREADABLE), ("truncated", UNPARSEABLE, "hybrid")],
)
def test_nothing_usable_at_all(llm_server: LlmServer, kind: str, question: str, route: str) -> None:
    """Four bad replies leave the question where it would be without a model, and the reason says so."""
    said, of_plan, of_verdict = UNREADABLE[kind]
    say(llm_server, *[said] * 4)
    result, before = asker(llm_server).ask(question, k=4), unaided().ask(question, k=4)
    assert acts(result) == ["retry", "failed", "retry", "failed"]
    assert [step.outcome for step in result.trace if step.prompt] == [of_plan, of_plan, of_verdict, of_verdict]
    assert result.stopped.startswith("llm: no usable reply to judge@")
    assert result.stopped.endswith(of_verdict)
    assert (result.route, before.route) == (route, route)
    assert result.reason == before.reason.replace("no language model configured", "the language model gave nothing")
    assert "the language model gave nothing" in result.reason
    assert (result.evidence, result.plan, result.confidence) == (before.evidence, before.plan, before.confidence)
    assert (result.answer, result.judgement, len(llm_server.asked)) == (None, None, 4)


@pytest.mark.parametrize(
    ("replies", "first"),
    [(["?", "??"], ["retry", "failed"]), ([{"questions": ["Who painted Guernica?", "When did #1 die?"]}], ["plan"])],
    ids=["none", "of another question"],
)
def test_without_a_plan_of_the_model_that_of_the_rules_stays(
    llm_server: LlmServer, replies: list[object], first: list[str]
) -> None:
    """The loop goes on with it, and finds what is missing."""
    say(llm_server, *replies, no(0.3), ASK, YES)
    result = asker(llm_server).ask(DEEP, k=5)
    assert acts(result) == [*first, "judge", "ask", "judge"]
    assert [hop.text for hop in result.plan.hops] == DEEP_HOPS
    assert (result.route, result.stopped) == ("chain", "")
    assert "turin" in ids(result)


@pytest.mark.parametrize(
    ("replies", "last", "name"),
    [
        ([PLAN, "?", "??"], ["plan", "retry", "failed"], "judge"),
        ([PLAN, no(0.3), "?", "??"], ["judge", "retry", "failed"], "follow_up"),
        ([PLAN, no(0.3), ASK, "?", "??"], ["ask", "retry", "failed"], "judge"),
    ],
)
def test_without_a_verdict_or_a_query_the_loop_ends(
    llm_server: LlmServer, replies: list[object], last: list[str], name: str
) -> None:
    """With what was found up to there; what the model did say counts."""
    say(llm_server, *replies)
    result = asker(llm_server).ask(DEEP, k=5)
    assert result.stopped.startswith(f"llm: no usable reply to {name}@")
    assert (acts(result)[-3:], result.route) == (last, "chain")
    assert ("turin" in ids(result)) == (ASK in replies)


def test_wrapped_replies_are_read(llm_server: LlmServer) -> None:
    """Fences, prose, other objects before it and a null cost no second call; the last object that fits counts."""
    quoted, meant = json.dumps(YES), json.dumps(no(0.3) | {"missing": None})
    say(
        llm_server, f"```json\n{json.dumps(PLAN)}\n```", f"[2] says {quoted}, but {meant} {{}}", ASK, f"<b>{quoted}</b>"
    )
    result = asker(llm_server).ask(DEEP, k=5)
    assert (acts(result), result.stopped) == (["plan", "judge", "ask", "judge"], "")
    assert [step.outcome for step in result.trace if step.action == "judge"] == [
        "not sufficient, confidence 0.30",
        "sufficient, confidence 0.90",
    ]
    assert "turin" in ids(result)


def test_a_failing_server_is_asked_again(llm_server: LlmServer) -> None:
    """After half a second each; every try counts, a cut one as if it had come; the trace has the failures."""
    llm_server.will_fail(429)
    say(llm_server, PLAN)
    llm_server.will_fail(500)
    say(llm_server, no(0.3))
    llm_server.will_cut()
    say(llm_server, ASK, YES)
    begun = time.monotonic()
    result = asker(llm_server).ask(DEEP, k=5)
    assert time.monotonic() - begun >= 1.5
    assert acts(result) == ["failed", "plan", "failed", "judge", "failed", "ask", "judge"]
    failures = [step.outcome for step in result.trace if step.action == "failed"]
    assert failures[:2] == ["status 429: refused", "status 500: refused"]
    assert failures[2].startswith("connection error: ")
    assert (result.stopped, "turin" in ids(result)) == ("", True)
    cut = estimate_tokens([Message(said["role"], said["content"]) for said in llm_server.asked[4]["messages"]])
    assert (result.usage.llm_calls, len(llm_server.asked)) == (7, 7)
    assert (result.usage.prompt_tokens, result.usage.completion_tokens) == (400 + cut, 40 + 200)


@pytest.mark.parametrize(
    ("attempts", "statuses", "stopped"),
    [
        (1, [503], "llm: status 503: refused"),
        (2, [503, 502], "llm: status 502: refused"),
        (3, [401], "llm: status 401: refused"),
    ],
)
def test_tries_are_bounded(llm_server: LlmServer, attempts: int, statuses: list[int], stopped: str) -> None:
    """A refusal is final, and so is the last try; a failed model leaves the question as it was without one."""
    for status in statuses:
        llm_server.will_fail(status)
    say(llm_server, PLAN, YES)
    result = asker(llm_server, chain=ChainSettings(attempts=attempts)).ask(DEEP)
    assert (result.stopped, len(llm_server.asked), result.usage.llm_calls) == (stopped, len(statuses), len(statuses))
    assert (result.route, result.evidence) == ("executor", unaided().ask(DEEP).evidence)


def test_a_failure_keeps_what_was_found_before(llm_server: LlmServer) -> None:
    """The follow-up's passage stays, and the verdict before it, though that on it never came."""
    say(llm_server, PLAN, no(0.3), ASK)
    llm_server.will_fail(403)
    result = asker(llm_server).ask(DEEP, k=5)
    assert (result.stopped, result.route, acts(result)[-1]) == ("llm: status 403: refused", "chain", "failed")
    assert result.judgement == Judgement(False, 0.3, "the river of Turin")
    assert "turin" in ids(result)


def test_a_server_says_when_to_come_again(llm_server: LlmServer) -> None:
    """It is left alone for as long as that."""
    llm_server.will_fail(429, headers={"Retry-After": "0.8"})
    say(llm_server, PLAN, YES)
    begun = time.monotonic()
    assert asker(llm_server).ask(DEEP).stopped == ""
    assert time.monotonic() - begun >= 0.8


def test_no_try_that_would_come_too_late(llm_server: LlmServer) -> None:
    """Where it asks for more time than there is the work ends at once."""
    llm_server.will_fail(429, headers={"Retry-After": "10"})
    begun = time.monotonic()
    result = asker(llm_server, budget=Budget(seconds=10)).ask(DEEP)
    assert time.monotonic() - begun < 10
    assert (result.stopped, result.usage.llm_calls) == ("budget:seconds", 1)


class Model:
    """A model that somebody wrote: it does whatever `act` does."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.complete_calls, self._act = 0, act

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Return or raise what `act` does."""
        self.complete_calls += 1
        return self._act()  # type: ignore[return-value]


def asked(act: Callable[[], object], attempts: int = 3) -> Result:
    """Ask a model that does that."""
    settings = ChainSettings(attempts=attempts, answer=True)
    return Asker(index(), llm=Model(act), chain=settings, decomposer=decomposer()).ask(DEEP, k=4)


def raising(error: BaseException) -> Callable[[], object]:
    """Return something that raises that."""

    def act() -> object:
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "stopped"),
    [
        (RuntimeError("a {0}\n%s\x07 b"), "llm: RuntimeError: a {0} %s b"),
        (KeyError("text"), "llm: KeyError: 'text'"),
        (StopIteration(), "llm: RuntimeError: StopIteration"),
        (RecursionError("too deep"), "llm: RecursionError: too deep"),
        (MemoryError(), "llm: MemoryError:"),
        (TimeoutError("slow"), "llm: TimeoutError: slow"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no"), "llm: UnicodeEncodeError: 'utf-8' codec"),
        (LlmError("out of order"), "llm: out of order"),
    ],
)
def test_whatever_a_model_raises(error: Exception, stopped: str) -> None:
    """Nothing of it comes out but one line of why; it is not tried again, and the evidence is there."""
    result = asked(raising(error))
    assert result.stopped.startswith(stopped)
    assert result.stopped.isprintable()
    assert (result.usage.llm_calls, result.route, result.answer) == (1, "executor", None)
    assert result.evidence == unaided().ask(DEEP, k=4).evidence


def test_a_pause_that_is_none() -> None:
    """A model that asks for one that is no number is asked again in the usual time."""
    begun = time.monotonic()
    result = asked(raising(LlmError("busy", may_pass=True, retry_after=float("nan"))), attempts=2)
    assert time.monotonic() - begun >= 0.5
    assert (result.stopped, result.usage.llm_calls) == ("llm: busy", 2)


def test_an_endless_pause() -> None:
    """It is not waited for, and no answer is asked of a model that is not to be called."""
    result = asked(raising(LlmError("busy", may_pass=True, retry_after=float("inf"))))
    assert (result.stopped, result.usage.llm_calls) == ("budget:seconds", 1)


@pytest.mark.parametrize(
    ("given", "stopped"),
    [
        (None, "llm: the model gave NoneType, no Completion with a text"),
        ("text", "llm: the model gave str, no Completion with a text"),
        (Completion(None, 1, 1), "llm: the model gave Completion, no Completion with a text"),  # type: ignore[arg-type]
        (Completion("{}", -1, 1), "llm: the model counted (-1, 1) tokens"),
        (Completion("{}", 1, True), "llm: the model counted (1, True) tokens"),
        (Completion("{}", 1.5, 1), "llm: the model counted (1.5, 1) tokens"),  # type: ignore[arg-type]
        (Completion("{}", 10**10, 1), "llm: the model counted (10000000000, 1) tokens"),
    ],
)
def test_whatever_a_model_returns(given: object, stopped: str) -> None:
    """What is no completion is a failure, and takes no part in the sums."""
    result = asked(lambda: given)
    assert (result.stopped, result.usage.llm_calls, result.usage.prompt_tokens) == (stopped, 1, 0)
    assert result.evidence == unaided().ask(DEEP, k=4).evidence


def test_text_that_no_encoding_can_carry() -> None:
    """Half a surrogate pair in a reply is one more that cannot be read; the answer is asked for all the same."""
    result = asked(lambda: Completion('\ud800{"questions": "\ud800"}', 1, 1))
    assert acts(result) == ["retry", "failed"] * 3


def test_wrong_input_is_not_the_models_fault() -> None:
    """It is raised, as everywhere; so is what is no model at all."""
    with pytest.raises(InputError, match="name the model"):
        asked(raising(InputError("name the model")))
    with pytest.raises(InputError, match=r"^'gpt' is no language model; give an object with the method `complete`"):
        Asker(index(), llm="gpt")  # type: ignore[arg-type]


def cancelling(server: LlmServer) -> Result:
    """Ask, and cancel as soon as the first request is there; from then on it takes less time than its reply."""
    cancel, begun = threading.Event(), 0.0

    def watch() -> None:
        nonlocal begun
        while not server.asked:
            time.sleep(0.01)
        begun = time.monotonic()
        cancel.set()

    thread = threading.Thread(target=watch)
    thread.start()
    result = asker(server, chain=ChainSettings(answer=True)).ask(DEEP, cancel=cancel)
    thread.join()
    assert time.monotonic() - begun < SLOW
    return result


def test_cancelling_while_a_reply_is_awaited(llm_server: LlmServer) -> None:
    """The evidence of the rules comes back, and no answer is asked for."""
    say(llm_server, PLAN, delay=SLOW)
    result = cancelling(llm_server)
    assert (result.stopped, result.answer, result.usage.llm_calls) == ("cancelled", None, 1)
    assert (result.trace[-1].action, result.trace[-1].outcome) == ("failed", "cancelled")
    assert result.usage.completion_tokens == 500  # the plan may take as many, and the server goes on
    assert (result.route, result.evidence) == ("executor", unaided().ask(DEEP).evidence)


def test_cancelling_while_a_server_is_left_alone(llm_server: LlmServer) -> None:
    """The pause is not sat out."""
    llm_server.will_fail(429, headers={"Retry-After": "30"})
    result = cancelling(llm_server)
    assert (result.stopped, result.usage.llm_calls) == ("cancelled", 1)


@pytest.mark.parametrize("question", [DEEP, UNPARSEABLE, "Who is the architect of the Glass Hall?"])
def test_after_cancelling_nothing_is_sent(question: str) -> None:
    """Neither for the loop nor for an answer; the search is done all the same."""
    cancel = threading.Event()
    cancel.set()
    model = Model(lambda: Completion("{}", 1, 1))
    settings = ChainSettings(answer=True)
    result = Asker(index(), llm=model, chain=settings, decomposer=decomposer()).ask(question, cancel=cancel)
    assert (result.stopped, result.usage.llm_calls, model.complete_calls) == ("cancelled", 0, 0)
    assert result.evidence == unaided().ask(question).evidence
