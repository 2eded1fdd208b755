"""Chain of query: search, let a language model judge, search for what it still misses, within a budget.

The loop of IRCoT (Trivedi et al. 2023) with queries in place of thoughts. Whatever goes wrong, the best
evidence so far comes back, never less than the search that it started from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..retrieval.fusion import fuse
from ..retrieval.ranking import strictly
from ..retrieval.types import Evidence, Retriever
from . import prompts
from .budget import Meter
from .llm import Llm, LlmError, Message, estimate_tokens, read_json
from .types import Step

T = TypeVar("T")

_JUDGE_TEMPERATURE = 0.1
_QUERY_TEMPERATURE = 0.3
_REPLY_TOKENS = 300


@dataclass(slots=True)
class Chain:
    """One run of the loop over one question; `run` it once, then read the fields.

    evidence: the merged ranking, at most `k`. answer: the model's, None where it gave none. stopped: why it
    ended before the model was satisfied, empty where it was. steps: what was done.
    """

    question: str
    evidence: tuple[Evidence, ...]
    retriever: Retriever
    llm: Llm
    meter: Meter
    k: int
    answer: str | None = None
    stopped: str = ""
    steps: list[Step] = field(default_factory=list)

    def run(self) -> None:
        """Judge and search further until the model is satisfied or a limit is reached."""
        rankings = [self.evidence]
        searched: list[str] = [self.question]
        budget = self.meter.budget
        for turn in range(budget.rounds + 1):
            if self._satisfied() or self.stopped:
                return
            if turn == budget.rounds or len(searched) > budget.hops:
                self.stopped = "rounds" if turn == budget.rounds else "hops"
                return
            queries = self._queries(searched)[: budget.hops + 1 - len(searched)]
            if not queries:
                self.stopped = self.stopped or "no new query"
                return
            searched += queries
            rankings += [self._search(query) for query in queries]
            self.evidence = merge(rankings, self.k)

    def _satisfied(self) -> bool:
        """Ask whether the evidence suffices, and keep the answer given."""
        asked = prompts.judge(self.question, [item.passage for item in self.evidence])
        verdict = self._ask(asked, _JUDGE_TEMPERATURE, prompts.read_verdict)
        if verdict is None:
            return False
        self.answer = verdict.answer or self.answer
        outcome = "sufficient" if verdict.sufficient else "not sufficient"
        self.steps.append(Step("judge", self.question, outcome))
        return verdict.sufficient

    def _queries(self, searched: Sequence[str]) -> list[str]:
        """Ask for queries that were not searched before."""
        asked = prompts.follow_up(self.question, [item.passage for item in self.evidence], searched)
        queries = self._ask(asked, _QUERY_TEMPERATURE, prompts.read_queries) or ()
        old = {query.casefold() for query in searched}
        new = [query for query in queries if query.casefold() not in old]
        if queries:
            self.steps.append(Step("ask", self.question, " | ".join(new)))
        return new

    def _search(self, query: str) -> tuple[Evidence, ...]:
        """Search one follow-up query."""
        hits = self.retriever.search(query, self.k)
        self.meter.searches += 1
        self.steps.append(Step("search", query, " ".join(hit.id for hit in hits)))
        return tuple(Evidence(self.retriever.passage(hit.id), hit.score, 0, "") for hit in hits)

    def _ask(
        self, messages: list[Message], temperature: float, read: Callable[[dict[str, object]], T | None]
    ) -> T | None:
        """Return what `read` makes of the reply, asking a second time where it makes nothing of the first."""
        for _ in range(2):
            needed = sum(estimate_tokens(message.content) for message in messages) + _REPLY_TOKENS
            self.stopped = self.meter.limit(needed)
            if self.stopped:
                return None
            try:
                reply = self.llm.complete(
                    messages, temperature=temperature, max_tokens=_REPLY_TOKENS, timeout=self.meter.left()
                )
            except LlmError as error:
                self.meter.failed(error.calls)
                self.stopped = f"language model: {error}"
                return None
            self.meter.add(reply)
            found = read_json(reply.text, read)
            if found is not None:
                return found
            said = Message("assistant", reply.text[:_REPLY_TOKENS])
            messages = [*messages, said, Message("user", prompts.AGAIN)]
        self.stopped = "language model: no usable reply"
        return None


def merge(rankings: Sequence[Sequence[Evidence]], k: int) -> tuple[Evidence, ...]:
    """Return the first `k` by the sum of 1 / (60 + rank) over the rankings, ties by passage id.

    A passage keeps the provenance of the first ranking that has it. Scores are made strictly decreasing.
    """
    first: dict[str, Evidence] = {}
    for ranking in rankings:
        for item in ranking:
            first.setdefault(item.passage.id, item)
    fused = fuse([(1, [item.passage.id for item in ranking]) for ranking in rankings])[:k]
    scores = strictly(score for _, score in fused)
    return tuple(replace(first[each], score=score) for (each, _), score in zip(fused, scores, strict=True))
