"""One question to a language model: within the limits, tried again where that may help, read as data, written down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, TypeVar

from ..decompose.plan import InputError
from .budget import Meter
from .llm import Completion, Llm, LlmError, Message, estimate_tokens, is_count, sendable
from .prompting import AGAIN, Prompt
from .replies import R, clean, read
from .threads import start
from .types import Step

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")

_GLANCE = 0.05  # seconds between two looks at whether the work was cancelled
_MOST_CHANGES = 8  # of how a call is made
_REPEATED = 1_000  # characters of an unusable reply that are shown to the model again


class StopError(Exception):
    """The work ends here. Its text is what a result's `stopped` says."""


class UnusableError(StopError):
    """The model replied, twice, and not as it was asked to."""


class Caller:
    """Asks one model on behalf of one question.

    Every try of a call is checked against the meter, and counts. heard: whether any reply could be used. gone: the
    model failed, or there is no time: nothing more is to be asked of it.
    """

    def __init__(self, llm: Llm, meter: Meter, steps: list[Step], *, attempts: int, cancel: threading.Event) -> None:
        self.meter, self.heard, self.gone, self.steps = meter, False, False, steps
        self._llm, self._attempts, self._cancel = llm, attempts, cancel

    def ask(self, prompt: Prompt[R], action: str, text: str, tell: Callable[[R], str]) -> R:
        """Return the reply, and write down the step with what `tell` says of it.

        A reply that cannot be read is asked for once more. StopError at a limit, where the model fails or the work is
        cancelled; UnusableError where the second reply cannot be read either.
        """
        messages, problem = prompt.messages, ""
        for again in (False, True):
            begun = time.monotonic()
            completion = self._tried(messages, prompt)
            found = read(completion.text, prompt.form)
            if isinstance(found, str):
                problem = clean(found)
                self._note("failed" if again else "retry", prompt, text, problem, completion, begun)
                said = Message("assistant", sendable(completion.text[:_REPEATED]))
                messages = (*messages, said, Message("user", AGAIN + problem))
                continue
            self.heard = True
            self._note(action, prompt, text, tell(found), completion, begun)
            return found
        raise UnusableError(f"llm: no usable reply to {prompt.name}: {problem}")

    def _note(
        self, action: str, prompt: Prompt[Any], text: str, outcome: str, completion: Completion, begun: float
    ) -> None:
        used, seconds = (completion.prompt_tokens, completion.completion_tokens), time.monotonic() - begun
        self.steps.append(Step(action, text, outcome, (), prompt.name, *used, seconds))

    def _tried(self, messages: Sequence[Message], prompt: Prompt[Any]) -> Completion:
        """Return the completion of the first try that has one."""
        from tenacity import Retrying, retry_if_exception  # noqa: PLC0415

        tries = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, LlmError) and error.may_pass),
            stop=_Enough(self._attempts),
            wait=_pause,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return tries(self._once, messages, prompt)
        except LlmError as error:
            raise self._gone(f"llm: {clean(str(error))}") from error

    def _once(self, messages: Sequence[Message], prompt: Prompt[Any]) -> Completion:
        """Send one request."""
        if self._cancel.is_set():
            raise self._gone("cancelled")
        needed = estimate_tokens(messages), prompt.max_tokens
        limit = self.meter.limit(*needed)
        if limit:
            raise StopError(f"budget:{limit}")
        self.meter.called()
        begun, schema = time.monotonic(), prompt.form.model_json_schema()
        try:
            made = start(lambda: self._llm.complete(messages, prompt.temperature, prompt.max_tokens, schema))
            completion = _checked(self.wait_for(made))
        except InputError:
            raise
        except Exception as error:  # the model is the caller's: whatever it raises, the evidence comes back
            is_ours = isinstance(error, LlmError | StopError)
            failure = error if is_ours else LlmError(f"{type(error).__name__}: {error}")
            # Who is not waited for works on, and is paid: what the call was estimated at is counted.
            counted = needed if isinstance(error, StopError) or getattr(failure, "sent", False) else (0, 0)
            self.meter.add(*counted)
            seconds = time.monotonic() - begun
            self.steps.append(Step("failed", "", clean(str(failure)), (), prompt.name, *counted, seconds))
            raise failure from error
        self.meter.add(completion.prompt_tokens, completion.completion_tokens)
        return completion

    def wait_for(self, future: Future[T]) -> T:
        """Return a result, or raise its error; StopError where time runs out or somebody cancels before that."""
        while not future.done():
            if self._cancel.is_set():
                raise self._gone("cancelled")
            left = self.meter.left()
            if left <= 0:
                raise self._gone("budget:seconds")
            wait([future], min(left, _GLANCE))
        return future.result()

    def _gone(self, reason: str) -> StopError:
        """Return why nothing more is to be asked."""
        self.gone = True
        return StopError(reason)

    def _sleep(self, seconds: float) -> None:
        """Wait before another try, but not for one that would come too late."""
        limit = self.meter.limit(0, 0)
        if limit:
            raise StopError(f"budget:{limit}")
        if seconds >= self.meter.left():
            raise self._gone("budget:seconds")
        if self._cancel.wait(min(seconds, threading.TIMEOUT_MAX)):
            raise self._gone("cancelled")


class _Enough:
    """Says when the tries of one call are over: after so many, not counting those after which it is made otherwise."""

    def __init__(self, attempts: int) -> None:
        self._left, self._changes = attempts, _MOST_CHANGES

    def __call__(self, state: RetryCallState) -> bool:
        """Count a try that failed."""
        if _failure(state).changed and self._changes:
            self._changes -= 1
        else:
            self._left -= 1
        return self._left <= 0


def _pause(state: RetryCallState) -> float:
    """Return the seconds before the next try: half a second, doubled with each, or what the model asked for."""
    from tenacity import wait_exponential  # noqa: PLC0415

    failure = _failure(state)
    asked = failure.retry_after if isinstance(failure.retry_after, float | int) else 0.0
    usual = wait_exponential(multiplier=0.5, max=30)(state)
    return 0.0 if failure.changed else max(usual, asked)  # in this order NaN counts for nothing


def _failure(state: RetryCallState) -> LlmError:
    """Return why a try failed."""
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, LlmError) else LlmError("")


def _checked(completion: object) -> Completion:
    """Return a completion that can be counted; LlmError where a model gave something else."""
    if not isinstance(completion, Completion) or not isinstance(completion.text, str):
        raise LlmError(f"the model gave {type(completion).__name__}, no Completion with a text")
    counts = (completion.prompt_tokens, completion.completion_tokens)
    if not all(map(is_count, counts)):
        raise LlmError(f"the model counted {counts} tokens")
    return completion
