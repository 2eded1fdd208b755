"""Fixture files of decompositions: what the program should make of each question, and what differs.

One JSON object a line: {"id", "question", "kind", "hops": [text, ...]} and, where wanted, "rules" (the name
of each hop's rule) and "known_wrong": why the program does not get it right yet. A known-wrong case that
comes out right is a difference too, so that the list stays true.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..decompose.plan import KINDS, InputError, Plan
from .lines import objects, string
from .replacing import replacing


@dataclass(frozen=True, slots=True)
class Case:
    """One expected decomposition. `rules` is None where the case does not say."""

    id: str
    question: str
    kind: str
    hops: tuple[str, ...]
    rules: tuple[str, ...] | None
    known_wrong: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A case that the program does not agree with, and in one line why."""

    case: Case
    plan: Plan
    why: str


def read(path: Path) -> tuple[Case, ...]:
    """Read a fixture file; ids must be unique."""
    cases: dict[str, Case] = {}
    for number, value in objects(path):
        case = _case(value, path, number)
        if case.id in cases:
            raise InputError(f"{path}, line {number}: the id {case.id!r} was used before; ids must be unique")
        cases[case.id] = case
    if not cases:
        raise InputError(f"{path}: no cases; give a file with one JSON object a line")
    return tuple(cases.values())


def differences(cases: Sequence[Case], plans: Sequence[Plan]) -> list[Difference]:
    """Compare each case with the plan made of its question; `plans` stand in the order of the cases."""
    pairs = ((case, plan, _why(case, plan)) for case, plan in zip(cases, plans, strict=True))
    return [Difference(case, plan, why) for case, plan, why in pairs if why]


def update(path: Path, plans: Sequence[Plan]) -> None:
    """Rewrite the expected part of a fixture file after the plans, which stand in the order of its cases.

    Known-wrong cases keep what they expect, and lose the mark where they have come right. Other fields stay.
    """
    rows = [value for _, value in objects(path)]
    for case, value, plan in zip(read(path), rows, plans, strict=True):
        wrong = _mismatch(case, plan)
        if not wrong:
            value.pop("known_wrong", None)
        elif not case.known_wrong:
            value["kind"], value["hops"] = plan.kind, [hop.text for hop in plan.hops]
            if case.rules is not None:
                value["rules"] = [hop.rule for hop in plan.hops]
    with replacing(path) as file:
        file.writelines(json.dumps(value, ensure_ascii=False) + "\n" for value in rows)


def _why(case: Case, plan: Plan) -> str:
    """Give the difference in one line, empty where there is none."""
    mismatch = _mismatch(case, plan)
    if case.known_wrong:
        return "" if mismatch else f"comes out right now; remove its known_wrong ({case.known_wrong})"
    return mismatch


def _mismatch(case: Case, plan: Plan) -> str:
    """Say where the plan leaves the case."""
    if plan.kind != case.kind:
        return f"kind {plan.kind}, expected {case.kind}"
    hops = tuple(hop.text for hop in plan.hops)
    if hops != case.hops and case.kind != "single":
        return f"hops {list(hops)}, expected {list(case.hops)}"
    rules = tuple(hop.rule for hop in plan.hops)
    if case.rules is not None and rules != case.rules:
        return f"rules {list(rules)}, expected {list(case.rules)}"
    return ""


def _case(value: dict[str, object], path: Path, number: int) -> Case:
    """Read one case."""
    kind = string(value, "kind", path, number)
    if kind not in KINDS:
        raise InputError(f"{path}, line {number}: unknown kind {kind!r}; the kinds are {', '.join(KINDS)}")
    return Case(
        string(value, "id", path, number),
        string(value, "question", path, number),
        kind,
        _texts(value, "hops", path, number),
        _texts(value, "rules", path, number) if "rules" in value else None,
        string(value, "known_wrong", path, number) if "known_wrong" in value else "",
    )


def _texts(value: dict[str, object], key: str, path: Path, number: int) -> tuple[str, ...]:
    """Return a field that must be a list of texts."""
    found = value.get(key)
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise InputError(f"{path}, line {number}: {key!r} must be a list of texts")
    return tuple(found)
