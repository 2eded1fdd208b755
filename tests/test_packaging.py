"""What the built distributions hold, built from a copy of the source without the network."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from wheels import PACKAGES, ROOT, build, copy_source

VERSION = version("hopsplit")
DATA = (".txt", ".jsonl", ".tsv", ".md", ".typed")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what a build reads."""
    return copy_source(tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def wheel_files(source: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of the files in the wheel."""
    wheel = build("wheel", source, tmp_path_factory.mktemp("wheel"))
    return set(zipfile.ZipFile(wheel).namelist())


def expected() -> set[str]:
    """Return what the wheel must carry of the source: every module and every data file."""
    files = (path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file())
    return {
        f"hopsplit/{path.relative_to(ROOT).as_posix()}"
        for path in files
        if path.suffix in (".py", *DATA) or path.name in DATA
    }


def test_the_wheel_carries_every_module_word_list_and_corpus(wheel_files: set[str]) -> None:
    """Nothing that the installed program reads stays behind in the checkout."""
    assert expected() - wheel_files == set()
    assert "hopsplit/corpora/encyclopedia/corpus.jsonl" in wheel_files
    assert "hopsplit/corpora/company/corpus.jsonl" in wheel_files


def test_the_wheel_carries_nothing_else(wheel_files: set[str]) -> None:
    """No tests, benchmarks or loose top-level modules: only hopsplit/ and its metadata."""
    assert {name.split("/")[0] for name in wheel_files} == {"hopsplit", f"hopsplit-{VERSION}.dist-info"}
    assert "hopsplit/__init__.py" not in wheel_files


def test_the_wheel_of_the_sdist_is_the_same(source: Path, wheel_files: set[str], tmp_path: Path) -> None:
    """The source distribution is complete."""
    sdist = build("sdist", source, tmp_path)
    # In a process: what `extractall` wants to be told differs between the versions of Python.
    subprocess.run([sys.executable, "-m", "tarfile", "-e", str(sdist), str(tmp_path)], check=True)
    wheel = build("wheel", tmp_path / f"hopsplit-{VERSION}", tmp_path)
    assert set(zipfile.ZipFile(wheel).namelist()) == wheel_files
