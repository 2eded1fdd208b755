"""Names in passages as answers of hops."""

from __future__ import annotations

import pytest

from films import FILMS
from hopsplit.decompose import Hop
from hopsplit.retrieval import Analyser
from hopsplit.retrieval.candidates import Candidates, asked, names_in
from hopsplit.retrieval.mentions import Names, name_parts
from hopsplit.retrieval.pages import words_of
from hopsplit.retrieval.settings import CandidateWeights
from hopsplit.retrieval.strings import Strings

ANALYSER = Analyser()
NAMES = Names(name_parts(FILMS, ANALYSER), Strings.of(passage.id for passage in FILMS))
TEXTS = {passage.id: passage.text for passage in FILMS}


def rated(passage_id: str, text: str, *, question: str = "") -> list[str]:
    """Return the candidates of a passage for a hop, best first."""

    def found(key: str):  # type: ignore[no-untyped-def]
        words = words_of(TEXTS[key], ANALYSER)
        return words, names_in(words, NAMES)

    about = asked(Hop(1, text, (), "test", ()), f" {' '.join(ANALYSER.terms(question))} ", ANALYSER)
    return [c.name.written for c in Candidates(found, CandidateWeights()).rated(passage_id, about)]


def names(text: str, index: Names | None = NAMES) -> list[tuple[str, list[str]]]:
    """Return the names of a text, each with the passages that it may mean."""
    found = names_in(words_of(text, ANALYSER), index)
    return [(name.written, [passage_id for passage_id, _ in name.titled]) for name in found]


def test_names_are_titles_runs_and_years() -> None:
    """Titles link to their passages, other capitalised runs to none; months are no names."""
    assert names("In May 1931 Orla Venn met Jon Falk in Port Askel.") == [
        ("1931", []),
        ("Orla Venn", ["venn"]),
        ("Jon Falk", []),
        ("Port Askel", ["askel"]),
    ]


def test_names_without_any_titles() -> None:
    """Plain text chunks have capitalised runs all the same."""
    assert names("In 1931 Orla Venn met Jon Falk.", None) == [("1931", []), ("Orla Venn", []), ("Jon Falk", [])]


def test_part_of_a_longer_name_is_somebody_else() -> None:
    """A surname inside another full name does not stand for the passage."""
    assert names("He met Gustav Korda and then Korda.") == [("Gustav Korda", []), ("Korda", ["korda"])]


def test_initials_and_junior_do_not_hide_a_title() -> None:
    """A personal name is also looked up by its first and last word."""
    assert names("He met Tomas K. Reed Jr. there.") == [("Tomas K. Reed Jr", ["reed"])]


def test_demonym_stands_for_its_country() -> None:
    """Texts say Norwegian, questions ask for Norway."""
    assert names("a Norwegian ship of the U.S. navy") == [("Norway", []), ("United States", [])]


def test_word_that_only_opens_sentences_is_no_name() -> None:
    """A capital at the beginning of a sentence says nothing."""
    assert names("Fog came. Then Falk left. Fog and Falk met.") == [("Falk", [])]
    assert names("Fog came. Nobody left.") == []


def test_name_beside_the_relation_comes_first() -> None:
    """The director is the name that stands next to "directed", the writer next to "written"."""
    assert rated("gate", "Who is the director of The Paper Gate?", question="The Paper Gate")[0] == "Orla Venn"
    assert rated("gate", "Who is the author of The Paper Gate?", question="The Paper Gate")[0] == "Tomas Reed"


def test_names_of_the_question_are_no_answers() -> None:
    """What the question says is not what it asks for."""
    found = rated("gate", "Who worked with Orla Venn?", question="Who worked with Orla Venn on The Paper Gate?")
    assert "Orla Venn" not in found
    assert "Ida Moss" in found


def test_kind_of_answer() -> None:
    """A place asked for is a place that comes first, a year if a year is asked for."""
    assert rated("askel", "In what year was the lighthouse of Port Askel lit?", question="Port Askel")[0] == "1702"
    assert rated("askel", "Who lit the lighthouse of Port Askel?", question="Port Askel")[0] == "Harbour Guild"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Who wrote it?", "person"),
        ("In what city was he born?", "place"),
        ("What is the year of the flood?", "date"),
        ("When did it sink?", "date"),
        ("What did he say?", None),
    ],
)
def test_what_a_hop_wants(text: str, wanted: str | None) -> None:
    """The noun asked for or the question word tell the kind of answer."""
    assert asked(Hop(1, text, (), "test", ()), "", ANALYSER).wanted == wanted


def test_hop_that_says_its_kind_is_believed() -> None:
    """The decomposer's answer type goes before the words."""
    hop = Hop(1, "Who wrote it?", (), "test", (), "thing")
    assert asked(hop, "", ANALYSER).wanted == "thing"


def test_passage_is_no_candidate_of_itself() -> None:
    """A title found in its own passage leads nowhere else."""
    words = words_of(TEXTS["venn"], ANALYSER)
    found = Candidates(lambda _: (words, names_in(words, NAMES)), CandidateWeights())
    about = asked(Hop(1, "Who is it?", (), "test", ()), "", ANALYSER)
    own = next(c for c in found.rated("venn", about) if c.name.written == "Orla Venn")
    assert own.titled == ()
    assert own.name.titled == (("venn", 1.0),)


def test_word_lists_are_sorted_and_lower_case() -> None:
    """One entry a line, in order, no repeats."""
    from importlib.resources import files

    for path in sorted((files("hopsplit.retrieval") / "words").iterdir(), key=str):
        lines = path.read_text(encoding="utf-8").splitlines()
        keys = [line.partition(":")[0] for line in lines]
        assert keys == sorted(set(keys)), path
        assert all(key == key.lower() for key in keys), path
