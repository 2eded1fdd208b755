"""Every rule in one table: what `hopsplit rules` lists, `docs/rules.md` shows and the tests check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .compare_rules import COMPARISONS
from .conditions import INTERSECTIONS
from .question_in_clause import QUESTION_IN_CLAUSE
from .rules import CLAUSE_RULES, LAST_CLAUSE_RULES, LAST_RESORT, RULES

if TYPE_CHECKING:
    from .rules import ClauseRule, Rule

_GROUPS = {
    "comparison": "Things compared. Read from the whole question, before anything else.",
    "intersection": "Several conditions on one unknown. Read from the whole question, after the comparisons.",
    "phrase": "A noun phrase that describes an entity. Each phrase is offered to each rule; the innermost entity "
    "found is taken out, and the rest is read again.",
    "clause": "A clause that stands for an entity. Tried where no phrase gives one.",
    "last resort": "Tried only where no other rule finds a first entity.",
    "question in a clause": "Tried last, on what is left.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A rule as a user sees it.

    group: what it reads. about: one sentence. question, hops: an example and the hops that the rule makes of it
    (for phrases and clauses just the one for the entity). leaves_alone: a near miss.
    """

    group: str
    name: str
    about: str
    question: str
    hops: tuple[str, ...]
    leaves_alone: str


def groups() -> tuple[tuple[str, str], ...]:
    """Return the name of each group and what is said of it, in the order in which they are tried."""
    return tuple(_GROUPS.items())


def table() -> tuple[Row, ...]:
    """Return all rules, in the order in which they are tried."""
    whole = [Row("comparison", r.name, r.about, *r.example, r.leaves_alone) for r in COMPARISONS]
    whole += [Row("intersection", r.name, r.about, *r.example, r.leaves_alone) for r in INTERSECTIONS]
    entities = [_row("phrase", r) for r in RULES] + [_row("clause", r) for r in CLAUSE_RULES]
    entities += [_row("last resort", r) for r in LAST_RESORT] + [_row("last resort", r) for r in LAST_CLAUSE_RULES]
    inward = QUESTION_IN_CLAUSE
    last = Row("question in a clause", inward.name, inward.about, *inward.example, inward.leaves_alone)
    return (*whole, *entities, last)


def _row(group: str, rule: Rule | ClauseRule) -> Row:
    question, hop = rule.example
    return Row(group, rule.name, rule.about, question, (hop,), rule.leaves_alone)


def markdown() -> str:
    """Return the table as a page."""
    rows = table()
    parts = [
        "# Rules\n",
        "Made from the rules by `make docs`; edit the rules, not this page. The name of a rule is what "
        "stands in a hop's `rule`; `final` and `single` name what is left of a question and a question left whole.\n",
    ]
    for group, said in groups():
        parts.append(f"## {group.capitalize()}\n\n{said}\n")
        parts.append("| rule | reads | splits | into | leaves alone |\n|---|---|---|---|---|")
        for row in rows:
            if row.group == group:
                into = "<br>".join(row.hops)
                cells = (f"`{row.name}`", row.about, row.question, into, row.leaves_alone)
                parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts.append("")
    return "\n".join(parts)
