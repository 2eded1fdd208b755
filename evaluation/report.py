"""From rankings to a table: the measures for each type of question and for all."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from ..retrieval.types import Passage
from .dataset import Dataset, Judged
from .metrics import all_gold, recall

KS = (2, 5, 10, 20)
_ALL = "all"


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a method gave for one question: passages with scores, best first; what it spent on it, None if unknown."""

    query_id: str
    ranking: tuple[tuple[str, float], ...]
    llm_tokens: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """The means over the questions of one type. `recall` and `all_gold` stand in the order of KS.

    passages: mean number of passages given. llm_tokens: mean for a question. seconds: sum over the questions.
    The last two are None where a question's are not known.
    """

    type: str
    questions: int
    recall: tuple[float, ...]
    all_gold: tuple[float, ...]
    passages: float
    llm_tokens: float | None
    seconds: float | None


def rows(dataset: Dataset, ranked: Mapping[str, Ranked]) -> list[Row]:
    """Measure each type of question, by name, and last all together. No ranking counts as nothing found, at no cost."""
    types = sorted({judged.question.type for judged in dataset.judged if judged.question.type})
    groups = {name: [j for j in dataset.judged if j.question.type == name] for name in types}
    named = [*groups.items(), (_ALL, list(dataset.judged))]
    return [_row(name, judged, ranked) for name, judged in named]


def _row(name: str, judged: Sequence[Judged], ranked: Mapping[str, Ranked]) -> Row:
    """Measure one group of questions."""
    nothing = Ranked("", (), 0, 0.0)
    pairs = [(item.gold, ranked.get(item.question.id, nothing)) for item in judged]

    def mean(measure: Callable[[Sequence[str], Sequence[str], int], float], k: int) -> float:
        return fmean(measure(gold, [pid for pid, _ in given.ranking], k) for gold, given in pairs)

    return Row(
        name,
        len(judged),
        tuple(mean(recall, k) for k in KS),
        tuple(mean(all_gold, k) for k in KS),
        fmean(len(given.ranking) for _, given in pairs),
        _over(fmean, [given.llm_tokens for _, given in pairs]),
        _over(math.fsum, [given.seconds for _, given in pairs]),
    )


def _over(whole: Callable[[Sequence[float]], float], values: Sequence[float | None]) -> float | None:
    """Return the whole of the values, None where one is not known."""
    known = [value for value in values if value is not None]
    return whole(known) if len(known) == len(values) else None


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


def table(measured: Sequence[Row]) -> list[str]:
    """Lay the rows out as lines, the measures in percent: 80 columns, where types have short names."""
    head = ("type", "n", *(f"R@{k}" for k in KS), *(f"all@{k}" for k in KS))
    cells = [
        head,
        *((row.type, str(row.questions), *_percent(row.recall), *_percent(row.all_gold)) for row in measured),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        f"{name:<{widths[0]}} " + " ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        for name, *rest in cells
    ]


def cost(row: Row) -> str:
    """Say what the questions of a row took, "-" for what is not known."""
    tokens = "-" if row.llm_tokens is None else f"{row.llm_tokens:.0f}"
    seconds = "-" if row.seconds is None else f"{row.seconds:.2f}"
    return f"{row.passages:.1f} passages and {tokens} LLM tokens a question, {seconds} s in all"


def as_json(row: Row) -> dict[str, object]:
    """Return a row for JSON: the measures as shares from 0 to 1, by k."""
    by_k = {
        "recall": {str(k): share for k, share in zip(KS, row.recall, strict=True)},
        "all_gold": {str(k): share for k, share in zip(KS, row.all_gold, strict=True)},
    }
    return asdict(row) | by_k


def _percent(shares: Iterable[float]) -> list[str]:
    return [f"{100 * share:.1f}" for share in shares]
