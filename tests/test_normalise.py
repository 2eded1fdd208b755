"""Normalised text and where its characters came from."""

from __future__ import annotations

import pytest

from hopsplit.decompose import InputError
from hopsplit.decompose.normalise import normalise


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Who is A?", "Who is A?"),
        ("Who is A", "Who is A?"),
        ("Who is A.", "Who is A?"),
        ("Name A!", "Name A?"),
        ("Who is at Acme Ltd.", "Who is at Acme Ltd.?"),
        ("Who is A ?", "Who is A?"),
        ("  Who\u00a0 is\tA\n?\n", "Who is A?"),
        ("Where is Washington, D.C.", "Where is Washington, D.C.?"),
        ("Who is Sammy Davis Jr.", "Who is Sammy Davis Jr.?"),
        ("Who made Where Will It End??", "Who made Where Will It End??"),
        ("Who is Ada\u2019s \u201cfriend\u201d?", 'Who is Ada\'s "friend"?'),
        ("Who is \u00abA\u00bb?", 'Who is "A"?'),
        ("a non\u2011breaking hyphen?", "a non-breaking hyphen?"),
        ("Who made the \ufb01lm \u216b?", "Who made the film XII?"),
        ("zero\u200bwidth\ufeff?", "zerowidth?"),
        ("\u0000a\u0007b?", "a b?"),
        ("", ""),
        ("?", ""),
        (" \u200b ", ""),
    ],
)
def test_text(source: str, text: str) -> None:
    """One question mark last, single spaces, straight quotes, no invisible characters."""
    assert normalise(source).text == text


def test_composed_and_decomposed_letters_are_one() -> None:
    """NFC and NFD give the same text; the origin of an accented letter takes in its accent."""
    composed, decomposed = normalise("\u00c9mile?"), normalise("E\u0301mile?")
    assert composed.text == decomposed.text == "\u00c9mile?"
    assert composed.origin(0, 5) == (0, 5)
    assert decomposed.origin(0, 5) == (0, 6)


def test_origins_point_into_the_source() -> None:
    """Over double spaces, ligatures and a mark that is not there."""
    source = "  Who  made  the \ufb01lm"
    made = normalise(source)
    assert made.text == "Who made the film?"
    slices = {word: made.origin(made.text.index(word), made.text.index(word) + len(word)) for word in ("made", "film")}
    assert {word: source[start:end] for word, (start, end) in slices.items()} == {"made": "made", "film": "\ufb01lm"}
    assert made.origins[-1] == (len(source), len(source))


@pytest.mark.parametrize(
    ("source", "message"),
    [("\ud800", r"\(U\+D800\) at character 0"), ("Who \udfffis?", r"\(U\+DFFF\) at character 4; decode the text")],
)
def test_lone_surrogates_are_refused(source: str, message: str) -> None:
    """With the code and the place."""
    with pytest.raises(InputError, match=message):
        normalise(source)


def test_an_endless_question_is_refused() -> None:
    """2,000 characters are taken, one more is not; the error names the length and the limit."""
    assert len(normalise("a" * 1_999 + "?").text) == 2_000
    with pytest.raises(InputError, match="the question has 2,001 characters; give at most 2,000"):
        normalise("a" * 2_001)
