"""Replies of language models are read as data, whatever they look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from hopsplit.fallback import prompts
from hopsplit.fallback.llm import estimate_tokens, read_json

REPLIES = Path(__file__).parent / "replies"


def said(name: str) -> str:
    """Return a stored reply."""
    return (REPLIES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["sufficient.txt", "fenced.txt", "prose.txt"])
def test_the_object_is_found(name: str) -> None:
    """Bare, in a code fence, or between prose that has braces of its own."""
    assert read_json(said(name), prompts.read_verdict) == prompts.Verdict(True, "Turin")


@pytest.mark.parametrize(
    "name", ["truncated.txt", "code.txt", "empty.txt", "wrong_types.txt", "array.txt", "nested.txt"]
)
def test_anything_else_is_no_reply(name: str) -> None:
    """Cut off, a program, nothing, other types, an array, 3,000 levels deep: not read, and not run."""
    assert read_json(said(name), prompts.read_verdict) is None
    assert not Path("/tmp/hopsplit-was-here").exists()  # noqa: S108  (what code.txt would make)


def test_the_first_object_of_the_right_form_counts() -> None:
    """An object of another form before it is passed over."""
    text = '{"note": 1} {"sufficient": false} {"sufficient": true}'
    assert read_json(text, prompts.read_verdict) == prompts.Verdict(False, None)


@pytest.mark.parametrize(
    ("answer", "read"),
    [('"Turin"', "Turin"), ("1923", "1923"), ("null", None), ('" "', None), ('"a\\n\\u0007b\\ud800"', "a b")],
)
def test_answers(answer: str, read: str | None) -> None:
    """Numbers become text, blanks None; control characters and lone surrogates are dropped."""
    verdict = read_json(f'{{"sufficient": true, "answer": {answer}}}', prompts.read_verdict)
    assert verdict == prompts.Verdict(True, read)


@pytest.mark.parametrize("answer", ["true", "[]", '{"a": 1}', "NaN", "-Infinity", "1e999", "9" * 5000])
def test_answers_of_another_type(answer: str) -> None:
    """A truth value, list or object is no answer, nor a number that is none or endless."""
    assert read_json(f'{{"sufficient": true, "answer": {answer}}}', prompts.read_verdict) is None


def test_queries() -> None:
    """At most two, each once, none blank or endless."""
    assert read_json(said("queries.txt"), prompts.read_queries) == (
        "Where was Ugo Marl born?",
        "Ugo Marl architect",
    )
    assert read_json(said("three_queries.txt"), prompts.read_queries) == (
        "Ugo Marl birthplace",
        "Ugo Marl family",
    )
    assert read_json(said("queries_not_text.txt"), prompts.read_queries) is None
    assert read_json('{"queries": [" ", "a", "a"]}', prompts.read_queries) == ("a",)
    assert read_json('{"queries": []}', prompts.read_queries) is None
    assert read_json('{"queries": ["' + "x" * 999 + '"]}', prompts.read_queries) == ("x" * 300,)


def test_braces_in_the_question_mean_nothing() -> None:
    """Questions are joined into prompts, not formatted into them."""
    question = "Who wrote {title} and {0} in {{2001}} %s?"
    assert question in prompts.judge(question, [])[-1].content
    assert question in prompts.follow_up(question, [], [question])[-1].content


def test_tokens_are_estimated_with_care() -> None:
    """One for three UTF-8 bytes, and one more: "Bråk" has five bytes."""
    assert [estimate_tokens(text) for text in ("", "abc", "Bråk")] == [1, 2, 2]
