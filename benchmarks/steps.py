"""What `bench.py` measures: the engines, and the steps, each of which it runs in a process of its own."""

# ruff: noqa: PLC0415  (each process imports only what it measures)

from __future__ import annotations

import json
import pickle
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FIRST = "Where was the founder of Versus born?"
PIPES = ["tok2vec", "tagger", "parser"]  # what the decomposer runs of the model; spaCy alone runs the same
KINDS, WAYS = ("demo", "generated"), ("one by one", "pipe")  # of questions; to take them
WARM = 100  # passages
K = 20

Figures = dict[str, float]
Searches = dict[str, Callable[[str], object]]  # by their names
Engine = tuple[Callable[[], object], Callable[[], Searches]]


def rows(path: Path) -> Iterator[dict[str, str]]:
    """Read a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def passages(work: Path) -> list[str]:
    """Return the passages of a collection as the peers index them."""
    return [f"{row['title']} {row['text']}" for row in rows(work / "corpus.jsonl")]


def questions(work: Path) -> dict[str, list[str]]:
    """Return the questions of the demo collections, and those made with the collection."""
    sources = (sorted((ROOT / "corpora").glob("*/queries.jsonl")), [work / "queries.jsonl"])
    texts = [[row["text"] for path in paths for row in rows(path)] for paths in sources]
    return dict(zip(KINDS, texts, strict=True))


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """Return the seconds that a call takes."""
    begin = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begin


def hopsplit(work: Path, folder: Path) -> Engine:
    """Index for all methods, with the passages and the names in them; open memory-mapped."""
    from hopsplit.retrieval import Index, read_corpus

    def opened() -> Searches:
        index = Index.open(folder)
        return {method: partial(index.search, k=K, method=method) for method in ("hybrid", "bm25", "tfidf")}

    return lambda: Index.build(read_corpus([work])).save(folder), opened


def ask(work: Path, _: Path) -> Engine:
    """Open the index of `hopsplit` for whole questions: a plan, a search for each hop, no language model."""
    from hopsplit.fallback import Asker
    from hopsplit.retrieval import Index

    return lambda: None, lambda: {"ask": partial(Asker(Index.open(work / "hopsplit")).ask, k=K)}


def plain_bm25s(work: Path, folder: Path) -> Engine:
    """Use its own tokens, no stop words left out; open memory-mapped."""
    import bm25s

    tokens = partial(bm25s.tokenize, stopwords=None, show_progress=False)

    def build() -> None:
        model = bm25s.BM25()
        model.index(tokens(passages(work)), show_progress=False)
        model.save(folder)

    def opened() -> Searches:
        model = bm25s.BM25.load(folder, mmap=True)
        return {"bm25s": lambda text: model.retrieve(tokens([text], return_ids=False), k=K, show_progress=False)}

    return build, opened


def rank_bm25(work: Path, folder: Path) -> Engine:
    """Take words between spaces, as its own page does; the numbers of the passages stand for them."""
    from rank_bm25 import BM25Okapi

    def build() -> None:
        model = BM25Okapi([text.lower().split() for text in passages(work)])
        with folder.open("wb") as file:
            pickle.dump(model, file)

    def opened() -> Searches:
        with folder.open("rb") as file:
            model = pickle.load(file)  # noqa: S301  (written above)
        return {"rank-bm25": lambda text: model.get_top_n(text.lower().split(), range(model.corpus_size), K)}

    return build, opened


def scikit_learn(work: Path, folder: Path) -> Engine:
    """Keep the matrix by terms, an inverted index: kept by passages, each search would go through all of it."""
    import joblib
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    def build() -> None:
        model = TfidfVectorizer(sublinear_tf=True)
        joblib.dump((model, model.fit_transform(passages(work)).T.tocsr()), folder)

    def opened() -> Searches:
        model, matrix = joblib.load(folder, mmap_mode="r")

        def search(text: str) -> object:
            found = model.transform([text]) @ matrix
            best = np.argpartition(-found.data, K)[:K] if found.nnz > K else np.arange(found.nnz)
            return found.indices[best[np.argsort(-found.data[best])]]

        return {"scikit-learn": search}

    return build, opened


# Each returns how it indexes a collection into a file or folder, and how it opens that.
ENGINES = {"hopsplit": hopsplit, "ask": ask, "bm25s": plain_bm25s, "rank-bm25": rank_bm25, "scikit-learn": scikit_learn}


# The steps. Beside each collection lies one of WARM passages, on which they do their work once before.


def make(_: str, work: Path) -> Figures:
    """Make the collection; its folder is called after its size."""
    from make_corpus import write

    write(int(work.name), work)
    return {"MB": (work / "corpus.jsonl").stat().st_size / 1e6}


def build(name: str, work: Path) -> Figures:
    """Index, from the file of passages to the files of the index."""
    for collection in (work.parent / str(WARM), work):
        shutil.rmtree(collection / name, ignore_errors=True)
        took = seconds(ENGINES[name](collection, collection / name)[0])
    files = [path for path in (work / name, *(work / name).rglob("*")) if path.is_file()]
    return {"seconds": took, "MB": sum(path.stat().st_size for path in files) / 1e6}


def search(name: str, work: Path) -> Figures:
    """Open and search, question by question; opening ends with the first result."""
    asked = [text for each in questions(work).values() for text in each]
    for collection in (work.parent / str(WARM), work):
        _, opened = ENGINES[name](collection, collection / name)
        begin = time.perf_counter()
        searches = opened()
        next(iter(searches.values()))(FIRST)
        figures = {"opened": 1e3 * (time.perf_counter() - begin)}
    for label, one in searches.items():
        times = [1e3 * seconds(one, text) for text in 2 * asked][len(asked) :]
        figures |= {f"{label} p50": statistics.median(times), f"{label} p95": statistics.quantiles(times, n=20)[-1]}
    return figures


def first(name: str, work: Path) -> Figures:
    """Load the model and take one question; the clock is that of `bench.py`."""
    parsers(name, work, defaultdict(float))[0](FIRST)
    return {}


def plans(name: str, work: Path) -> Figures:
    """Take the questions one by one and as a stream."""
    spent: dict[str, float] = defaultdict(float)
    for collection in (work.parent / str(WARM), work):
        begin = time.perf_counter()
        one, many = parsers(name, collection, spent)
        one(FIRST)
        figures = {"opened": 1e3 * (time.perf_counter() - begin)}
    runs = (lambda asked: [one(text) for text in asked], lambda asked: list(many(asked)))
    for (kind, asked), (way, run) in product(questions(work).items(), zip(WAYS, runs, strict=True)):
        run(asked)
        spent.clear()
        took = seconds(run, asked)
        figures[f"{kind} {way}"] = len(asked) / took
        figures[f"{kind} {way} rules"] = 100 * (1 - spent["seconds"] / took)
        figures[f"{kind} {way} parses"] = spent["parses"] / len(asked)
    return figures


def parsers(name: str, work: Path, spent: dict[str, float]) -> tuple[Callable[[str], object], Callable[..., Any]]:
    """Return what takes one question, and what takes many: of spaCy alone, or of the decomposer.

    "titles": of the decomposer that knows every title of the collection. spent: its seconds in spaCy, its parses.
    """
    from hopsplit.decompose.model import load_model

    nlp: Any = load_model()
    if name == "spaCy":
        nlp.select_pipes(enable=PIPES)
        return nlp, partial(nlp.pipe, batch_size=256)  # as many as the decomposer takes together
    from hopsplit.decompose import Decomposer

    def clocked(call: Callable[..., Any], *arguments: object) -> Any:
        begin = time.perf_counter()
        done = call(*arguments)
        spent["seconds"] += time.perf_counter() - begin
        return done

    class Timed(Decomposer):
        def _parsed(self, doc: Any) -> Any:
            spent["parses"] += 1
            return clocked(super()._parsed, doc)

        def _stream(self, stream: Any, size: int) -> Any:
            spent["parses"] += size
            return iter(clocked(list, super()._stream(stream, size)))

    made = Timed(titles=(row["title"] for row in rows(work / "corpus.jsonl")) if name == "titles" else ())
    if [pipe for pipe in nlp.pipe_names if pipe not in made._unused] != PIPES:
        raise SystemExit(f"the decomposer no longer runs just {PIPES}: let spaCy alone run the same")
    nlp.make_doc = partial(clocked, type(nlp).make_doc, nlp)  # the model is one, whoever wrapped it before
    return made.decompose, made.pipe
