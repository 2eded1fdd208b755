"""A rule of a user's own, in a module of its own as another process needs it."""

from __future__ import annotations

from hopsplit.decompose.phrases import Phrase
from hopsplit.decompose.rules import Found, Match, Rule
from hopsplit.decompose.sentence import Sentence


def match(sent: Sentence, np: Phrase) -> Match:
    """Read "the city nicknamed X"."""
    for verb in np.clauses:
        if sent[verb].low == "nicknamed":
            noun = [i for i in np.all if i < verb and i != np.det]
            name = [i for i in np.all if i > verb]
            return Found(np.all, ("What", *noun, "has the nickname", *name), np.head)
    return "nothing is nicknamed"


NICKNAMED = Rule(
    "nicknamed",
    "A nickname says which one.",
    ("Who is the mayor of the city nicknamed Big Smoke?", "What city has the nickname Big Smoke?"),
    "Which city is nicknamed Big Smoke?",
    match,
)
