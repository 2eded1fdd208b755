"""Fixtures as JSON, one object a line: {"id", "question", "kind", "hops"}, optionally "rules" and "known_wrong"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..decompose.plan import InputError, Plan
from .goldcase import Case, mismatch
from .lines import json_object, string

_SPACE = re.compile(r"[ \t\r\n]*")


def read(lines: Iterable[tuple[int, str]], path: Path) -> list[Case]:
    """Read numbered lines, each a case."""
    return [_case(json_object(text, path, number), path, number) for number, text in lines]


def rewritten(lines: Sequence[str], case: Case, plan: Plan) -> list[str]:
    """Return a case's line, and those below it, with what comes out now; or without its known-wrong mark."""
    line, members = lines[0], list(_members(lines[0]))
    if not mismatch(case, plan):
        return [_without(line, members, "known_wrong"), *lines[1:]]
    now: dict[str, object] = {
        "kind": plan.kind,
        "hops": [hop.text for hop in plan.hops],
        "rules": [hop.rule for hop in plan.hops],
    }
    comma = "," if line[members[0].end : members[1].start] == "," else ", "
    for member in reversed(members):
        old = line[member.value : member.end]
        if member.key in now and json.loads(old) != now[member.key]:
            new = json.dumps(now[member.key], ensure_ascii=line.isascii(), separators=(comma, ": "))
            line = line[: member.value] + new + line[member.end :]
    return [line, *lines[1:]]


class _Member(NamedTuple):
    """A field of an object: its key, and where in the line the key begins, the value begins and ends."""

    key: str
    start: int
    value: int
    end: int


def _members(line: str) -> Iterator[_Member]:
    """Yield the fields of an object that `json` has read without complaint."""
    decoder = json.JSONDecoder()
    at = line.index("{")
    while line[at] != "}":
        start = _after_space(line, at + 1)
        key, end = decoder.raw_decode(line, start)
        value = _after_space(line, line.index(":", end) + 1)
        _, end = decoder.raw_decode(line, value)
        yield _Member(key, start, value, end)
        at = _after_space(line, end)


def _without(line: str, members: list[_Member], key: str) -> str:
    """Return a line without a field, and without the comma that parted it from its neighbour."""
    for number, member in reversed(list(enumerate(members))):
        if member.key == key:
            cut = (members[number - 1].end, member.end) if number else (member.start, members[1].start)
            line = line[: cut[0]] + line[cut[1] :]
    return line


def _after_space(line: str, at: int) -> int:
    """Return the place of the first character from `at` on that is no space."""
    found = _SPACE.match(line, at)
    return found.end() if found else at


def _case(value: dict[str, object], path: Path, number: int) -> Case:
    """Read one case."""
    hops = _texts(value, "hops", path, number)
    rules = _texts(value, "rules", path, number) if "rules" in value else None
    if rules is not None and len(rules) != len(hops):
        raise InputError(f"{path}, line {number}: {len(rules)} rules for {len(hops)} hops; each hop has one")
    return Case(
        string(value, "id", path, number),
        string(value, "question", path, number),
        string(value, "kind", path, number),
        hops,
        rules,
        string(value, "known_wrong", path, number) if "known_wrong" in value else "",
        number,
    )


def _texts(value: dict[str, object], key: str, path: Path, number: int) -> tuple[str, ...]:
    """Return a field that must be a list of texts."""
    found = value.get(key)
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise InputError(f"{path}, line {number}: {key!r} must be a list of texts")
    return tuple(found)
