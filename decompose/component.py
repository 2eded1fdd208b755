"""hopsplit as a component of a spaCy pipeline: `nlp.add_pipe("hopsplit")` gives every Doc its plan, `doc._.hop_plan`.

spaCy finds the factory and the reader of titles by entry points; nothing else of this package imports this module.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from spacy import util
from spacy.language import Language
from spacy.tokens import Doc

from .decomposer import Decomposer
from .model import MODELS
from .plan import Hop, InputError, Plan
from .textfile import lines_of, read_titles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spacy.training import Example
    from spacy.vocab import Vocab

# Factories that the rules' parses come from. Others (entities, text categories) cost time and give nothing.
FACTORIES = (
    "tok2vec",
    "transformer",
    "curated_transformer",
    "tagger",
    "morphologizer",
    "parser",
    "attribute_ruler",
    "lemmatizer",
    "trainable_lemmatizer",
)
_NEEDED = {"tagger": "token.tag", "parser": "token.dep", "lemmatizer": "token.lemma"}
_FILE = "titles.txt"  # in the component's folder of a saved pipeline: one title a line
# What is kept in `doc.user_data`: plain values, so that Docs can be saved and sent between processes.
_KEY = "hopsplit"


class Reader:
    """The part of a pipeline that reads questions: its tokenizer and, of its components, those of `FACTORIES`.

    It has what a `Decomposer` asks of a pipeline. The components are shared with the pipeline, not copied.
    """

    def __init__(self, nlp: Language, names: Iterable[str]) -> None:
        self.pipeline: list[tuple[str, Callable[[Doc], Doc]]] = [(n, nlp.get_pipe(n)) for n in names]
        self.make_doc = nlp.make_doc
        self.vocab: Vocab = nlp.vocab
        self.meta = nlp.meta

    def has_pipe(self, name: str) -> bool:
        """Tell whether a component of that name takes part."""
        return any(name == own for own, _ in self.pipeline)

    def get_pipe(self, name: str) -> Callable[[Doc], Doc]:
        """Return the component of that name."""
        return dict(self.pipeline)[name]


class HopPlans:
    """The component. The text of a Doc is the question; one that is none at all gets a plan of kind unparseable.

    titles: names to protect, as for `Decomposer`. Those that the component is made with are saved with the pipeline's
    config; those that come later, by `add_titles` or `initialize`, with its data: in a file, one a line.
    """

    def __init__(self, nlp: Language, name: str, titles: Iterable[str]) -> None:
        self.name = name
        self._configured = tuple(titles)
        self._added: tuple[str, ...] = ()
        self._nlp = nlp
        _readers(nlp, nlp.pipe_names)
        self._decomposer: Decomposer | None = None
        if not Doc.has_extension("hop_plan"):
            Doc.set_extension("hop_plan", getter=plan_of)

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles, each once, in the order in which they came."""
        return tuple(dict.fromkeys([*self._configured, *self._added]))

    def add_titles(self, titles: Iterable[str]) -> None:
        """Protect these names too; how they are spaced does not matter. InputError where one is no text."""
        self._take([*self._added, *_clean(titles)])

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]] | None = None,
        *,
        nlp: Language | None = None,
        titles: list[str] | None = None,
    ) -> None:
        """Put `titles`, of the config's block `initialize`, in place of those that came later; None leaves them."""
        if titles is not None:
            self._take(_clean(titles))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the titles that came later into a folder."""

        def write(file: Path) -> None:
            file.write_bytes(self._written())

        util.to_disk(path, {_FILE: write}, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> HopPlans:
        """Read them back. InputError where there is no such file, or it is not UTF-8."""
        util.from_disk(path, {_FILE: lambda file: self._take(read_titles(file))}, exclude)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return what `to_disk` writes."""
        return b"" if "titles" in exclude else self._written()

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> HopPlans:
        """Read it back. InputError where it is not UTF-8."""
        if "titles" not in exclude:
            self._take([line.strip() for _, line in lines_of(content, f"the titles of {self.name!r}")])
        return self

    def _written(self) -> bytes:
        return "".join(f"{title}\n" for title in self._added).encode()

    def _take(self, titles: Iterable[str]) -> None:
        self._added = tuple(dict.fromkeys(titles))
        self._decomposer = None

    def __call__(self, doc: Doc) -> Doc:
        """Give the Doc its plan."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Give each Doc its plan, in order; the parser sees batches."""
        docs_left = iter(stream)
        while docs := list(islice(docs_left, max(1, batch_size))):
            for doc, plan in zip(docs, self._plans([doc.text for doc in docs]), strict=True):
                doc.user_data[_KEY] = _packed(plan)
                yield doc

    def _plans(self, questions: list[str]) -> list[Plan]:
        decomposer = self._decomposer  # another thread may add titles meanwhile
        if decomposer is None:
            # Not when the component is made: a pipeline that is being loaded has no weights yet, and the
            # component no place in it.
            names = self._nlp.pipe_names
            before = names[: names.index(self.name)] if self.name in names else names
            reader = cast("Language", Reader(self._nlp, _readers(self._nlp, before)))
            self._decomposer = decomposer = Decomposer(titles=self.titles, nlp=reader)
        return decomposer.plans(questions)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the decomposer out of a pickle: it is made again where it is first needed."""
        return {**self.__dict__, "_decomposer": None}


@Language.factory(
    "hopsplit",
    default_config={"titles": []},
    requires=["token.tag", "token.dep", "token.head", "token.lemma"],
    assigns=["doc._.hop_plan"],
)
def make_component(nlp: Language, name: str, titles: list[str]) -> HopPlans:
    """Return the component. Raises InputError where the pipeline before it cannot parse English."""
    return HopPlans(nlp, name, titles)


def titles_file(path: Path) -> list[str]:
    """Return the titles in a file, one a line: for a block of `initialize`. InputError as of `text_lines`."""
    return read_titles(path)


def plan_of(doc: Doc) -> Plan | None:
    """Return the plan of a Doc, or None where it did not pass through the component."""
    kept = doc.user_data.get(_KEY)
    return None if kept is None else _unpacked(doc.text, kept)


def _readers(nlp: Language, before: list[str]) -> list[str]:
    """Return which of the components `before` this one parse. Raises InputError where one is missing."""
    if nlp.lang != "en":
        raise InputError(f"hopsplit reads English; this pipeline's language is {nlp.lang!r}")
    names = [name for name in before if nlp.get_pipe_meta(name).factory in FACTORIES]
    given = {attribute for name in names for attribute in nlp.get_pipe_meta(name).assigns}
    missing = [factory for factory, attribute in _NEEDED.items() if attribute not in given]
    if missing:
        raise InputError(
            "hopsplit needs a tagger, a parser and a lemmatizer before it in the pipeline; there is no "
            f"{' and no '.join(missing)} among {before}; add hopsplit last, to one such as {MODELS[-1][0]}"
        )
    return names


def _clean(titles: Iterable[str]) -> list[str]:
    """Return titles with single spaces, without empty ones. InputError where one cannot be a line of a file."""
    if isinstance(titles, str):
        raise InputError(f"the titles are the text {titles!r:.80}; give a list of texts")
    clean = []
    for title in titles:
        try:
            title.encode()
        except (AttributeError, UnicodeEncodeError) as error:
            raise InputError(f"{title!r:.80} is no title; give texts that can be encoded") from error
        clean.append(" ".join(title.split()))
    return [title for title in clean if title]


def _packed(plan: Plan) -> dict[str, Any]:
    hops = [[h.text, list(h.refs), h.rule, [list(span) for span in h.spans], h.answer_type] for h in plan.hops]
    return {"kind": plan.kind, "hops": hops, "reason": plan.reason, "provenance": plan.provenance}


def _unpacked(question: str, kept: dict[str, Any]) -> Plan:
    hops = [
        Hop(number, text, tuple(refs), rule, tuple((start, end) for start, end in spans), answer_type)
        for number, (text, refs, rule, spans, answer_type) in enumerate(kept["hops"], 1)
    ]
    return Plan(question, kept["kind"], tuple(hops), kept["reason"], kept["provenance"])
