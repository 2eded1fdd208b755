"""What was measured, as a page of text, as Markdown, as JSON: tables, definitions, and what it was measured with."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version

from ..decompose.model import provenance
from ..fallback.replies import clean
from ..retrieval import ExecutorSettings, Passage
from ..retrieval.parts import Settings
from . import tables
from .comparing import Comparison, compare
from .dataset import Dataset
from .report import Report, corpus_hash, missing
from .report import as_json as row_json

_LIBRARIES = ("spacy", "bm25s", "scikit-learn", "numpy", "ir-measures")
_WIDTH = 80  # of lines in a terminal
DEFINITIONS = (
    "R@k: share of a question's gold passages among the first k; all@k: questions with all of them there.",
    "nDCG@10: gains of 1, log2; MRR: mean of 1 / rank of the first gold passage. All in percent, means over questions.",
    "passages, precision: given for a question, and the share of gold among them. read: their tokens, one for 3 bytes.",
    "calls, LLM tokens: of a language model, for a question. ms, p95 ms: of a question alone, parse included.",
)


@dataclass(frozen=True)
class Evaluated:
    """A data set, its passages, a report for each method; `against`: the method to compare with, empty for none."""

    dataset: Dataset
    passages: Sequence[Passage]
    reports: Sequence[Report]
    against: str = ""

    @property
    def title(self) -> str:
        """The data set and, where it has several, its split."""
        return f"{self.dataset.name} {self.dataset.split}".rstrip()

    @cached_property
    def comparisons(self) -> list[tuple[str, str, Comparison]]:
        """The other methods less `against`: (method, measure, comparison), in the order of the reports."""
        base = [report for report in self.reports if report.method == self.against]
        others = [report for report in self.reports if report.method != self.against]
        return [
            (other.method, name, found) for report in base for other in others for name, found in _less(other, report)
        ]

    @cached_property
    def about(self) -> dict[str, object]:
        """What was measured, and with what."""
        return {
            "dataset": self.dataset.name,
            "split": self.dataset.split,
            "passages": len(self.passages),
            "sha256": corpus_hash(self.passages),
            "gold_lost": missing(self.dataset, self.passages),
            "versions": {"hopsplit": provenance()} | {name: version(name) for name in _LIBRARIES},
        }


def _less(one: Report, other: Report) -> Iterator[tuple[str, Comparison]]:
    """Yield the comparison of two methods on the same questions, measure by measure."""
    pairs = [(one.each[query_id], other.each[query_id]) for query_id in one.each]
    for place, k in enumerate(one.ks):
        yield f"R@{k}", compare([a.recall[place] for a, _ in pairs], [b.recall[place] for _, b in pairs])
        yield f"all@{k}", compare([a.all_gold[place] for a, _ in pairs], [b.all_gold[place] for _, b in pairs])
    yield "nDCG@10", compare([a.ndcg for a, _ in pairs], [b.ndcg for _, b in pairs])


def text(measured: Evaluated) -> Iterator[str]:
    """Yield the lines of a page for a terminal."""
    for report in measured.reports:
        yield f"{measured.title}, {report.method}"
        yield from tables.text(tables.quality(report))
        yield ""
    yield from tables.text(tables.costs(measured.reports))
    if measured.comparisons:
        yield ""
        yield from tables.text(tables.comparisons(measured.against, measured.comparisons))
    yield ""
    for line in (*DEFINITIONS, *_footer(measured)):
        yield from textwrap.wrap(line, _WIDTH)


def markdown(measured: Evaluated, level: int = 2) -> Iterator[str]:
    """Yield the lines of a Markdown page, with headings from `level` on."""
    yield f"{'#' * level} {clean(measured.title)}"
    for report in measured.reports:
        yield from ("", f"**{clean(report.method)}**", "", *tables.markdown(tables.quality(report)))
    yield from ("", "What the methods took, all questions:", "", *tables.markdown(tables.costs(measured.reports)))
    if measured.comparisons:
        rows = tables.comparisons(measured.against, measured.comparisons)
        yield from ("", f"Differences from {measured.against}, question by question:", "", *tables.markdown(rows))
    yield ""
    yield from _footer(measured)


def _footer(measured: Evaluated) -> Iterator[str]:
    about = measured.about
    yield f"{about['passages']:,} passages, sha256 {about['sha256']}"
    if about["gold_lost"]:
        yield f"{about['gold_lost']} gold passages not in the collection; no method can find what is not there"
    yield "settings of the index and the search: the defaults, which `eval --format json` lists"
    yield "; ".join([provenance(), *(f"{name} {version(name)}" for name in _LIBRARIES)])


def as_json(measured: Evaluated) -> dict[str, object]:
    """Return it all for JSON, shares from 0 to 1."""
    methods = [
        {"method": report.method, "rows": [row_json(row, report.ks) for row in report.rows]}
        for report in measured.reports
    ]
    compared = [{"method": method, "measure": name} | found._asdict() for method, name, found in measured.comparisons]
    settings = {"index": asdict(Settings()), "executor": asdict(ExecutorSettings())}
    found = {"against": measured.against, "comparisons": compared} if measured.against else {}
    return measured.about | {"settings": settings, "methods": methods} | found
