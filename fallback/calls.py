"""One question to a language model: within the limits, tried again where that may help, read as data, written down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, TypeVar

from ..decompose.plan import InputError
from .budget import Meter
from .llm import MOST_TOKENS, Completion, Llm, LlmError, Message, estimate_tokens
from .prompting import AGAIN, Prompt
from .replies import R, clean, read
from .threads import start
from .types import Step

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")

_GLANCE = 0.05  # seconds between two looks at whether the work was cancelled
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_REPEATED = 1_000  # characters of an unusable reply that are shown to the model again


class StopError(Exception):
    """The work ends here. `reason` is what a result's `stopped` says."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnusableError(StopError):
    """The model replied, twice, and not as it was asked to."""


class Caller:
    """Asks one model on behalf of one question.

    Every try of a call is checked against the meter, and counts. heard: whether any reply could be used.
    """

    def __init__(self, llm: Llm, meter: Meter, steps: list[Step], *, attempts: int, cancel: threading.Event) -> None:
        self.meter, self.heard, self.steps = meter, False, steps
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
                sendable = completion.text[:_REPEATED].encode("utf-8", "replace").decode()
                said = Message("assistant", sendable)
                messages = (*messages, said, Message("user", AGAIN + problem))
                continue
            self.heard = True
            self._note(action, prompt, text, tell(found), completion, begun)
            return found
        raise UnusableError(f"llm: no usable reply to {prompt.name}: {problem}")

    def all_of(self, acts: Sequence[Callable[[], T]]) -> list[T]:
        """Do the work of `acts` side by side; return their results in the order of `acts`. StopError as in `ask`."""
        return [self._result(future) for future in [start(act) for act in acts]]

    def _note(
        self, action: str, prompt: Prompt[Any], text: str, outcome: str, completion: Completion, begun: float
    ) -> None:
        used, seconds = (completion.prompt_tokens, completion.completion_tokens), time.monotonic() - begun
        self.steps.append(Step(action, text, outcome, (), prompt.name, *used, seconds))

    def _tried(self, messages: Sequence[Message], prompt: Prompt[Any]) -> Completion:
        """Return the completion of the first try that has one."""
        from tenacity import Retrying, retry_if_exception, stop_after_attempt  # noqa: PLC0415

        tries = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, LlmError) and error.may_pass),
            stop=stop_after_attempt(self._attempts),
            wait=_pause,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return tries(self._once, messages, prompt)
        except LlmError as error:
            raise StopError(f"llm: {clean(str(error))}") from error

    def _once(self, messages: Sequence[Message], prompt: Prompt[Any]) -> Completion:
        """Send one request."""
        if self._cancel.is_set():
            raise StopError("cancelled")
        limit = self.meter.limit(estimate_tokens(messages), prompt.max_tokens)
        if limit:
            raise StopError(f"budget:{limit}")
        self.meter.called()
        begun, schema = time.monotonic(), prompt.form.model_json_schema()
        try:
            made = start(lambda: self._llm.complete(messages, prompt.temperature, prompt.max_tokens, schema))
            completion = _checked(self._result(made))
        except InputError:
            raise
        except Exception as error:  # the model is the caller's: whatever it raises, the evidence comes back
            is_ours = isinstance(error, LlmError | StopError)
            failure = error if is_ours else LlmError(f"{type(error).__name__}: {error}")
            seconds = time.monotonic() - begun
            self.steps.append(Step("failed", "", clean(str(failure)), prompt=prompt.name, seconds=seconds))
            raise failure from error
        self.meter.add(completion)
        return completion

    def _result(self, future: Future[T]) -> T:
        """Wait for a result as long as there is time and nobody cancels."""
        while not future.done():
            if self._cancel.is_set():
                raise StopError("cancelled")
            left = self.meter.left()
            if left <= 0:
                raise StopError("budget:seconds")
            wait([future], min(left, _GLANCE))
        return future.result()

    def _sleep(self, seconds: float) -> None:
        """Wait before another try, but not for one that would come too late."""
        if seconds >= self.meter.left():
            raise StopError("budget:seconds")
        if self._cancel.wait(seconds):
            raise StopError("cancelled")


def _pause(state: RetryCallState) -> float:
    """Return the seconds before the next try: half a second, doubled with each, or what the model asked for."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, LlmError) else 0.0
    usual = min(_FIRST_WAIT * 2.0 ** (state.attempt_number - 1), _LONGEST_WAIT)
    return max(usual, asked)  # in this order one that is no number counts for nothing


def _checked(completion: object) -> Completion:
    """Return a completion that can be counted; LlmError where a model gave something else."""
    if not isinstance(completion, Completion) or not isinstance(completion.text, str):
        raise LlmError(f"the model gave {type(completion).__name__}, no Completion with a text")
    counts = (completion.prompt_tokens, completion.completion_tokens)
    if not all(type(count) is int and 0 <= count <= MOST_TOKENS for count in counts):
        raise LlmError(f"the model counted {counts} tokens")
    return completion
