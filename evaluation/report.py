"""From rankings to a table: the measures for each type of question and for all, and what a method took."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median

from ..decompose.plan import InputError
from ..retrieval.types import Passage
from .dataset import Dataset, Judged
from .metrics import Measured, measured

KS = (2, 5, 10, 20)
ALL = "all"
_BYTES_PER_TOKEN = 3


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a method gave for one question: passages with scores, best first; what it spent on it, None if unknown."""

    query_id: str
    ranking: tuple[tuple[str, float], ...]
    llm_calls: int | None
    llm_tokens: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """The means over the questions of one type. `recall` and `all_gold` stand in the order of the report's ks.

    ndcg, mrr: see `measured`. passages: number of passages given. precision: share of gold among them. read: tokens of
    them, which an answering model would read. llm_calls, llm_tokens: for a question. median_ms, p95_ms: milliseconds of
    a question. per_second: questions. What depends on figures that are not known for a question is None.
    """

    type: str
    questions: int
    recall: tuple[float, ...]
    all_gold: tuple[float, ...]
    ndcg: float
    mrr: float
    passages: float
    precision: float
    read: float
    llm_calls: float | None
    llm_tokens: float | None
    median_ms: float | None
    p95_ms: float | None
    per_second: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """What one method gave: the measures of each question by its id, and the rows; the last is that of all."""

    method: str
    ks: tuple[int, ...]
    each: Mapping[str, Measured]
    ranked: Mapping[str, Ranked]
    rows: tuple[Row, ...]


def report(
    method: str, dataset: Dataset, ranked: Iterable[Ranked], tokens: Mapping[str, int], ks: Sequence[int] = KS
) -> Report:
    """Measure each type of question, by name, and last all together. No ranking counts as nothing found, at no cost.

    tokens: of each passage; see `tokens_of`. One that is not in the collection counts none.
    """
    given = {item.query_id: item for item in ranked}
    each = measured(
        {judged.question.id: judged.gold for judged in dataset.judged},
        {query_id: [passage for passage, _ in item.ranking] for query_id, item in given.items()},
        ks,
    )
    types = sorted({judged.question.type for judged in dataset.judged if judged.question.type})
    if ALL in types:
        raise InputError(
            f"{dataset.name} has a type {ALL!r}, as the row of all questions is called; give it another name"
        )
    groups = {name: [j for j in dataset.judged if j.question.type == name] for name in types}
    named = [*groups.items(), (ALL, list(dataset.judged))]
    rows = tuple(_row(name, judged, given, each, tokens) for name, judged in named)
    return Report(method, tuple(ks), each, given, rows)


def _row(
    name: str,
    judged: Sequence[Judged],
    ranked: Mapping[str, Ranked],
    each: Mapping[str, Measured],
    tokens: Mapping[str, int],
) -> Row:
    """Put the questions of one type together."""
    nothing = Ranked("", (), 0, 0, 0.0)
    ids = [item.question.id for item in judged]
    values, given = [each[i] for i in ids], [ranked.get(i, nothing) for i in ids]
    seconds = _known([item.seconds for item in given])
    return Row(
        name,
        len(ids),
        tuple(map(fmean, zip(*(value.recall for value in values), strict=True))),
        tuple(map(fmean, zip(*(value.all_gold for value in values), strict=True))),
        fmean(value.ndcg for value in values),
        fmean(value.rr for value in values),
        fmean(len(item.ranking) for item in given),
        fmean(value.precision for value in values),
        fmean(sum(tokens.get(passage, 0) for passage, _ in item.ranking) for item in given),
        _mean(_known([item.llm_calls for item in given])),
        _mean(_known([item.llm_tokens for item in given])),
        1000 * median(seconds) if seconds else None,
        1000 * percentile(seconds, 95) if seconds else None,
        len(seconds) / total if seconds and (total := math.fsum(seconds)) else None,
    )


def _known(values: Sequence[float | None]) -> list[float]:
    """Return the values, none where one is not known."""
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def percentile(values: Sequence[float], share: int) -> float:
    """Return the least of `values` that `share` percent of them do not exceed (nearest rank)."""
    return sorted(values)[math.ceil(share / 100 * len(values)) - 1]


def tokens_of(passages: Iterable[Passage]) -> dict[str, int]:
    """Return a cautious count of each passage's tokens, title and text: one for three UTF-8 bytes."""
    return {p.id: len(f"{p.title}\n{p.text}".encode()) // _BYTES_PER_TOKEN + 1 for p in passages}


def corpus_hash(passages: Iterable[Passage]) -> str:
    """Return the SHA-256 of the passages in the order of their ids: equal for equal content in any order."""
    digest = hashlib.sha256()
    for passage in sorted(passages, key=lambda passage: passage.id):
        line = json.dumps([passage.id, passage.title, passage.text], ensure_ascii=True)
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def missing(dataset: Dataset, passages: Iterable[Passage]) -> int:
    """Return how many gold passages are not in the collection; no method can find them."""
    known = {passage.id for passage in passages}
    return len({gold for judged in dataset.judged for gold in judged.gold} - known)


def as_json(row: Row, ks: Sequence[int]) -> dict[str, object]:
    """Return a row for JSON: the measures as shares from 0 to 1, by k; with the seconds of all its questions."""
    by_k = {
        "recall": {str(k): share for k, share in zip(ks, row.recall, strict=True)},
        "all_gold": {str(k): share for k, share in zip(ks, row.all_gold, strict=True)},
    }
    return asdict(row) | by_k | {"seconds": row.questions / row.per_second if row.per_second else None}
