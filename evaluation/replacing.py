"""Writing a file that takes its place only when it is complete."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ..decompose.plan import InputError


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Open `path` for UTF-8 text; what it held stays until the block ends well. InputError on an OSError.

    A link stays a link: the file that it leads to is replaced. What is no regular file (a pipe, a device) is
    written to as it is. The rights of an old file are kept.
    """
    try:
        target = Path(os.path.realpath(path))  # also of a link that leads nowhere yet
        if target.is_symlink():
            raise InputError(f"{path} is a link to itself; name a file that can be written")
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        with _draft(target) as file:
            yield file
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a file that can be written") from error


@contextmanager
def _draft(target: Path) -> Iterator[TextIO]:
    """Write to a new file beside `target`, whose name nothing has, and put it in place."""
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{target} may not be written; name another file, or change its rights")
    draft = target.with_name(f".hopsplit-{secrets.token_hex(8)}.tmp")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
