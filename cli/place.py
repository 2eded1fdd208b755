"""Where a command finds its collection: a path, or the name of a demo collection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..corpora import NAMES, demo

if TYPE_CHECKING:
    from ..retrieval import Index


def place(given: Path) -> Path:
    """Return the path, or the folder of the demo collection of that name where nothing has that path."""
    return demo(str(given)) if str(given) in NAMES and not given.exists() else given


def opened(given: Path) -> Index:
    """Open an index, or build that of a demo collection."""
    from ..retrieval import Index, read_corpus  # noqa: PLC0415

    folder = place(given)
    return Index.open(given) if folder == given else Index.build(read_corpus([folder]))
