"""What splits questions for LlamaIndex's query engines, without a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.question_gen.types import BaseQuestionGenerator, SubQuestion
from llama_index.core.schema import QueryBundle
from llama_index.core.tools.types import ToolMetadata

from ..decompose import Decomposer
from ..fallback import UNSURE, Result
from .questions import best_tools, following, standing

_DONE = "None"  # the question that ends the loop of MultiStepQueryEngine


class Asks(Protocol):
    """What finds the names that answer the hops of a question: an `Asker`, or a retriever of `llama_index`."""

    def ask(self, question: str, *, k: int) -> Result:
        """Return the result of a question, with at most `k` passages."""
        ...

    async def aask(self, question: str, *, k: int) -> Result:
        """Return what `ask` returns, without blocking the event loop."""
        ...


class _Promptless:
    """What LlamaIndex asks of a part without prompts."""

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        pass


class HopsplitQuestionGenerator(_Promptless, BaseQuestionGenerator):
    """Gives `SubQuestionQueryEngine` the hops of a question; none has a ``#n``.

    That engine asks all of them at once, so a hop that needs the answer of another gets the likeliest name for it.
    asks: what finds the names; where it is unsure of them (`UNSURE`), the question itself is asked too. Without it the
    question stands for such a hop. decomposer: for then.

    A sub-question goes to the tool whose name and description share most words with it, to several that share as many.
    """

    def __init__(self, asks: Asks | None = None, *, decomposer: Decomposer | None = None) -> None:
        self._asks = asks
        self._decomposer = decomposer or Decomposer()

    def generate(self, tools: Sequence[ToolMetadata], query: QueryBundle) -> list[SubQuestion]:
        """Return the sub-questions, each with the name of its tool, in the order of the hops."""
        question = query.query_str
        if self._asks is not None:
            return _for_tools(_named(self._asks.ask(question, k=1)), tools)
        return _for_tools(standing(self._decomposer.decompose(question)), tools)

    async def agenerate(self, tools: Sequence[ToolMetadata], query: QueryBundle) -> list[SubQuestion]:
        """Return what `generate` returns, without blocking the event loop."""
        if self._asks is not None:
            return _for_tools(_named(await self._asks.aask(query.query_str, k=1)), tools)
        return await asyncio.to_thread(self.generate, tools, query)


class HopsplitStepTransform(_Promptless, BaseQueryTransform):
    """Gives `MultiStepQueryEngine` one hop after the other, with the names in its answers in place of ``#n``.

    It ends the loop as the engine would have it, by the question "None"; `num_steps` of the engine may be None. A hop
    for which the answers bring no name is asked as the whole question.
    """

    def __init__(self, decomposer: Decomposer | None = None) -> None:
        self._decomposer = decomposer or Decomposer()

    @staticmethod
    def stop(state: Mapping[str, Any]) -> bool:
        """Tell whether to end: the engine's `stop_fn`. Its own also ends at "nonetheless" and "Nonesuch Records"."""
        bundle: QueryBundle = state["query_bundle"]
        return bundle.query_str == _DONE

    def _run(self, query_bundle: QueryBundle, metadata: Mapping[str, Any]) -> QueryBundle:
        plan = self._decomposer.decompose(query_bundle.query_str)
        return QueryBundle(following(plan, metadata.get("prev_reasoning") or "") or _DONE)


def _named(result: Result) -> list[str]:
    """Return the hops with the names that were found, and the question where these are unsure."""
    doubt = [result.question] if result.bridges and result.confidence < UNSURE else []
    return list(dict.fromkeys([*standing(result.plan, result.bridges), *doubt]))


def _for_tools(texts: Iterable[str], tools: Sequence[ToolMetadata]) -> list[SubQuestion]:
    told = [(tool.name or "", tool.description) for tool in tools]
    return [SubQuestion(sub_question=text, tool_name=name) for text in texts for name in best_tools(text, told)]
