"""Texts as words, capitalised runs and pages."""

from __future__ import annotations

import pytest

from hopsplit.retrieval import Analyser, Passage
from hopsplit.retrieval.pages import capitals, opens_sentence, read, runs, words_of


def run_texts(text: str) -> list[str]:
    """Return the capitalised runs of a text."""
    words = words_of(text, Analyser())
    return [words.written(start, stop) for start, stop in runs(words)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met Ludwig van der Berg in Ghent.", ["Ludwig van der Berg", "Ghent"]),
        ("It was shot by B. Reeves Eason. Later he left.", ["B. Reeves Eason", "Later"]),
        ("signed by Hugo Bax. The desk stood by Mr. Ost.", ["Hugo Bax", "Mr. Ost"]),
        ("The Bank of England and The Times", ["Bank of England", "Times"]),
        ("born in Rome, Italy, on a ship", ["Rome", "Italy"]),
        ("In May 1931 Orla Venn left", ["Orla Venn"]),
        ("the 1904 Olympics, the Boeing 747 and Paris 2024", ["Olympics", "Boeing 747", "Paris 2024"]),
        ("O'Brien met Jean-Luc Picard", ["O'Brien", "Jean-Luc Picard"]),
        ("no capital here", []),
        ("", []),
    ],
)
def test_capitalised_runs(text: str, expected: list[str]) -> None:
    """A run goes over particles, initials and numbers, and stops at punctuation."""
    assert run_texts(text) == expected


def test_words_keep_step_with_terms_and_gaps() -> None:
    """Each word has its gap and its term; decomposed accents are one word."""
    words = words_of("Cafe\u0301, 3rd!", Analyser())
    assert words.words == ("Café", "3rd")
    assert words.gaps == (", ", "!")
    assert words.terms == ("cafe", "3rd")


def test_capitals_are_what_is_not_lower_case() -> None:
    """Digits and scripts without case can begin a name too."""
    assert capitals(words_of("in Rome 1904 東京 now", Analyser())) == [1, 2, 3]


def test_sentence_openings() -> None:
    """The first word and the word behind a full stop open a sentence."""
    words = words_of("Rain fell. Ada left; Ida stayed", Analyser())
    assert [place for place in range(len(words.words)) if opens_sentence(words, place)] == [0, 2]


def test_page_counts_title_and_text() -> None:
    """A page is the bag of terms of both."""
    page = read(Passage("x", "Red Gate", "The gate is red."), Analyser())
    assert (page.counts["red"], page.counts["gate"], page.counts["blue"], page.length) == (2, 2, 0, 6)
    assert page.line == " red gate the gate is red "
