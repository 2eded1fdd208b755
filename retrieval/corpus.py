"""Reading a collection from files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..decompose.plan import InputError
from .chunk import chunks
from .formats import READERS, TEXT_SUFFIXES, Row, read_text
from .sources import Place
from .types import Passage

TEXT_MAX_CHARS = 1000  # how long a passage cut from a text file may be


def read_corpus(
    paths: Sequence[str | os.PathLike[str]],
    *,
    max_chars: int | None = None,
    report: Callable[[str], None] | None = None,
) -> list[Passage]:
    """Read the passages of `paths`, in their order.

    A path is a .jsonl or .json file (BEIR, HotpotQA, 2WikiMultiHopQA, MuSiQue, HippoRAG), a .csv or .tsv
    file, a .txt or .md file, a BEIR folder (its corpus.jsonl), or a folder of .txt and .md files, searched
    in depth without hidden ones (id: the path below the folder).

    Text files are cut into passages of at most `max_chars` characters (1000 where None); the passages of
    other formats only where `max_chars` is given. Passages whose format has no ids get one from their content
    and are kept once; an id that is named twice is an InputError, as is anything that cannot be read.
    `report` is called with one line for each folder of texts that holds other files, which are left out.
    """
    if isinstance(paths, str | os.PathLike):
        raise InputError(f"read_corpus takes a sequence of paths; give [{os.fspath(paths)!r}]")
    seen: dict[str, Place] = {}
    passages: list[Passage] = []
    for row in (row for path in paths for row in _rows(Path(path), max_chars, report or (lambda _: None))):
        identity = row.passage.id
        if identity not in seen:
            seen[identity] = row.place
            passages.append(row.passage)
        elif row.named:
            mend = "; give the folder above both" if row.place.path.suffix.lower() in TEXT_SUFFIXES else "; rename one"
            raise InputError(f"{row.place}: the passage id {identity!r} stands already in {seen[identity]}{mend}")
    if not passages:
        raise InputError(f"{', '.join(map(str, paths))}: no passages; give a corpus with at least one")
    return passages


def _rows(path: Path, max_chars: int | None, report: Callable[[str], None]) -> Iterator[Row]:
    if path.is_dir() and not (path / "corpus.jsonl").is_file():
        rows = _texts(path, report)
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


def _texts(folder: Path, report: Callable[[str], None]) -> Iterator[Row]:
    """Yield the text files below `folder` in the order of their ids."""
    found = {file.relative_to(folder): file for file in folder.rglob("*") if file.is_file()}
    visible = {name: file for name, file in found.items() if not any(part.startswith(".") for part in name.parts)}
    texts = {name.as_posix(): file for name, file in visible.items() if name.suffix.lower() in TEXT_SUFFIXES}
    if not texts:
        raise InputError(f"{folder}: neither a corpus.jsonl nor a .txt or .md file; check the path")
    if other := [name.suffix.lower() for name in visible if name.suffix.lower() not in TEXT_SUFFIXES]:
        kinds = ", ".join(sorted({suffix or "no suffix" for suffix in other}))
        named = any(suffix in READERS for suffix in other)
        mend = f"; {', '.join(READERS)} are read where they are named" if named else ""
        report(f"{folder}: skipped {len(other)} {'file' if len(other) == 1 else 'files'} ({kinds}){mend}")
    for name in sorted(texts):
        yield read_text(texts[name], name)
