"""The whole way of a question: plan, route, search, and the language model where the rules end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ..decompose import Decomposer, Plan
from ..retrieval import Index
from ..retrieval.engines import check_k
from ..retrieval.executor import Executor
from ..retrieval.types import Outcome, Retriever
from .budget import Budget, Meter
from .chain import Chain
from .llm import Llm
from .router import route
from .types import Result, Step


class Asker:
    """Answers questions from one `Index`, or from any other `Retriever`.

    Build it once and ask often: the model loads once.

    llm: asked where the rules end; None: never. budget: what one question may cost the language model. The
    titles of an `Index` are names to the decomposer, unless `decomposer` brings its own.
    """

    def __init__(
        self,
        index: Retriever,
        *,
        llm: Llm | None = None,
        budget: Budget | None = None,
        decomposer: Decomposer | None = None,
    ) -> None:
        self._index = index
        self._llm = llm
        self._budget = budget or Budget()
        self._decomposer = decomposer or Decomposer(titles=titles(index))

    @cached_property
    def _executor(self) -> Executor:
        """The executor, made for the first question."""
        return Executor(self._index)

    def ask(self, question: str, *, k: int = 10) -> Result:
        """Return at most `k` passages for the question. InputError on an empty question or `k` below 1."""
        check_k(k)
        meter = Meter(self._budget)
        return self._follow(self._decomposer.decompose(question), k, meter)

    def pipe(self, questions: Iterable[str], *, k: int = 10) -> Iterator[Result]:
        """Yield what `ask` gives for each question, in their order; `seconds` are without the parse."""
        check_k(k)
        for plan in self._decomposer.pipe(questions):
            yield self._follow(plan, k, Meter(self._budget))

    def _follow(self, plan: Plan, k: int, meter: Meter) -> Result:
        """Search a plan, and go on as its route says."""
        chosen = route(plan, has_llm=self._llm is not None)
        outcome = self._executor.run(plan, k)
        meter.searches += outcome.searches
        evidence, steps = outcome.evidence, list(_steps(outcome))
        answer, stopped = None, ""
        if chosen.name == "chain" and self._llm is not None:
            chain = Chain(plan.question, evidence, self._index, self._llm, meter, k, steps=steps)
            chain.run()
            evidence, answer, stopped = chain.evidence, chain.answer, chain.stopped
        return Result(
            question=plan.question,
            plan=plan,
            route=chosen.name,
            reason=chosen.reason,
            evidence=evidence,
            confidence=outcome.confidence,
            answer=answer,
            usage=meter.usage(),
            stopped=stopped,
            trace=tuple(steps),
        )


def ask(question: str, index: Retriever, *, k: int = 10, llm: Llm | None = None) -> Result:
    """Answer one question; for several, build an `Asker` and keep it."""
    return Asker(index, llm=llm).ask(question, k=k)


def titles(index: Retriever) -> list[str]:
    """Return the titles of an `Index`, each once, in the order of the passage ids; another engine tells none."""
    if not isinstance(index, Index):
        return []
    return list(dict.fromkeys(passage.title for passage in index.passages if passage.title))


def _steps(outcome: Outcome) -> Iterator[Step]:
    """Yield the searches of an outcome, then the likeliest bridge of each hop."""
    for query in outcome.queries:
        yield Step("search", query, "")
    seen: set[int] = set()
    for bridge in outcome.bridges:
        if bridge.hop not in seen:
            seen.add(bridge.hop)
            yield Step("bridge", f"#{bridge.hop}", f"{bridge.name} ({bridge.passage_id})")
