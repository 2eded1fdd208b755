"""Which package may import which: read from the source, so that no arrow slips in unseen."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# package -> what it may import of ours; a dotted name allows that one module.
ALLOWED: dict[str, set[str]] = {
    "decompose": set(),
    "retrieval": {"decompose.plan"},
    "corpora": {"decompose.plan", "retrieval"},
    "fallback": {"decompose", "retrieval"},
    "evaluation": {"decompose", "retrieval", "fallback"},
    "integrations": {"decompose", "retrieval", "fallback", "serving.forms"},
    "serving": {"decompose", "retrieval", "fallback"},
    "cli": {"decompose", "retrieval", "fallback", "evaluation", "corpora", "serving"},
}
# A plugin runs inside its host, which is no dependency; one module may import it.
HOSTS = {"pytest": "cli/pytest_plugin.py"}
SOURCES = sorted(path for name in ALLOWED for path in (ROOT / name).rglob("*.py"))
EVERYTHING = [
    path
    for path in sorted(ROOT.rglob("*.py"))
    if not any(part.startswith(".") or part in ("build", "dist") for part in path.relative_to(ROOT).parts)
]


def imported(source: str, place: Path) -> Iterator[str]:
    """Yield the dotted names that a source at `place` imports; relative ones as hopsplit.<...>."""
    here = ("hopsplit", *place.parts[:-1])
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else ()
            module = (node.module,) if node.module else ()
            yield from (".".join((*base, *module, alias.name)) for alias in node.names)


def arrows(source: str, place: Path) -> Iterator[str]:
    """Yield the imports that the table does not allow to the package of `place`."""
    allowed = ALLOWED[place.parts[0]] | {place.parts[0]}
    for name in imported(source, place):
        parts = name.split(".")
        if parts[0] == "hopsplit" and not {".".join(parts[1:2]), ".".join(parts[1:3])} & allowed:
            yield name


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_arrow_outside_the_table(path: Path) -> None:
    """A package imports only the packages below it."""
    assert list(arrows(path.read_text(encoding="utf-8"), path.relative_to(ROOT))) == []


@pytest.mark.parametrize("path", EVERYTHING, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_by_bare_folder_name(path: Path) -> None:
    """`import decompose` would load a second copy of every class; only hopsplit.decompose is right."""
    names = imported(path.read_text(encoding="utf-8"), path.relative_to(ROOT))
    assert [name for name in names if name.split(".")[0] in ALLOWED] == []


def test_the_check_sees_every_form() -> None:
    """The check itself can fail: each form of a forbidden import is found, each allowed one is not."""
    source = """
import hopsplit.cli
from ..fallback import x
from .. import evaluation
from hopsplit.evaluation.y import z
from ..decompose.plan import Plan
from .types import Hit
"""
    assert list(arrows(source, Path("retrieval/sample.py"))) == [
        "hopsplit.cli",
        "hopsplit.fallback.x",
        "hopsplit.evaluation",
        "hopsplit.evaluation.y.z",
    ]


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        (
            "hopsplit.decompose",
            [
                "hopsplit.retrieval",
                "hopsplit.decompose.component",
                "sklearn",
                "bm25s",
                "numpy",
                "spacy",
                "networkx",
                "openai",
            ],
        ),
        ("hopsplit.retrieval", ["hopsplit.fallback", "spacy", "openai", "typer"]),
        ("hopsplit.fallback", ["hopsplit.cli", "openai", "httpx", "typer", "spacy"]),
        ("hopsplit.evaluation", ["hopsplit.cli", "openai", "httpx", "spacy"]),
        ("hopsplit.cli.main", ["openai", "pydantic", "spacy", "sklearn", "numpy", "networkx", "rich"]),
        ("hopsplit.integrations", ["hopsplit.decompose", "haystack", "langchain_core", "llama_index"]),
        ("hopsplit.integrations.common", ["spacy", "sklearn", "haystack", "langchain_core", "llama_index"]),
        ("hopsplit.cli.pytest_plugin", ["hopsplit.decompose", "hopsplit.evaluation", "spacy", "numpy", "typer"]),
    ],
)
def test_imports_stay_light(module: str, unwanted: list[str]) -> None:
    """Importing a package loads no heavy library that its caller may never need."""
    code = f"import sys, {module}; print([name for name in {unwanted!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parent)
    assert done.stdout.strip() == "[]"


def test_frameworks_stay_where_they_are_served() -> None:
    """Only the modules for a framework import it; `hopsplit.integrations.haystack` is not `haystack`."""
    frameworks = {"haystack", "langchain_core", "llama_index", "mcp", "fastapi", "uvicorn"}
    at_home = {"integrations", "serving"}
    places = [path.relative_to(ROOT) for path in SOURCES]
    found = {
        (place.as_posix(), name)
        for place in places
        for name in imported((ROOT / place).read_text(encoding="utf-8"), place)
        if name.split(".")[0] in frameworks
    }
    assert ("integrations/haystack.py", "haystack.Document") in found
    assert {(place, name) for place, name in found if place.split("/")[0] not in at_home} == set()


def test_every_library_is_declared() -> None:
    """What the packages import from elsewhere stands in pyproject.toml, by the name of its distribution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for name in sorted(extras.keys() - {"dev"}) for each in extras[name])]
    declared = {re.split(r"[^\w.-]", line)[0].lower().replace("_", "-") for line in wanted}
    places = [path.relative_to(ROOT) for path in SOURCES]
    names = {
        name
        for place in places
        for name in imported((ROOT / place).read_text(encoding="utf-8"), place)
        if HOSTS.get(name) != place.as_posix()
    }
    tops = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"hopsplit"}
    distributions = packages_distributions()
    used = {distributions[top][0].lower().replace("_", "-") for top in tops}
    assert used - declared == set()
