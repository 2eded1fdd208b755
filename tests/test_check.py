"""What is no question, what is no sound split, and why."""

from __future__ import annotations

import pytest

from decomposing import decomposer
from hopsplit.decompose.asked import asked
from hopsplit.decompose.check import unreadable, unsaid, unsound
from parses import tree


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("???", "no words"),
        ("12 + 30", "no words"),
        ("SELECT title FROM films WHERE year = 1999;", "no sentence: it holds '='"),
        ("\u00bfQui\u00e9n escribi\u00f3 la novela?", "not English"),
        ("Wo wurde der Gr\u00fcnder der Firma geboren?", "not English"),
        (
            "\u0413\u0434\u0435 \u0440\u043e\u0434\u0438\u043b\u0441\u044f \u0430\u0432\u0442\u043e\u0440?",
            "not English",
        ),
        ("Copper Sun is a novel. It won a prize. Who handed it over?", "several sentences"),
        ("director birthplace school copper sun", "keywords without a sentence"),
        ("the mother of the", "it breaks off after 'the'"),
        ("The film Paper Moons was shot in Leeds.", "it asks nothing"),
    ],
)
def test_what_is_no_question_is_told_with_the_reason(question: str, reason: str) -> None:
    """The plan has no hops."""
    plan = decomposer().decompose(question)
    assert (plan.kind, plan.reason, plan.hops) == ("unparseable", reason, ())


@pytest.mark.parametrize(
    "question",
    [
        "Who is the author of C++?",
        "What does the function f(x) = x return?",
        "Who wrote Wo ist mein Freund?",
        "What is Washington, D.C.?",
        "Where did Dr. Elin Storm study?",
        "who is ada lovelace",
        "Is it?",
        "The Blue Lantern was recorded by whom?",
        "Name the author of Emma.",
        "What company does J. R. R. Marsh own?",
    ],
)
def test_what_is_a_question_is_let_through(question: str) -> None:
    """Code, foreign titles, full stops, odd order and requests are no reason to refuse."""
    assert decomposer().decompose(question).kind != "unparseable"


def test_signals_read_the_tree_alone() -> None:
    """On written-down parses: a missing main verb is seen, one that is there is not."""
    broken, _ = tree(
        "In/IN/prep/3 what/WDT/det/2 year/NN/pobj/0 did/VBD/ROOT/3 the/DT/det/5 cat/NN/nsubj/3 "
        "with/IN/prep/5 it/PRP/pobj/6 ?/./punct/3"
    )
    whole, _ = tree(
        "In/IN/prep/6 what/WDT/det/2 year/NN/pobj/0 did/VBD/aux/6 the/DT/det/5 cat/NN/nsubj/6 die/VB/ROOT/6 ?/./punct/6"
    )
    assert unreadable(broken, asked(broken)) == "no main verb after 'did'"
    assert unreadable(whole, asked(whole)) is None


def test_words_in_no_hop_are_told() -> None:
    """In the question's order; function words and what requests begin with do not count."""
    words = "tell me where the clever founder of versus was born".split()
    assert unsaid(["Who is the founder of Versus?", "Where was #1 born?"], words) == ["clever"]
    assert unsaid(["Who is the clever founder of Versus?", "Where was #1 born?"], words) == []


def test_a_last_hop_must_ask_something() -> None:
    """What is left after the bridge was taken out may be nothing."""
    nothing, _ = tree("What/WP/attr/1 is/VBZ/ROOT/1 ?/./punct/1")
    something, _ = tree("Who/WP/attr/1 is/VBZ/ROOT/1 older/JJR/acomp/1 ?/./punct/1")
    assert unsound(nothing) == "nothing is left to ask about the answer"
    assert unsound(something) is None
