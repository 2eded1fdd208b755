"""The rules that find a bridge entity: one ordered tuple, first match wins. Each reads the dependency parse.

A rule looks at one noun phrase (or one clause) and gives the question for the entity that it describes, or says in
a few words where it stopped. The decomposer takes the innermost entity found, puts its answer's number in its
place, and looks again, until no rule finds one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .clause_matchers import clause_of, free_relative, ranked_clause, read_participle, read_relative, when_clause
from .matchers import (
    Found,
    Match,
    compound_role,
    located,
    of_relation,
    possessive,
    prepositional,
    superlative,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .phrases import Phrase
    from .sentence import Sentence

__all__ = ["CLAUSE_RULES", "LAST_CLAUSE_RULES", "LAST_RESORT", "RULES", "ClauseRule", "Found", "Match", "Rule"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to describe an entity without naming it.

    about: one sentence. example: a question that it splits, with the hop that it makes. leaves_alone: a near miss
    in which it finds nothing. match: takes the sentence and a noun phrase; gives what it found, or where it stopped.
    """

    name: str
    about: str
    example: tuple[str, str]
    leaves_alone: str
    match: Callable[[Sentence, Phrase], Match]


@dataclass(frozen=True, slots=True)
class ClauseRule:
    """Like `Rule`, for a clause that stands for an entity without a noun. `match` sees the whole sentence."""

    name: str
    about: str
    example: tuple[str, str]
    leaves_alone: str
    match: Callable[[Sentence, Asked], Match]


RULES: tuple[Rule, ...] = (
    Rule(
        "ranked_clause",
        "A superlative, ordinal or possessor together with a clause says which one; the phrase is asked for whole.",
        (
            "Where was the first woman who flew over the Andes born?",
            "Who was the first woman who flew over the Andes?",
        ),
        "Who was the first woman who flew over the Andes?",
        ranked_clause,
    ),
    Rule(
        "subject_relative",
        "The clause's subject is the entity: who, that or which did it.",
        (
            "When was the company that built the Sunflower Bridge founded?",
            "What company built the Sunflower Bridge?",
        ),
        "What company built the Sunflower Bridge?",
        clause_of(read_relative, "subject"),
    ),
    Rule(
        "object_relative",
        "The clause lacks an object, which is the entity: that, which or whom somebody did it to.",
        ("Who directed the film that Marta Oakes produced?", "What film did Marta Oakes produce?"),
        "Which film did Marta Oakes produce?",
        clause_of(read_relative, "object"),
    ),
    Rule(
        "reduced_relative",
        "As an object relative, without its pronoun.",
        ("What canal crosses the city Marta Oakes lived in?", "What city did Marta Oakes live in?"),
        "Who directed the film Marta Oakes?",
        clause_of(read_relative, "reduced"),
    ),
    Rule(
        "whose_relative",
        "The clause is about something that the entity owns.",
        ("Who governs the state whose capital is Lincoln?", "What state's capital is Lincoln?"),
        "Whose capital is Lincoln?",
        clause_of(read_relative, "whose"),
    ),
    Rule(
        "where_relative",
        "The clause says what happens at the place.",
        ("What is the population of the city where Bram Stoker died?", "In what city did Bram Stoker die?"),
        "Where did Bram Stoker die?",
        clause_of(read_relative, "where"),
    ),
    Rule(
        "when_relative",
        "The clause says what happened in that year or on that day.",
        ("Who ruled Spain in the year that Lima was founded?", "In what year was Lima founded?"),
        "In what year was Lima founded?",
        clause_of(read_relative, "when"),
    ),
    Rule(
        "prep_relative",
        "The clause begins with a preposition: in which, by whom, under whom.",
        ("Who directed the film in which Marta Oakes appeared?", "In what film did Marta Oakes appear?"),
        "In which film did Marta Oakes appear?",
        clause_of(read_relative, "prep"),
    ),
    Rule(
        "passive_participle",
        "A past participle says what was done to the entity: designed by, located in, hired by.",
        ("How tall is the tower designed by Gustave Eiffel?", "What tower was designed by Gustave Eiffel?"),
        "Which tower was designed by Gustave Eiffel?",
        clause_of(read_participle, "passive"),
    ),
    Rule(
        "active_participle",
        "A present participle says what the entity does: containing, starring, closing.",
        ("When did the country containing Gibeon become independent?", "What country contains Gibeon?"),
        "Which country is containing inflation?",
        clause_of(read_participle, "active"),
    ),
    Rule(
        "possessive",
        "A possessor and a relation: somebody's mother, a team's coach.",
        ("When did Ada Lovelace's mother die?", "Who is Ada Lovelace's mother?"),
        "Who is Ada Lovelace's mother?",
        possessive,
    ),
    Rule(
        "of_relation",
        "A relation with of: the founder of X, the capital of Y.",
        ("Where was the founder of Versus born?", "Who is the founder of Versus?"),
        "What is the Bank of Norvania?",
        of_relation,
    ),
    Rule(
        "compound_role",
        "A role straight after a title: the Jaws director.",
        ("When was The Godfather author born?", "Who is The Godfather author?"),
        "When did the French author move to Rome?",
        compound_role,
    ),
    Rule(
        "located",
        "A distance or direction says which place: the city 20 miles north of X.",
        (
            "What is the population of the city 12 miles north of Bree?",
            "What city is 12 miles north of Bree?",
        ),
        "How far north of Denver is Boulder?",
        located,
    ),
    Rule(
        "prepositional",
        "A prepositional phrase says which one: the receptionist at X, the lead actor in Y, the city with the most Z.",
        ("Where did the receptionist at Real Madrid grow up?", "Who is the receptionist at Real Madrid?"),
        "How many people work at Real Madrid?",
        prepositional,
    ),
)
LAST_RESORT: tuple[Rule, ...] = (
    Rule(
        "superlative",
        "A superlative or an ordinal alone singles out the one; tried where no other rule finds anything.",
        ("Who directed the longest silent film?", "What is the longest silent film?"),
        "What is the longest silent film?",
        superlative,
    ),
)
CLAUSE_RULES: tuple[ClauseRule, ...] = (
    ClauseRule(
        "free_relative",
        "A clause with who or where stands for the entity itself.",
        ("What prize was meant for who sang Salt Harbour?", "Who sang Salt Harbour?"),
        "Who sang Salt Harbour?",
        free_relative,
    ),
)
LAST_CLAUSE_RULES: tuple[ClauseRule, ...] = (
    ClauseRule(
        "when_clause",
        "A when-clause about another named thing stands for a time; tried where no other rule finds anything.",
        ("Who was mayor of New York when Marta Oakes was born?", "When was Marta Oakes born?"),
        "Where was Marta Oakes when she drew the map?",
        when_clause,
    ),
)
