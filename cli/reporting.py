"""The command `report`: a page of results with its pictures."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from .evaluating import data_of, names_of, reports_of
from .output import note

if TYPE_CHECKING:
    from ..evaluation.methods import Method
    from ..evaluation.pictures import Growth
    from ..evaluation.results import Evaluated

_SIZES = (16, 8, 4, 2, 1)  # a collection's parts whose cost is measured
_NAME = 100  # characters of a data set's name in that of a file
_ASKED = 40  # questions asked of each


class Picture(StrEnum):
    """The form of the pictures."""

    SVG = "svg"
    PNG = "png"


def report(
    dataset: Annotated[list[Path], typer.Argument(help="Data sets, as `hopsplit eval` takes them.")],
    out: Annotated[Path, typer.Option(help="The folder for results.md and the pictures.")],
    split: Annotated[str, typer.Option(help="Which judgements of a folder.")] = "dev",
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...", help="Methods; see `hopsplit eval`.  [default: rarag,overlap,hybrid,bm25,tfidf]"
        ),
    ] = None,
    against: Annotated[str, typer.Option(metavar="NAME", help="The method that others are compared with.")] = "hybrid",
    pictures: Annotated[Picture, typer.Option(help="The form of the pictures.")] = Picture.SVG,
) -> None:
    """Measure data sets and write a page of tables and pictures; needs the extra `plots`."""
    from ..evaluation import KS, tokens_of  # noqa: PLC0415
    from ..evaluation import pictures as draw  # noqa: PLC0415
    from ..evaluation.replacing import replacing  # noqa: PLC0415
    from ..evaluation.results import DEFINITIONS, Evaluated, markdown  # noqa: PLC0415
    from ..evaluation.tables import markdown as table  # noqa: PLC0415
    from ..retrieval import Index  # noqa: PLC0415
    from .config import settings  # noqa: PLC0415

    draw.check()
    names = names_of(method or ["rarag,overlap,hybrid,bm25,tfidf"])
    if against not in names:
        raise InputError(f"--against {against!r} is not among the methods; add it to --method")
    sets = [data_of(each, split, [], sentences=False) for each in dataset]
    _prepare(out, [data.name for data, _ in sets])
    form = pictures.value
    about = {"--out": "DIR", "--split": split, "--method": ",".join(names), "--against": against, "--pictures": form}
    lines = ["# Results", "", _about(dataset, about), "", *(f"- {line}" for line in DEFINITIONS)]
    largest: Evaluated | None = None
    for data, passages in sets:
        reports = list(reports_of(data, Index.build(passages), tokens_of(passages), names, KS, settings({})))
        measured = Evaluated(data, passages, reports, against)
        name = f"recall-{_slug(data.name)}.{form}"
        draw.recall_curve(measured, out / name)
        lines += ["", *markdown(measured), "", f"![recall against passages read, {data.name}]({name})"]
        if largest is None or len(passages) > len(largest.passages):
            largest = measured
    assert largest is not None  # noqa: S101  (the argument takes at least one)
    points = list(_grown(largest, names))
    draw.latencies(largest.reports, largest.dataset.name, out / f"latency.{form}")
    draw.growth(points, out / f"size.{form}")
    said = "each question alone; then growing parts of it, seconds to index them and median milliseconds of a question."
    lines += ["", "## Time", "", f"On {largest.dataset.name}, {said}"]
    lines += ["", f"![latency](latency.{form})", "", f"![cost against size](size.{form})", "", *table(_cells(points))]
    with replacing(out / "results.md") as file:
        file.writelines(line.replace("\n", " ") + "\n" for line in lines)
    note(f"wrote {out / 'results.md'}")


def _prepare(out: Path, names: Sequence[str]) -> None:
    """Make the folder; InputError where that cannot be, or where two data sets would have one picture."""
    slugs = [_slug(name) for name in names]
    if twice := [name for name, slug in zip(names, slugs, strict=True) if slugs.count(slug) > 1]:
        raise InputError(f"two data sets are called {twice[0]!r}; give one of them another name")
    if (out / "results.md").is_dir():
        raise InputError(f"{out / 'results.md'} is a folder; name another folder for the page")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}; name a folder that can be written") from error


def _slug(name: str) -> str:
    """Return a name that can stand in a link."""
    return re.sub(r"[^\w.-]+", "-", name)[:_NAME]


def _about(datasets: Sequence[Path], options: Mapping[str, str]) -> str:
    """Say how the page was made; of paths the last part alone."""
    words = [
        *(_slug(path.resolve().name) for path in datasets),
        *(word for option in options.items() for word in option),
    ]
    return f"Written by `hopsplit report {' '.join(words)}`; what is changed here by hand is lost."


def _cells(points: Sequence[Growth]) -> list[list[str]]:
    """Return a table of what parts of a collection cost."""
    head = ["passages", "index, s", *points[0].milliseconds]
    rows = ([f"{p.passages:,}", f"{p.seconds:.2f}", *(f"{ms:.1f}" for ms in p.milliseconds.values())] for p in points)
    return [head, *rows]


def _grown(measured: Evaluated, methods: Sequence[Method]) -> Iterator[Growth]:
    """Yield what growing parts of a collection cost, each part with every so-manieth passage; no model is asked."""
    from ..evaluation.methods import Ranker  # noqa: PLC0415
    from ..evaluation.pictures import Growth  # noqa: PLC0415
    from ..retrieval import Index  # noqa: PLC0415

    questions = [judged.question for judged in measured.dataset.judged[:_ASKED]]
    for share in _SIZES:
        part = measured.passages[::share]
        start = time.perf_counter()
        index = Index.build(part)
        seconds = time.perf_counter() - start
        rankers = {name: Ranker(index, name) for name in methods if name != "chain-of-query"}
        taken = {name: [item.seconds or 0.0 for item in each.timed(questions, 20)] for name, each in rankers.items()}
        yield Growth(len(part), seconds, {name: 1000 * median(each) for name, each in taken.items()})
