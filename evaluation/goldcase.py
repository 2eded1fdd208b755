"""Expected decompositions: a case, and where a plan leaves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from ..decompose.normalise import normalise
from ..decompose.plan import KINDS, InputError, Plan


@dataclass(frozen=True, slots=True)
class Case:
    """One expected decomposition, and the line of its file where it begins.

    The `id` is the question where a text file gives no other. `rules` is None where the case names none, and has ""
    for a hop whose rule may be any.
    """

    id: str
    question: str
    kind: str
    hops: tuple[str, ...]
    rules: tuple[str, ...] | None
    known_wrong: str
    line: int = field(default=0, compare=False)

    @property
    def title(self) -> str:
        """The question, behind the id where the case has one."""
        return self.question if self.id == self.question else f"{self.id}: {self.question}"

    def rule(self, number: int) -> str:
        """Return the rule that is expected of a hop, from 0; empty where it may be any."""
        return self.rules[number] if self.rules is not None and number < len(self.rules) else ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A case that the program does not agree with, and in one line why."""

    case: Case
    plan: Plan
    why: str

    def lines(self) -> Iterator[str]:
        """Yield what a reader wants to see: in short what differs, the program's reason, then hop by hop.

        A hop's line begins with "- " where it is expected and did not come, with "+ " where it came instead.
        """
        if self.case.known_wrong:
            yield self.why
            return
        rows = list(enumerate(zip_longest(self.case.hops, self.plan.hops)))
        same = [agree(self.case, self.plan, number) for number, _ in rows]
        others = ", ".join(str(number + 1) for number, _ in rows if not same[number])
        yield self.why if self.case.kind != self.plan.kind else f"hops that differ: {others}"
        yield f"reason: {self.plan.reason or 'none'}"
        for number, (expected, hop) in rows:
            if expected is not None and not same[number]:
                yield "- " + self._line(number, expected, self.case.rule(number))
            if hop is not None:
                yield ("  " if same[number] else "+ ") + self._line(number, hop.text, hop.rule)

    def _line(self, number: int, text: str, rule: str) -> str:
        """Write a hop, with its rule where the case is about rules."""
        return f"#{number + 1} {text}" + (f"  [{rule}]" if self.case.rules is not None and rule else "")


def agree(case: Case, plan: Plan, number: int) -> bool:
    """Tell whether hop `number` of the plan, from 0, is there and is what the case expects."""
    if not number < min(len(case.hops), len(plan.hops)):
        return False
    hop = plan.hops[number]
    whole = case.kind == "single" == plan.kind  # its one hop is the question, however the file writes it
    return (whole or case.hops[number] == hop.text) and case.rule(number) in ("", hop.rule)


def difference(case: Case, plan: Plan) -> Difference | None:
    """Compare a case with the plan made of its question; a known-wrong case must differ."""
    why = mismatch(case, plan)
    if case.known_wrong:
        why = "" if why else f"comes out right now; take its known-wrong mark off ({case.known_wrong})"
    return Difference(case, plan, why) if why else None


def mismatch(case: Case, plan: Plan) -> str:
    """Say in one line where the plan leaves the case, empty where it does not."""
    if plan.kind != case.kind:
        return f"kind {plan.kind}, expected {case.kind}"
    hops = tuple(hop.text for hop in plan.hops)
    if hops != case.hops and case.kind != "single":
        return f"hops {list(hops)}, expected {list(case.hops)}"
    if case.rules is None:
        return ""
    rules = tuple(hop.rule for hop in plan.hops)
    if len(case.rules) != len(rules) or any(case.rule(i) not in ("", rule) for i, rule in enumerate(rules)):
        return f"rules {list(rules)}, expected {list(case.rules)}"
    return ""


def checked(cases: Sequence[Case], path: Path) -> tuple[Case, ...]:
    """Return the cases of a file. InputError where there are none, or one is unfit or has the id of another."""
    seen: set[str] = set()
    for case in cases:
        here = f"{path}, line {case.line}"
        if case.kind not in KINDS:
            raise InputError(f"{here}: unknown kind {case.kind!r}; the kinds are {', '.join(KINDS)}")
        if case.id in seen:
            what = "question" if case.id == case.question else "id"
            raise InputError(f"{here}: the {what} {case.id!r} was used before; every case needs one of its own")
        seen.add(case.id)
        try:
            normalise(case.question)
        except InputError as error:
            raise InputError(f"{here}: {error}") from error
    if not cases:
        raise InputError(f"{path}: no cases; give what `hopsplit decompose` prints, or one JSON object a line")
    return tuple(cases)
