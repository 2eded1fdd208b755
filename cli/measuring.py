"""Commands that measure: run, eval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from .output import Format, count, note, progress, working, write, write_json
from .place import place

if TYPE_CHECKING:
    from ..evaluation import Dataset, Ranked, Row
    from ..retrieval import Index


_METHOD = "rarag: what `ask` does; overlap: the published scheme; hybrid, bm25, tfidf: one search"


class Method(StrEnum):
    """How a question is answered: search-then-search with a named or an unnamed bridge, or one search."""

    RARAG = "rarag"
    OVERLAP = "overlap"
    HYBRID = "hybrid"
    BM25 = "bm25"
    TFIDF = "tfidf"


def run(
    index: Annotated[Path, typer.Option(help="A folder that `hopsplit index` wrote.")],
    queries: Annotated[Path, typer.Option(help='Questions: {"_id", "text"} a line, as BEIR\'s queries.jsonl.')],
    out: Annotated[Path, typer.Option(help="The run file to write.")],
    method: Annotated[Method, typer.Option(help=f"{_METHOD}.")] = Method.RARAG,
    k: Annotated[int, typer.Option("-k", help="How many passages for each query.")] = 100,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="How many processes; pays in long runs.")] = 1,
) -> None:
    """Answer many questions and write a TREC run file."""
    from ..evaluation import read_queries, runfile  # noqa: PLC0415
    from ..evaluation.jobs import shared_rankings  # noqa: PLC0415
    from ..retrieval import Index  # noqa: PLC0415

    questions = read_queries(queries)
    runfile.check_ids([question.id for question in questions])
    runfile.check_ids(Index.open(index).ids)
    ranked = shared_rankings(index, questions, method=method.value, k=k, jobs=jobs)
    shown = progress(ranked, f"{method.value}", len(questions))
    written = runfile.write(out, ((item.query_id, item.ranking) for item in shown), f"hopsplit-{method.value}")
    note(f"wrote the rankings of {count(written, 'question')} to {out}")


def evaluate(
    dataset: Annotated[
        Path,
        typer.Argument(
            help="A folder with corpus.jsonl, queries and qrels, or a demo collection: encyclopedia, company."
        ),
    ],
    split: Annotated[str, typer.Option(help="Which judgements: qrels/SPLIT.tsv or SPLIT/qrels.tsv.")] = "dev",
    method: Annotated[list[Method] | None, typer.Option(help=f"{_METHOD}; may be repeated.  [default: rarag]")] = None,
    run: Annotated[Path | None, typer.Option(help="Measure this run file instead.")] = None,
    format: Annotated[Format, typer.Option(help="How to write the measures.")] = Format.TEXT,  # noqa: A002
) -> None:
    """Measure recall@k and all-gold@k on a data set, by type of question."""
    from ..evaluation import corpus_hash, load  # noqa: PLC0415
    from ..evaluation.report import as_json, missing  # noqa: PLC0415
    from ..retrieval import Index, read_corpus  # noqa: PLC0415

    if run is not None and method:
        raise InputError("--run measures what is in the file, so --method has no say; leave one of them out")
    data = load(place(dataset), split)
    of_run = list(_of_run(run, data)) if run is not None else []
    with working(f"Reading {data.corpus} ..."):
        passages = read_corpus([data.corpus])
    if run is not None:
        measured = {run.name: _rows(data, of_run)}
    else:
        index = Index.build(passages)
        measured = {one.value: _rows(data, _of_method(index, data, one)) for one in method or [Method.RARAG]}
    digest, lost = corpus_hash(passages), missing(data, passages)
    if format is Format.TEXT:
        _write(data, measured)
        write(f"{count(len(passages), 'passage')}, sha256 {digest}")
        if lost:
            write(f"{count(lost, 'gold passage')} not in the collection; no method can find what is not there")
        return
    about = {"dataset": data.name, "split": data.split, "passages": len(passages), "sha256": digest, "gold_lost": lost}
    methods = [{"method": name, "rows": [as_json(row) for row in rows]} for name, rows in measured.items()]
    write_json(about | {"methods": methods})


def _rows(data: Dataset, ranked: Iterable[Ranked]) -> list[Row]:
    """Measure what a method gave."""
    from ..evaluation import rows  # noqa: PLC0415

    return rows(data, {item.query_id: item for item in ranked})


def _write(data: Dataset, measured: Mapping[str, list[Row]]) -> None:
    """Write a table for each method, and what the method took."""
    from ..evaluation.report import cost, table  # noqa: PLC0415

    for name, rows in measured.items():
        write(f"{data.name} {data.split}, {name}", "bold")
        *lines, last = table(rows)
        for line in lines:
            write(line)
        write(last, "bold")
        write(cost(rows[-1]))
        write()


def _of_method(index: Index, data: Dataset, method: Method) -> Iterator[Ranked]:
    """Yield what a method gives for the questions of a data set."""
    from ..evaluation import KS  # noqa: PLC0415
    from ..evaluation.methods import rankings  # noqa: PLC0415

    questions = [judged.question for judged in data.judged]
    ranked = rankings(index, questions, method=method.value, k=max(KS))
    yield from progress(ranked, method.value, len(questions))


def _of_run(path: Path, data: Dataset) -> Iterator[Ranked]:
    """Yield what a run file holds for the questions of a data set; it says nothing about tokens and time."""
    from ..evaluation import Ranked, runfile  # noqa: PLC0415

    found = runfile.read(path)
    asked = [judged.question.id for judged in data.judged]
    there = sum(query_id in found for query_id in asked)
    if not there:
        first = f"has {min(found)!r}, the set {asked[0]!r}" if found else "is empty"
        raise InputError(f"{path}: no query of {data.name} {data.split} is in it (it {first}); give a run of this set")
    if there < len(asked):
        note(f"{path}: {len(asked) - there} of {count(len(asked), 'question')} not in it, counted as nothing found")
    for query_id in asked:
        yield Ranked(query_id, tuple((passage_id, 0.0) for passage_id in found.get(query_id, ())), None, None)
