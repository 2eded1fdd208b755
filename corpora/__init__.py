"""Small demo collections that come with the program, in BEIR form, with gold decompositions."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ..decompose.plan import InputError

NAMES: tuple[str, ...] = ("encyclopedia", "company")

__all__ = ["NAMES", "demo"]


def demo(name: str = "encyclopedia") -> Path:
    """Return the installed folder of the demo collection `name`.

    It holds corpus.jsonl, queries.jsonl, qrels/dev.tsv and gold.jsonl. Raises InputError for a name that is
    not in NAMES.
    """
    if name not in NAMES:
        raise InputError(f"no demo collection is called {name!r}; the choices are {', '.join(NAMES)}")
    # The package is a plain folder, never a zip: its files are read by name and mapped by other libraries.
    return Path(str(files(__package__))) / name
