"""The command `run`: many questions in, a run file out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .output import count, note, progress

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
