"""From rankings to a table: the measures for each type of question and for all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rich.table import Table

from ..retrieval.types import Passage
from .dataset import Dataset, Judged
from .metrics import all_gold, recall

KS = (2, 5, 10, 20)
_ALL = "all"


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a method gave for one question: passages with scores, best first; what it spent on it."""

    query_id: str
    ranking: tuple[tuple[str, float], ...]
    llm_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """The means over the questions of one type. `recall` and `all_gold` stand in the order of KS.

    passages: mean number of passages given. llm_tokens: mean for a question. seconds: sum over the questions.
    """

    type: str
    questions: int
    recall: tuple[float, ...]
    all_gold: tuple[float, ...]
    passages: float
    llm_tokens: float
    seconds: float


def rows(dataset: Dataset, ranked: Mapping[str, Ranked]) -> list[Row]:
    """Measure each type of question, by name, and last all together. No ranking counts as nothing found."""
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
        fmean(given.llm_tokens for _, given in pairs),
        sum(given.seconds for _, given in pairs),
    )


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


def table(title: str, measured: Sequence[Row]) -> Table:
    """Lay the rows out; the measures are percentages."""
    made = Table(title=title, title_justify="left")
    made.add_column("type")
    for name in ("questions", *(f"R@{k}" for k in KS), *(f"all@{k}" for k in KS)):
        made.add_column(name, justify="right", no_wrap=True)
    for name in ("passages", "LLM tokens", "seconds"):
        made.add_column(name, justify="right")
    for row in measured:
        if row.type == _ALL:
            made.add_section()
        shares = (f"{100 * share:.1f}" for share in (*row.recall, *row.all_gold))
        spent = (f"{row.passages:.1f}", f"{row.llm_tokens:.0f}", f"{row.seconds:.2f}")
        made.add_row(row.type, str(row.questions), *shares, *spent)
    return made
