"""Plans walked over a small collection of invented films and people."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from films import BRIDGE, FILMS, plan
from hopsplit.decompose import Hop, InputError, Plan
from hopsplit.retrieval import Executor, Index, Passage, Retriever, SearchFunction
from hopsplit.retrieval.executor import components
from hopsplit.retrieval.types import Outcome

INDEX = Index.build(FILMS)


def run(plan: Plan, k: int = 5, *, index: Retriever = INDEX) -> Outcome:
    """Walk a plan."""
    return Executor(index).run(plan, k)


def ids(outcome: Outcome) -> list[str]:
    """Return the ids of the evidence."""
    return [item.passage.id for item in outcome.evidence]


def bridges(outcome: Outcome) -> dict[int, str]:
    """Return the likeliest name of each hop."""
    return {bridge.hop: bridge.name for bridge in reversed(outcome.bridges)}


def test_bridge_is_named_and_its_passage_found() -> None:
    """The director's passage shares no telling word with the question; the name leads to it."""
    outcome = run(BRIDGE)
    assert ids(outcome)[:2] == ["gate", "venn"]
    assert [(item.hop, item.via) for item in outcome.evidence[:2]] == [(1, ""), (2, "Orla Venn")]
    assert bridges(outcome) == {1: "Orla Venn"}
    assert next(b.passage_id for b in outcome.bridges if b.name == "Orla Venn") == "gate"
    queries = [search.query for search in outcome.searches]
    assert "When did Orla Venn die?" in queries
    assert len(set(queries)) == len(queries)


def test_other_relation_of_the_same_film() -> None:
    """Asked for the writer, the words beside the name decide."""
    written = plan(
        "What did the writer of The Paper Gate grow up beside?",
        "bridge",
        "Who is the writer of The Paper Gate?",
        "What did #1 grow up beside?",
    )
    outcome = run(written)
    assert ids(outcome)[:2] == ["gate", "reed"]
    assert bridges(outcome) == {1: "Tomas Reed"}


def test_question_that_is_not_split_still_finds_the_second_passage() -> None:
    """The film's passage names the director; the pair covers the question better than the film alone."""
    single = plan(BRIDGE.question, "single", BRIDGE.question)
    assert ids(run(single))[0] == "gate"
    assert "venn" in ids(run(single))


def test_question_without_a_plan() -> None:
    """An unparseable question is searched, and mentions are followed."""
    outcome = run(plan("director film Paper Gate die", "unparseable"))
    assert ids(outcome)[0] == "gate"
    assert outcome.bridges == ()


def test_comparison_finds_both_things_first() -> None:
    """One search for each thing; both titled passages stand at the top."""
    outcome = run(
        plan(
            "Which film came out first, The Paper Gate or The Salt Road?",
            "comparison",
            "When did The Paper Gate come out?",
            "When did The Salt Road come out?",
        )
    )
    assert set(ids(outcome)[:2]) == {"gate", "road"}
    assert outcome.bridges == ()


def test_bridge_comparison_finds_four_passages() -> None:
    """Both films and both directors, one of them with an initial in the text only."""
    outcome = run(
        plan(
            "Which film has the director who is older, The Paper Gate or The Salt Road?",
            "bridge_comparison",
            "Who is the director of The Paper Gate?",
            "Who is the director of The Salt Road?",
            "How old is #1?",
            "How old is #2?",
        )
    )
    assert set(ids(outcome)[:4]) == {"gate", "road", "venn", "korda"}
    assert bridges(outcome) == {1: "Orla Venn", 2: "Emil Korda"}


def test_chain_of_four_hops() -> None:
    """Each answer is the name put into the next hop."""
    outcome = run(
        plan(
            "When was the hall burnt of the guild that lit the town where the director of The Paper Gate lived?",
            "deep",
            "Who is the director of The Paper Gate?",
            "In what town did #1 live?",
            "What guild lit the lighthouse of #2?",
            "When did the hall of #3 burn?",
        )
    )
    assert set(ids(outcome)[:4]) == {"gate", "venn", "askel", "guild"}
    assert bridges(outcome) == {1: "Orla Venn", 2: "Port Askel", 3: "Harbour Guild"}


def test_two_references_in_one_hop() -> None:
    """Branches that meet: both names are put in."""
    outcome = run(
        plan(
            "Did the director of The Paper Gate and the director of The Salt Road meet?",
            "deep",
            "Who is the director of The Paper Gate?",
            "Who is the director of The Salt Road?",
            "Did #1 meet #2?",
        )
    )
    assert "Did Orla Venn meet Emil Korda?" in [search.query for search in outcome.searches]
    assert {"gate", "road", "venn", "korda"} <= set(ids(outcome))


def test_kinship_is_looked_up_in_two_steps_and_told_as_the_callers_hop() -> None:
    """The grandfather's name stands in the father's passage; the plan of the caller has one hop."""
    question = "Who is the paternal grandfather of Olav III?"
    outcome = run(plan(question, "single", question))
    assert ids(outcome)[:2] == ["olav", "olav2"]
    assert {item.hop for item in outcome.evidence} <= {0, 1}


def test_the_bridge_of_a_look_up_in_two_steps_is_its_last_name() -> None:
    """`#1` is the grandfather, whom the father's passage names, and not the father."""
    written = plan(
        "Which animals did the paternal grandfather of Olav III breed?",
        "bridge",
        "Who is the paternal grandfather of Olav III?",
        "Which animals did #1 breed?",
    )
    index = INDEX.add([Passage("sigurd", "Sigurd the Mild", "Sigurd the Mild refused the crown and bred horses.")])
    outcome = run(written, index=index)
    assert bridges(outcome) == {1: "Sigurd the Mild"}
    assert ("sigurd", 2, "Sigurd the Mild") in [(item.passage.id, item.hop, item.via) for item in outcome.evidence]


def test_an_engine_of_its_own_kind_is_sent_the_words_as_they_are_written() -> None:
    """It may tell capitals and diacritics apart; only stop words and the marks around a word are left out."""
    texts = {"gate": "The Paper Gate was directed by Béla Ország.", "bela": "Ország, Béla: born at Szeged, in 1931."}
    sent = []

    def search(query: str, k: int) -> list[tuple[str, str, float]]:
        sent.append(query)
        shared = {name: len(set(query.split()) & set(text.replace(",", "").split())) for name, text in texts.items()}
        return sorted(((name, texts[name], float(n)) for name, n in shared.items() if n), key=lambda row: -row[2])[:k]

    written = plan(
        "Where was the director of The Paper Gate born?", "bridge", "Who directed The Paper Gate?", "Where was #1 born?"
    )
    outcome = run(written, index=SearchFunction(search))
    assert [(item.passage.id, item.hop, item.via) for item in outcome.evidence] == [
        ("gate", 1, ""),
        ("bela", 2, "Béla Ország"),
    ]
    assert "Béla Ország born" in sent


def test_collection_without_titles() -> None:
    """Names in the text lead on where no title matches."""
    bare = Index.build(Passage(p.id, "", p.text) for p in FILMS)
    outcome = run(BRIDGE, index=bare)
    assert ids(outcome)[:2] == ["gate", "venn"]
    assert bridges(outcome) == {1: "Orla Venn"}


def test_any_retriever_will_do() -> None:
    """A search engine without names or term weights is walked all the same."""
    outcome = run(BRIDGE, index=INDEX.engine("rank-bm25"))
    assert {"gate", "venn"} <= set(ids(outcome))
    assert bridges(outcome) == {1: "Orla Venn"}


@pytest.mark.parametrize("k", [1, 2, 3, 5, 12, 100])
def test_k_is_honoured_and_smaller_k_is_a_prefix(k: int) -> None:
    """Exactly k passages while there are as many, the same order for every k, none twice."""
    found = ids(run(BRIDGE, k))
    assert found == ids(run(BRIDGE, 100))[:k]
    assert len(found) == min(k, len(ids(run(BRIDGE, 100))))
    assert len(set(found)) == len(found)


def test_scores_fall_strictly() -> None:
    """A run file needs no ties."""
    scores = [item.score for item in run(BRIDGE, 100).evidence]
    assert all(one > two for one, two in pairwise(scores))


def test_hits_of_the_question_are_never_lost() -> None:
    """Whatever the plan finds, plain search's passages are among the results."""
    hits = [hit.id for hit in INDEX.search(BRIDGE.question, 100)]
    assert set(hits) <= set(ids(run(BRIDGE, 100)))


def test_another_questions_plan_costs_little() -> None:
    """Six hops that the question does not say: its own passages stand before all that they find, and less is sure."""
    texts = ("Who bakes the bread?", "What is sold in March?", "Who feeds the geese?")
    hops = tuple(Hop(n, text, (), "other", ()) for n, text in enumerate(texts * 2, 1))
    wrong = run(Plan(BRIDGE.question, "comparison", hops, ""), 10)
    alone = run(plan(BRIDGE.question, "single", BRIDGE.question), 10)
    assert ids(wrong)[:2] == ids(alone)[:2]
    assert wrong.confidence < run(BRIDGE, 10).confidence


def test_a_hit_of_five_has_its_place_under_any_plan() -> None:
    """Hops made of the question's own words that lead elsewhere: among the first 5n passages are the first n hits."""
    hits = [hit.id for hit in INDEX.search(BRIDGE.question, 2)]
    asked = run(plan(BRIDGE.question, "bridge", "Who is the director?", "When did #1 die?"), 10)
    assert hits[0] in ids(asked)[:5]
    assert set(hits) <= set(ids(asked))


def test_k_does_not_change_confidence() -> None:
    """It is about the ranking as a whole."""
    assert len({run(BRIDGE, k).confidence for k in (1, 4, 5, 50)}) == 1


def test_order_of_the_corpus_and_repetition_change_nothing() -> None:
    """Equal outcome for a shuffled corpus, and for the second of two runs."""
    shuffled = FILMS[:]
    random.Random(3).shuffle(shuffled)
    executor = Executor(INDEX)
    first = executor.run(BRIDGE, 10)
    assert executor.run(BRIDGE, 10) == first
    assert Executor(Index.build(shuffled)).run(BRIDGE, 10) == first


def test_confidence_is_higher_where_the_question_is_covered() -> None:
    """A question about the collection against one about nothing in it."""
    other = plan("What is the tax on imported tea?", "single", "What is the tax on imported tea?")
    assert 0 <= run(other).confidence < 0.5 < run(BRIDGE).confidence <= 1


def test_question_that_finds_nothing() -> None:
    """No evidence, no confidence, no error."""
    outcome = run(plan("zzz qqq?", "single", "zzz qqq?"))
    assert (outcome.evidence, outcome.bridges, outcome.confidence) == ((), (), 0.0)


def test_plan_of_which_no_hop_finds_anything() -> None:
    """The chain ends where nothing is found."""
    outcome = run(plan("zzz qqq?", "bridge", "qqq?", "zzz #1?"))
    assert outcome.evidence == ()


def test_k_below_one_is_refused() -> None:
    """One clear error."""
    with pytest.raises(InputError, match="k is 0"):
        run(BRIDGE, 0)


def test_hops_that_hang_together() -> None:
    """Sides of a comparison are apart; a hop that needs both joins them, in the order of the hops."""
    apart = plan("q", "bridge_comparison", "A?", "B?", "Of #1?", "Of #2?")
    joined = plan("q", "deep", "A?", "B?", "Of #1 and #2?")
    assert [[hop.id for hop in part] for part in components(apart.hops)] == [[1, 3], [2, 4]]
    assert [[hop.id for hop in part] for part in components(joined.hops)] == [[1, 2, 3]]
