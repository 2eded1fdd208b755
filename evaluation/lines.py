"""Reading files of JSON objects line by line, with errors that name the file, the line and the mend."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ..decompose.plan import InputError
from ..decompose.textfile import text_lines


def objects(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the JSON objects of a file that has one a line, with their line numbers."""
    for number, text in text_lines(path):
        yield number, json_object(text, path, number)


def json_object(text: str, path: Path, number: int) -> dict[str, object]:
    """Return the JSON object that is all of a line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}, line {number}: not JSON; the file must have one object a line") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}, line {number}: not a JSON object; the file must have one object a line")
    return value


def string(value: dict[str, object], key: str, path: Path, number: int) -> str:
    """Return a text field that must be there and not be blank."""
    if key not in value:
        there = ", ".join(value) or "no field"
        raise InputError(f"{path}, line {number}: the field {key!r} is missing; there is {there[:200]}")
    found = value[key]
    if not isinstance(found, str) or not found.strip():
        raise InputError(f"{path}, line {number}: {key!r} must be a text that is not empty")
    return found
