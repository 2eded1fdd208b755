"""What goes in and comes out over HTTP, as types: the OpenAPI document is made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..decompose.explain import Attempt
from ..decompose.normalise import MAX_CHARS
from ..decompose.plan import Hop, Kind
from .service import SearchMethod

_EXAMPLE = "Where was the founder of Versus born?"
# A character that `str.isspace` takes for none; what \S means differs from one reader of patterns to the next.
_VISIBLE = r"[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
# Told here and checked by the service itself, so that every way in refuses a question in the same words.
_LIMITS: dict[str, Any] = {"minLength": 1, "maxLength": MAX_CHARS, "pattern": _VISIBLE, "examples": [_EXAMPLE]}


def _whole(value: object) -> object:
    """Return 10 for 10.0, which is an integer in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Question = Annotated[str, Field(description="The question, in English.", json_schema_extra=_LIMITS)]
K = Annotated[
    int, BeforeValidator(_whole), Field(description="How many passages at most.", json_schema_extra={"minimum": 1})
]


class _Asked(BaseModel):
    """The body of a request: JSON types as they are, and no field that nobody knows."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    question: Question


class Decompose(_Asked):
    """A question to split."""

    explain: Annotated[bool, Field(description="Add the tree, and each rule that was tried.")] = False


class Search(_Asked):
    """A question to search for as it is."""

    k: K = 10
    method: Annotated[SearchMethod, Field(description="How passages are scored.")] = "hybrid"


class Ask(_Asked):
    """A question to split, and its hops to search."""

    k: K = 10


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the tree: its text (a whole name is one word), tag, label, its head's place, whether it is a name."""

    text: str
    tag: str
    label: str
    head: int
    name: bool


@dataclass(frozen=True, slots=True)
class Why:
    """What led to a plan: tree, names, rules tried, and the half-open range of words of the first bridge."""

    tree: tuple[Word, ...]
    names: tuple[str, ...]
    attempts: tuple[Attempt, ...]
    bridge: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The plan of a question. explanation: where it was asked for, null for what was not parsed."""

    question: str
    kind: Kind
    hops: tuple[Hop, ...]
    reason: str
    explanation: Why | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A hit with its passage; order (-score, id)."""

    id: str
    score: float
    rank: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Hits:
    """The hits of a search, best first."""

    question: str
    method: str
    hits: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the service answers."""

    status: Literal["ok"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is nothing else: one line that names the input and the mend."""

    error: str
