"""Comparisons: every rule on its example and near miss, the ways people phrase them, and what is none."""

from __future__ import annotations

import pytest

from decomposing import decomposer
from hopsplit.decompose.compare import COMPARISONS
from hopsplit.decompose.compare_asking import article, base
from hopsplit.decompose.compare_rules import Comparison

KINDS = ("comparison", "bridge_comparison")


def hops(question: str) -> tuple[str, ...]:
    """Return the hop texts of a question that must be a comparison of either kind."""
    plan = decomposer().decompose(question)
    assert plan.kind in KINDS, f"{plan.kind}: {plan.reason}"
    return tuple(hop.text for hop in plan.hops)


@pytest.mark.parametrize("rule", COMPARISONS, ids=lambda r: r.name)
def test_rule_leaves_its_near_miss_alone(rule: Comparison) -> None:
    """No rule reads another's near miss either."""
    assert decomposer().decompose(rule.leaves_alone).kind not in KINDS


# Each thing is asked the same: a frame with {} for the thing.
NAMED = [
    ("Which lake is deeper: Lake Como or Lake Garda?", "How deep is {}?", ("Lake Como", "Lake Garda")),
    ("Of Lake Como and Lake Garda, which one is deeper?", "How deep is {}?", ("Lake Como", "Lake Garda")),
    ("Lake Como or Lake Garda: which is deeper?", "How deep is {}?", ("Lake Como", "Lake Garda")),
    ("Lake Como vs Lake Garda, which is deeper?", "How deep is {}?", ("Lake Como", "Lake Garda")),
    ("Which lake, Lake Como or Lake Garda, is deeper?", "How deep is {}?", ("Lake Como", "Lake Garda")),
    ("Which lake is deeper Lake Como or Lake Garda", "How deep is {}?", ("Lake Como", "Lake Garda")),
    ("Was Ann Lee or Bob Ray born first?", "When was {} born?", ("Ann Lee", "Bob Ray")),
    ("Who was older when elected, Ann Lee or Bob Ray?", "How old was {} when elected?", ("Ann Lee", "Bob Ray")),
    ("Who is younger, Ann Lee or Bob Ray?", "How old is {}?", ("Ann Lee", "Bob Ray")),
    ("Who died younger, Ann Lee or Bob Ray?", "At what age did {} die?", ("Ann Lee", "Bob Ray")),
    ("Who lived longer, Monet or Manet?", "How long did {} live?", ("Monet", "Manet")),
    ("Tell me who is older, Ann Lee or Bob Raynor.", "How old is {}?", ("Ann Lee", "Bob Raynor")),
    ("Can you tell me whether Yale is older than Duke?", "How old is {}?", ("Yale", "Duke")),
    ("Which film was released more recently, Solaris or Ran?", "When was {} released?", ("Solaris", "Ran")),
    ("Which film came out first, Solaris or Ran?", "When did {} come out?", ("Solaris", "Ran")),
    ("Which film did Kurosawa direct first, Ran or Dreams?", "When did Kurosawa direct {}?", ("Ran", "Dreams")),
    ("Who was the first to reach the pole, Amundsen or Scott?", "When did {} reach the pole?", ("Amundsen", "Scott")),
    ("Which team has the most players, Ajax or Genk?", "How many players does {} have?", ("Ajax", "Genk")),
    ("Who has won more medals, Ann Lee or Bob Ray?", "How many medals has {} won?", ("Ann Lee", "Bob Ray")),
    ("How many more goals did Ann Lee score than Bob Ray?", "How many goals did {} score?", ("Ann Lee", "Bob Ray")),
    ("Which costs more, the Aero 14 or the Zephyr 9?", "How much does {} cost?", ("the Aero 14", "the Zephyr 9")),
    ("Is Falcon more expensive than Heron?", "How expensive is {}?", ("Falcon", "Heron")),
    ("How much taller is Mont Blanc than the Rigi?", "How tall is {}?", ("Mont Blanc", "the Rigi")),
    ("Does the Aero 14 weigh as much as the Zephyr 9?", "How much does {} weigh?", ("the Aero 14", "the Zephyr 9")),
    ("Which city is further north, Lyon or Nice?", "How far north is {}?", ("Lyon", "Nice")),
    ("Which city has a larger population, Lyon or Nice?", "How large a population does {} have?", ("Lyon", "Nice")),
    ("Whose salary is higher, Ann Lee's or Bob Ray's?", "How high is the salary of {}?", ("Ann Lee", "Bob Ray")),
    ("Are Ann Lee and Bob Ray both engineers?", "Is {} an engineer?", ("Ann Lee", "Bob Ray")),
    ("Are Lyon and Nice in the same region?", "What region is {} in?", ("Lyon", "Nice")),
    ("Are Lyon and Nice in different regions?", "What region is {} in?", ("Lyon", "Nice")),
    ("Were Ann Lee and Bob Ray born in the same place?", "Where was {} born?", ("Ann Lee", "Bob Ray")),
    ("Are Ann Lee and Bob Ray the same age?", "How old is {}?", ("Ann Lee", "Bob Ray")),
    ("Do Ann Lee and Bob Ray share the same birthday?", "What is the birthday of {}?", ("Ann Lee", "Bob Ray")),
    ("Were Solaris and Ran directed by the same person?", "Who was {} directed by?", ("Solaris", "Ran")),
    ("Do Solaris and Ran have the same director?", "Who is the director of {}?", ("Solaris", "Ran")),
    ("Are both towns, Bree, Limburg and Tienen, in Belgium?", "Is {} in Belgium?", ("Bree, Limburg", "Tienen")),
    ("Are Lyon, Nice and Metz all in France?", "Is {} in France?", ("Lyon", "Nice", "Metz")),
    (
        "Which is the longest, the Oder, the Elbe or the Rhine?",
        "How long is {}?",
        ("the Oder", "the Elbe", "the Rhine"),
    ),
    ("What nationality do Ann Lee and Bob Ray share?", "What nationality is {}?", ("Ann Lee", "Bob Ray")),
    ("What do Ann Lee and Bob Ray have in common?", "What is {}?", ("Ann Lee", "Bob Ray")),
    ("Where did Ann Lee and Bob Ray both study?", "Where did {} study?", ("Ann Lee", "Bob Ray")),
    ("Both Lyon and Nice lie in which country?", "{} lies in which country?", ("Lyon", "Nice")),
    ("What is the difference between TCP and UDP?", "What is {}?", ("TCP", "UDP")),
    ("How does TCP differ from UDP?", "What is {}?", ("TCP", "UDP")),
    ("Which painter is Danish, Ann Lee or Bob Ray?", "Is {} Danish?", ("Ann Lee", "Bob Ray")),
    ("Which writer was taught in Rome, Ann Lee or Bob Ray?", "Was {} taught in Rome?", ("Ann Lee", "Bob Ray")),
    ("Which metal melts at a higher temperature, iron or tin?", "At what temperature does {} melt?", ("iron", "tin")),
    ("Were both War and Peace and Emma published in Russia?", "Was {} published in Russia?", ("War and Peace", "Emma")),
    ('Which song is longer, "Rain" or "Help!"?', "How long is {}?", ('"Rain"', '"Help!"')),
]


@pytest.mark.parametrize(("question", "frame", "things"), NAMED, ids=[q for q, _, _ in NAMED])
def test_named_things(question: str, frame: str, things: tuple[str, ...]) -> None:
    """Each named thing gets the same question, in the order in which they stand."""
    plan = decomposer().decompose(question)
    assert (plan.kind, tuple(h.text for h in plan.hops)) == ("comparison", tuple(frame.format(t) for t in things))


# Over a relation: the look-up with {} for the thing, then what is asked of the answer.
DESCRIBED = [
    ("Which film has the director who died first, Solaris or Ran?", "Who is the director of {}?", "When did {} die?"),
    ("Which film has the director born later, Solaris or Ran?", "Who is the director of {}?", "When was {} born?"),
    ("Which film has the director died later, Solaris or Ran?", "Who is the director of {}?", "When did {} die?"),
    ("Which film whose director is younger, Solaris or Ran?", "Who is the director of {}?", "How old is {}?"),
    ("Which film's composer was born first, Solaris or Ran?", "Who is the composer of {}?", "When was {} born?"),
    ("Whose director is older, Solaris or Ran?", "Who is the director of {}?", "How old is {}?"),
    ("Which director is older, that of Solaris or that of Ran?", "Who is the director of {}?", "How old is {}?"),
    ("Which film was directed by the older director, Solaris or Ran?", "Who was {} directed by?", "How old is {}?"),
    ("Which film was shot by someone born later, Solaris or Ran?", "Who was {} shot by?", "When was {} born?"),
    ("Between Solaris and Ran, which has the younger director?", "Who is the director of {}?", "How old is {}?"),
    ("Which film, Solaris or Ran, has the older producer?", "Who is the producer of {}?", "How old is {}?"),
    ("Does Solaris have an older director than Ran?", "Who is the director of {}?", "How old is {}?"),
    ("Who is older, the director of Solaris or the director of Ran?", "Who is the director of {}?", "How old is {}?"),
    ("Did the maker of Solaris die before the maker of Ran?", "Who is the maker of {}?", "When did {} die?"),
    ("Do Solaris's editor and Ran's editor share an office?", "Who is {}'s editor?", "What office does {} have?"),
    ("Are the directors of both films Solaris and Ran from Asia?", "Who is the director of {}?", "Is {} from Asia?"),
    ("Do editor of film Solaris and editor of film Ran share the same nationality?",
     "Who is the editor of film {}?", "What nationality is {}?"),
    ("Do both inns, Solaris and Ran, have the owners who are from the same town?",
     "Who is the owner of {}?", "What town is {} from?"),
    ("Do Solaris and Ran have directors that share the same nationality?",
     "Who is the director of {}?", "What nationality is {}?"),
    ("Where were the directors of Solaris and Ran born?", "Who is the director of {}?", "Where was {} born?"),
    ("Are the CEOs of Solaris and Ran both women?", "Who is the CEO of {}?", "Is {} a woman?"),
    ("Was the person who approved Solaris hired before the person who approved Ran?",
     "Who approved {}?", "When was {} hired?"),
    ("Is the river that runs through Solaris longer than the river that runs through Ran?",
     "What river runs through {}?", "How long is {}?"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "find", "ask"), DESCRIBED, ids=[q for q, _, _ in DESCRIBED])
def test_described_things(question: str, find: str, ask: str) -> None:
    """First a look-up for each thing, then the question about each answer."""
    plan = decomposer().decompose(question)
    expected = [find.format("Solaris"), find.format("Ran"), ask.format("#1"), ask.format("#2")]
    assert (plan.kind, [h.text for h in plan.hops]) == ("bridge_comparison", expected)


ALONE = [
    "Who drew or carved Northern Lights?",
    "Is the author of Emma alive or dead?",
    "Is the capital of Australia Sydney or Melbourne?",
    "In which city was Ann Lee born, Paris or London?",
    "Who directed both Solaris and Stalker?",
    "Are Mark Twain and Samuel Clemens the same person?",
    "Are Ann Lee and Bob Ray related?",
    "Is Ann Lee older than the director of Solaris?",
    "Which team did Ann Lee play for before the Hawks?",
    "How many people live in Trinidad and Tobago?",
    "Does Romeo and Juliet have five acts?",
    "Who has more cups than the choir in Bree or the club in Genk?",
    "Which of the owners of the House of Salt and Timber paid the toll?",
    "Did Ann Lee move to London before her mother died?",
    "Where was the older brother of the director of Solaris born?",
    "Who was the president of France before Ann Lee?",
]


@pytest.mark.parametrize("question", ALONE)
def test_what_is_no_comparison(question: str) -> None:
    """A choice of verbs or values, an identity, a pair that acts together: no comparison."""
    assert decomposer().decompose(question).kind not in KINDS


@pytest.mark.parametrize("question", [rule.example[0] for rule in COMPARISONS])
def test_final_mark_does_not_matter(question: str) -> None:
    """Without its "?" a question has the same hops."""
    assert hops(question.rstrip("?")) == hops(question)


LOWER = [
    "Which lake is deeper, Lake Como or Lake Garda?",
    "Was Ann Lee or Bob Ray born first?",
    "Is Lake Como deeper than Lake Garda?",
    "Are Lyon and Nice in the same country?",
    "Do the directors of Solaris and Rashomon share the same nationality?",
    "Which film has the director who died first, Solaris or Rashomon?",
    "What is the difference between TCP and UDP?",
]


@pytest.mark.parametrize("question", LOWER)
def test_capitals_do_not_matter(question: str) -> None:
    """A question in lower case has the same kind and the same hops in lower case."""
    plan, lower = decomposer().decompose(question), decomposer().decompose(question.lower())
    assert lower.kind == plan.kind
    assert [h.text for h in lower.hops] == [h.text.lower() for h in plan.hops]


def test_answer_types() -> None:
    """A hop says what its answer is: a person is looked up, a date compared."""
    plan = decomposer().decompose("Which film has the director who was born first, Solaris or Ran?")
    assert [hop.answer_type for hop in plan.hops] == ["person", "person", "date", "date"]


@pytest.mark.parametrize(
    ("word", "adjective"),
    [
        ("older", "old"),
        ("youngest", "old"),
        ("bigger", "big"),
        ("heaviest", "heavy"),
        ("further", "far"),
        ("tower", ""),
    ],
)
def test_base_of_a_comparative(word: str, adjective: str) -> None:
    """The adjective that "how" asks for; a noun in -er has none."""
    from hopsplit.decompose.sentence import Sentence

    assert base(Sentence([]), word) == adjective


@pytest.mark.parametrize(
    ("word", "expected"), [("engineer", "an"), ("ESA", "an"), ("US-based", "a"), ("university", "a"), ("poet", "a")]
)
def test_article_goes_by_sound(word: str, expected: str) -> None:
    """Before a vowel as it is said, not as it is written, stands "an"."""
    from hopsplit.decompose.sentence import Sentence

    assert article(Sentence([]), word) == expected
