"""Distributions of the project, built from a copy of the source without the network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("cli", "corpora", "decompose", "evaluation", "fallback", "integrations", "retrieval", "serving")


def copy_source(folder: Path) -> Path:
    """Copy what a build reads into a new folder below `folder`, and return that."""
    copy = folder / "hopsplit"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, copy)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def build(kind: str, source: Path, out: Path) -> Path:
    """Run the build backend on `source` and return the file that it made."""
    code = f"import setuptools.build_meta as backend; print(backend.build_{kind}({str(out)!r}))"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out / done.stdout.split()[-1]
