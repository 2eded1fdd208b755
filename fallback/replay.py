"""Replies of a language model kept in a folder: a cache, and a recording that stands in for the model."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ..decompose.plan import InputError
from .llm import Completion, Llm, LlmError, Message, is_count

_MAX_BYTES = 1 << 23  # of a file


class Replay:
    """Implements `Llm` from a folder of replies.

    A request that was made before gets the same reply, with the same count of tokens; any other goes to `llm`,
    whose reply is then kept, or where that is None is an LlmError. A request is the model's `name`, the messages, the
    temperature, the limit of tokens and the schema; without a `name`, that of any model counts.

    Each reply is a JSON file of its own, named by two hashes: of the request, and of the name. Several processes may
    use the folder at once. A file that cannot be read, or is not what its name says, is taken for none.

    Raises InputError where there is no such folder and no `llm` to fill it, or it cannot be made.
    """

    def __init__(self, folder: str | os.PathLike[str], llm: Llm | None = None, *, name: str = "") -> None:
        self._folder, self._llm, self._name = Path(folder), llm, name
        if llm is None and not self._folder.is_dir():
            raise InputError(
                f"{folder}: no folder of recorded replies; record some with --llm MODEL --llm-cache {folder}"
            )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or error
            raise InputError(f"{folder}: {said}; name a folder for the replies") from error

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, object]
    ) -> Completion:
        """Return the reply; see `Llm.complete`."""
        request = {
            "messages": [[message.role, message.content] for message in messages],
            "temperature": temperature,
            "max_tokens": max_tokens,
            "schema": schema,
        }
        for path in self._files(request):
            kept = _kept(path, request)
            if kept is not None:
                return kept
        if self._llm is None:
            raise LlmError(f"no reply to this was recorded in {self._folder}")
        completion = self._llm.complete(messages, temperature, max_tokens, schema)
        self._keep(request, completion)
        return completion

    def _files(self, request: Mapping[str, object]) -> list[Path]:
        """Return the files that may hold the reply, in the order of their names."""
        if self._name:
            return [self._folder / _file(request, self._name)]
        return sorted(self._folder.glob(f"{_hash(request)}-*.json"))

    def _keep(self, request: Mapping[str, object], completion: Completion) -> None:
        """Write a reply in one step; a folder that takes none is no reason to lose the reply."""
        kept = {
            "model": self._name,
            "request": request,
            "text": completion.text,
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
        }
        written = json.dumps(kept, indent=1).encode() + b"\n"
        with suppress(OSError), tempfile.NamedTemporaryFile("wb", dir=self._folder, delete=False) as file:
            try:
                file.write(written)
                file.close()
                os.replace(file.name, self._folder / _file(request, self._name))
            except OSError:
                os.unlink(file.name)


def _file(request: Mapping[str, object], name: str) -> str:
    """Return the name of the file of a request to the model `name`."""
    return f"{_hash(request)}-{_hash(name)}.json"


def _hash(value: object) -> str:
    """Return a short hash of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def _kept(path: Path, request: Mapping[str, object]) -> Completion | None:
    """Return the reply in a file, None where there is none to this request."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_BYTES:
            return None  # a link may lead anywhere, and a pipe has no end
        read = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(read, dict) or read.get("request") != json.loads(json.dumps(request)):
        return None
    name = read.get("model")
    if not isinstance(name, str) or path.name != _file(request, name):
        return None
    text, prompt, completion = (read.get(key) for key in ("text", "prompt_tokens", "completion_tokens"))
    if not isinstance(text, str) or not (is_count(prompt) and is_count(completion)):
        return None
    return Completion(text, prompt, completion)
