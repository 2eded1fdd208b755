"""Commands that measure: run, eval."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import note, progress, working, write, write_table

if TYPE_CHECKING:
    from ..evaluation import Dataset, Ranked
    from ..retrieval import Index


class Method(StrEnum):
    """How a question is answered: search-then-search with a named or an unnamed bridge, or one search."""

    RARAG = "rarag"
    OVERLAP = "overlap"
    HYBRID = "hybrid"
    BM25 = "bm25"
    TFIDF = "tfidf"


def run(
    index: Annotated[Path, typer.Option(help="A folder that `hopsplit index` wrote.")],
    queries: Annotated[Path, typer.Option(help="BEIR queries.jsonl.")],
    out: Annotated[Path, typer.Option(help="The run file to write.")],
    method: Annotated[Method, typer.Option(help="How to answer.")] = Method.RARAG,
    k: Annotated[int, typer.Option("-k", help="How many passages for each query.")] = 100,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="How many processes; pays in long runs.")] = 1,
) -> None:
    """Answer many questions and write a TREC run file."""
    from ..evaluation import read_queries, runfile  # noqa: PLC0415
    from ..evaluation.jobs import shared_rankings  # noqa: PLC0415

    questions = read_queries(queries)
    ranked = shared_rankings(index, questions, method=method.value, k=k, jobs=jobs)
    shown = progress(ranked, f"{method.value}", len(questions))
    count = runfile.write(out, ((item.query_id, item.ranking) for item in shown), f"hopsplit-{method.value}")
    note(f"wrote {count:,} queries to {out}")


def evaluate(
    dataset: Annotated[Path, typer.Argument(help="A folder with corpus.jsonl, queries and qrels.")],
    split: Annotated[str, typer.Option(help="Which judgements.")] = "dev",
    method: Annotated[list[Method] | None, typer.Option(help="How to answer; may be repeated.")] = None,
    run: Annotated[Path | None, typer.Option(help="Measure this run file instead.")] = None,
) -> None:
    """Measure recall@k and all-gold@k on a data set, by type of question."""
    from ..evaluation import corpus_hash, load  # noqa: PLC0415
    from ..evaluation.report import missing  # noqa: PLC0415
    from ..retrieval import Index, read_corpus  # noqa: PLC0415

    data = load(dataset, split)
    with working(f"Reading {data.corpus} ..."):
        passages = read_corpus([data.corpus])
    if run is not None:
        _table(data, run.name, _of_run(run))
    else:
        index = Index.build(passages)
        for one in method or [Method.RARAG]:
            _table(data, one.value, _of_method(index, data, one))
    write(f"{len(passages):,} passages, sha256 {corpus_hash(passages)}")
    if lost := missing(data, passages):
        write(f"{lost} gold passages are not in the collection; no method can find them")


def _table(data: Dataset, name: str, ranked: Iterator[Ranked]) -> None:
    """Write the table of one method."""
    from ..evaluation import rows, table  # noqa: PLC0415

    measured = rows(data, {item.query_id: item for item in ranked})
    write_table(table(f"{data.name} {data.split}, {name}", measured))


def _of_method(index: Index, data: Dataset, method: Method) -> Iterator[Ranked]:
    """Yield what a method gives for the questions of a data set."""
    from ..evaluation import KS  # noqa: PLC0415
    from ..evaluation.methods import rankings  # noqa: PLC0415

    questions = [judged.question for judged in data.judged]
    ranked = rankings(index, questions, method=method.value, k=max(KS))
    yield from progress(ranked, method.value, len(questions))


def _of_run(path: Path) -> Iterator[Ranked]:
    """Yield what a run file holds; it says nothing about tokens and time."""
    from ..evaluation import Ranked, runfile  # noqa: PLC0415

    for query_id, ids in runfile.read(path).items():
        yield Ranked(query_id, tuple((passage_id, 0.0) for passage_id in ids), 0, 0.0)
