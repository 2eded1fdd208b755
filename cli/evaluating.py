"""The command `eval`: what methods, or a run file, find on a data set."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from .output import count, note, progress, working, write, write_json
from .place import place

if TYPE_CHECKING:
    from ..evaluation import Dataset, Report
    from ..evaluation.methods import Method
    from ..retrieval import Index, Passage
    from .settings import Settings

_METHODS = (
    "rarag (what `ask` does), chain-of-query (the same with --llm), overlap (the published scheme), hybrid, bm25, tfidf"
)
_DEEPEST = 1_000_000


class Table(StrEnum):
    """How the measures are written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MARKDOWN = "markdown"


def evaluate(
    dataset: Annotated[
        Path,
        typer.Argument(
            help="A folder with corpus.jsonl, queries and qrels; a file of HotpotQA, 2WikiMultiHopQA or MuSiQue as "
            "published; or a demo collection: encyclopedia, company."
        ),
    ],
    split: Annotated[
        str, typer.Option(help="Which judgements of a folder: qrels/SPLIT.tsv or SPLIT/qrels.tsv.")
    ] = "dev",
    method: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Methods, with commas between or repeated: {_METHODS}.  [default: rarag, with --run none]",
            metavar="NAME,...",
        ),
    ] = None,
    run: Annotated[
        list[Path] | None, typer.Option(help="Measure this run file, of any system; may be repeated.")
    ] = None,
    types: Annotated[str, typer.Option(metavar="NAME,...", help="Only questions of these types.")] = "",
    at: Annotated[
        str,
        typer.Option(
            metavar="K,...", help="Depths at which to measure; methods search to the largest, at least to 10."
        ),
    ] = "2,5,10,20",
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Compare the others with this method, or run file, and say how surely they differ."
        ),
    ] = None,
    sentences: Annotated[
        bool,
        typer.Option("--sentences", help="Of a published file every sentence is a passage, as in a log of episodes."),
    ] = False,
    explain_failures: Annotated[
        int, typer.Option(min=0, metavar="N", help="Show N misses of rarag, sorted by cause.")
    ] = 0,
    format: Annotated[Table, typer.Option(help="How to write the measures.")] = Table.TEXT,  # noqa: A002
    llm: Annotated[str | None, typer.Option(metavar="MODEL", help="The language model of chain-of-query.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as budget.rounds=1.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
) -> None:
    """Measure what methods find on a data set, by type of question, and what they take."""
    from ..evaluation import tokens_of  # noqa: PLC0415
    from ..evaluation.results import Evaluated, as_json, markdown, text  # noqa: PLC0415
    from ..evaluation.tables import as_csv  # noqa: PLC0415
    from ..retrieval import Index  # noqa: PLC0415
    from .config import named, settings  # noqa: PLC0415

    runs = run or []
    names = names_of(method) if method else [] if runs else names_of(["rarag"])
    _check_against(against, [*(path.name for path in runs), *names])
    ks = ks_of(at)
    if explain_failures and (format is not Table.TEXT or runs):
        raise InputError("--explain-failures asks anew and writes text; leave --run and --format out")
    if (llm or set_) and "chain-of-query" not in names:
        raise InputError("--llm and --set are for the method chain-of-query; add it to --method, or leave them out")
    chosen = settings(named(set_ or []) | ({} if llm is None else {"llm.model": llm}), file=config)
    data, passages = data_of(dataset, split, _listed(types), sentences=sentences)
    tokens = tokens_of(passages)
    reports = [_of_run(path, data, tokens, ks) for path in runs]
    index = Index.build(passages) if names or explain_failures else None
    if names and index:
        reports += reports_of(data, index, tokens, names, ks, chosen)
    measured = Evaluated(data, passages, reports, against or "")
    if format is Table.CSV:
        sys.stdout.write(as_csv(reports))
    elif format in (Table.JSON, Table.JSONL):
        found = as_json(measured)
        write_json(found | _of_model(chosen) if "chain-of-query" in names else found)
    else:
        lines = markdown(measured) if format is Table.MARKDOWN else text(measured)
        for line in lines:
            write(line)
    if explain_failures and index:
        write()
        _write_failures(data, index, ks, explain_failures)


def _check_against(against: str | None, names: Sequence[str]) -> None:
    """Refuse names that do not tell apart what is measured, and a comparison that is none."""
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two things to be measured are called {twice[0]!r}; give the run file another name")
    if against is not None and against not in names:
        raise InputError(f"--against {against!r} is not among {', '.join(names)}; add it to --method or --run")
    if against is not None and len(names) == 1:
        raise InputError(f"--against {against!r} has nothing to be compared with; add a method to --method")


def _of_model(chosen: Settings) -> dict[str, object]:
    """Return what chain-of-query was set to, without keys and addresses."""
    said = {"budget": asdict(chosen.budget), "router": asdict(chosen.router), "chain": asdict(chosen.chain)}
    return {"llm": {"model": chosen.llm.model} | said}


def _listed(said: str) -> list[str]:
    return [part.strip() for part in said.split(",") if part.strip()]


def names_of(said: Sequence[str]) -> list[Method]:
    """Return the methods, each once; InputError on one that is none, and where there are none."""
    from ..evaluation.methods import METHODS  # noqa: PLC0415

    names = list(dict.fromkeys(name for part in said for name in _listed(part)))
    if not names:
        raise InputError(f"--method names none; choose from {', '.join(METHODS)}")
    for name in names:
        if name not in METHODS:
            raise InputError(f"there is no method {name!r}; choose from {', '.join(METHODS)}")
    return [method for name in names for method in METHODS if method == name]


def ks_of(said: str) -> tuple[int, ...]:
    """Return depths, ascending; InputError where one is none."""
    try:
        ks = sorted({int(part) for part in _listed(said)})
    except ValueError:
        ks = []
    if not ks or ks[0] < 1 or ks[-1] > _DEEPEST:
        raise InputError(f"--at {said!r} are no depths; give whole numbers from 1 to {_DEEPEST:,}, such as 2,5,10,20")
    return tuple(ks)


def data_of(path: Path, split: str, types: Sequence[str], *, sentences: bool) -> tuple[Dataset, Sequence[Passage]]:
    """Read a data set and its passages; keep the questions of `types`, where any are given."""
    from ..evaluation import load  # noqa: PLC0415
    from ..evaluation.dataset import of_types  # noqa: PLC0415
    from ..retrieval import read_corpus  # noqa: PLC0415

    with working(f"Reading {path} ..."):
        if path.is_file():
            from ..evaluation import originals  # noqa: PLC0415

            read = (originals.episodes if sentences else originals.load)(path)
            data, passages = read.dataset, read.passages
            for left_out in read.notes():
                note(f"{path}: {left_out}")
        elif sentences:
            raise InputError(
                f"{path}: only a published file tells the gold sentences; give one, or leave --sentences out"
            )
        else:
            data = load(place(path), split)
            passages = tuple(read_corpus([data.corpus]))
    return of_types(data, types), passages


def reports_of(
    data: Dataset,
    index: Index,
    tokens: Mapping[str, int],
    names: Sequence[Method],
    ks: Sequence[int],
    chosen: Settings,
) -> Iterator[Report]:
    """Yield a report for each method. InputError where one needs a language model and the settings name none.

    tokens: of each passage; see `tokens_of`.
    """
    from ..evaluation import report  # noqa: PLC0415
    from ..evaluation.methods import Ranker  # noqa: PLC0415
    from ..evaluation.metrics import DEPTH  # noqa: PLC0415
    from .asking import asker_of, model_of  # noqa: PLC0415

    model = model_of(chosen.llm) if "chain-of-query" in names else None
    if "chain-of-query" in names and model is None:
        raise InputError("the method chain-of-query needs a language model; name one with --llm MODEL")
    questions = [judged.question for judged in data.judged]
    for name in names:
        asker = asker_of(index, chosen, model) if name == "chain-of-query" else None
        ranked = Ranker(index, name, asker=asker).timed(questions, max(ks[-1], DEPTH))
        yield report(name, data, progress(ranked, name, len(questions)), tokens, ks)


def _of_run(path: Path, data: Dataset, tokens: Mapping[str, int], ks: Sequence[int]) -> Report:
    """Return the report of a run file, which says nothing of tokens and time."""
    from ..evaluation import Ranked, report, runfile  # noqa: PLC0415

    found = runfile.read(path)
    asked = [judged.question.id for judged in data.judged]
    there = sum(query_id in found for query_id in asked)
    if not there:
        first = f"has {min(found)!r}, the set {asked[0]!r}" if found else "is empty"
        raise InputError(f"{path}: no query of {data.name} is in it (it {first}); give a run of this set")
    if there < len(asked):
        note(f"{path}: {len(asked) - there} of {count(len(asked), 'question')} not in it, counted as nothing found")
    ranked = (Ranked(query_id, found.get(query_id, ()), None, None, None) for query_id in asked)
    return report(path.name, data, ranked, tokens, ks)


def _write_failures(data: Dataset, index: Index, ks: Sequence[int], shown: int) -> None:
    """Write why questions were missed; the depth is five, or where that is not among the depths the largest."""
    from ..evaluation.failures import lines, misses  # noqa: PLC0415
    from ..fallback import Asker  # noqa: PLC0415

    depth = 5 if 5 in ks else ks[-1]
    found = list(misses(data, index, Asker(index), k=depth))
    for line in lines(found, len(data.judged), k=depth, shown=shown):
        write(line)
