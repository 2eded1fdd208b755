"""The command `ask`: a question in, its hops and their evidence out."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from .output import Json, snippet, working, write, write_json, write_plan
from .questions import check_question

if TYPE_CHECKING:
    from ..fallback import OpenAIClient, Result
    from ..retrieval import Index

PRICE = "HOPSPLIT_LLM_PRICE"


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: Annotated[
        Path | None, typer.Option(help="A folder that `hopsplit index` wrote; without it a demo collection.")
    ] = None,
    k: Annotated[int, typer.Option("-k", help="How many passages.")] = 10,
    format: Annotated[Json, typer.Option(help="How to write the result.")] = Json.TEXT,  # noqa: A002
    llm: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A language model for what the rules cannot do.")
    ] = None,
) -> None:
    """Split a question, search its hops, and show the evidence with the way it was found."""
    from ..fallback import Asker  # noqa: PLC0415

    check_question(question)
    with working("Asking ..."):
        asker = Asker(_open(index), llm=_client(llm) if llm else None)
        result = asker.ask(question, k=k)
    if format is Json.JSON:
        write_json(asdict(result))
    else:
        _write(result)


def _open(folder: Path | None) -> Index:
    """Open an index, or build that of the demo collection."""
    from ..retrieval import Index, read_corpus  # noqa: PLC0415

    if folder is not None:
        return Index.open(folder)
    from ..corpora import demo  # noqa: PLC0415

    return Index.build(read_corpus([demo()]))


def _client(model: str) -> OpenAIClient:
    """Make the client of a language model."""
    from ..fallback import OpenAIClient  # noqa: PLC0415

    return OpenAIClient(model, usd_per_million=prices())


def prices() -> tuple[float, float]:
    """Return HOPSPLIT_LLM_PRICE: US dollars a million tokens, "in,out"; 0 where it is not set."""
    said = os.environ.get(PRICE) or "0,0"
    try:
        prompt, completion = (float(price) for price in said.split(","))
    except ValueError as error:
        raise InputError(f"{PRICE} is {said!r}; give two prices such as 0.15,0.60") from error
    return prompt, completion


def _write(result: Result) -> None:
    """Write a result as text."""
    write_plan(result.plan)
    write(f"  route: {result.route} ({result.reason})")
    for step in result.trace:
        if step.action == "bridge":
            write(f"  bridge {step.text} = {step.outcome}", "green")
    if result.answer:
        write(f"  answer of the language model: {result.answer}", "green")
    if result.stopped:
        write(f"  stopped: {result.stopped}", "yellow")
    write()
    for rank, item in enumerate(result.evidence, 1):
        hop = f"hop {item.hop}" if item.hop else "question"
        via = f" via {item.via}" if item.via else ""
        write(f"{rank:>3}  {item.passage.title or item.passage.id}  ({hop}{via})", "bold")
        write(f"     {snippet(item.passage.text)}")
    usage = result.usage
    spent = f"{usage.searches} search{'es' if usage.searches != 1 else ''}, {usage.seconds * 1000:.0f} ms"
    if usage.llm_calls:
        tokens = usage.prompt_tokens + usage.completion_tokens
        spent += f", {usage.llm_calls} LLM calls, {tokens} tokens, {usage.cost_usd:.4f} USD"
    write()
    write(spent)
