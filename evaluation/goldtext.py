"""Fixtures as text: what `hopsplit decompose` prints, with remarks.

    // A remark: a line whose first characters are two slashes.
    Where was the author of Emma born?
      id: emma
      bridge: one entity must be found first: of_relation
      #1 Who is the author of Emma?  [of_relation]
      #2 Where was #1 born?          [final]
      known wrong: why it does not come out yet

A question stands at the left margin, all else of its case is indented. Of a kind's reason nothing is expected; a
rule, behind two spaces or more, is expected where it is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..decompose.plan import KINDS, InputError, Plan
from .goldcase import Case, agree, mismatch

_HOP = re.compile(r"\s+#(?P<number>\d+)\s+(?P<text>\S.*?)(?:(?:\s{2,}|\t)\[(?P<rule>[^\[\]\s]+)\])?\s*")
_KIND = re.compile(rf"\s+(?P<kind>{'|'.join(KINDS)})(?::\s*(?P<reason>.*?))?\s*")
_NAMED = re.compile(r"\s+(?P<name>id|known wrong):\s*(?P<text>.*?)\s*")


@dataclass(slots=True)
class _Draft:
    """A case while it is read: its question and line, and what stood below by name."""

    question: str
    line: int
    hops: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def take(self, text: str) -> str:
        """Take in an indented line; return what is wrong with it, empty where nothing is."""
        if found := _HOP.fullmatch(text):
            if int(found["number"]) != len(self.hops) + 1:
                return f"hop #{found['number']} where #{len(self.hops) + 1} is due"
            self.hops.append(found["text"])
            self.rules.append(found["rule"] or "")
            return ""
        if found := _KIND.fullmatch(text):
            name, value = "kind", found["kind"]
        elif found := _NAMED.fullmatch(text):
            name, value = found["name"], found["text"]
        else:
            return f"not a kind ({', '.join(KINDS)}), a hop (#1 and its text), 'id: ...' or 'known wrong: ...'"
        if not value:
            return f"nothing behind {name!r}"
        if name in self.named:
            return f"a second {name!r} for one question; a question stands at the left margin"
        self.named[name] = value
        return ""

    def case(self, path: Path) -> Case:
        """Return the case."""
        if "kind" not in self.named:
            raise InputError(f"{path}, line {self.line}: no kind below the question; indent one of {', '.join(KINDS)}")
        rules = tuple(self.rules) if any(self.rules) else None
        known_wrong = self.named.get("known wrong", "")
        name = self.named.get("id", self.question)
        return Case(name, self.question, self.named["kind"], tuple(self.hops), rules, known_wrong, self.line)


def remark(text: str) -> bool:
    """Tell whether a line is a remark."""
    return text.lstrip().startswith("//")


def read(lines: Iterable[tuple[int, str]], path: Path) -> list[Case]:
    """Read numbered lines."""
    drafts: list[_Draft] = []
    for number, text in lines:
        if remark(text):
            continue
        if not text[0].isspace():
            drafts.append(_Draft(text.strip(), number))
            continue
        problem = drafts[-1].take(text) if drafts else "indented, with no question at the left margin above it"
        if problem:
            raise InputError(f"{path}, line {number}: {problem}")
    return [draft.case(path) for draft in drafts]


def rewritten(lines: Sequence[str], case: Case, plan: Plan) -> list[str]:
    """Return a case's lines with what comes out now, all else as it was; or without its known-wrong mark."""
    if not mismatch(case, plan):
        return [line for line in lines if not _is_mark(line)]
    new: list[str] = []
    last = 0  # where hops that the case did not have go: below its last hop, or else its kind
    hops = _hop_lines(lines, case, plan)
    for line in lines:
        if kind := _match(_KIND, line):
            reason = f": {plan.reason}" if kind["reason"] and plan.reason else ""
            new.append(f"{_indent(line)}{plan.kind}{reason}{_end(line)}")
        elif hop := _match(_HOP, line):
            if int(hop["number"]) > len(hops):
                continue
            new.append(hops[int(hop["number"]) - 1])
        else:
            new.append(line)
            continue
        last = len(new)
    new[last:last] = hops[len(case.hops) :]
    return new


def _hop_lines(lines: Sequence[str], case: Case, plan: Plan) -> list[str]:
    """Return a line for each hop of the plan: the old one where it serves, else one as the program prints it."""
    old = [line for line in lines if _match(_HOP, line)]
    like = old[0] if old else next(line for line in lines if _match(_KIND, line))
    width = max((len(hop.text) for hop in plan.hops), default=0)
    new: list[str] = []
    for number, hop in enumerate(plan.hops):
        was = old[number] if number < len(old) else ""
        rule = hop.rule if case.rules is not None and (case.rule(number) or not was) else ""
        said = f"#{hop.id} {hop.text:<{width}}  [{rule}]" if rule else f"#{hop.id} {hop.text}"
        line = _indent(was or like) + said + _end(was or like)
        # One that says the same stays as it is, unless its rule would stand out of line.
        serves = agree(case, plan, number) and (not rule or was.rfind("[") == line.rfind("["))
        new.append(was if serves else line)
    return new


def _match(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """Match a line that is no remark."""
    return None if remark(line) else pattern.fullmatch(line)


def _is_mark(line: str) -> bool:
    """Tell whether a line marks its case as known to be wrong."""
    found = _match(_NAMED, line)
    return found is not None and found["name"] == "known wrong"


def _indent(line: str) -> str:
    """Return the white space that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def _end(line: str) -> str:
    """Return what ends a line in its file."""
    return line[len(line.rstrip("\r\n")) :]
