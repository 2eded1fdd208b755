"""Measure indexing, opening and searching at growing sizes, beside plain bm25s and tantivy on the same run.

    python benchmarks/index_speed.py [SIZE ...] [--work FOLDER]

SIZE: passages, 10000 by default (some seconds); the table in docs/retrieval.md is of 10000 100000 600000, which takes
far longer, and gigabytes of memory and disk.

Every step runs in a process of its own, so that its time and memory are its own. "rest" is the resident memory of
a process that has opened the index, before it searches. tantivy is measured where it is installed.
"""

# ruff: noqa: PLC0415  (each step imports only what it measures)

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from make_corpus import write

STEPS = ("hopsplit build", "hopsplit search", "bm25s build", "bm25s search", "tantivy build", "tantivy search")


def memory() -> float:
    """Return the resident memory of this process in GB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1e6


def questions(work: Path) -> list[str]:
    """Read the questions of the collection."""
    return [json.loads(line)["text"] for line in (work / "queries.jsonl").read_text().splitlines()]


def rows(work: Path) -> Iterator[dict[str, str]]:
    """Read the collection as plain objects."""
    with (work / "corpus.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def timed(search: Callable[[str], object], asked: list[str]) -> dict[str, float]:
    """Return median and 95th percentile of a search, in milliseconds, the files read once before."""
    times = []
    for turn in range(2):
        for text in asked:
            begin = time.perf_counter()
            search(text)
            times += [1e3 * (time.perf_counter() - begin)] if turn else []
    return {"median ms": statistics.median(times), "p95 ms": statistics.quantiles(times, n=20)[-1]}


def hopsplit_build(work: Path) -> dict[str, Any]:
    """Index with hopsplit: every engine and the names."""
    from hopsplit.retrieval import Index, read_corpus

    begin = time.perf_counter()
    Index.build(read_corpus([work])).save(work / "hopsplit")
    return {"seconds": time.perf_counter() - begin}


def hopsplit_search(work: Path) -> dict[str, Any]:
    """Search with each method of hopsplit."""
    from hopsplit.retrieval import Index

    begin = time.perf_counter()
    index = Index.open(work / "hopsplit")
    figures: dict[str, Any] = {"open s": time.perf_counter() - begin, "rest GB": memory()}
    for method in ("bm25", "tfidf", "hybrid"):
        engine = index.engine(method)
        figures |= {f"{method} {k}": v for k, v in timed(lambda q, e=engine: e.search(q, 20), questions(work)).items()}
    return figures


def bm25s_build(work: Path) -> dict[str, Any]:
    """Index with plain bm25s, its own tokens, no stop words left out."""
    import bm25s

    begin = time.perf_counter()
    tokens = bm25s.tokenize([f"{r['title']} {r['text']}" for r in rows(work)], stopwords=None, show_progress=False)
    model = bm25s.BM25()
    model.index(tokens, show_progress=False)
    model.save(work / "bm25s")
    return {"seconds": time.perf_counter() - begin}


def bm25s_search(work: Path) -> dict[str, Any]:
    """Search with plain bm25s, memory-mapped."""
    import bm25s

    begin = time.perf_counter()
    model = bm25s.BM25.load(work / "bm25s", mmap=True)
    figures: dict[str, Any] = {"open s": time.perf_counter() - begin, "rest GB": memory()}

    def search(text: str) -> object:
        tokens = bm25s.tokenize([text], stopwords=None, return_ids=False, show_progress=False)
        return model.retrieve(tokens, k=20, show_progress=False)

    return figures | timed(search, questions(work))


def tantivy_build(work: Path) -> dict[str, Any]:
    """Index with tantivy, one thread."""
    import tantivy

    begin = time.perf_counter()
    schema = tantivy.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw")
    schema = schema.add_text_field("text", stored=False).build()
    (work / "tantivy").mkdir(exist_ok=True)
    writer = tantivy.Index(schema, path=str(work / "tantivy"), reuse=False).writer(200_000_000, 1)
    for row in rows(work):
        writer.add_document(tantivy.Document(id=row["_id"], text=f"{row['title']} {row['text']}"))
    writer.commit()
    writer.wait_merging_threads()
    return {"seconds": time.perf_counter() - begin}


def tantivy_search(work: Path) -> dict[str, Any]:
    """Search with tantivy."""
    import tantivy

    begin = time.perf_counter()
    index = tantivy.Index.open(str(work / "tantivy"))
    figures: dict[str, Any] = {"open s": time.perf_counter() - begin, "rest GB": memory()}
    searcher = index.searcher()

    def search(text: str) -> object:
        query, _ = index.parse_query_lenient(text, ["text"])
        return [searcher.doc(place)["id"] for _, place in searcher.search(query, 20).hits]

    return figures | timed(search, questions(work))


def measure(size: int, work: Path) -> None:
    """Make a collection and print the figures of every step."""
    write(size, work)
    for step in STEPS:
        command = [sys.executable, __file__, "--step", step, "--work", str(work)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            print(f"{size:>7}  {step:16} not measured: {run.stderr.strip().splitlines()[-1]}", flush=True)
            continue
        figures = "  ".join(f"{name} {value:.3g}" for name, value in json.loads(run.stdout).items())
        print(f"{size:>7}  {step:16} {figures}", flush=True)


def main() -> None:
    """Read the arguments; measure, or be one of the measured processes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="*", default=[10_000])
    parser.add_argument("--work", type=Path, help="folder for the collections (default: a temporary one)")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        figures = globals()[arguments.step.replace(" ", "_")](arguments.work)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps(figures | {"peak GB": peak}))
        return
    with tempfile.TemporaryDirectory() as temporary:
        for size in arguments.sizes:
            measure(size, (arguments.work or Path(temporary)) / str(size))


if __name__ == "__main__":
    main()
