"""Measure the decomposer: start-up, one by one, batches, processes, and what it costs beside the parser.

    python benchmarks/decompose_speed.py [QUESTIONS.jsonl ...] [--rounds 5]

Each line of the files has a "question" or a "text"; without files the gold questions of the project are asked.
Every figure is the best of the rounds: other work on the machine only ever adds time. "spaCy" is the time in its
tokenizer, tagger and parser on just what the decomposer hands them; "rest" is all else: normalising, protecting
names, mending the tree, the rules, the texts of the hops.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from spacy.tokens import Doc

from hopsplit.decompose import Decomposer, Plan

ROOT = Path(__file__).parents[1]
GOLD = sorted([*(ROOT / "tests" / "gold").glob("*.jsonl"), *(ROOT / "corpora").glob("*/gold.jsonl")])
FIRST_PLAN = (
    "from hopsplit.decompose import Decomposer; Decomposer().decompose('Where was the founder of Versus born?')"
)
T = TypeVar("T")


class Timed(Decomposer):
    """A decomposer that adds up the time it spends in spaCy."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0.0
        self.parses = 0
        make_doc = self._nlp.make_doc
        self._nlp.make_doc = lambda text: self._timed(lambda: make_doc(text))  # type: ignore[method-assign]

    def _timed(self, work: Callable[[], T]) -> T:
        start = time.perf_counter()
        done = work()
        self.inside += time.perf_counter() - start
        return done

    def _parsed(self, doc: Doc) -> Doc:
        self.parses += 1
        return self._timed(lambda: super(Timed, self)._parsed(doc))

    def _parsed_batch(self, docs: list[Doc]) -> Iterator[Doc]:
        return iter(self._timed(lambda: list(super(Timed, self)._parsed_batch(docs))))


def read(paths: list[Path]) -> list[str]:
    """Return the questions of the files."""
    rows = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [question for row in rows if (question := row.get("question", row.get("text", ""))).strip()]


def best(rounds: int, work: Callable[[], tuple[float, ...]]) -> tuple[float, ...]:
    """Return the least of each figure over the rounds."""
    return tuple(min(figures) for figures in zip(*(work() for _ in range(rounds)), strict=True))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    questions = read(given.files or GOLD)
    decomposer = Timed()
    expected = [decomposer.decompose(question) for question in questions]
    decomposer.parses = 0

    def run(plans: Callable[[], list[Plan]]) -> tuple[float, float, float]:
        """Return seconds in all, in spaCy and in the rest."""
        decomposer.inside, start = 0.0, time.perf_counter()
        made = plans()
        total = time.perf_counter() - start
        assert made == expected  # noqa: S101
        return total, decomposer.inside, total - decomposer.inside

    one = best(given.rounds, lambda: run(lambda: [decomposer.decompose(question) for question in questions]))
    many = best(given.rounds, lambda: run(lambda: list(decomposer.pipe(questions))))
    count = len(questions)
    print(
        f"{count} questions, {decomposer.parses / count / given.rounds:.2f} parses each, best of {given.rounds} rounds"
    )
    for name, (total, inside, rest) in (("one by one", one), ("pipe", many)):
        print(f"{name:<12} {total / count * 1e3:6.2f} ms a question: spaCy {inside / count * 1e3:.2f}, ", end="")
        print(f"rest {rest / count * 1e3:.2f}")
    print(f"pipe is {one[0] / many[0]:.1f} times as fast as one by one")

    several = questions * max(1, 2000 // count)
    (single,) = best(2, lambda: run_processes(several, 1))
    (double,) = best(2, lambda: run_processes(several, 2))
    print(f"{len(several)} questions in 1 process: {single:.1f} s, in 2 with their start: {double:.1f} s")
    print(f"start-up to first plan: {best(given.rounds, first_plan)[0]:.2f} s")


def run_processes(questions: list[str], n_process: int) -> tuple[float]:
    """Return the seconds that so many processes take for the questions."""
    start = time.perf_counter()
    made = list(Decomposer().pipe(questions, n_process=n_process))
    seconds = time.perf_counter() - start
    assert len(made) == len(questions)  # noqa: S101
    return (seconds,)


def first_plan() -> tuple[float]:
    """Return the seconds from the start of Python to the first plan."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_PLAN], check=True)
    return (time.perf_counter() - start,)


if __name__ == "__main__":
    main()
