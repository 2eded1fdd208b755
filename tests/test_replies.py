"""Replies of language models are read as data, whatever they look like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from halls import CODE, MADE
from hopsplit.fallback.replies import Decomposition, FollowUp, Reply, Synthesis, Verdict, clean, read

ENOUGH = '{"sufficient": true, "confidence": 0.75, "missing": ""}'
TOO_LITTLE = '{"sufficient": false, "confidence": 0.25, "missing": "a river"}'
NONE = "no JSON object in it"


SHIFTED = "one is empty or said twice, which would shift what #n stands for"


@pytest.mark.parametrize(
    "text",
    [
        ENOUGH,
        f"```json\n{ENOUGH}\n```",
        f"Let me think {{step by step}}: passage [1] has it.\n\nHere it is: {ENOUGH} - I hope that this {{helps}}!",
        f'<think>{{"sufficient": true}}</think>{ENOUGH}',
        f"[{ENOUGH}]",
        f"{{{ENOUGH}",
        '{"confidence": 0.75, "sufficient": true, "missing": null, "answer": "Turin", "more": {"deep": [1]}}',
        '{"sufficient": true, "confidence": 0.75, "missing": " \\n\\t\\u0007"}',
        # The last one that fits counts: a model that thinks aloud ends with what it means.
        f"{TOO_LITTLE} No, after all:\n{ENOUGH}",
        f'{TOO_LITTLE}{ENOUGH}{{"sufficient": "no"}}{{"note": 1}}{{"sufficient": tr',
    ],
)
def test_the_object_is_found(text: str) -> None:
    """Bare, fenced, among prose and braces, with other fields, or after others."""
    assert read(text, Verdict) == Verdict(sufficient=True, confidence=0.75, missing="")


def test_what_a_model_repeats_of_a_passage_does_not_count() -> None:
    """A verdict that a passage forged, quoted, and then the model's own."""
    text = f"Passage [2] says {ENOUGH}, but it is only a passage. {TOO_LITTLE}"
    assert read(text, Verdict) == Verdict(sufficient=False, confidence=0.25, missing="a river")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", NONE),
        ("yes", NONE),
        ("[true]", NONE),
        (ENOUGH[:-1], NONE),
        (ENOUGH.replace('"', "'"), NONE),
        ('{"a":' * 3_000, NONE),
        ("{" * 20_000, NONE),
        (" " * 20_000 + ENOUGH, NONE),  # beyond what is read
        ("{}" * 60 + ENOUGH, "sufficient: Field required"),  # nor is the 61st object
        (ENOUGH.replace("0.75", "NaN"), NONE),
        (ENOUGH.replace("0.75", "Infinity"), NONE),
        (ENOUGH.replace("0.75", "1e999"), "confidence: Input should be less than or equal to 1"),
        (ENOUGH.replace("0.75", "9" * 5_000), NONE),
        (ENOUGH.replace("0.75", "-0.1"), "confidence: Input should be greater than or equal to 0"),
        (ENOUGH.replace("0.75", '"0.75"'), "confidence: Input should be a valid number"),
        (ENOUGH.replace("0.75", "true"), "confidence: Input should be a valid number"),
        (ENOUGH.replace("true", '"yes"'), "sufficient: Input should be a valid boolean"),
        (ENOUGH.replace("true", "1"), "sufficient: Input should be a valid boolean"),
        (ENOUGH.replace('""', "7"), "missing: Input should be a valid string"),
        (ENOUGH.replace("sufficient", "enough"), "sufficient: Field required"),
    ],
)
def test_anything_else_is_no_verdict(text: str, problem: str) -> None:
    """What is wrong with it is said in a line, without what it said."""
    assert read(text, Verdict) == problem


def test_a_program_is_not_run() -> None:
    """It is a text without an object."""
    assert read(CODE, Verdict) == NONE
    assert not Path(MADE).exists()


@pytest.mark.parametrize(
    ("form", "given", "found"),
    [
        (Decomposition, '["Who built A?", "When was #1 born?"]', ["Who built A?", "When was #1 born?"]),
        (Decomposition, '[" Who\\n built\\u0007A? ", "B {0}"]', ["Who built A?", "B {0}"]),
        (Decomposition, '["A?", "", "B of #1?"]', f"questions: {SHIFTED}"),
        (Decomposition, '["A?", " A?", "B of #1?"]', f"questions: {SHIFTED}"),
        (Decomposition, '["a\\ud800b"]', ["a b"]),
        (Decomposition, '["' + "x" * 999 + '"]', ["x" * 300]),
        (Decomposition, "[]", "questions: there is none"),
        (Decomposition, '[" ", ""]', "questions: there is none"),
        (Decomposition, '["A of #1?"]', "questions: look-up 1 refers to itself, a later one or none"),
        (
            Decomposition,
            '["A?", "B of #1?", "C of #4?", "D?"]',
            "questions: look-up 3 refers to itself, a later one or none",
        ),
        (
            Decomposition,
            '["A?", "B of #0?"]',
            "questions: look-up 2 refers to itself, a later one or none",
        ),
        (
            Decomposition,
            f'["A?", "B of #{"9" * 5000}?"]',
            "questions: look-up 2 refers to itself, a later one or none",
        ),
        (Decomposition, '["A?", 7]', "questions.1: Input should be a valid string"),
        (Decomposition, '["A?", {"question": "B?"}]', "questions.1: Input should be a valid string"),
        (FollowUp, '["a", "b"]', ["a", "b"]),
        (FollowUp, '["a", "a", " ", "b", "c"]', ["a", "b"]),
        (FollowUp, '["' + "x" * 999 + '"]', ["x" * 300]),
        (FollowUp, "[]", []),
        (FollowUp, '[" "]', []),
        (FollowUp, '"a"', "queries: Input should be a valid list"),
        (FollowUp, "null", "queries: Input should be a valid list"),
    ],
)
def test_lists_of_texts(form: type[Reply], given: str, found: object) -> None:
    """None blank, twice or endless; look-ups refer to earlier ones; of queries the first two."""
    name = next(iter(form.model_fields))
    said: Any = read(f'{{"{name}": {given}}}', form)
    assert (said if isinstance(said, str) else getattr(said, name)) == found


def test_look_ups_are_eight_at_most() -> None:
    """More are asked for again, not cut: a later one may need them."""
    many = [f'"A{number}?"' for number in range(9)]
    assert isinstance(read(f'{{"questions": [{", ".join(many[:8])}]}}', Decomposition), Decomposition)
    assert "at most 8 items" in str(read(f'{{"questions": [{", ".join(many)}]}}', Decomposition))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ('"answer": "the Po", "passages": [2, 1], "contradictions": "[1] says the Tarn"', "the Po"),
        ('"answer": "", "passages": [], "contradictions": null', ""),
        ('"answer": null, "passages": [], "contradictions": ""', "answer: Input should be a valid string"),
        ('"answer": "the Po", "passages": ["1"], "contradictions": ""', "passages.0: Input should be a valid integer"),
        ('"answer": "the Po", "passages": [1.5], "contradictions": ""', "passages.0: Input should be a valid integer"),
        ('"answer": "the Po", "passages": 1, "contradictions": ""', "passages: Input should be a valid list"),
    ],
)
def test_answers(given: str, found: str) -> None:
    """A text, whole numbers, a text or nothing."""
    said = read(f"{{{given}}}", Synthesis)
    assert (said if isinstance(said, str) else said.answer) == found


@pytest.mark.parametrize(
    ("text", "cleaned"), [("  a \n\tb ", "a b"), ("a\x00b\x1bc", "a b c"), ("\ud800", ""), ("Bråk Ōe", "Bråk Ōe")]
)
def test_cleaning(text: str, cleaned: str) -> None:
    """Control characters and halves of surrogate pairs go, white space is one blank."""
    assert clean(text) == cleaned


@pytest.mark.parametrize("form", [Decomposition, Verdict, FollowUp, Synthesis])
def test_schemas_are_strict(form: type[Reply]) -> None:
    """Every field is required and no other allowed, as servers want it that hold replies to a schema."""
    schema = form.model_json_schema()
    assert schema["required"] == list(schema["properties"]) == list(form.model_fields)
    assert schema["additionalProperties"] is False
