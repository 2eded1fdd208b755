"""An index as a folder: a manifest beside one data folder of plain arrays.

    manifest.json            {"format", "data", "files": {name: {"bytes", "sha256"}}, "meta", "sha256"}
    data-<hash>/<name>       .npy arrays (memory-mapped, no pickle); .jsonl and .txt blocks of lines

The data folder is named after its content and complete before the manifest that names it replaces the old one
in a single rename, so whatever moment a writer is killed at, the manifest names complete data: the old or the
new. A reader keeps the files it has mapped, even when a writer removes them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..decompose.plan import InputError

FORMAT = 2
MANIFEST = "manifest.json"
_DATA = re.compile(r"data-[0-9a-f]{16}")
_PART = re.compile(r"[a-z0-9.-]+\.(npy|txt|jsonl)")
_DRAFT, _NEXT = ".tmp-hopsplit-data", ".tmp-hopsplit-manifest"  # what is not complete yet
_KEYS = {"format", "data", "files", "meta", "sha256"}
_HEADER = 256  # a .npy header of one dimension is shorter
_WHOLE = 64 << 20  # up to this many bytes, opening reads everything and compares checksums (about 50 ms)

Parts = Mapping[str, NDArray[Any]]


def save(folder: Path, parts: Parts, meta: Mapping[str, Any]) -> None:
    """Write `parts` as the content of the index in `folder`, in place of what it held.

    InputError where `folder` is a file or holds other things than an index, or another process writes to it.
    An OSError (a full disk) leaves the old index.
    """
    _check_target(folder, parts)
    folder.mkdir(parents=True, exist_ok=True)
    with only_writer(folder):
        write(folder, parts, meta)


def write(folder: Path, parts: Parts, meta: Mapping[str, Any]) -> None:
    """Do what `save` does, within `only_writer`."""
    _check_target(folder, parts)
    _remove_left_overs(folder, parts)
    draft = folder / _DRAFT
    draft.mkdir()
    files = {name: _write(draft / name, part) for name, part in sorted(parts.items())}
    digest = hashlib.sha256(_canonical(files)).hexdigest()[:16]
    data = folder / f"data-{digest}"
    if data.exists():  # the same content, or a damaged copy of it
        if not _ours(data, parts):
            raise InputError(f"{data} holds other things than an index; remove it")
        shutil.rmtree(data) if _damage(data, files) else shutil.rmtree(draft)
    if draft.exists():
        draft.rename(data)
        _sync(folder)
    body = {"format": FORMAT, "data": data.name, "files": files, "meta": dict(meta)}
    _replace_manifest(folder, body | {"sha256": hashlib.sha256(_canonical(body)).hexdigest()})
    _remove_left_overs(folder, parts)


def load(folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the parts of the index in `folder`, memory-mapped, and its meta.

    InputError where there is no folder, no index in it, an index of another format, or damage. Small indexes
    are compared with their checksums, of larger ones the sizes (`verify` compares everything).
    """
    manifest = _manifest(folder)
    while True:
        try:
            return _map(folder, manifest), manifest["meta"]
        except FileNotFoundError:
            latest = _manifest(folder)
            if latest["data"] == manifest["data"]:
                raise InputError(f"{folder}: the index is damaged, files are missing; build it again") from None
            manifest = latest  # a writer has put other data in place


def verify(folder: Path) -> None:
    """Compare every file of the index in `folder` with its checksum; InputError names the damaged one."""
    manifest = _manifest(folder)
    name = _damage(folder / manifest["data"], manifest["files"])
    if name:
        raise InputError(f"{folder}: {name} is damaged; build the index again")


def _canonical(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _check_target(folder: Path, parts: Iterable[str]) -> None:
    """Refuse a folder in which anything is not of an index; beside a sound manifest, other things may stand."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; give a folder for the index")
    if not folder.exists() or _own_manifest(folder) is not None:
        return
    entries = sorted(folder.iterdir())
    # A manifest that cannot be read is a damaged one only where it stands beside data of ours.
    damaged = any(_DATA.fullmatch(entry.name) and _ours(entry, parts) for entry in entries)
    for entry in entries:
        if not (_ours(entry, parts) or (damaged and entry.name == MANIFEST)):
            raise InputError(f"{folder} holds {entry.name} and is no index; give a new or an empty folder")


def _ours(entry: Path, names: Iterable[str]) -> bool:
    """Return whether a writer of an index with parts of these names made `entry` and may remove it."""
    if entry.is_symlink():
        return False
    if entry.name == _NEXT:
        return entry.is_file()
    if not (entry.is_dir() and (entry.name == _DRAFT or _DATA.fullmatch(entry.name))):
        return False
    return {file.name for file in entry.iterdir()} <= set(names)


def _own_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest if it is one of an index, sound or not; None where there is none or another's."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    is_ours = isinstance(manifest, dict) and manifest.keys() >= _KEYS
    return manifest if is_ours and isinstance(manifest["files"], dict) else None


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; it ends with the process, however that ends. InputError where it is taken."""
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:  # no such lock on Windows: two writers at once are the caller's care there
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{folder}: another process is writing this index; try again later") from None
        yield
    finally:
        os.close(handle)


def _remove_left_overs(folder: Path, parts: Iterable[str]) -> None:
    """Remove what a killed writer left and what the manifest no longer names, and nothing else."""
    manifest = _own_manifest(folder) or {"data": None, "files": {}}
    names = {*parts, *manifest["files"]}
    for entry in sorted(folder.iterdir()):
        if entry.name != manifest["data"] and _ours(entry, names):
            shutil.rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink(missing_ok=True)


def _write(path: Path, part: NDArray[Any]) -> dict[str, Any]:
    """Write one part down to the disk; return its entry in the manifest."""
    with path.open("wb") as file:
        if path.suffix == ".npy":
            np.save(file, part, allow_pickle=False)
        else:
            part.tofile(file)
        file.flush()
        os.fsync(file.fileno())
    return {"bytes": path.stat().st_size, "sha256": _sha256(path)}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _damage(data: Path, files: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the name of the first file that is not what the manifest says, None where all are."""
    for name, entry in sorted(files.items()):
        path = data / name
        if not path.is_file() or path.stat().st_size != entry["bytes"] or _sha256(path) != entry["sha256"]:
            return name
    return None


def _sync(folder: Path) -> None:
    """Make the renames in `folder` last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def _replace_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    draft = folder / _NEXT
    with draft.open("w", encoding="utf-8") as file:
        json.dump(manifest, file, ensure_ascii=False, sort_keys=True, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / MANIFEST)
    _sync(folder)


def _manifest(folder: Path) -> dict[str, Any]:
    """Read and check the manifest."""
    path = folder / MANIFEST
    if folder.is_file():
        raise InputError(f"{folder} is not a folder; give the folder of an index")
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; build an index with `hopsplit index`")
    if not path.is_file():
        raise InputError(f"{folder} is not an index (no {MANIFEST}); build one with `hopsplit index`")
    try:
        manifest = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise InputError(f"{path} is damaged; build the index again") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise InputError(f"{path} is not the manifest of an index; build one with `hopsplit index`")
    if type(manifest["format"]) is not int or manifest["format"] != FORMAT:
        found = json.dumps(manifest["format"])[:40]
        raise InputError(f"{folder}: index of format {found}, this version reads {FORMAT}; build it again")
    if not (_is_signed(manifest) and _is_complete(manifest)):
        raise InputError(f"{path} is damaged; build the index again")
    if not _DATA.fullmatch(manifest["data"]):
        raise InputError(f"{path} names a file outside of the index ({manifest['data']!r}); build the index again")
    for name in manifest["files"]:
        if not _PART.fullmatch(name):
            raise InputError(f"{path} names a file outside of the index ({name!r}); build the index again")
    return manifest


def _is_signed(manifest: Mapping[str, Any]) -> bool:
    """Return whether the manifest's own checksum is right."""
    body = {key: value for key, value in manifest.items() if key != "sha256"}
    try:
        return manifest.get("sha256") == hashlib.sha256(_canonical(body)).hexdigest()
    except ValueError:  # lone surrogates
        return False


def _is_complete(manifest: Mapping[str, Any]) -> bool:
    """Return whether everything that `save` writes is there."""
    data, files, meta = (manifest.get(name) for name in ("data", "files", "meta"))
    if not (isinstance(data, str) and isinstance(files, dict) and isinstance(meta, dict)):
        return False
    return all(_is_entry(entry) for entry in files.values())


def _is_entry(entry: object) -> bool:
    """Return whether this is what the manifest says of a file."""
    if not (isinstance(entry, dict) and entry.keys() == {"bytes", "sha256"}):
        return False
    return type(entry["bytes"]) is int and isinstance(entry["sha256"], str)


def _map(folder: Path, manifest: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Map and check every file; once mapped, it stays readable even when a writer removes it."""
    data, files = folder / manifest["data"], manifest["files"]
    blocks = {name: _map_file(data / name) for name in files}
    whole = sum(entry["bytes"] for entry in files.values()) <= _WHOLE
    for name, block in blocks.items():
        entry = files[name]
        if len(block) != entry["bytes"] or (whole and hashlib.sha256(block.data).hexdigest() != entry["sha256"]):
            raise InputError(f"{folder}: {name} is damaged; build the index again")
    try:
        return {name: _array(block) if name.endswith(".npy") else block for name, block in blocks.items()}
    except ValueError as error:
        raise InputError(f"{folder}: an array is damaged ({error}); build the index again") from None


def _map_file(path: Path) -> NDArray[np.uint8]:
    """Map a file as bytes: a plain array, because slicing a `np.memmap` is slow."""
    if path.stat().st_size == 0:
        return np.empty(0, np.uint8)
    return np.asarray(np.memmap(path, np.uint8, mode="r"))


def _array(block: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the array of one dimension that a mapped .npy file holds, without copying it."""
    head = io.BytesIO(block[:_HEADER].tobytes())
    np.lib.format.read_magic(head)
    _, _, dtype = np.lib.format.read_array_header_1_0(head)
    if dtype.hasobject:
        raise ValueError("it holds Python objects")
    return block[head.tell() :].view(dtype)
