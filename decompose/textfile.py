"""Text files with one thing a line, read with errors that name the file and the line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .plan import InputError


def text_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yield the non-blank lines of a UTF-8 file with their 1-based numbers; InputError where it is none."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give a file that can be read") from error
    yield from lines_of(content, str(path))


def lines_of(content: bytes, name: str) -> Iterator[tuple[int, str]]:
    """Yield the same of the content of a file; `name` is what an error calls it."""
    for number, line in enumerate(content.splitlines(), 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{name}, line {number}: not UTF-8; convert the file") from error
        if text.strip():
            yield number, text


def read_titles(path: str | os.PathLike[str]) -> list[str]:
    """Return the names in a file, one a line, in its order; InputError as of `text_lines`."""
    return [line.strip() for _, line in text_lines(path)]
