"""Commands about collections: index, search."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .output import Json, note, snippet, working, write, write_json
from .questions import check_question


class SearchMethod(StrEnum):
    """How one query is searched."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    TFIDF = "tfidf"


def index(
    corpus: Annotated[
        list[Path], typer.Argument(help="BEIR corpus.jsonl, HotpotQA-family .json, or a folder of .txt/.md.")
    ],
    out: Annotated[Path, typer.Option(help="The folder to write.")],
) -> None:
    """Index passages and write the index to a folder, in place of the one it holds."""
    from ..retrieval import Index  # noqa: PLC0415
    from ..retrieval.corpus import read_corpus  # noqa: PLC0415

    start = time.perf_counter()
    with working(f"Indexing into {out} ..."):
        built = Index.build(read_corpus(corpus))
        built.save(out)
    note(f"indexed {len(built):,} passages into {out} in {time.perf_counter() - start:.1f} s")


def search(
    question: Annotated[str, typer.Argument(help="What to search for.")],
    index: Annotated[Path, typer.Option(help="A folder that `hopsplit index` wrote.")],
    k: Annotated[int, typer.Option("-k", help="How many passages.")] = 10,
    method: Annotated[SearchMethod, typer.Option(help="How to score passages.")] = SearchMethod.HYBRID,
    format: Annotated[Json, typer.Option(help="How to write the hits.")] = Json.TEXT,  # noqa: A002
) -> None:
    """Search once, without splitting the question."""
    from ..retrieval import Index  # noqa: PLC0415

    check_question(question)
    opened = Index.open(index)
    hits = opened.search(question, k, method=method.value)
    if format is Json.JSON:
        found = [(hit, opened.passage(hit.id)) for hit in hits]
        rows = [
            {"id": hit.id, "score": hit.score, "rank": hit.rank, "title": passage.title, "text": passage.text}
            for hit, passage in found
        ]
        write_json({"question": question, "method": method.value, "hits": rows})
        return
    if not hits:
        note("nothing found")
    for hit in hits:
        passage = opened.passage(hit.id)
        write(f"{hit.rank:>3}  {passage.title or hit.id}  ({hit.id}, {hit.score:.4f})", "bold")
        write(f"     {snippet(passage.text)}")
