"""The whole way of a question: plan, search, route, and the language model where the rules end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from ..decompose import Decomposer, InputError, Plan
from ..retrieval import Index
from ..retrieval.engines import check_k
from ..retrieval.executor import Executor
from ..retrieval.types import Evidence, Outcome, Retriever
from . import prompting
from .budget import Budget, Meter, Price
from .calls import Caller, StopError
from .chain import Chain, ChainSettings, depth, told
from .llm import Llm
from .router import RouterSettings, route
from .threads import start
from .types import Answer, Result, Route


class Asker:
    """Answers questions from one `Index`, or from any other `Retriever`.

    Build it once and ask often, in as many threads as you like: the model loads once.

    llm: asked where the rules end; None: never. budget: what one question may cost the language model. price: of its
    tokens. router: which questions go to it. chain: how it is asked. The titles of an `Index` are names to the
    decomposer, unless `decomposer` brings its own.
    """

    def __init__(
        self,
        index: Retriever,
        *,
        llm: Llm | None = None,
        budget: Budget | None = None,
        price: Price | None = None,
        router: RouterSettings | None = None,
        chain: ChainSettings | None = None,
        decomposer: Decomposer | None = None,
    ) -> None:
        self._index = index
        if llm is not None and not callable(getattr(llm, "complete", None)):
            raise InputError(f"{llm!r} is no language model; give an object with the method `complete`, see `Llm`")
        self._llm = llm
        self._budget = budget or Budget()
        self._price = price
        self._router = router or RouterSettings()
        self._chain = chain or ChainSettings()
        self._decomposer = decomposer or Decomposer(titles=titles(index))

    @cached_property
    def _kept(self) -> Executor:
        """The executor of an index, made for the first question."""
        return Executor(self._index)

    def _executor(self) -> Executor:
        """Return the executor for a question: a new one where passages may change behind their ids."""
        return self._kept if isinstance(self._index, Index) else Executor(self._index)

    def ask(self, question: str, *, k: int = 10, cancel: threading.Event | None = None) -> Result:
        """Return at most `k` passages for the question. InputError on an empty question or `k` below 1.

        Once `cancel` is set, no further call of the language model is made or waited for, and what there is comes back.
        """
        check_k(k)
        meter = self._meter()
        return self._follow(self.plan(question), k, meter, cancel or threading.Event())

    def plan(self, question: str, *, explain: bool = False) -> Plan:
        """Return the plan of the rules, as `Decomposer.decompose` gives it."""
        return self._decomposer.decompose(question, explain=explain)

    async def aask(self, question: str, *, k: int = 10) -> Result:
        """Return what `ask` returns, without blocking the event loop; cancelling the task cancels the work."""
        cancel = threading.Event()
        try:
            return await asyncio.wrap_future(start(lambda: self.ask(question, k=k, cancel=cancel)))
        finally:
            cancel.set()

    def pipe(self, questions: Iterable[str], *, k: int = 10) -> Iterator[Result]:
        """Yield what `ask` gives for each question, in their order; `seconds` are without the parse."""
        check_k(k)
        for plan in self._decomposer.pipe(questions):
            yield self._follow(plan, k, self._meter(), threading.Event())

    def _meter(self) -> Meter:
        return Meter(self._budget, self._price)

    def _follow(self, plan: Plan, k: int, meter: Meter, cancel: threading.Event) -> Result:
        """Search a plan, and go on as its route says."""
        executor = self._executor()
        outcome = executor.run(plan, k if self._llm is None else depth(k))
        steps = told(outcome)
        chosen = route(plan, confidence=outcome.confidence, has_llm=self._llm is not None, settings=self._router)
        evidence, bridges, stopped, judgement, answer = outcome.evidence, outcome.bridges, "", None, None
        if self._llm is not None:
            caller = Caller(self._llm, meter, steps, attempts=self._chain.attempts, cancel=cancel)
            if chosen.name == "chain":
                chain = self._chained(plan, outcome, executor, caller, k)
                plan, evidence, bridges = chain.plan, chain.evidence, chain.bridges
                stopped, judgement = chain.stopped, chain.judgement
                if not caller.heard:
                    chosen = _degraded(plan)
            if self._chain.answer and evidence and not caller.gone:
                answer, trouble = _answered(caller, plan.question, evidence[:k])
                stopped = stopped or trouble
        return Result(
            question=plan.question,
            plan=plan,
            route=chosen.name,
            reason=chosen.reason,
            evidence=evidence[:k],
            bridges=bridges,
            confidence=outcome.confidence,
            judgement=judgement,
            answer=answer,
            usage=meter.usage(sum(step.action == "search" for step in steps)),
            stopped=stopped,
            trace=tuple(steps),
        )

    def _chained(self, plan: Plan, outcome: Outcome, executor: Executor, caller: Caller, k: int) -> Chain:
        """Run the loop."""
        chain = Chain(
            plan,
            outcome,
            executor=executor,
            retriever=self._index,
            caller=caller,
            settings=self._chain,
            k=depth(k),
        )
        chain.run()
        return chain


def ask(question: str, index: Retriever, *, k: int = 10, llm: Llm | None = None) -> Result:
    """Answer one question; for several, build an `Asker` and keep it."""
    return Asker(index, llm=llm).ask(question, k=k)


def titles(index: Retriever) -> list[str]:
    """Return the titles of an `Index`, each once, in the order of the passage ids; another engine tells none."""
    if not isinstance(index, Index):
        return []
    return list(dict.fromkeys(passage.title for passage in index.passages if passage.title))


def _degraded(plan: Plan) -> Route:
    """Return the route of a plan that the language model should have helped with and did not."""
    lacking = "the language model gave nothing"
    chosen = route(plan, lacking=lacking)
    return chosen if lacking in chosen.reason else replace(chosen, reason=f"{chosen.reason}; {lacking}")


def _answered(caller: Caller, question: str, evidence: tuple[Evidence, ...]) -> tuple[Answer | None, str]:
    """Return the model's answer, None where it gives none, and the trouble there was."""
    room = caller.meter.budget.judge_tokens
    passages = [item.passage for item in evidence]
    try:
        prompt = prompting.answer(question, passages, room)
        said = caller.ask(prompt, "answer", question, lambda reply: reply.answer or "none in the passages")
    except StopError as stop:
        return None, str(stop)
    shown = passages[: len(prompting.shown(passages, room))]
    cited = dict.fromkeys(shown[number - 1].id for number in said.passages if 0 < number <= len(shown))
    return (Answer(said.answer, tuple(cited), said.contradictions) if said.answer else None), ""
