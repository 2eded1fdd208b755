"""What passages are called, and the names found in texts."""

from __future__ import annotations

from hopsplit.retrieval import Analyser, Passage
from hopsplit.retrieval.mentions import LONGEST, Mention, Names, name_parts, names_of
from hopsplit.retrieval.strings import Strings


def names(*passages: Passage) -> Names:
    """Index the names of passages."""
    return Names(name_parts(passages, Analyser()), Strings.of(passage.id for passage in passages))


def find(index: Names, text: str) -> list[tuple[str, list[tuple[str, float]]]]:
    """Return the names found in a text anywhere: the words, and the passages meant."""
    terms = Analyser().terms(text)
    found = index.find(terms, range(len(terms)))
    return [(" ".join(terms[m.start : m.stop]), list(m.titled)) for m in found]


def test_names_of_a_passage_with_their_weights() -> None:
    """Title, title without tag, opening name, other name, last word: each with its own weight."""
    text = 'Mira Jane Talbot (born 2 May 1950), better known as Dusk, is a singer. "Tide" is a song.'
    found = names_of(Passage("x", "Mira Talbot (singer)", text), Analyser())
    assert found == {
        ("mira", "talbot", "singer"): 1.0,
        ("mira", "talbot"): 0.9,
        ("mira", "jane", "talbot"): 0.8,
        ("dusk",): 0.7,
        ("talbot",): 0.4,
    }


def test_birth_date_is_no_name() -> None:
    """What follows "born" is a name only if it is one."""
    found = names_of(Passage("x", "Dusk", "Dusk (born March 3, 1950; born Ann Lee) sings."), Analyser())
    assert found == {("dusk",): 1.0, ("ann", "lee"): 0.7}


def test_a_name_does_not_go_on_in_the_next_sentence() -> None:
    """What stands before the first "is" opens the text as a name only within one sentence; initials end none."""
    said = "The billing API writes to the database ledger-main. It is on call with team Heron."
    assert set(names_of(Passage("x", "Billing API", said), Analyser())) == {("billing", "api"), ("api",)}
    said = "Who Goes There? Part is one. No."
    assert set(names_of(Passage("x", "A play", said), Analyser())) == {("a", "play")}
    for name in ("James K. Polk", "Mr. Ed Stone", "St. Prof. Ost"):
        assert names_of(Passage("x", "Dusk", f"{name} was a man."), Analyser())[tuple(Analyser().terms(name))] == 0.8


def test_name_before_comma_initials_and_junior() -> None:
    """A place goes by what stands before its comma; a person without initials and "Jr."."""
    analyser = Analyser()
    assert names_of(Passage("x", "Midway, Kentucky", "A town."), analyser)["midway",] == 0.6
    assert names_of(Passage("x", "Karl B. Ost Jr.", "A cook."), analyser)["karl", "ost"] == 0.5


def test_passage_without_title_has_no_names() -> None:
    """Chunks of plain text are found by their words alone."""
    assert names_of(Passage("x", "", "Mira Talbot is a singer."), Analyser()) == {}


def test_title_of_stop_words_only_is_no_name() -> None:
    """The film "It" would be named in every text."""
    assert names_of(Passage("x", "It", "A film of 1990."), Analyser()) == {}


def test_longest_name_wins_and_nothing_overlaps() -> None:
    """Of names at one place the longest is taken; the next begins behind it."""
    index = names(
        Passage("a", "New York", "A city."),
        Passage("b", "New York Times", "A paper."),
        Passage("c", "Times and Tides", "A book."),
    )
    assert find(index, "the New York Times and Tides") == [("new york times", [("b", 1.0)])]


def test_case_and_diacritics_do_not_matter() -> None:
    """Names are compared as the analyser sees them."""
    index = names(Passage("a", "Jože Plečnik", "An architect."))
    assert find(index, "built by JOZE PLECNIK") == [("joze plecnik", [("a", 1.0)])]


def test_last_word_only_where_one_passage_claims_it() -> None:
    """A surname that two passages share stands for neither."""
    ost, moss, other = (Passage(n, n, "X.") for n in ("Karl Ost", "Ida Moss", "Ada Moss"))
    assert find(names(ost, moss, other), "Ost met Moss") == [("ost", [("Karl Ost", 0.4)])]


def test_same_title_twice_gives_both_in_the_order_of_rows() -> None:
    """Passages of one weight stand in their order."""
    index = names(Passage("a", "Africa", "North."), Passage("b", "Africa", "South."))
    assert find(index, "in Africa") == [("africa", [("a", 1.0), ("b", 1.0)])]


def test_find_only_at_the_given_places() -> None:
    """Where a name may begin is the caller's to say."""
    index = names(Passage("a", "Red", "A film."))
    assert index.find(["red", "and", "red"], [2]) == [Mention(2, 3, (("a", 1.0),))]
    assert index.find(["red"], []) == []


def test_exact_name() -> None:
    """`titled` takes the whole name and nothing else."""
    index = names(Passage("a", "Ida Moss", "X."))
    assert index.titled(["ida", "moss"]) == (("a", 1.0),)
    assert index.titled(["ida"]) == ()
    assert index.titled(["zzz"]) == ()


def test_collection_without_titles() -> None:
    """No names at all is a valid index of names."""
    index = names(Passage("a", "", "Text."))
    assert find(index, "Text") == []
    assert index.titled(["text"]) == ()


def test_longest_possible_name() -> None:
    """A title of `LONGEST` terms is found, a longer one is not kept."""
    words = [f"w{n}" for n in range(LONGEST + 1)]
    index = names(Passage("a", " ".join(words[:-1]), "X."), Passage("b", " ".join(["q", *words]), "X."))
    assert [titled for _, titled in find(index, " ".join(words))] == [[("a", 1.0)]]
