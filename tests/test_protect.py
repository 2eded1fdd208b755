"""Names as atoms, without a parse."""

from __future__ import annotations

import pytest

from hopsplit.decompose.gazetteer import Gazetteer
from hopsplit.decompose.model import load_model
from hopsplit.decompose.normalise import normalise
from hopsplit.decompose.protect import protect, without_repeats
from hopsplit.decompose.sentence import Word
from hopsplit.decompose.vocabulary import Vocabulary


def protected(question: str, titles: tuple[str, ...] = ()) -> tuple[Word, ...]:
    """Return the words of a question."""
    text = normalise(question)
    gazetteer = Gazetteer(titles) if titles else None
    return protect(text, load_model().make_doc(text.text), Vocabulary(load_model()), gazetteer)


def names(question: str, titles: tuple[str, ...] = ()) -> list[str]:
    """Return the atoms of a question, as they stand in it."""
    return [question[word.start : word.end] for word in protected(question, titles) if word.atom]


@pytest.mark.parametrize(
    ("question", "atoms"),
    [
        ("Who directed Born to Wander?", ["Born to Wander"]),
        ("Who wrote The House of the Sleeping Wind?", ["The House of the Sleeping Wind"]),
        ("Who made Jaws (Film)?", ["Jaws (Film)"]),
        ("Who made Jaws (1975 film)?", ["Jaws (1975 film)"]),
        ("Who directed Who Goes There? (Film)?", ["Who Goes There? (Film)"]),
        ("Who made Br\u00e5k P\u00e5 L\u00f8rdag?", ["Br\u00e5k P\u00e5 L\u00f8rdag"]),
        ("Who wrote Sailor'S Gift To Widows?", ["Sailor'S Gift To Widows"]),
        ('Who wrote "leave it there" and "the fox"?', ['"leave it there"', '"the fox"']),
        ("Who published \u201cthe fox and the crown\u201d?", ["\u201cthe fox and the crown\u201d"]),
        ("What does the Office of Rivers and Inland Harbours do?", ["Office of Rivers and Inland Harbours"]),
        ("Who is the mother of Alric IV of Norvania?", ["Alric IV of Norvania"]),
        ("Who is Ada Lovelace's mother?", ["Ada Lovelace"]),
        ("Is 12 Lanterns older than 101 Dalmatians?", ["12 Lanterns", "101 Dalmatians"]),
        ("Are Paper Moons and Iron Sky from the same country?", ["Paper Moons", "Iron Sky"]),
        ("Who is older, Elin Storm or Leo Marsh?", ["Elin Storm", "Leo Marsh"]),
        ("Who closed ticket OPS-77?", ["OPS-77"]),
        ("Where is Washington, D.C.?", ["Washington, D.C."]),
        ("Who is the president of the United States?", ["United States"]),
        ("Who is the President of France?", ["France"]),
        ("Which Danish sculptor wrote it?", []),
        ("Who was born in 1912?", []),
        ("What is the capital of the country?", []),
    ],
)
def test_names_in_a_question_with_capitals(question: str, atoms: list[str]) -> None:
    """Quoted spans, capitalised runs with small words between, bracketed tags; not modifiers, offices or years."""
    assert names(question) == atoms


@pytest.mark.parametrize(
    ("question", "atoms"),
    [
        ("who is the wife of ostrik zorvelt", ["ostrik zorvelt"]),
        ("what is the capital of norvania", ["norvania"]),
        ("who closed ticket eng-204", ["eng-204"]),
        ("who is the mother of the director", []),
    ],
)
def test_names_in_a_question_without_capitals(question: str, atoms: list[str]) -> None:
    """Words that are no English ones are names where capitals tell nothing."""
    assert names(question) == atoms


def test_shouts_have_no_names_by_capitals() -> None:
    """Capitals throughout say nothing."""
    assert names("WHO IS THE MOTHER OF THE DIRECTOR?") == []


@pytest.mark.parametrize(
    ("question", "title", "atoms"),
    [
        ("who made the man who knew nothing?", "The Man Who Knew Nothing", ["the man who knew nothing"]),
        (
            "Who sang When Will You Sail Tonight in 1912?",
            "When Will You Sail Tonight",
            ["When Will You Sail Tonight"],
        ),
        ("Did Sun and Moon win?", "Sun and Moon", ["Sun and Moon"]),
        ("Are Sun and Moon alike?", "Moon", ["Sun", "Moon"]),
    ],
)
def test_known_titles_come_first(question: str, title: str, atoms: list[str]) -> None:
    """A title that the caller knows overrules what capitals say."""
    assert names(question, (title,)) == atoms


def test_words_keep_their_place_in_the_question() -> None:
    """Offsets into the text as given; whether space precedes; a hole for nothing that was typed."""
    question = " Who  is Ada\u2019s  mother"
    words = protected(question)
    assert [question[word.start : word.end] for word in words] == ["Who", "is", "Ada", "\u2019s", "mother", ""]
    assert [word.text for word in words] == ["Who", "is", "Ada", "'s", "mother", "?"]
    assert [word.space for word in words] == [False, True, True, False, True, False]


@pytest.mark.parametrize(
    ("question", "expression"),
    [
        ("Who is the chief executive officer of Acme?", "chief executive officer"),
        ("When did Runa's mother-in-law die?", "mother-in-law"),
        ("When did Runa's mother in law die?", "mother in law"),
    ],
)
def test_fixed_expressions_are_one_word(question: str, expression: str) -> None:
    """With what the parser reads in their place; they are no names."""
    (word,) = [word for word in protected(question) if word.stand]
    assert (word.text, word.name, word.atom) == (expression, False, False)


def test_words_typed_twice_count_once() -> None:
    """Function words only: a name may repeat itself."""
    words = without_repeats(protected("Who who is the the mother of Duran Duran?"))
    assert [word.text for word in words] == ["Who", "is", "the", "mother", "of", "Duran Duran", "?"]
