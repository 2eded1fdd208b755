"""What holds for every question, whatever its characters: generated texts, and all gold questions in variants."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from decomposing import GOLD_FILES, decomposer
from hopsplit.decompose import Decomposer, InputError, Plan
from hopsplit.decompose.normalise import normalise

# Bits that the rules, the protection of names and the checks look for, in any order.
BITS = st.sampled_from(
    [
        *"who whom whose what which when where why how is was are were did does do has have born die".split(),
        *"the a an of in at by with for from that to and or than before both same between not as more".split(),
        *"author director film city country year mother wife company first largest older second name people".split(),
        *"wrote directed founded located starring containing written Paris Ada Lovelace Jaws The Of And Born".split(),
        *"'s \u2019s s' , ? . ! : ; - \u2013 ( ) \" \u201c \u201d ' #1 #2 #0 & (Film) 1912 2nd U.S.".split(),
        *"\u00c9 \u00df \u65e5\u672c de la \u00bf ... ?? 3,000 co-founded I name tell me please list can you".split(),
    ]
)
QUESTIONS = st.lists(BITS, min_size=1, max_size=18).map(" ".join)
SLOW = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@cache
def gold_questions() -> tuple[str, ...]:
    """Return all gold questions, own and of the demo collections."""
    lines = [line for path in GOLD_FILES for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(json.loads(line)["question"] for line in lines)


@cache
def gold_plans() -> tuple[Plan, ...]:
    """Return the plans of the gold questions, made one by one."""
    return tuple(decomposer().decompose(question) for question in gold_questions())


def check(plan: Plan, question: str) -> None:
    """Check what every plan must keep to; the rest its constructor does."""
    assert plan.question == question
    assert plan.reason
    for hop in plan.hops:
        assert hop.text.strip()
        assert list(hop.spans) == sorted(hop.spans)
        assert all(0 <= start < end <= len(question) for start, end in hop.spans)
        assert all(before[1] <= after[0] for before, after in zip(hop.spans, hop.spans[1:], strict=False))
    if plan.kind == "single":
        assert [hop.text for hop in plan.hops] == [question]


@SLOW
@given(st.text(max_size=60))
@example("")
@example(" \n")
@example("\ud800")
@example("a\udfff?")
@example("#1")
@example("Who is #1?")
@example("\u0301")
@example("e\u0301\u0301\u0301 of \u200d\u200b")
@example("?" * 50)
@example("(" * 50)
@example("\U0001d416ho is the author of \ufb01lm \u216b?")
def test_any_text_gives_a_plan_or_one_refusal(text: str) -> None:
    """Whatever the characters: a valid plan, or the one error for bad input."""
    if not text.strip() or any("\ud800" <= char <= "\udfff" for char in text):
        with pytest.raises(InputError, match="the question"):
            decomposer().decompose(text)
    else:
        check(decomposer().decompose(text), text)


@SLOW
@given(QUESTIONS)
def test_any_heap_of_question_words_gives_a_plan(text: str) -> None:
    """Words that the rules look for, in any order."""
    check(decomposer().decompose(text), text)


@SLOW
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_normalised_characters_know_their_place(text: str) -> None:
    """Every origin lies in the source, in order; single spaces, none at the ends; one final question mark at most."""
    made = normalise(text)
    assert len(made.text) == len(made.origins)
    starts = [start for start, _ in made.origins]
    assert starts == sorted(starts)
    assert all(0 <= start <= end <= len(text) for start, end in made.origins)
    assert "  " not in made.text
    assert made.text == made.text.strip()


@pytest.mark.parametrize("size", [2, 64])
def test_batches_do_not_matter(size: int) -> None:
    """`pipe` gives exactly what `decompose` gives."""
    assert tuple(decomposer().pipe(gold_questions(), batch_size=size)) == gold_plans()


def test_processes_do_not_matter() -> None:
    """Two processes give what one gives, in order, names protected and explanations kept."""
    questions = gold_questions()[:40]
    known = Decomposer(titles=["the last word"])
    plans = list(known.pipe(questions, explain=True))
    shared = list(known.pipe(questions, batch_size=7, n_process=2, explain=True))
    assert shared == plans
    assert [plan.explanation for plan in shared] == [plan.explanation for plan in plans]


def plain(plan: Plan) -> tuple[str, list[str]]:
    """Return kind and hops without what the variants below change."""
    texts = [re.sub(r"\s+", " ", hop.text.translate(str.maketrans("\u2019\u201c\u201d", '\'""'))) for hop in plan.hops]
    return plan.kind, [text.strip().rstrip("?. ") for text in texts]


def curled(text: str) -> str:
    """Return the text with typographic quotes."""
    text = re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text)
    return text.replace("'", "\u2019")


@pytest.mark.parametrize(
    "variant",
    [
        lambda text: text.rstrip().removesuffix("?"),
        lambda text: text.replace(" ", "  "),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: f"  {text}\n",
        curled,
    ],
    ids=["no question mark", "double spaces", "no-break spaces", "space around", "curled quotes"],
)
def test_typing_does_not_matter(variant: object) -> None:
    """Spaces, quotes and the final mark change no kind and no hop."""
    assert callable(variant)
    plans = [plan for plan in gold_plans() if not plan.question.endswith("??")]
    varied = decomposer().pipe(variant(plan.question) for plan in plans)
    assert [a.question for a, b in zip(plans, varied, strict=True) if plain(a) != plain(b)] == []


def test_capitals_matter_little() -> None:
    """Without a single capital most questions keep their kind and hops, though names are harder to tell then."""
    lowered = decomposer().pipe(plan.question.lower() for plan in gold_plans())
    pairs = zip(gold_plans(), lowered, strict=True)
    kept = [(a.kind, [h.lower() for h in plain(a)[1]]) == (b.kind, [h.lower() for h in plain(b)[1]]) for a, b in pairs]
    assert sum(kept) / len(kept) >= 0.85


def test_hops_are_single() -> None:
    """What a question was split into is not split again; a hop that names another is left whole by its number."""
    hops = [hop.text for plan in gold_plans() if len(plan.hops) > 1 for hop in plan.hops if not hop.refs]
    again = list(decomposer().pipe(hops))
    assert sum(plan.kind == "single" for plan in again) / len(again) >= 0.97
