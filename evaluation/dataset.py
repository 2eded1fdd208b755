"""Questions with their gold passages, in the two layouts of BEIR files that are in use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..decompose.plan import InputError
from ..decompose.textfile import text_lines
from .lines import objects, string

_HEADER = ["query-id", "corpus-id", "score"]
_SCORE = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `type` is what the data set calls its type, empty where it says none."""

    id: str
    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A question and the ids of its gold passages, ascending, at least one."""

    question: Question
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One split of a data set: where its passages are, and its judged questions in the order of the file."""

    name: str
    split: str
    corpus: Path
    judged: tuple[Judged, ...]


def load(folder: Path, split: str) -> Dataset:
    """Read a split: `queries.jsonl` with `qrels/<split>.tsv` (BEIR), or `<split>/` with both files (flat).

    Beside them stands corpus.jsonl. Of a BEIR queries.jsonl, which serves all splits, only the judged
    questions are taken; in the flat layout every question must be judged. Judgements of 0 are no gold.
    """
    if not folder.exists():
        raise InputError(f"{folder}: no such folder or file; name a data set, or a demo collection")
    flat = folder / split
    if (flat / "queries.jsonl").exists():
        queries, qrels, partial = flat / "queries.jsonl", flat / "qrels.tsv", False
    elif (folder / "queries.jsonl").exists():
        queries, qrels, partial = folder / "queries.jsonl", folder / "qrels" / f"{split}.tsv", True
    else:
        raise InputError(f"{folder}: neither queries.jsonl nor {split}/queries.jsonl; name a BEIR folder")
    corpus = folder / "corpus.jsonl"
    if not corpus.exists():
        raise InputError(f"{corpus}: no such file; a data set needs its passages")
    judged = _join(read_queries(queries), read_qrels(qrels), queries=queries, qrels=qrels, partial=partial)
    return Dataset(folder.resolve().name, split, corpus, judged)


def of_types(dataset: Dataset, types: Sequence[str]) -> Dataset:
    """Return the questions of these types alone, all where there are none; InputError on a type that none has."""
    known = sorted({judged.question.type for judged in dataset.judged if judged.question.type})
    for name in types:
        if name not in known:
            there = f"its types are {', '.join(known)}" if known else "it tells no types"
            raise InputError(f"{dataset.name} has no questions of the type {name!r}; {there}")
    kept = tuple(judged for judged in dataset.judged if not types or judged.question.type in types)
    return replace(dataset, judged=kept)


def read_queries(path: Path) -> tuple[Question, ...]:
    """Read `{"_id", "text", "metadata"?: {"type" or "kind"}}` lines; ids must be unique."""
    found: dict[str, Question] = {}
    for number, value in objects(path):
        query_id = string(value, "_id", path, number)
        if query_id in found:
            raise InputError(f"{path}, line {number}: the query id {query_id!r} was used before; ids must be unique")
        metadata = value.get("metadata")
        known = metadata if isinstance(metadata, dict) else {}
        kind = known.get("type") or known.get("kind") or ""
        if not isinstance(kind, str) or any("\ud800" <= char <= "\udfff" for char in kind):
            raise InputError(f"{path}, line {number}: the type of a question must be a valid text")
        found[query_id] = Question(query_id, string(value, "text", path, number), kind.strip())
    if not found:
        raise InputError(f"{path}: no queries; give a file with one JSON object a line")
    return tuple(found.values())


def read_qrels(path: Path) -> dict[str, tuple[str, ...]]:
    """Read `query-id, corpus-id, score` lines (tab-separated, with that header): gold ids by query id."""
    lines = text_lines(path)
    if next(lines, (0, ""))[1].split() != _HEADER:
        raise InputError(f"{path}, line 1: the header must be {' '.join(_HEADER)}, separated by tabs")
    gold: dict[str, set[str]] = {}
    for number, line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) != 3 or not _SCORE.fullmatch(fields[2].strip()):
            raise InputError(f"{path}, line {number}: need query id, passage id and a whole number between tabs")
        if int(fields[2]) > 0:
            gold.setdefault(fields[0], set()).add(fields[1])
    return {query_id: tuple(sorted(ids)) for query_id, ids in gold.items()}


def _join(
    questions: tuple[Question, ...],
    gold: dict[str, tuple[str, ...]],
    *,
    queries: Path,
    qrels: Path,
    partial: bool,
) -> tuple[Judged, ...]:
    """Bring questions and judgements together, and refuse what has no partner."""
    unknown = gold.keys() - {question.id for question in questions}
    if unknown:
        raise InputError(f"{qrels}: the query id {min(unknown)!r} is not in {queries}")
    unjudged = [question.id for question in questions if question.id not in gold]
    if unjudged and not partial:
        raise InputError(f"{queries}: the query {unjudged[0]!r} has no gold passage in {qrels}")
    judged = tuple(Judged(question, gold[question.id]) for question in questions if question.id in gold)
    if not judged:
        raise InputError(f"{qrels}: no judgement above 0, so there is nothing to measure")
    return judged
