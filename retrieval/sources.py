"""Reading text files with errors that say where: file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..decompose.plan import InputError

T = TypeVar("T", str, list[Any], dict[str, Any])
_NAMES: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}


class Place(NamedTuple):
    """Where something stands in the input: ``corpus.jsonl, line 3``; number 0 is the file as a whole."""

    path: Path
    number: int = 0
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.path}, {self.unit} {self.number}" if self.number else str(self.path)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what may go wrong while `path` is read into an InputError; refuse what may never end or never begin."""
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe, a socket, a device
        raise InputError(f"{path} is no regular file; write what it gives to one, and name that")
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path and its rights") from None


def read_bytes(path: Path) -> bytes:
    """Return the content of `path`; InputError where it cannot be read."""
    with _reading(path):
        return path.read_bytes()


def decode(raw: bytes, place: Place) -> str:
    """Return `raw` as text without a byte order mark; InputError where it is not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = place.number or raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{place.path}, line {line}: not UTF-8 (byte 0x{raw[error.start]:02x}); save the file as UTF-8"
        ) from None


def lines(path: Path) -> Iterator[tuple[Place, str]]:
    """Yield the lines of `path` that are not blank; lines end with LF or CRLF."""
    with _reading(path), path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            place = Place(path, number)
            line = decode(raw, place).strip()
            if line:
                yield place, line


def parse(text: str, place: Place) -> Any:
    """Return `text` read as JSON; InputError where it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = place if place.number else Place(place.path, error.lineno)
        raise InputError(f"{where}: not JSON ({error.msg}, column {error.colno}); mend or remove it") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: JSON that cannot be read ({error}); mend or remove it") from None


def expect(value: Any, kind: type[T], what: str, place: Place) -> T:
    """Return `value`; InputError where it is not of that type or, a string, not valid Unicode."""
    if not isinstance(value, kind):
        raise InputError(f"{place}: {what} must be {_NAMES[kind]}, not {json.dumps(value)[:40]}")
    if isinstance(value, str):
        check_unicode(value, what, place)
    return value


def check_unicode(text: str, what: str, place: Place) -> None:
    r"""Raise InputError where `text` holds half of a surrogate pair, as a JSON ``"\ud800"`` does."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{place}: {what} has a lone surrogate at character {error.start}; give valid Unicode"
        ) from None


def field(row: dict[str, Any], name: str, place: Place) -> str:
    """Return the string in the field `name`; InputError where it is missing or no string."""
    if name not in row:
        there = ", ".join(map(str, row)) or "no field"
        raise InputError(f'{place}: the field "{name}" is missing; there is {there[:200]}')
    return expect(row[name], str, f'the field "{name}"', place)
