"""Measure what the executor finds, and why it misses what it misses.

    python benchmarks/quality.py DATA [--split train|dev] [--without-plan] [--set NAME=VALUE ...]

DATA holds the folders <set>-train and <set> (2wiki, musique, hotpotqa), each with corpus.jsonl, <split>/queries.jsonl
and <split>/qrels.tsv; docs/measures.md tells where the sets are to be had. Settings are chosen on the training sets
alone; --split dev is for measuring what was chosen.
--without-plan searches every question as a single one. --set changes a setting, e.g. --set text_link=0.2 or
--set candidate.near=0.1.

Prints for each set and type the questions, recall and all-gold at 5, 10 and 20 of plain hybrid search and of the
executor ("!" where the executor is below), then a table of the questions whose gold is not all in the first five.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hopsplit.decompose import Decomposer, Hop, InputError, Plan
from hopsplit.evaluation.dataset import load
from hopsplit.evaluation.metrics import measured
from hopsplit.retrieval import Analyser, Executor, ExecutorSettings, Index, Outcome, read_corpus

SETS = ("2wiki", "musique", "hotpotqa")
AT = (5, 10, 20)


@dataclass(frozen=True)
class Asked:
    """A question walked: its type, gold, what plain search and the executor rank, and how."""

    type: str
    gold: tuple[str, ...]
    plain: list[str]
    found: list[str]
    plan: Plan
    outcome: Outcome
    answers: list[str]
    seconds: float


def walked(folder: Path, split: str, settings: ExecutorSettings, *, planned: bool) -> Iterator[Asked]:
    """Yield the questions of a set, each searched and walked."""
    dataset = load(folder, split)
    index = Index.build(read_corpus([dataset.corpus]))
    executor = Executor(index, settings=settings)
    texts = [judged.question.text for judged in dataset.judged]
    plans = plans_of(index, texts) if planned else map(single, texts)
    rows = (folder / split / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    details = {row["_id"]: row["metadata"] for row in map(json.loads, rows)}
    for judged, plan in zip(dataset.judged, plans, strict=True):
        start = time.perf_counter()
        outcome = executor.run(plan, max(AT))
        seconds = time.perf_counter() - start
        detail = details[judged.question.id]
        plain = [hit.id for hit in index.search(plan.question, max(AT))]
        found = [item.passage.id for item in outcome.evidence]
        kind = str(detail["type"])
        kind = kind[:4] if kind[1:4] == "hop" else kind
        yield Asked(kind, judged.gold, plain, found, plan, outcome, answers(detail), seconds)


def plans_of(index: Index, texts: list[str]) -> Iterator[Plan]:
    """Yield the decomposer's plans, with the titles of the collection as names."""
    titles = dict.fromkeys(passage.title for passage in index.passages if passage.title)
    return iter(list(Decomposer(titles=list(titles)).pipe(texts)))


def single(text: str) -> Plan:
    """Return the plan that does not split."""
    return Plan(text, "single", (Hop(1, text, (), "single", ()),), "not split")


def answers(detail: dict[str, Any]) -> list[str]:
    """Return the answers of the hops before the last, where the set tells them."""
    steps = detail.get("decomposition") or []
    return [step["answer"] for step in steps[:-1]] or [triple[2] for triple in detail.get("evidences", [])[:1]]


def scores(ranking: list[str], gold: tuple[str, ...]) -> list[float]:
    """Return recall and all-gold at each of `AT`."""
    values = measured({"": gold}, {"": ranking}, AT)[""]
    return [value for pair in zip(values.recall, values.all_gold, strict=True) for value in pair]


def mean(questions: list[Asked], ranked: str) -> list[float]:
    """Return the mean scores in percent."""
    columns = zip(*(scores(getattr(one, ranked), one.gold) for one in questions), strict=True)
    return [100 * statistics.mean(column) for column in columns]


def failure(asked: Asked) -> str:
    """Say where a question went wrong: the split, the bridge's name, or the passages for a named bridge."""
    terms = Analyser().terms
    named = [" ".join(terms(bridge.name)) for bridge in asked.outcome.bridges]
    wanted = [" ".join(terms(answer)) for answer in asked.answers]
    found = all(any(answer in name or name in answer for name in named) for answer in wanted)
    # A kinship question of 2Wiki is one hop and two passages.
    expected = {len(asked.gold), 1} if asked.type == "inference" else {len(asked.gold)}
    if len(asked.plan.hops) not in expected:
        return "another number of hops than gold passages"
    if not wanted:
        return "no bridge is known"
    return "bridge named, passage missed" if found else "bridge not named"


def show(name: str, questions: list[Asked]) -> None:
    """Print the tables of a set."""
    groups: dict[str, list[Asked]] = {"all": questions}
    types = defaultdict(list)
    for one in questions:
        types[one.type].append(one)
    print(f"\n{name:34} " + " ".join(f"{m}@{k:<5}" for k in AT for m in ("R", "A")))
    for kind, members in (groups | dict(sorted(types.items()))).items():
        plain, found = mean(members, "plain"), mean(members, "found")
        print(f"{kind:18} {len(members):4} hybrid    " + "  ".join(f"{value:5.1f} " for value in plain))
        marks = ["!" if two < one - 1e-9 else " " for one, two in zip(plain, found, strict=True)]
        print(f"{'':23} executor  " + "  ".join(f"{v:5.1f}{m}" for v, m in zip(found, marks, strict=True)))
    times = sorted(1000 * one.seconds for one in questions)
    print(f"executor, ms: median {statistics.median(times):.1f}, p95 {times[int(0.95 * len(times))]:.1f}")
    missed = [one for one in questions if not set(one.gold) <= set(one.found[:5])]
    for (kind, why), count in sorted(Counter((one.type, failure(one)) for one in missed).items()):
        print(f"  not all in five: {count:3}  {kind}, {why}")


def changed(settings: ExecutorSettings, assignment: str) -> ExecutorSettings:
    """Return `settings` with NAME=VALUE applied."""
    name, _, value = assignment.partition("=")
    group, _, inner = name.partition(".")
    if inner:
        return replace(settings, **{group: replace(getattr(settings, group), **{inner: float(value)})})
    return replace(settings, **{name: type(getattr(settings, name))(float(value))})


def main() -> None:
    """Measure every set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--split", choices=("train", "dev"), default="train")
    parser.add_argument("--without-plan", action="store_true")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = ExecutorSettings()
    for assignment in options.set:
        settings = changed(settings, assignment)
    for name in SETS:
        folder = options.data / (f"{name}-train" if options.split == "train" else name)
        questions = list(walked(folder, options.split, settings, planned=not options.without_plan))
        show(folder.name, questions)


if __name__ == "__main__":
    try:
        main()
    except InputError as problem:
        sys.exit(f"error: {problem}")
