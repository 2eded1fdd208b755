"""The ordered tuple of the ways to compare, each with an example and a near miss that it leaves alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .compare_choice import either, listed_first, listed_inside, listed_last, listed_out_of
from .compare_pair import asked_of_both, declared, difference, paired
from .compare_standard import as_well, before, than

if TYPE_CHECKING:
    from collections.abc import Callable

    from .compare_frames import Reading
    from .sentence import Sentence

    Read = Callable[[Sentence, str], Reading | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One way to compare.

    read: takes the sentence and the question as given, returns its reading or None. example: a question that
    the rule reads and its hops. leaves_alone: a near miss that no rule here reads.
    """

    name: str
    about: str
    read: Read
    example: tuple[str, tuple[str, ...]]
    leaves_alone: str


def _rule(name: str, read: Read, example: tuple[str, tuple[str, ...]], leaves_alone: str) -> Comparison:
    return Comparison(name, read.__doc__ or "", read, example, leaves_alone)


COMPARISONS: tuple[Comparison, ...] = (
    _rule(
        "difference",
        difference,
        (
            "What is the difference in price between the Aero 14 and the Zephyr 9?",
            ("What is the price of the Aero 14?", "What is the price of the Zephyr 9?"),
        ),
        "What is the distance between Lyon and Marseille?",
    ),
    _rule(
        "listed_last",
        listed_last,
        (
            "Which film has the older director, Solaris or Rashomon?",
            (
                "Who is the director of Solaris?",
                "Who is the director of Rashomon?",
                "How old is #1?",
                "How old is #2?",
            ),
        ),
        "Who wrote or sang Northern Lights?",
    ),
    _rule(
        "listed_out_of",
        listed_out_of,
        (
            "Who was born first out of Ada Lovelace and Grace Hopper?",
            ("When was Ada Lovelace born?", "When was Grace Hopper born?"),
        ),
        "What is the oldest bridge of Buda and Pest?",
    ),
    _rule(
        "listed_first",
        listed_first,
        (
            "Between Lake Como and Lake Garda, which is deeper?",
            ("How deep is Lake Como?", "How deep is Lake Garda?"),
        ),
        "Of the films directed by Fritz Lang, which is the longest?",
    ),
    _rule(
        "listed_inside",
        listed_inside,
        (
            "Which of Lake Como and Lake Garda is deeper?",
            ("How deep is Lake Como?", "How deep is Lake Garda?"),
        ),
        "Which of the Beatles was born first?",
    ),
    _rule(
        "either",
        either,
        (
            "Is invoice INV-7 or invoice INV-9 approved by Ann Lee?",
            ("Is invoice INV-7 approved by Ann Lee?", "Is invoice INV-9 approved by Ann Lee?"),
        ),
        "Was Ada Lovelace born in Paris or London?",
    ),
    _rule(
        "than",
        than,
        (
            "Is the company that makes Pocky older than the company that makes Oreo?",
            ("What company makes Pocky?", "What company makes Oreo?", "How old is #1?", "How old is #2?"),
        ),
        "Is Paris bigger than 100 square kilometres?",
    ),
    _rule(
        "as_well",
        as_well,
        (
            "Does Uma Thurman have the same nationality as Ethan Hawke?",
            ("What nationality is Uma Thurman?", "What nationality is Ethan Hawke?"),
        ),
        "Who has the same birthday as Ada Lovelace?",
    ),
    _rule(
        "before",
        before,
        (
            "Was the bicycle invented before the typewriter?",
            ("When was the bicycle invented?", "When was the typewriter invented?"),
        ),
        "Was Solaris released before 1930?",
    ),
    _rule(
        "paired",
        paired,
        (
            "Do the directors of Solaris and Rashomon share the same nationality?",
            (
                "Who is the director of Solaris?",
                "Who is the director of Rashomon?",
                "What nationality is #1?",
                "What nationality is #2?",
            ),
        ),
        "Are Uma Thurman and Ethan Hawke married?",
    ),
    _rule(
        "asked_of_both",
        asked_of_both,
        (
            "In which country are Lyon and Marseille both located?",
            ("In which country is Lyon located?", "In which country is Marseille located?"),
        ),
        "When did Lewis and Clark reach the Pacific?",
    ),
    _rule(
        "declared",
        declared,
        (
            "Lyon and Marseille are both cities in which country?",
            ("Lyon is a city in which country?", "Marseille is a city in which country?"),
        ),
        "Simon and Garfunkel recorded which album?",
    ),
)
