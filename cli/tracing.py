"""How the program shows the steps of a question: as a tree, and as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from ..decompose.plan import InputError
from .output import count, write_tree

if TYPE_CHECKING:
    from ..fallback import Result, Step

_SHOWN = 5  # ids of a search's hits


def write_trace(result: Result) -> None:
    """Write the steps as a tree: below the rules, and each call of a language model, what was searched for them."""
    write_tree(f"{result.route}: {result.reason}", _branches(result))


def _branches(result: Result) -> Iterator[tuple[int, str]]:
    """Yield each step with its depth, from 1."""
    rules = takewhile(lambda step: not step.prompt, result.trace)
    yield 1, f"rules: {count(sum(step.action == 'search' for step in rules), 'search', 'searches')}"
    for step in result.trace:
        yield 1 if step.prompt else 2, _line(step, result.question)


def _line(step: Step, question: str) -> str:
    """Say one step in one line, of a call without the question, which is the same in all."""
    parts = [step.action]
    if step.text and (step.text != question or step.action == "search"):
        parts.append(step.text)
    if step.outcome:
        parts.append(f"-> {step.outcome}")
    if step.hits:
        more = f" and {len(step.hits) - _SHOWN} more" if len(step.hits) > _SHOWN else ""
        parts.append(f"-> {', '.join(step.hits[:_SHOWN])}{more}")
    if step.prompt:
        used = f"{step.prompt_tokens:,} + {step.completion_tokens:,} tokens, " if step.prompt_tokens else ""
        parts.append(f"[{step.prompt}, {used}{step.seconds:.2f} s]")
    return " ".join(parts)


def check_trace(path: Path) -> None:
    """Raise InputError where no trace can be written: before anything is spent on what it would tell."""
    with _writing(path):
        path.open("a").close()


def save_trace(result: Result, path: Path) -> None:
    """Write the steps to a file, one JSON object a line, and last what came of them."""
    lines: list[dict[str, object]] = [asdict(step) for step in result.trace]
    end = {"action": "end", "text": result.question, "outcome": result.stopped, "route": result.route}
    lines.append(end | {"reason": result.reason, "usage": asdict(result.usage)})
    said = "".join(
        json.dumps({"step": number} | line, ensure_ascii=False) + "\n" for number, line in enumerate(lines, 1)
    )
    with _writing(path):
        path.write_text(said, encoding="utf-8", newline="\n")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; name a file for the trace") from error
