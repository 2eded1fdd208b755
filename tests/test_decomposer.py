"""Questions to plans: the gold cases, and what the decomposer takes and refuses."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from decomposing import GOLD, decomposer
from hopsplit.decompose import Decomposer, InputError
from hopsplit.decompose.rules import RULES, Rule
from hopsplit.evaluation import goldfile
from hopsplit.evaluation.goldfile import Case
from own_rule import NICKNAMED

KNOWN_WRONG = GOLD / "known_wrong.jsonl"
FILES = sorted(path for path in GOLD.glob("*.jsonl") if path != KNOWN_WRONG)


def differences(cases: list[Case]) -> list[str]:
    """Return where the program leaves the cases."""
    plans = list(decomposer().pipe(case.question for case in cases))
    return [f"{found.case.id}: {found.why}" for found in goldfile.differences(cases, plans)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_gold_cases_come_out_right(path: Path) -> None:
    """`hopsplit gold FILE` finds no difference; no case here is marked as known wrong."""
    cases = list(goldfile.read(path))
    assert differences(cases) == []
    assert [case.id for case in cases if case.known_wrong] == []


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.id, marks=pytest.mark.xfail(reason=case.known_wrong, strict=True))
        for case in goldfile.read(KNOWN_WRONG)
    ],
)
def test_known_wrong_cases_are_wrong(case: Case) -> None:
    """One that has come right must move to the file of its phenomenon, which its id names."""
    plan = decomposer().decompose(case.question)
    assert (plan.kind, tuple(hop.text for hop in plan.hops)) == (case.kind, case.hops)


def test_gold_cases_are_many_and_told_apart() -> None:
    """Ids are unique over all files and begin with the phenomenon; every known-wrong case says why."""
    cases = {path: goldfile.read(path) for path in (*FILES, KNOWN_WRONG)}
    ids = [case.id for read in cases.values() for case in read]
    assert len(set(ids)) == len(ids) > 200
    assert all(case.id.startswith(path.stem) for path in FILES for case in cases[path])
    assert all(case.known_wrong for case in cases[KNOWN_WRONG])


def test_plan_of_the_first_example() -> None:
    """Texts, references, spans in the question as given, answer types, and what made the plan."""
    plan = decomposer().decompose("Where was the father of the founder of Versus born?")
    assert plan.kind == "bridge"
    first, last = plan.hops
    assert (first.text, first.rule, first.refs, first.answer_type) == (
        "Who is the founder of Versus?",
        "of_relation",
        (),
        "person",
    )
    assert [plan.question[start:end] for start, end in first.spans] == ["the founder of Versus"]
    assert (last.text, last.rule, last.refs, last.answer_type) == (
        "Where was the father of #1 born?",
        "final",
        (1,),
        "place",
    )
    assert [plan.question[start:end] for start, end in last.spans] == ["Where was the father of", "born"]
    assert plan.provenance.startswith("hopsplit ")
    assert "3.8.0" in plan.provenance


def test_spans_point_into_the_question_as_given() -> None:
    """Double spaces and curly quotes stay where they were."""
    question = "  When did  Ada Lovelace\u2019s   mother die "
    plan = decomposer().decompose(question)
    assert [hop.text for hop in plan.hops] == ["Who is Ada Lovelace\u2019s mother?", "When did #1 die?"]
    assert [question[start:end] for start, end in plan.hops[0].spans] == ["Ada Lovelace\u2019s   mother"]


def test_a_clause_without_a_verb_is_no_hop() -> None:
    """The parser takes "sub" for the clause's verb; better no split than "What brass band's first official sub?"."""
    question = "How many players were in the Danish brass band whose first official sub-unit is Copperline?"
    assert [hop.text for hop in decomposer().decompose(question).hops] == [question]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "the question is empty; give a question"),
        (" \t\n", "the question is empty; give a question"),
        ({"question": "Who"}, "{'question': 'Who'} is no question; give a text"),
        ("Who \ud83c?", r"the question holds a lone surrogate \(U\+D83C\) at character 4"),
    ],
)
def test_bad_questions_are_refused(question: Any, message: str) -> None:
    """One error that names the fault, from both ways in."""
    with pytest.raises(InputError, match=message):
        decomposer().decompose(question)
    with pytest.raises(InputError, match=message):
        list(decomposer().pipe(["Who is Ada Lovelace?", question]))


def test_titles_are_atoms() -> None:
    """A title that is syntax without capitals is not read as such once it is known."""
    question = "who is the mother of the director of the man who knew nothing"
    known = Decomposer(titles=["The Man Who Knew Nothing"]).decompose(question)
    assert [hop.text for hop in known.hops] == [
        "who is the director of the man who knew nothing",
        "who is the mother of #1",
    ]


@pytest.mark.parametrize(
    ("titles", "said"),
    [
        ("Jaws", "the titles are 'Jaws'; give a list"),
        (5, "the titles are 5; give a list"),
        ([1984], "1984 is no title"),
    ],
)
def test_what_are_no_titles_is_refused(titles: Any, said: str) -> None:
    """One text would be taken for a title a letter; YAML takes 1984 for a number."""
    with pytest.raises(InputError, match=said):
        Decomposer(titles=titles)


def test_titles_are_taken_in_any_order() -> None:
    """Twice the same title, and another order, make no difference."""
    titles = ["Copper Sun", "Copper Sun over Leeds", "Leeds"]
    question = "Where was the author of Copper Sun over Leeds born?"
    plans = [Decomposer(titles=order).decompose(question) for order in (titles, [*titles[::-1], *titles])]
    assert plans[0] == plans[1]
    assert plans[0].hops[0].text == "Who is the author of Copper Sun over Leeds?"


def test_a_matcher_that_says_nothing_is_an_error() -> None:
    """None would pass for "no entity here"; the error names the rule and the mend."""
    silent = Rule("silent", "Says nothing.", ("", ""), "", lambda _sent, _np: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(InputError, match="the rule 'silent' gave None; return a Found, or say where it stopped"):
        Decomposer(rules=(silent,)).decompose("Where was the founder of Versus born?")


def test_own_rules_take_part() -> None:
    """In their place in the tuple, here the first; in other processes too."""
    own = Decomposer(rules=(NICKNAMED, *RULES))
    question, hop = NICKNAMED.example
    plan = own.decompose(question)
    assert [(h.rule, h.text) for h in plan.hops] == [("nicknamed", hop), ("final", "Who is the mayor of #1?")]
    assert [h.rule for h in own.decompose(NICKNAMED.leaves_alone).hops] == ["single"]
    assert list(own.pipe([question, question], batch_size=1, n_process=2)) == [plan, plan]


def test_plans_take_every_question() -> None:
    """A question that is refused alone gets a plan that says why; the others get theirs."""
    good, bad = "Where was the founder of Versus born?", "  "
    plans = decomposer().plans([good, bad, good])
    assert plans[0] == plans[2] == decomposer().decompose(good)
    assert (plans[1].question, plans[1].kind, plans[1].reason) == (
        bad,
        "unparseable",
        "the question is empty; give a question",
    )


def test_a_rule_that_cannot_be_sent_is_refused() -> None:
    """A matcher without a name of its own works in one process only, and the error says so."""
    anonymous = Rule("anonymous", "Nothing.", ("", ""), "", lambda _sent, _np: "nothing")
    plans = Decomposer(rules=(*RULES, anonymous)).pipe(["Who is Ada Lovelace?"], n_process=2)
    with pytest.raises(InputError, match="a rule cannot be sent to another process"):
        list(plans)


def test_plans_do_not_hang_on_the_hash_seed(tmp_path: Path) -> None:
    """Another process with other hash seeds prints the same plans."""
    questions = [case.question for case in goldfile.read(GOLD / "deep.jsonl")]
    code = f"from hopsplit.decompose import Decomposer\nprint(list(Decomposer().pipe({questions!r})))"
    told = [_printed(code, tmp_path, {"PYTHONHASHSEED": seed}) for seed in ("1", "2")]
    assert told[0] == told[1] == f"{list(decomposer().pipe(questions))}\n"


def _printed(code: str, folder: Path, environment: dict[str, str]) -> str:
    """Run code in a process of its own and return what it prints."""
    command = [sys.executable, "-c", code]
    return run(command, env=environment, cwd=folder, capture_output=True, check=True, text=True).stdout
