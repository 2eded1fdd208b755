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


def _of_content(title: str, text: str) -> Passage:
    return Passage(content_id(title, text), title, text)


def read_json(path: Path) -> Iterator[Row]:
    """Read rows of BEIR, HotpotQA, 2WikiMultiHopQA, MuSiQue or HippoRAG: one object a line, or a list."""
    for place, row in json_rows(path):
        if "context" in row:
            yield from (Row(place, passage, named=False) for passage, _ in hotpotqa(row, place))
        elif "paragraphs" in row:
            yield from (Row(place, passage, named=False) for passage, _ in musique(row, place))
        else:
            yield _plain(row, place)


def json_rows(path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the objects of a .json or .jsonl file with their places."""
    for place, value in _objects(path):
        yield place, expect(value, dict, "a row", place)


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
        return Row(place, _of_content(title, text), named=False)
    identity = field(row, key, place)
    if not identity.strip():
        raise InputError(f'{place}: the field "{key}" is empty; give each passage an id')
    return Row(place, Passage(identity, title, text), named=True)


def hotpotqa(row: dict[str, Any], place: Place) -> Iterator[tuple[Passage, list[str]]]:
    """Yield the passages of {"context": [[title, [sentence, ...]], ...]}, each with its sentences."""
    shape = "[title, [sentence, ...]]"
    for title, value in pairs(row, "context", "sentences", shape, place):
        if not isinstance(value, list):
            raise InputError(f'{place}: each entry of "context" must be {shape}')
        sentences = [expect(sentence, str, "a sentence", place).strip() for sentence in value]
        yield _of_content(title, " ".join(sentences)), sentences


def pairs(row: dict[str, Any], name: str, second: str, shape: str, place: Place) -> Iterator[tuple[str, Any]]:
    """Yield a field's [title, value] pairs; it may also be {"title": [...], `second`: [...]}, or either as a string."""
    value = row[name]
    if isinstance(value, str):
        value = parse(value, place)
    if isinstance(value, dict):
        titles, others = (expect(value.get(key), list, f'"{key}" of "{name}"', place) for key in ("title", second))
        if len(titles) != len(others):
            raise InputError(f'{place}: "{name}" has {len(titles)} of "title" and {len(others)} of "{second}"')
        value = [list(pair) for pair in zip(titles, others, strict=True)]
    for pair in expect(value, list, f'the field "{name}"', place):
        if not (isinstance(pair, list) and len(pair) == 2):
            raise InputError(f'{place}: each entry of "{name}" must be {shape}')
        yield expect(pair[0], str, "a title", place), pair[1]


def musique(row: dict[str, Any], place: Place) -> Iterator[tuple[Passage, dict[str, Any]]]:
    """Yield the passages of {"paragraphs": [{"title", "paragraph_text"}, ...]}, each with its entry."""
    for paragraph in expect(row["paragraphs"], list, 'the field "paragraphs"', place):
        entry = expect(paragraph, dict, "a paragraph", place)
        yield _of_content(field(entry, "title", place), field(entry, "paragraph_text", place)), entry


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
