"""What the language model is asked. The fixed part of each prompt is a file of `prompts/`.

Questions, passages and queries are joined in as JSON strings, never formatted in: braces in them mean nothing, and
no line of them can be taken for a line of the prompt.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Generic

from ..decompose.plan import Plan
from ..retrieval.types import Passage
from .llm import Message, estimate_tokens
from .replies import Decomposition, FollowUp, R, Synthesis, Verdict

AGAIN = "That cannot be read. Send one JSON object as asked for, and nothing else. The trouble: "
_PASSAGE_CHARS = 700
_TITLE_CHARS = 200
# Ends of lines that JSON leaves as they are.
_LINE_ENDS = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class Prompt(Generic[R]):
    """What is asked of a model once.

    name: of its file, and the beginning of the SHA-256 of that, which is its version. form: of the reply.
    """

    name: str
    messages: tuple[Message, ...]
    form: type[R]
    temperature: float
    max_tokens: int


def decompose(question: str, plan: Plan) -> Prompt[Decomposition]:
    """Ask for the look-ups of a question, the rules' plan being the draft where there is one."""
    draft = [hop.text for hop in plan.hops]
    lines = ["Question: " + _said(question), *(["Draft: " + _said(draft)] if len(draft) > 1 else [])]
    return Prompt(*_opened("decompose", lines), Decomposition, 0.1, 500)


def judge(question: str, passages: Sequence[Passage], room: int) -> Prompt[Verdict]:
    """Ask whether the passages, as many as fit into `room` tokens, suffice."""
    return Prompt(*_opened("judge", _material(question, passages, room)), Verdict, 0.1, 200)


def follow_up(
    question: str, passages: Sequence[Passage], room: int, searched: Sequence[str], missing: str
) -> Prompt[FollowUp]:
    """Ask for further queries, saying which were searched already and what is missing."""
    lines = [*_material(question, passages, room), "Searched already: " + _said(list(searched))]
    return Prompt(*_opened("follow_up", [*lines, "Missing: " + _said(missing)]), FollowUp, 0.3, 200)


def answer(question: str, passages: Sequence[Passage], room: int) -> Prompt[Synthesis]:
    """Ask for the answer that the passages give."""
    return Prompt(*_opened("answer", _material(question, passages, room)), Synthesis, 0.1, 300)


@cache
def _fixed(name: str) -> tuple[str, str]:
    """Return the text of a prompt's file, and its name with its version."""
    text = files(__package__).joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()
    return text, f"{name}@{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _opened(name: str, lines: Sequence[str]) -> tuple[str, tuple[Message, ...]]:
    text, versioned = _fixed(name)
    return versioned, (Message("system", text), Message("user", "\n".join(lines)))


def shown(passages: Sequence[Passage], room: int) -> list[str]:
    """Return the lines of the first passages, numbered from 1, that fit into `room` tokens."""
    lines: list[str] = []
    for number, passage in enumerate(passages, 1):
        line = f"[{number}] " + _said(_cut(passage))
        room -= estimate_tokens([Message("user", line)])
        if room < 0:
            break
        lines.append(line)
    return lines


def _cut(passage: Passage) -> dict[str, str]:
    """Return the beginning of a passage, title and text, so that none keeps all others out."""
    return {"title": passage.title[:_TITLE_CHARS], "text": passage.text[:_PASSAGE_CHARS]}


def _material(question: str, passages: Sequence[Passage], room: int) -> list[str]:
    """Return the lines that tell the question and the passages."""
    return ["Question: " + _said(question), "Passages:", *(shown(passages, room) or ["(none)"])]


def _said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).translate(_LINE_ENDS)
