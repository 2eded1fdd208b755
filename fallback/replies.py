"""What a language model may reply, and how its text is read: as data, whatever stands around it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..decompose.plan import refs_in

# Replies are asked to be one small object; what lies beyond this is not read.
_MAX_CHARS = 20_000
_MAX_OBJECTS = 50
_QUERY_CHARS = 300
_MAX_LOOK_UPS = 8
_MAX_QUERIES = 2


def clean(text: str) -> str:
    """Drop what no text may hold (lone surrogates, control characters) and fold white space."""
    kept = "".join(char if char.isprintable() or char.isspace() else " " for char in text)
    return " ".join(kept.split())


def _told(queries: list[str]) -> list[str]:
    """Return the queries that say anything, each once, the first two."""
    return list(dict.fromkeys(query[:_QUERY_CHARS].strip() for query in queries if query))[:_MAX_QUERIES]


def _in_order(look_ups: list[str]) -> list[str]:
    """Return the look-ups; ValueError where one is empty or said twice, or refers to itself, a later one or none."""
    look_ups = [text[:_QUERY_CHARS].strip() for text in look_ups]
    if not any(look_ups):
        raise ValueError("there is none")
    if not all(look_ups) or len(set(look_ups)) < len(look_ups):
        raise ValueError("one is empty or said twice, which would shift what #n stands for")
    for number, text in enumerate(look_ups, 1):
        if any(not 0 < ref < number for ref in refs_in(text)):
            raise ValueError(f"look-up {number} refers to itself, a later one or none")
    return look_ups


Text = Annotated[str, AfterValidator(clean)]
# Small models write null for an empty text.
_Maybe = Annotated[Text, BeforeValidator(lambda value: "" if value is None else value)]


class Reply(BaseModel):
    """A reply: its fields are the object asked for. Other fields are passed over."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", json_schema_extra={"additionalProperties": False}
    )


class Decomposition(Reply):
    """The look-ups of a question, in the order in which they can be answered."""

    questions: Annotated[list[Text], AfterValidator(_in_order), Field(max_length=_MAX_LOOK_UPS)]


class Verdict(Reply):
    """Whether passages suffice, how surely from 0 to 1, and what they lack."""

    sufficient: bool
    # Not 0 and 1: versions of pydantic write those differently into the schema, by which replies are kept.
    confidence: Annotated[float, Field(ge=0.0, le=1.0)]
    missing: _Maybe


class FollowUp(Reply):
    """What to search for next; of more than two queries the first two. None says that there is no more to ask."""

    # Servers that hold a model to the schema are told more than is asked of a reply: small models list on and on.
    queries: Annotated[
        list[Text],
        AfterValidator(_told),
        Field(json_schema_extra={"minItems": 1, "maxItems": _MAX_QUERIES}),
    ]


class Synthesis(Reply):
    """An answer, the numbers of the passages that it rests on, and where passages contradict each other."""

    answer: Text
    passages: list[int]
    contradictions: _Maybe


R = TypeVar("R", bound=Reply)


def read(text: str, form: type[R]) -> R | str:
    """Return the last object in `text` that has the `form`, or else what is wrong with the last that has not.

    Code fences, prose and braces around an object are passed over: a model that thinks aloud ends with what it
    means. Nothing is evaluated.
    """
    problem = "no JSON object in it"
    found: R | None = None
    for value in _objects(text[:_MAX_CHARS]):
        try:
            found = form.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            problem = f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}"
    return found or problem


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text that lie in no other, in their order."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    start = text.find("{")
    for _ in range(_MAX_OBJECTS):
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def _refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads and JSON has not."""
    raise ValueError(f"{constant} is not JSON")
