"""The whole way of a question: plan, route, search, and the language model where the rules end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..decompose import Decomposer, Plan
from ..retrieval import Evidence, Hit, Index
from ..retrieval.engines import check_k
from ..retrieval.executor import Executor
from ..retrieval.ranking import strictly
from ..retrieval.types import Outcome
from .budget import Budget, Meter
from .chain import Chain
from .llm import Llm
from .router import route
from .types import Result, Step


class Asker:
    """Answers questions from one index. Build it once and ask often: the model loads once.

    llm: asked where the rules end; None: never. budget: what one question may cost the language model. The
    titles of the collection are names to the decomposer, unless `decomposer` brings one of its own.
    """

    def __init__(
        self,
        index: Index,
        *,
        llm: Llm | None = None,
        budget: Budget | None = None,
        decomposer: Decomposer | None = None,
    ) -> None:
        self._index = index
        self._llm = llm
        self._budget = budget or Budget()
        self.decomposer = decomposer or Decomposer(titles=titles(index))

    @cached_property
    def _executor(self) -> Executor:
        """The executor, made when the first plan needs it."""
        return Executor(self._index)

    def ask(self, question: str, *, k: int = 10) -> Result:
        """Return at most `k` passages for the question. InputError on an empty question or `k` below 1."""
        check_k(k)
        meter = Meter(self._budget)
        return self._follow(self.decomposer.decompose(question), k, meter)

    def pipe(self, questions: Iterable[str], *, k: int = 10) -> Iterator[Result]:
        """Yield what `ask` gives for each question, in their order; `seconds` are without the parse."""
        check_k(k)
        for plan in self.decomposer.pipe(questions):
            yield self._follow(plan, k, Meter(self._budget))

    def _follow(self, plan: Plan, k: int, meter: Meter) -> Result:
        """Take the route of a plan."""
        chosen = route(plan, has_llm=self._llm is not None)
        if chosen.name == "executor" or (chosen.name == "chain" and plan.hops):
            evidence, steps = self._execute(plan, k, meter)
        else:
            evidence, steps = self._search(plan, k, meter)
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
            answer=answer,
            usage=meter.usage(),
            stopped=stopped,
            trace=tuple(steps),
        )

    def _search(self, plan: Plan, k: int, meter: Meter) -> tuple[tuple[Evidence, ...], list[Step]]:
        """Search the question once."""
        hits = self._index.search(plan.question, k)
        meter.searches += 1
        hop = 1 if plan.kind == "single" else 0
        return evidence_of(self._index, hits, hop), [Step("search", plan.question, f"{len(hits)} passages")]

    def _execute(self, plan: Plan, k: int, meter: Meter) -> tuple[tuple[Evidence, ...], list[Step]]:
        """Walk the plan."""
        outcome = self._executor.run(plan, k)
        meter.searches += outcome.searches
        return outcome.evidence, [*_steps(outcome)]


def ask(question: str, index: Index, *, k: int = 10, llm: Llm | None = None) -> Result:
    """Answer one question; with several, build an `Asker` and keep it."""
    return Asker(index, llm=llm).ask(question, k=k)


def titles(index: Index) -> list[str]:
    """Return the titles of the collection, each once, in the order of the passage ids."""
    return list(dict.fromkeys(passage.title for passage in index.passages if passage.title))


def evidence_of(index: Index, hits: Sequence[Hit], hop: int) -> tuple[Evidence, ...]:
    """Return hits as evidence for a hop, with equal scores made strictly decreasing."""
    scores = strictly([hit.score for hit in hits])
    return tuple(
        Evidence(index.passage(hit.id), score, hop, "") for hit, score in zip(hits, scores, strict=True)
    )


def _steps(outcome: Outcome) -> Iterator[Step]:
    """Yield the searches of an executed plan, then the likeliest bridge of each hop."""
    for query in outcome.queries:
        yield Step("search", query, "")
    seen: set[int] = set()
    for bridge in outcome.bridges:
        if bridge.hop not in seen:
            seen.add(bridge.hop)
            yield Step("bridge", f"#{bridge.hop}", f"{bridge.name} ({bridge.passage_id})")
