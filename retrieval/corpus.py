"""Reading a collection from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..decompose.plan import InputError
from .chunk import chunks
from .formats import READERS, TEXT_SUFFIXES, Row, read_text
from .sources import Place
from .types import Passage

TEXT_MAX_CHARS = 1000  # how long a passage cut from a text file may be


def read_corpus(paths: Sequence[Path], *, max_chars: int | None = None) -> list[Passage]:
    """Read the passages of `paths`, in their order.

    A path is a .jsonl or .json file (BEIR, HotpotQA, 2WikiMultiHopQA, MuSiQue, HippoRAG), a .csv or .tsv
    file, a .txt or .md file, a BEIR folder (its corpus.jsonl), or a folder of .txt and .md files, searched
    in depth without hidden ones (id: the path below the folder).

    Text files are cut into passages of at most `max_chars` characters (1000 where None); the passages of
    other formats only where `max_chars` is given. Passages whose format has no ids get one from their content
    and are kept once; an id that is named twice is an InputError, as is anything that cannot be read.
    """
    seen: dict[str, Place] = {}
    passages: list[Passage] = []
    for row in (row for path in paths for row in _rows(path, max_chars)):
        identity = row.passage.id
        if identity not in seen:
            seen[identity] = row.place
            passages.append(row.passage)
        elif row.named:
            raise InputError(f"{row.place}: the passage id {identity!r} stands already in {seen[identity]}")
    if not passages:
        raise InputError(f"{', '.join(map(str, paths))}: no passages; give a corpus with at least one")
    return passages


def _rows(path: Path, max_chars: int | None) -> Iterator[Row]:
    if path.is_dir() and not (path / "corpus.jsonl").is_file():
        rows = _texts(path)
    elif path.suffix.lower() in TEXT_SUFFIXES:
        rows = iter([read_text(path, path.name)])
    else:
        rows = _reader_rows(path / "corpus.jsonl" if path.is_dir() else path)
        if max_chars is None:
            yield from rows
            return
    for row in rows:
        for piece in chunks(row.passage, TEXT_MAX_CHARS if max_chars is None else max_chars):
            yield row._replace(passage=piece)


def _reader_rows(path: Path) -> Iterator[Row]:
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; check the path")
    if path.suffix.lower() not in READERS:
        known = ", ".join((*READERS, *TEXT_SUFFIXES))
        raise InputError(f"{path}: unknown kind of corpus; give a folder or a file that ends in {known}")
    return READERS[path.suffix.lower()](path)


def _texts(folder: Path) -> Iterator[Row]:
    """Yield the text files below `folder` in the order of their ids."""
    found = {file.relative_to(folder): file for file in folder.rglob("*") if file.suffix.lower() in TEXT_SUFFIXES}
    visible = {
        name.as_posix(): file
        for name, file in found.items()
        if file.is_file() and not any(part.startswith(".") for part in name.parts)
    }
    if not visible:
        raise InputError(f"{folder}: neither a corpus.jsonl nor a .txt or .md file; check the path")
    for name in sorted(visible):
        yield read_text(visible[name], name)
