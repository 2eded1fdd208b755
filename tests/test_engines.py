"""What every search engine keeps to, and the formulas of each."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from hopsplit.decompose import InputError
from hopsplit.retrieval import METHODS, Index, Passage, Retriever, Settings, fuse
from hopsplit.retrieval.index import Method

WORDS = [
    "amber",
    "bridge",
    "castle",
    "delta",
    "ember",
    "forest",
    "gate",
    "harbour",
    "island",
    "jade",
    "kettle",
    "lantern",
]


def random_passages(count: int, seed: int) -> list[Passage]:
    """Make passages of few words, so that many of them tie."""
    chance = random.Random(seed)
    return [
        Passage(f"p{n}", chance.choice(WORDS), " ".join(chance.choices(WORDS, k=chance.randint(0, 6))))
        for n in range(count)
    ]


CORPUS = random_passages(60, 1)
QUERIES = ["amber", "amber castle", "castle castle amber", "the jade kettle of the forest", "gate zzz"]


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Method:
    """Each engine by its name."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def make(method: Method) -> Callable[[list[Passage]], Retriever]:
    """Build an engine over passages."""
    return lambda passages: Index.build(passages).engine(method)


Make = Callable[[list[Passage]], Retriever]


def test_is_a_retriever(make: Make) -> None:
    """An engine fits the protocol and gives the passages back."""
    engine = make(CORPUS)
    assert isinstance(engine, Retriever)
    assert engine.passage("p7") == CORPUS[7]
    with pytest.raises(KeyError):
        engine.passage("p")


@pytest.mark.parametrize("query", QUERIES)
def test_order(make: Make, query: str) -> None:
    """Hits are ordered by (-score, id), ranked from 1, above zero, each id once."""
    hits = make(CORPUS).search(query, 100)
    assert hits
    assert [(h.score, h.id) for h in hits] == sorted(((h.score, h.id) for h in hits), key=lambda p: (-p[0], p[1]))
    assert [h.rank for h in hits] == list(range(1, len(hits) + 1))
    assert all(h.score > 0 for h in hits)
    assert len({h.id for h in hits}) == len(hits)


@pytest.mark.parametrize("query", QUERIES)
def test_every_k_is_a_prefix(make: Make, query: str) -> None:
    """A smaller k gives the beginning of a larger one, also where it cuts through a tie."""
    engine = make(CORPUS)
    full = engine.search(query, 1000)
    for k in range(1, len(full) + 2):
        assert engine.search(query, k) == full[:k]


def test_only_passages_with_a_term(make: Make) -> None:
    """The hits are the passages that hold a term of the query, no others."""
    ids = {h.id for h in make(CORPUS).search("jade lantern", 100)}
    assert ids == {p.id for p in CORPUS if {"jade", "lantern"} & {p.title, *p.text.split()}}


def test_unknown_words_give_nothing(make: Make) -> None:
    """A query without a known term has no hits."""
    assert make(CORPUS).search("zzz ?!", 5) == []


@pytest.mark.parametrize("query", ["", " \t"])
def test_empty_query(make: Make, query: str) -> None:
    """An empty query is bad input."""
    with pytest.raises(InputError, match="the query is empty"):
        make(CORPUS).search(query, 5)


def test_surrogate_in_query(make: Make) -> None:
    """Half a surrogate pair is refused with its place."""
    with pytest.raises(InputError, match="lone surrogate at character 4"):
        make(CORPUS).search("jade\ud800", 5)


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one(make: Make, k: int) -> None:
    """A k below 1 is bad input."""
    with pytest.raises(InputError, match=f"k is {k}; ask for at least 1"):
        make(CORPUS).search("jade", k)


def test_shuffled_corpus(make: Make) -> None:
    """The order in which passages come changes nothing, not even the last bit of a score."""
    shuffled = random.Random(2).sample(CORPUS, len(CORPUS))
    one, two = make(CORPUS), make(shuffled)
    assert [one.search(q, 50) for q in QUERIES] == [two.search(q, 50) for q in QUERIES]


def test_word_order(make: Make) -> None:
    """The order of a query's words changes nothing, not even the last bit of a score."""
    engine = make(CORPUS)
    assert engine.search("amber castle jade gate", 50) == engine.search("gate jade amber castle", 50)


def test_batch(make: Make) -> None:
    """A batch gives what single searches give, repeats included; an empty batch gives nothing."""
    engine = make(CORPUS)
    queries = QUERIES * 3
    assert engine.search_many(queries, 7) == [engine.search(q, 7) for q in queries]
    assert engine.search_many([], 7) == []


def test_equal_passages_tie(make: Make) -> None:
    """Passages of equal text stand in the order of their ids by code point, whatever the cut."""
    twins = [Passage(i, "T", "jade gate") for i in ("b", "é", "a", "B", "10", "9")]
    engine = make([*twins, Passage("x", "", "amber")])
    assert [h.id for h in engine.search("jade", 10)] == ["10", "9", "B", "a", "b", "é"]
    assert [h.id for h in engine.search("jade", 3)] == ["10", "9", "B"]


def test_term_in_half_of_a_small_corpus(make: Make) -> None:
    """A term in half or all of the passages still finds them."""
    passages = [Passage("a", "", "jade gate"), Passage("b", "", "jade"), Passage("c", "", "gate ember jade")]
    assert {h.id for h in make(passages).search("jade", 10)} == {"a", "b", "c"}
    assert {h.id for h in make(passages).search("gate", 10)} == {"a", "c"}


def test_one_passage(make: Make) -> None:
    """A collection of one passage is searched."""
    assert [h.id for h in make([Passage("a", "", "jade")]).search("jade", 10)] == ["a"]


def test_passages_without_terms(make: Make) -> None:
    """Empty passages are kept and never found."""
    engine = make([Passage("a", "", ""), Passage("b", "", "?!"), Passage("c", "", "jade")])
    assert [h.id for h in engine.search("jade", 10)] == ["c"]
    assert engine.passage("a") == Passage("a", "", "")


def test_no_terms_at_all(make: Make) -> None:
    """A collection without a single term finds nothing."""
    assert make([Passage("a", "", ""), Passage("b", "", "?!")]).search("jade", 10) == []


def test_title_is_searched(make: Make) -> None:
    """A word that stands only in the title is found."""
    assert [h.id for h in make([Passage("a", "Zoe", "x"), Passage("b", "Max", "y")]).search("zoe", 1)] == ["a"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("bronte", "a"), ("BRONTË", "a"), ("bronte\u0308", "a"), ("x", "b"), ("ナ", "c"), ("strasse", "d")],
)
def test_unicode(make: Make, query: str, found: str) -> None:
    """Case, diacritics and normal form do not matter; single characters count."""
    texts = {"a": "Charlotte Brontë", "b": "Malcolm X", "c": "カタナ", "d": "Lange Straße"}
    hits = make([Passage(i, "", text) for i, text in texts.items()]).search(query, 10)
    assert [h.id for h in hits] == [found]


def test_bm25_worked_out_by_hand() -> None:
    """Three passages of 2, 2 and 4 terms: the formula of Lucene's BM25 on paper."""
    passages = [Passage("a", "", "jade gate"), Passage("b", "", "gate gate"), Passage("c", "", "gate x y z")]
    hits = Index.build(passages, settings=Settings(k1=1.5, b=0.75)).search("gate jade", 3, method="bm25")
    mean = 8 / 3
    short, long = (1.5 * (0.25 + 0.75 * length / mean) for length in (2, 4))
    jade, gate = math.log(1 + 2.5 / 1.5), math.log(1 + 0.5 / 3.5)
    expected = {"a": (jade + gate) / (1 + short), "b": gate * 2 / (2 + short), "c": gate / (1 + long)}
    assert {h.id: h.score for h in hits} == pytest.approx(expected, rel=1e-6)


def test_bm25_against_rank_bm25() -> None:
    """rank-bm25 computes the same scores as bm25s, times k1 + 1, over 300 passages and 40 queries."""
    settings = Settings(k1=1.3, b=0.6)
    index = Index.build(random_passages(300, 3), settings=settings)
    chance = random.Random(4)
    for _ in range(40):
        query = " ".join(chance.choices(WORDS, k=3))
        ours, theirs = ({h.id: h.score for h in index.search(query, 300, method=m)} for m in ("bm25", "rank-bm25"))
        assert theirs == pytest.approx({i: score * 2.3 for i, score in ours.items()}, rel=1e-5)


def test_tfidf_worked_out_by_hand() -> None:
    """Cosine of (1 + ln tf) * (1 + ln((1 + N) / (1 + df))) vectors."""
    passages = [Passage("a", "", "jade gate gate"), Passage("b", "", "gate")]
    hits = Index.build(passages).search("jade gate", 2, method="tfidf")
    jade, gate = 1 + math.log(3 / 2), 1.0
    twice = (1 + math.log(2)) * gate
    cosine = (jade * jade + twice * gate) / math.hypot(jade, twice) / math.hypot(jade, gate)
    expected = {"a": cosine, "b": gate / math.hypot(jade, gate)}
    assert {h.id: h.score for h in hits} == pytest.approx(expected, rel=1e-6)


def test_tfidf_of_itself_is_one() -> None:
    """A passage's own text has cosine 1 with it."""
    same = Index.build([Passage("a", "", "amber bridge castle"), Passage("b", "", "x")])
    assert same.search("amber bridge castle", 1, method="tfidf")[0].score == pytest.approx(1, abs=1e-6)


def test_fusion_worked_out_by_hand() -> None:
    """Ranks 1 and 2 of two rankings with weights 1 and 2, constant 60."""
    fused = fuse([(1, ["a", "b"]), (2, ["b", "c"])])
    assert fused == [("b", 1 / 62 + 2 / 61), ("c", 2 / 62), ("a", 1 / 61)]


def test_fusion_counts_repeats_once() -> None:
    """An id that stands twice in a ranking counts at its first place and pushes nobody down."""
    assert fuse([(1, ["a", "a", "b"])]) == fuse([(1, ["a", "b"])]) == [("a", 1 / 61), ("b", 1 / 62)]


def test_fusion_ties_and_zeros() -> None:
    """Equal scores stand in the order of ids; a ranking of weight 0 adds no one."""
    assert [i for i, _ in fuse([(1, ["b", "c"]), (1, ["a", "d"]), (0, ["e"])])] == ["a", "b", "c", "d"]


def test_hybrid_agrees_with_its_rankings() -> None:
    """The hybrid ranking is the fusion of the two engines with the weights of the settings."""
    index = Index.build(CORPUS, settings=Settings(title=1, bm25_share=1, tfidf_share=3, rrf=10))
    lists = [(w, [h.id for h in index.search("amber jade", 99, method=m)]) for w, m in ((1, "bm25"), (3, "tfidf"))]
    assert [(h.id, h.score) for h in index.search("amber jade", 99)] == fuse(lists, constant=10)


def test_unknown_method() -> None:
    """An unknown method is bad input that lists the known ones."""
    with pytest.raises(InputError, match="no method 'bm52'; choose one of hybrid, bm25, tfidf, rank-bm25"):
        Index.build(CORPUS).search("jade", 5, method="bm52")  # type: ignore[arg-type]


def test_hybrid_beyond_its_depth() -> None:
    """Where more is asked for than both rankings give at first, the beginning stays; scores never rise."""
    index = Index.build(random_passages(600, 2))
    full = index.search("amber castle jade", 600)
    assert len(full) > 200
    for k in (1, 99, 100, 101, 150, 201, 250):
        assert index.search("amber castle jade", k) == full[:k]
    keys = [(-hit.score, hit.id) for hit in full]
    assert keys == sorted(keys)
