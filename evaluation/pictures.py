"""Pictures of what was measured, by matplotlib (the extra `plots`). Equal figures give equal bytes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..decompose.plan import InputError
from .metrics import measured
from .report import Report
from .results import Evaluated

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INSTALL = "pictures need the package matplotlib: pip install matplotlib (from a checkout: pip install '.[plots]')"
_COLOURS = ("#0b6e4f", "#c8553d", "#28536b", "#8d6a9f", "#b5893c", "#555555")
_POINTS = 9  # of all letters
_MARKS = ("o", "s", "^", "D", "v", "x")


class Growth(NamedTuple):
    """What a collection of so many passages costs: seconds to index it, milliseconds of a question by method."""

    passages: int
    seconds: float
    milliseconds: dict[str, float]


def check() -> None:
    """Raise InputError where matplotlib is not installed, so before there is anything to draw."""
    try:
        import matplotlib.figure  # noqa: F401, PLC0415
    except ImportError as error:
        raise InputError(INSTALL) from error


def recall_curve(measured_set: Evaluated, path: Path) -> None:
    """Draw recall against the number of passages read, from 1 to as many as were searched, a line for each method."""
    figure, axes = _figure()
    gold = {judged.question.id: judged.gold for judged in measured_set.dataset.judged}
    for place, report in enumerate(measured_set.reports):
        ks = range(1, report.ks[-1] + 1)
        rankings = {query: [passage for passage, _ in item.ranking] for query, item in report.ranked.items()}
        each = measured(gold, rankings, ks).values()
        shares = [100 * sum(value.recall[k - 1] for value in each) / len(each) for k in ks]
        _line(axes, ks, shares, report.method, place)
    axes.set(xlabel="passages read", ylabel="recall, %", ylim=(0, 102), title=_plain(measured_set.dataset.name))
    axes.set_xticks([1, *range(5, measured_set.reports[0].ks[-1] + 1, 5)])
    _finish(figure, axes, path)


def latencies(reports: Sequence[Report], title: str, path: Path) -> None:
    """Draw for each method the share of the questions that took at most so many milliseconds."""
    figure, axes = _figure()
    for place, report in enumerate(reports):
        taken = sorted(1000 * item.seconds for item in report.ranked.values() if item.seconds is not None)
        if taken:
            shares = [100 * (rank + 1) / len(taken) for rank in range(len(taken))]
            axes.plot(taken, shares, color=_COLOURS[place % len(_COLOURS)], label=report.method, linewidth=1.8)
    axes.set(
        xlabel="milliseconds of a question",
        ylabel="questions done, %",
        xscale="log",
        ylim=(0, 102),
        title=_plain(title),
    )
    _finish(figure, axes, path)


def growth(points: Sequence[Growth], path: Path) -> None:
    """Draw the median milliseconds of a question against the size of the collection, a line for each method."""
    figure, axes = _figure()
    sizes = [point.passages for point in points]
    for place, method in enumerate(points[0].milliseconds):
        _line(axes, sizes, [point.milliseconds[method] for point in points], method, place)
    axes.set(xlabel="passages in the collection", ylabel="median milliseconds", xscale="log", yscale="log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.set_xticks([], minor=True)
    _finish(figure, axes, path)


def _figure() -> tuple[Figure, Axes]:
    """Return an empty picture."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(5.6, 3.6), layout="constrained")
    axes = figure.add_subplot()
    axes.tick_params(labelsize=_POINTS)
    axes.grid(visible=True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _line(axes: Axes, x: Sequence[float], y: Sequence[float], label: str, place: int) -> None:
    """Draw one line, told apart by its mark where colours are not seen."""
    colour, mark = _COLOURS[place % len(_COLOURS)], _MARKS[place % len(_MARKS)]
    axes.plot(x, y, color=colour, marker=mark, markersize=3.5, linewidth=1.6, label=label)


def _plain(title: str) -> str:
    """Return a title in which nothing is mathematics."""
    return title.replace("$", r"\$")


def _finish(figure: Figure, axes: Axes, path: Path) -> None:
    """Write a picture, without the time and with the same names of parts each time."""
    from matplotlib import rc_context  # noqa: PLC0415

    if axes.lines:
        axes.legend(frameon=False, fontsize=_POINTS)
    for label in (axes.title, axes.xaxis.label, axes.yaxis.label):
        label.set_fontsize(_POINTS)
    try:
        with warnings.catch_warnings(), rc_context({"svg.hashsalt": "hopsplit", "svg.fonttype": "none"}):
            warnings.filterwarnings("ignore", "Glyph", UserWarning)  # of a name in a script that the font has not
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None}, dpi=150)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; name a folder that can be written") from error
