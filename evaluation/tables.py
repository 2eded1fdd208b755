"""Reports as tables: text for a terminal, Markdown, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import fields

from ..fallback.replies import clean
from .comparing import Comparison
from .report import Report, Row

Cells = list[list[str]]
_UNKNOWN = "-"
_MEASURED = 4  # fields of a row before those that are one figure each


def quality(report: Report) -> Cells:
    """Return the measures of a report in percent, a row for each type; the first row says what they are."""
    ks = report.ks
    head = ["type", "n", *(f"R@{k}" for k in ks), *(f"all@{k}" for k in ks), "nDCG@10", "MRR"]
    return [head, *(_quality(row) for row in report.rows)]


def _quality(row: Row) -> list[str]:
    shares = [*row.recall, *row.all_gold, row.ndcg, row.mrr]
    return [row.type, str(row.questions), *map(_percent, shares)]


def _percent(share: float) -> str:
    """Return a share in percent to one digit; a whole is 100, which spares the widest columns a place."""
    return "100" if share == 1 else f"{100 * share:.1f}"


def costs(reports: Iterable[Report]) -> Cells:
    """Return what each method gave and took, over all questions; the first row says what that is."""
    head = ["method", "passages", "precision", "read", "calls", "LLM tokens", "ms", "p95 ms", "a second"]
    return [head, *([report.method, *_cost(report.rows[-1])] for report in reports)]


def _cost(row: Row) -> list[str]:
    return [
        f"{row.passages:.1f}",
        f"{100 * row.precision:.1f}",
        f"{row.read:.0f}",
        _or_unknown(row.llm_calls, 2),
        _or_unknown(row.llm_tokens, 0),
        _or_unknown(row.median_ms, 1),
        _or_unknown(row.p95_ms, 1),
        _or_unknown(row.per_second, 0),
    ]


def _or_unknown(value: float | None, digits: int) -> str:
    return _UNKNOWN if value is None else f"{value:.{digits}f}"


def comparisons(against: str, found: Iterable[tuple[str, str, Comparison]]) -> Cells:
    """Return comparisons with a method, in percent: (method, measure, comparison) each; the first row says what."""
    head = [f"minus {against}", "measure", "difference", "95% interval", "p"]
    rows = (
        [method, name, _signed(c.difference), f"{_signed(c.low)} to {_signed(c.high)}", f"{c.p:.4f}"]
        for method, name, c in found
    )
    return [head, *rows]


def _signed(share: float) -> str:
    """Return a share in percent with its sign, which nothing has none of."""
    return f"{round(100 * share, 1) + 0.0:+.1f}"


def text(cells: Cells) -> list[str]:
    """Lay cells out as lines: the first column to the left, the others to the right, each as wide as its widest."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        f"{first:<{widths[0]}} " + " ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        for first, *rest in cells
    ]


def markdown(cells: Cells) -> list[str]:
    """Lay cells out as a Markdown table."""
    head, *rows = ["| " + " | ".join(map(_cell, row)) + " |" for row in cells]
    return [head, "|---" + "|--:" * (len(cells[0]) - 1) + "|", *rows]


def _cell(text: str) -> str:
    """Return a text that stays in its cell, and is neither a link nor code there."""
    for char in "\\|`[]<":
        text = text.replace(char, "\\" + char)
    return clean(text)


def as_csv(reports: Sequence[Report]) -> str:
    """Return all rows of the reports, shares from 0 to 1, an empty field for what is not known."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    ks = reports[0].ks
    head = ["method", "type", "questions", *(f"recall@{k}" for k in ks), *(f"all_gold@{k}" for k in ks)]
    rest = [field.name for field in fields(Row)[_MEASURED:]]
    writer.writerow([*head, *rest])
    for report in reports:
        for row in report.rows:
            values = [getattr(row, name) for name in rest]
            writer.writerow([clean(report.method), clean(row.type), row.questions, *row.recall, *row.all_gold, *values])
    return file.getvalue()
