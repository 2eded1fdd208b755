"""Put load on `hopsplit serve`: many clients at once, every reply compared with what the program writes.

    python benchmarks/load.py [--seconds 30] [--questions 60] [--set serve.threads=2]

Prints the section that `bench.py` puts into its report. A reply that is missing, is no 200 or differs from what the
program writes is an error: they are told on standard error, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from typer.testing import CliRunner

from hopsplit.cli.main import app

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))
from service import JSON, Service, exchange, serving, timeless  # noqa: E402

INDEX = "encyclopedia"
GLANCE = 0.05  # seconds between two looks at /healthz
# Path, clients, and which part of the time.
RUNS = [("/ask", 50, 1.0), ("/ask", 10, 1 / 3), ("/ask", 1, 1 / 3), ("/decompose", 50, 1 / 3), ("/search", 50, 1 / 3)]
SECTION = """\
## Service

`hopsplit serve` as it is set by default, over the {passages} passages of the demo collection; the clients are on the
same {cores} cores. Each asks as soon as it has its last reply, so the more there are, the longer each waits.
Milliseconds are from a request to its reply. `/healthz` is asked every {glance} ms meanwhile. Every reply was compared
with what the program writes for the question: of {replies}, {wrong} were missing, an error, or differed.

{table}
"""


@dataclass(slots=True)
class Load:
    """What many clients saw: milliseconds of each reply in time, those of /healthz meanwhile, what went wrong."""

    times: list[float] = field(default_factory=list)
    glances: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


def rows(name: str) -> list[dict[str, str]]:
    """Return a file of the demo collection."""
    lines = (ROOT / "corpora" / INDEX / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def program(path: str, questions: Sequence[str]) -> dict[str, bytes]:
    """Return what the program writes for each question, without its times."""
    with tempfile.TemporaryDirectory() as folder:
        titles = Path(folder) / "titles.txt"
        titles.write_text("".join(f"{row['title']}\n" for row in rows("corpus.jsonl")), encoding="utf-8")
        more = ["--titles", str(titles)] if path == "/decompose" else ["--index", INDEX]
        arguments = ([path[1:], question, "--format", "json", *more] for question in questions)
        done = [CliRunner().invoke(app, each, catch_exceptions=False).stdout_bytes for each in arguments]
    return dict(zip(questions, map(timeless, done), strict=True))


def put(service: Service, path: str, expected: dict[str, bytes], clients: int, seconds: float) -> Load:
    """Let so many clients ask, each without a pause, for so many seconds, and until each has its last reply."""
    load, asked, end = Load(), list(expected), time.perf_counter() + seconds

    def client(number: int) -> None:
        place = number
        with closing(service.connect()) as connection:
            while time.perf_counter() < end:
                question = asked[place % len(asked)]
                begin = time.perf_counter()
                try:
                    reply = exchange(connection, "POST", path, json.dumps({"question": question}), JSON)
                except (OSError, http.client.HTTPException) as error:
                    load.wrong.append(f"{question}: {error!r}")
                    continue
                load.times.append(1e3 * (time.perf_counter() - begin))
                if reply.status != 200 or timeless(reply.body) != expected[question]:
                    load.wrong.append(f"{question}: {reply.status} {reply.body[:200]!r}")
                place += 1

    def watch() -> None:
        with closing(service.connect()) as connection:
            while time.perf_counter() < end:
                begin = time.perf_counter()
                exchange(connection, "GET", "/healthz")
                load.glances.append(1e3 * (time.perf_counter() - begin))
                time.sleep(GLANCE)

    watcher = threading.Thread(target=watch)
    begin = time.perf_counter()
    watcher.start()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(client, range(clients)))
    load.seconds = time.perf_counter() - begin
    watcher.join()
    return load


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def measured(questions: Sequence[str], seconds: float, options: Sequence[str]) -> tuple[str, list[str]]:
    """Return the section, and what went wrong."""
    expected = {path: program(path, questions) for path in {path for path, _, _ in RUNS}}
    made, wrong, replies = [], [], 0
    with serving(*options, index=INDEX) as service:
        for path, clients, part in RUNS:
            load = put(service, path, expected[path], clients, part * seconds)
            wrong += load.wrong
            replies += len(load.times)
            glances = f"{percentile(load.glances, 50):.0f} / {percentile(load.glances, 95):.0f}"
            times = f"{percentile(load.times, 50):,.0f} / {percentile(load.times, 95):,.0f}"
            made.append(f"| `{path}` | {clients} | {len(load.times) / load.seconds:,.0f} | {times} | {glances} |")
    head = ["| | clients | replies a second | median / p95, ms | /healthz, median / p95, ms |", f"|{' --- |' * 5}"]
    return SECTION.format(
        passages=len(rows("corpus.jsonl")),
        cores=os.cpu_count(),
        glance=round(1e3 * GLANCE),
        wrong=f"{len(wrong):,}" if wrong else "none",
        replies=f"{replies:,}",
        table="\n".join([*head, *made]),
    ), wrong


def main() -> None:
    """Measure, and print the section."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30, help="of the longest run")
    parser.add_argument("--questions", type=int, default=None, help="ask the first so many only")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the service")
    given = parser.parse_args()
    asked = [row["text"] for row in rows("queries.jsonl")][: given.questions]
    section, wrong = measured(asked, given.seconds, [part for one in given.set for part in ("--set", one)])
    print(section, end="")
    if wrong:
        raise SystemExit("\n".join(wrong[:10]))


if __name__ == "__main__":
    main()
