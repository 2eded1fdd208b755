"""Run files: `qid Q0 docid rank score tag`, one line a passage, as trec_eval and ir_measures read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ..decompose.plan import InputError
from ..decompose.textfile import text_lines
from .replacing import replacing

Scored = tuple[str, float]


def lines(query_id: str, ranking: Sequence[Scored], tag: str) -> Iterator[str]:
    """Yield the lines of one query; `ranking` is (passage id, score), best first.

    trec_eval keeps scores as 32-bit floats and orders by them, ties by id. So each score is written as the
    nearest such float, lowered where it must be to stay below the one before: the order survives any reader.
    """
    before = np.float32(np.inf)
    seen: set[str] = set()
    for rank, (passage_id, score) in enumerate(ranking, 1):
        if passage_id in seen:
            raise ValueError(f"the passage {passage_id!r} stands twice in the ranking of {query_id!r}")
        seen.add(passage_id)
        before = min(np.float32(score), np.nextafter(before, np.float32(-np.inf)))
        yield f"{_field(query_id)} Q0 {_field(passage_id)} {rank} {before:.9g} {tag}"


def write(path: Path, rankings: Iterable[tuple[str, Sequence[Scored]]], tag: str) -> int:
    """Write a run file, query by query in the order given, and return the number of queries.

    The file appears under its name only when it is complete; see `replacing`.
    """
    count = 0
    with replacing(path) as file:
        for query_id, ranking in rankings:
            file.writelines(line + "\n" for line in lines(query_id, ranking, tag))
            count += 1
    return count


def read(path: Path) -> dict[str, tuple[Scored, ...]]:
    """Read a run file: passages with their scores by query id, in trec_eval's order.

    That is by score as a 32-bit float, ties by the id, descending; ranks in the file have no say.
    """
    scores: dict[str, dict[str, float]] = {}
    for number, line in text_lines(path):
        fields = line.split()
        try:
            query_id, _, passage_id, _, score, _ = fields
            value = float(score)
        except ValueError as error:
            message = f"{path}, line {number}: need six fields, qid Q0 docid rank score tag"
            raise InputError(message) from error
        if math.isnan(value):
            raise InputError(f"{path}, line {number}: the score is no number; give one that can be ordered by")
        ranking = scores.setdefault(query_id, {})
        if passage_id in ranking:
            raise InputError(f"{path}, line {number}: {passage_id!r} stands twice under {query_id!r}; once is right")
        ranking[passage_id] = value
    return {query_id: _ordered(ranking) for query_id, ranking in scores.items()}


def _ordered(ranking: dict[str, float]) -> tuple[Scored, ...]:
    """Return the passages in trec_eval's order."""
    with np.errstate(over="ignore"):  # beyond the largest 32-bit float lies infinity
        singles = {passage_id: float(np.float32(score)) for passage_id, score in ranking.items()}
    return tuple(sorted(singles.items(), key=lambda item: (item[1], item[0]), reverse=True))


def check_ids(ids: Iterable[str]) -> None:
    """Raise InputError at the first id that a run file cannot hold, so before the work for it is done."""
    for name in ids:
        _field(name)


def _field(name: str) -> str:
    """Return an id that can stand between the spaces of a run file."""
    if name.split() != [name]:
        mend = "give it another id, or its file another name, and index it again"
        raise InputError(f"the id {name!r} has white space, which a run file cannot hold; {mend}")
    if any("\ud800" <= char <= "\udfff" for char in name):
        raise InputError(f"the id {name!r} has a lone surrogate, which no file can hold; give it another id")
    return name
