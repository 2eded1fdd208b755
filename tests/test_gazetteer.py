"""Known titles in questions."""

from __future__ import annotations

import random
import time

import pytest

from hopsplit.decompose.gazetteer import Gazetteer, fold


def found(titles: list[str], question: str) -> list[str]:
    """Return the titles found in a question of white-space separated tokens."""
    tokens = question.split()
    matches = Gazetteer(titles).match(tokens, any(token.islower() for token in tokens))
    return [" ".join(tokens[start:end]) for start, end in sorted(matches.items())]


@pytest.mark.parametrize(
    ("titles", "question", "names"),
    [
        (["Copper Sun"], "Who wrote Copper Sun ?", ["Copper Sun"]),
        (["Copper Sun", "Copper Sun over Leeds"], "Who wrote Copper Sun over Leeds ?", ["Copper Sun over Leeds"]),
        (["Copper Sun over Leeds"], "Who wrote Copper Sun over Millbrook ?", []),
        (["The Man Who Knew Nothing"], "who made the man who knew nothing ?", ["the man who knew nothing"]),
        (["\u00c9tudes d\u2019hiver"], "who wrote etudes d \u2019 hiver ?", ["etudes d \u2019 hiver"]),
        (["Jaws (Film)"], "Who made Jaws ?", ["Jaws"]),
        (["Jaws (Film)"], "Who made Jaws ( Film ) ?", ["Jaws ( Film )"]),
        (["It"], "Who made it ?", []),
        (["It Is", "The"], "Who is it and the other ?", []),
        (["Leeds"], "Who lives in leeds ?", []),
        (["Leeds"], "Who lives in Leeds ?", ["Leeds"]),
        (["Who Is She"], "Who is she ?", []),
        (["Sun", "Moon"], "Are Sun and Moon alike ?", ["Sun", "Moon"]),
        (["?", "..."], "Who made it ?", []),
    ],
)
def test_titles_found(titles: list[str], question: str, names: list[str]) -> None:
    """The longest wins; case and accents do not matter, but plain words are not taken for a title."""
    assert found(titles, question) == names


def test_order_of_titles_does_not_matter() -> None:
    """Nor do repeated ones."""
    titles = ["Copper Sun", "Copper", "Copper Sun over Leeds", "Sun"]
    shuffled = [*titles, *titles]
    random.Random(7).shuffle(shuffled)
    question = "Who wrote Copper Sun over Leeds and Copper Sun ?"
    assert found(titles, question) == found(shuffled, question) == ["Copper Sun over Leeds", "Copper Sun"]


def test_folding() -> None:
    """Lower case without marks; letters that are no letter with a mark stay."""
    assert fold("\u00c9TUDES") == "etudes"
    assert fold("Stra\u00dfe") == "strasse"
    assert fold("\u0141\u00f3d\u017a") == "\u0142odz"


def test_many_titles_are_no_slower_to_match_than_few() -> None:
    """Of 100,000 titles only those that begin with a word of the question are looked at."""
    titles = [f"Title {number} of the Long List" for number in range(100_000)]
    gazetteer = Gazetteer([*titles, "Copper Sun"])
    tokens = "Who is the father of the man who wrote Copper Sun and Title 7 of the Long List ?".split()
    start = time.perf_counter()
    for _ in range(100):
        matches = gazetteer.match(tokens, cased=True)
    assert time.perf_counter() - start < 1.0
    assert matches == {9: 11, 12: 18}
