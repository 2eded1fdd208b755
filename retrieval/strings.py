"""Strings and passages kept as one block of bytes, so that an opened index holds no text in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ..decompose.plan import InputError
from .types import Passage

# Ids of one collection that stay decoded: a few megabytes at most.
_KEPT = 1 << 16

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]


class Strings:
    """Read-only strings, one line of UTF-8 each: string i is ``blob[offsets[i]:offsets[i + 1] - 1]``.

    `blob` and `offsets` may be memory-mapped. `find` needs the strings sorted by code point and unique.
    """

    def __init__(self, blob: Bytes, offsets: Offsets) -> None:
        self.blob, self.offsets = blob, offsets
        self._bytes = blob.data

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        """Pack `strings`; they must hold no lone surrogates."""
        block, offsets = bytearray(), [0]
        for string in strings:
            block += string.encode() + b"\n"
            offsets.append(len(block))
        return cls(np.frombuffer(bytes(block), np.uint8), np.array(offsets, np.int64))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def _raw(self, number: int) -> bytes:
        return self._bytes[self.offsets[number] : self.offsets[number + 1] - 1].tobytes()

    def __getitem__(self, number: int) -> str:
        try:
            return self._raw(number).decode()
        except UnicodeDecodeError:
            raise InputError("the index holds text that is not UTF-8; build it again") from None

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, string: str) -> int | None:
        """Return the number of `string`, None where it is not here. Takes 10 microseconds among a million."""
        wanted = string.encode()  # UTF-8 sorts as the code points do
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._raw(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._raw(low) == wanted else None


class Ids(Strings):
    """Strings that are asked for over and over: the last `_KEPT` of each kind of answer are remembered."""

    def __init__(self, blob: Bytes, offsets: Offsets) -> None:
        super().__init__(blob, offsets)
        self._string = lru_cache(maxsize=_KEPT)(super().__getitem__)
        self._number = lru_cache(maxsize=_KEPT)(super().find)

    def __getitem__(self, number: int) -> str:
        return self._string(number)

    def find(self, string: str) -> int | None:
        """Return the number of `string`, None where it is not here."""
        return self._number(string)


class Passages(Sequence[Passage]):
    """The passages of an index in the order of their ids, each decoded from its JSON line when asked for."""

    def __init__(self, lines: Strings) -> None:
        self.lines = lines

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> Passages:
        """Pack `passages`, which come sorted by id."""
        return cls(Strings.of(map(_line, passages)))

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, number: int) -> Passage: ...
    @overload
    def __getitem__(self, number: slice) -> list[Passage]: ...
    def __getitem__(self, number: int | slice) -> Passage | list[Passage]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        try:
            return Passage(**json.loads(self.lines[number % len(self)]))
        except (ValueError, TypeError):
            raise InputError("a passage in the index cannot be read; build the index again") from None


def _line(passage: Passage) -> str:
    """Return a passage as JSON; of a document of its own without saying so."""
    row = {"id": passage.id, "title": passage.title, "text": passage.text}
    if passage.document:
        row["document"] = passage.document
    return json.dumps(row, ensure_ascii=False)
