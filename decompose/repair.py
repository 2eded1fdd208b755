"""The mends of known slips of the small parser in questions, in the order they are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .mend_clauses import (
    behind_finite_verb,
    clause_object,
    clause_subject,
    extraposed,
    fronted_clause,
    reattach,
    stray_clauses,
    that_clauses,
    that_subject,
)
from .mend_participles import coordinated_plurals, dangling_participles, participles
from .mend_phrases import (
    class_names,
    compound_names,
    low_attachment,
    nominal_adjectives,
    owned_role,
    part_of,
    stranded_preposition,
    wh_determiners,
    with_phrases,
)

if TYPE_CHECKING:
    from .sentence import Sentence

STEPS = (
    nominal_adjectives,
    stranded_preposition,
    part_of,
    wh_determiners,
    behind_finite_verb,
    that_clauses,
    that_subject,
    clause_object,
    clause_subject,
    stray_clauses,
    extraposed,
    fronted_clause,
    owned_role,
    dangling_participles,
    with_phrases,
    low_attachment,
    reattach,
    compound_names,
    participles,
    coordinated_plurals,
    class_names,
)


def repair(sent: Sentence) -> None:
    """Mend smaller slips in place, one kind after the other; stop where a mend closed a loop."""
    for step in STEPS:
        before = sent.changes
        step(sent)
        if sent.changes != before and sent.cyclic():
            return
