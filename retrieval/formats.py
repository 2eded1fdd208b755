"""Corpus formats: each reader yields the passages of one file with their places."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..decompose.plan import InputError
from .sources import Place, check_unicode, decode, expect, field, lines, parse, read_bytes
from .types import Passage


class Row(NamedTuple):
    """A passage as read. `named` tells whether the file names its id or the id is made from the content."""

    place: Place
    passage: Passage
    named: bool


def content_id(title: str, text: str) -> str:
    """Return the id of a passage whose format has none: 16 hex digits of the SHA-256 of title and text."""
    return hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:16]


def _unnamed(title: str, text: str, place: Place) -> Row:
    return Row(place, Passage(content_id(title, text), title, text), named=False)


def read_json(path: Path) -> Iterator[Row]:
    """Read rows of BEIR, HotpotQA, 2WikiMultiHopQA, MuSiQue or HippoRAG: one object a line, or a list."""
    for place, value in _objects(path):
        row: dict[str, Any] = expect(value, dict, "a row", place)
        if "context" in row:
            yield from _hotpotqa(row, place)
        elif "paragraphs" in row:
            yield from _musique(row, place)
        else:
            yield _plain(row, place)


def _objects(path: Path) -> Iterator[tuple[Place, Any]]:
    """Yield the rows; a file that starts with ``[`` is one list."""
    if path.suffix.lower() == ".json":
        text = decode(read_bytes(path), Place(path))
        if text.lstrip().startswith("["):
            for number, value in enumerate(parse(text, Place(path)), 1):
                yield Place(path, number, "item"), value
            return
    for place, line in lines(path):
        yield place, parse(line, place)


def _plain(row: dict[str, Any], place: Place) -> Row:
    """BEIR {"_id", "title", "text"}; "id" is read too, and without either it is a HippoRAG row."""
    title = field(row, "title", place) if row.get("title") is not None else ""
    text = field(row, "text", place)
    key = "_id" if "_id" in row else "id"
    if key not in row:
        return _unnamed(title, text, place)
    identity = field(row, key, place)
    if not identity.strip():
        raise InputError(f'{place}: the field "{key}" is empty; give each passage an id')
    return Row(place, Passage(identity, title, text), named=True)


def _hotpotqa(row: dict[str, Any], place: Place) -> Iterator[Row]:
    """{"context": [[title, [sentence, ...]], ...]}, the list also as a JSON string."""
    context = row["context"]
    if isinstance(context, str):
        context = parse(context, place)
    for pair in expect(context, list, 'the field "context"', place):
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], list)):
            raise InputError(f'{place}: each entry of "context" must be [title, [sentence, ...]]')
        title = expect(pair[0], str, "a title", place)
        sentences = [expect(sentence, str, "a sentence", place).strip() for sentence in pair[1]]
        yield _unnamed(title, " ".join(sentences), place)


def _musique(row: dict[str, Any], place: Place) -> Iterator[Row]:
    """{"paragraphs": [{"title", "paragraph_text"}, ...]}."""
    for paragraph in expect(row["paragraphs"], list, 'the field "paragraphs"', place):
        entry = expect(paragraph, dict, "a paragraph", place)
        yield _unnamed(field(entry, "title", place), field(entry, "paragraph_text", place), place)


_CELL = 1 << 24  # characters; the module's own limit of 131,072 is shorter than a long page


def read_table(path: Path) -> Iterator[Row]:
    """Read a CSV or TSV file: a header with `text`, optionally `id` (or `_id`) and `title`."""
    text = decode(read_bytes(path), Place(path))
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True
    )
    header: list[str] | None = None
    csv.field_size_limit(max(_CELL, csv.field_size_limit()))
    try:
        for cells in reader:
            place = Place(path, reader.line_num)
            if not any(cells):
                continue
            if header is None:
                header = _header(cells, place)
            elif len(cells) != len(header):
                sizes = f"the number of cells, {len(cells)}, is not that of the header, {len(header)}"
                raise InputError(f"{place}: {sizes}; quote cells as CSV does")
            else:
                yield _plain(dict(zip(header, cells, strict=True)), place)
    except csv.Error as error:
        raise InputError(
            f"{Place(path, reader.line_num)}: not readable as a table ({error}); quote cells as CSV does"
        ) from None


def _header(cells: list[str], place: Place) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if "text" not in names:
        raise InputError(f"{place}: the header has no column text, only {', '.join(names)}")
    if len(set(names)) != len(names):
        raise InputError(f"{place}: two columns of the header have the same name")
    return names


_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


def read_text(path: Path, name: str) -> Row:
    """Read a .txt or .md file; `name` becomes the id. Title: a first Markdown heading, or the file's stem."""
    check_unicode(name, "the file name", Place(path))
    text = decode(read_bytes(path), Place(path)).replace("\r\n", "\n")
    heading = _HEADING.search(text) if path.suffix.lower() == ".md" else None
    if heading is None:
        return Row(Place(path), Passage(name, path.stem, text.strip()), named=True)
    body = text[: heading.start()] + text[heading.end() :]
    return Row(Place(path), Passage(name, heading[1], body.strip()), named=True)


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".jsonl": read_json,
    ".json": read_json,
    ".csv": read_table,
    ".tsv": read_table,
}
TEXT_SUFFIXES = (".txt", ".md")
