"""The command `ask`: a question in, its hops and their evidence out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from ..serving import forms
from ..serving.service import check_question
from .output import Format, count, note, snippet, working, write, write_json, write_plan
from .place import opened
from .tracing import check_trace, save_trace, write_trace

if TYPE_CHECKING:
    from ..fallback import Answer, Asker, Judgement, Llm, Result
    from ..retrieval import Evidence, Retriever
    from .settings import LlmSettings, Settings

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        envvar="HOPSPLIT_CONFIG",
        metavar="FILE",
        help="A TOML file of settings. Without it hopsplit.toml of this folder, or [tool.hopsplit] of its "
        "pyproject.toml, where there is one; these cannot have llm, serve.host and serve.token.",
    ),
]
IndexFolder = Annotated[
    Path | None,
    typer.Option(
        help="A folder that `hopsplit index` wrote, or a demo collection: encyclopedia, company. "
        "[default: the setting search.index]"
    ),
]
Passages = Annotated[int | None, typer.Option("-k", help="How many passages at most. [default: the setting search.k]")]
LlmModel = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="A language model for what the rules cannot do; needs the extra `llm`. none: no model; "
        "replay: the replies kept in --llm-cache.",
    ),
]
LlmBaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="Its OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1.")
]
LlmApiKey = Annotated[
    str | None,
    typer.Option(metavar="KEY", help="Its key; safer in HOPSPLIT_LLM_API_KEY, as others can see options."),
]
LlmCache = Annotated[
    str | None, typer.Option(metavar="DIR", help="Keep its replies in this folder, and use those that are there.")
]
WordAnswer = Annotated[bool, typer.Option("--answer", help="Have it word an answer, with the passages it rests on.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as budget.rounds=1; may be repeated."),
]


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: IndexFolder = None,
    k: Passages = None,
    format: Annotated[Format, typer.Option(help="How to write the result.")] = Format.TEXT,  # noqa: A002
    llm: LlmModel = None,
    llm_base_url: LlmBaseUrl = None,
    llm_api_key: LlmApiKey = None,
    llm_cache: LlmCache = None,
    answer: WordAnswer = False,
    set_: Sets = None,
    config: ConfigFile = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show every step as a tree.")] = False,
    trace_to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every step to this file, one JSON object a line.")
    ] = None,
) -> None:
    """Split a question, search its hops, and show the evidence with the way it was found."""
    check_question(question)
    options = llm_options(llm, llm_base_url, llm_api_key, llm_cache, answer=answer)
    chosen, model = chosen_by(options, set_, config)
    with working("Asking ..."):
        asker = asker_of(opened(index or Path(chosen.search.index)), chosen, model)
        if trace_to is not None:
            check_trace(trace_to)
        result = asker.ask(question, k=chosen.search.k if k is None else k)
    if format is not Format.TEXT:
        write_json(forms.of_result(result))
    else:
        _write(
            result,
            trace=trace,
            priced=chosen.llm.of_tokens() is not None,
            asked_to_answer=model is not None and chosen.chain.answer,
        )
    if result.stopped.startswith("llm:"):
        note(f"the language model failed, and the evidence is without it from there on: {result.stopped[5:]}")
    if trace_to is not None:
        save_trace(result, trace_to)


def llm_options(
    llm: str | None, base_url: str | None, api_key: str | None, cache: str | None, *, answer: bool
) -> dict[str, str]:
    """Return the settings that the options about a language model say."""
    options = {
        "llm.model": llm,
        "llm.base_url": base_url,
        "llm.api_key": api_key,
        "llm.cache": cache,
        "chain.answer": "true" if answer else None,
    }
    return {name: value for name, value in options.items() if value is not None}


def chosen_by(options: dict[str, str], sets: Sequence[str] | None, config: Path | None) -> tuple[Settings, Llm | None]:
    """Return the settings in force, and the language model that they name.

    InputError where an option about the model has none to be for.
    """
    from .config import named, settings  # noqa: PLC0415

    chosen = settings(named(sets or []) | options, file=config)
    model = model_of(chosen.llm)
    about = [name for name in options if name.startswith("llm.") or name == "chain.answer"]
    useless = [name for name in about if "llm.model" not in options or name == "chain.answer"]
    if model is None and useless:
        option = re.sub("[._]", "-", useless[0].removeprefix("chain."))
        raise InputError(f"--{option} needs a language model; name one with --llm MODEL")
    return chosen, model


def model_of(chosen: LlmSettings) -> Llm | None:
    """Return the language model that the settings name, None where they name none."""
    if not chosen.is_named:
        return None
    from ..fallback.replay import Replay  # noqa: PLC0415

    if chosen.model == "replay":
        if not chosen.cache:
            raise InputError("--llm replay has no folder of replies; name it with --llm-cache DIR")
        return Replay(chosen.cache)
    from ..fallback.openai_client import OpenAIClient  # noqa: PLC0415

    client = OpenAIClient(
        chosen.model,
        base_url=chosen.base_url,
        api_key=chosen.api_key,
        timeout=chosen.timeout,
        schema=chosen.schema,
    )
    return Replay(chosen.cache, client, name=f"{client.model} {client.address}") if chosen.cache else client


def asker_of(index: Retriever, chosen: Settings, model: Llm | None) -> Asker:
    """Return what answers questions with these settings."""
    from ..fallback import Asker  # noqa: PLC0415

    return Asker(
        index,
        llm=model,
        budget=chosen.budget,
        price=chosen.llm.of_tokens(),
        router=chosen.router,
        chain=chosen.chain,
    )


def _write(result: Result, *, trace: bool, priced: bool, asked_to_answer: bool) -> None:
    """Write a result as text."""
    write_plan(result.plan)
    if trace:
        write_trace(result)
    else:
        write(f"  route: {result.route} ({result.reason})")
        _write_steps(result)
    if result.judgement:
        write(f"  the language model says: {_judged(result.judgement)}")
    if result.answer:
        write(f"  answer of the language model: {result.answer.text} ({_cited(result.answer)})", "green")
        if result.answer.contradictions:
            write(f"  contradictions: {result.answer.contradictions}", "yellow")
    if asked_to_answer and not result.answer:
        write("  no answer of the language model", "yellow")
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
    write(_spent(result, priced=priced))


def _write_steps(result: Result) -> None:
    """Write what the hops of the plan were taken to be, and what a language model asked for."""
    from ..fallback import UNSURE  # noqa: PLC0415

    unsure = ", unsure" if result.confidence < UNSURE else ""
    steps = iter(result.trace)
    if any(hop.rule == "llm" for hop in result.plan.hops):  # what came before was found for the hops of the rules
        steps = dropwhile(lambda step: step.action != "plan", steps)
    for step in steps:
        if step.action == "bridge":
            write(f"  bridge {step.text} = {step.outcome}{unsure}", "yellow" if unsure else "green")
        elif step.action == "ask":
            write(f"  asked on: {step.outcome}")


def _judged(said: Judgement) -> str:
    """Say what a language model thinks of the evidence."""
    missing = f"; missing: {said.missing}" if said.missing and not said.sufficient else ""
    return f"{'sufficient' if said.sufficient else 'not sufficient'}, {said.confidence:.2f} of what is needed{missing}"


def _cited(answer: Answer) -> str:
    return f"from {', '.join(answer.citations)}" if answer.citations else "it names no passage"


def _how(item: Evidence) -> str:
    """Say which hop a passage is for, and by which name: `via` only where the passage itself has it."""
    from ..retrieval import Analyser  # noqa: PLC0415

    if item.query:
        return f"asked on: {item.query}"
    if not item.hop:
        return "question"
    if not item.via:
        return f"hop {item.hop}"
    named = all(Analyser().stand_in(f"{item.passage.title} {item.passage.text}", item.via.split(", ")))
    return f"hop {item.hop} via {item.via}" if named else f"hop {item.hop}, searched with {item.via}"


def _spent(result: Result, *, priced: bool) -> str:
    """Say how sure the search is, and what it cost."""
    usage = result.usage
    spent = [f"confidence {result.confidence:.2f}", count(usage.searches, "search", "searches")]
    spent.append(f"{usage.seconds * 1000:.0f} ms")
    if usage.llm_calls:
        price = f"{usage.cost_usd:.4f} USD" if priced else "price unknown (llm.price is not set)"
        spent += [
            count(usage.llm_calls, "LLM call"),
            f"{usage.prompt_tokens + usage.completion_tokens:,} tokens",
            price,
        ]
    return ", ".join(spent)
