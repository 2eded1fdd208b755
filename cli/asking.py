"""The command `ask`: a question in, its hops and their evidence out."""

from __future__ import annotations

import math
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from .output import Format, count, note, snippet, working, write, write_json, write_plan
from .place import opened
from .questions import check_question

if TYPE_CHECKING:
    from ..fallback import OpenAIClient, Result
    from ..retrieval import Evidence

PRICE = "HOPSPLIT_LLM_PRICE"


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: Annotated[
        Path, typer.Option(help="A folder that `hopsplit index` wrote, or a demo collection: encyclopedia, company.")
    ] = Path("encyclopedia"),
    k: Annotated[int, typer.Option("-k", help="How many passages at most.")] = 10,
    format: Annotated[Format, typer.Option(help="How to write the result.")] = Format.TEXT,  # noqa: A002
    llm: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="A language model for what the rules cannot do; needs the extra `llm`."),
    ] = None,
) -> None:
    """Split a question, search its hops, and show the evidence with the way it was found."""
    from ..fallback import Asker  # noqa: PLC0415

    check_question(question)
    with working("Asking ..."):
        asker = Asker(opened(index), llm=_client(llm) if llm else None)
        result = asker.ask(question, k=k)
    if format is not Format.TEXT:
        write_json(asdict(result))
    else:
        _write(result)


def _client(model: str) -> OpenAIClient:
    """Make the client of a language model."""
    from ..fallback import OpenAIClient  # noqa: PLC0415

    return OpenAIClient(model, usd_per_million=prices())


def prices() -> tuple[float, float]:
    """Return HOPSPLIT_LLM_PRICE: US dollars a million tokens, "in,out"; 0 where it is not set."""
    said = os.environ.get(PRICE) or "0,0"
    try:
        prompt, completion = (float(price) for price in said.split(","))
        if not all(math.isfinite(price) and price >= 0 for price in (prompt, completion)):
            raise ValueError(said)
    except ValueError as error:
        raise InputError(f"{PRICE} is {said!r}; give two prices such as 0.15,0.60") from error
    return prompt, completion


def _write(result: Result) -> None:
    """Write a result as text."""
    from ..fallback import UNSURE  # noqa: PLC0415

    write_plan(result.plan)
    write(f"  route: {result.route} ({result.reason})")
    unsure = ", unsure" if result.confidence < UNSURE else ""
    for step in result.trace:
        if step.action == "bridge":
            write(f"  bridge {step.text} = {step.outcome}{unsure}", "yellow" if unsure else "green")
        elif step.action == "ask" and step.outcome:
            write(f"  asked on: {step.outcome}")
    if result.answer:
        write(f"  answer of the language model: {result.answer}", "green")
    if result.stopped:
        write(f"  stopped: {result.stopped}", "yellow")
    write()
    for rank, item in enumerate(result.evidence, 1):
        title = f"{item.passage.title}  " if item.passage.title else ""
        write(f"{rank:>3}  {title}({item.passage.id}; {_how(item)})", "bold")
        write(f"     {snippet(item.passage.text)}")
    if result.evidence:
        write()
    else:
        note("nothing found")
    write(_spent(result))


def _how(item: Evidence) -> str:
    """Say which hop a passage is for, and by which name: `via` only where the passage itself has it."""
    from ..retrieval import Analyser  # noqa: PLC0415

    if not item.hop:
        return "question"
    if not item.via:
        return f"hop {item.hop}"
    terms = Analyser().terms
    said = f" {' '.join(terms(f'{item.passage.title} {item.passage.text}'))} "
    named = all(f" {' '.join(terms(name))} " in said for name in item.via.split(", "))
    return f"hop {item.hop} via {item.via}" if named else f"hop {item.hop}, searched with {item.via}"


def _spent(result: Result) -> str:
    """Say how sure the search is, and what it cost."""
    usage = result.usage
    spent = [f"confidence {result.confidence:.2f}", f"{usage.searches} search{'' if usage.searches == 1 else 'es'}"]
    spent.append(f"{usage.seconds * 1000:.0f} ms")
    if usage.llm_calls:
        price = f"{usage.cost_usd:.4f} USD" if os.environ.get(PRICE) else f"price unknown ({PRICE} is not set)"
        spent += [
            count(usage.llm_calls, "LLM call"),
            f"{usage.prompt_tokens + usage.completion_tokens:,} tokens",
            price,
        ]
    return ", ".join(spent)
