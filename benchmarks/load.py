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
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from hopsplit.cli.main import app

ROOT = Path(__file__).parents[1]
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
_READY = re.compile(r" at http://([\d.]+):(\d+)$")
_SECONDS = re.compile(rb'"seconds": [\d.e-]+')


class Served(NamedTuple):
    """A running service, and the lines that it has written so far."""

    process: subprocess.Popen[str]
    host: str
    port: int
    said: list[str]


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


def timeless(reply: bytes) -> bytes:
    """Return a reply without its times."""
    return _SECONDS.sub(b'"seconds": 0', reply)


def program(path: str, questions: Sequence[str]) -> dict[str, bytes]:
    """Return what the program writes for each question, without its times."""
    with tempfile.TemporaryDirectory() as folder:
        titles = Path(folder) / "titles.txt"
        titles.write_text("".join(f"{row['title']}\n" for row in rows("corpus.jsonl")), encoding="utf-8")
        more = ["--titles", str(titles)] if path == "/decompose" else ["--index", INDEX]
        arguments = ([path[1:], question, "--format", "json", *more] for question in questions)
        done = [CliRunner().invoke(app, each, catch_exceptions=False).stdout_bytes for each in arguments]
    return dict(zip(questions, map(timeless, done), strict=True))


@contextmanager
def service(*options: str, index: str = INDEX) -> Iterator[Served]:
    """Start the real program on a free port; let it end in order."""
    command = [sys.executable, "-m", "hopsplit.cli", "serve", "--index", index, "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=sys.prefix)
    said: list[str] = []
    try:
        for line in process.stderr or ():
            said.append(line.rstrip())
            if found := _READY.search(said[-1]):
                yield Served(process, found[1], int(found[2]), said)
                return
        raise SystemExit(f"{' '.join(command)}: {said}")
    finally:
        process.terminate()
        process.wait(timeout=60)
        if process.stderr:
            process.stderr.close()


def ask(connection: http.client.HTTPConnection, path: str, question: str) -> tuple[int, bytes]:
    """Send one question; return status and body."""
    connection.request("POST", path, json.dumps({"question": question}), {"Content-Type": "application/json"})
    reply = connection.getresponse()
    return reply.status, reply.read()


def put(served: Served, path: str, expected: dict[str, bytes], clients: int, seconds: float) -> Load:
    """Let so many clients ask, each without a pause, for so many seconds, and until each has its last reply."""
    load, asked, end = Load(), list(expected), time.perf_counter() + seconds

    def client(number: int) -> None:
        connection = http.client.HTTPConnection(served.host, served.port, timeout=60)
        place = number
        while time.perf_counter() < end:
            question = asked[place % len(asked)]
            begin = time.perf_counter()
            try:
                status, body = ask(connection, path, question)
            except (OSError, http.client.HTTPException) as error:
                load.wrong.append(f"{question}: {error!r}")
                continue
            load.times.append(1e3 * (time.perf_counter() - begin))
            if status != 200 or timeless(body) != expected[question]:
                load.wrong.append(f"{question}: {status} {body[:200]!r}")
            place += 1

    def watch() -> None:
        connection = http.client.HTTPConnection(served.host, served.port, timeout=60)
        while time.perf_counter() < end:
            begin = time.perf_counter()
            connection.request("GET", "/healthz")
            connection.getresponse().read()
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
    with service(*options) as served:
        for path, clients, part in RUNS:
            load = put(served, path, expected[path], clients, part * seconds)
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
