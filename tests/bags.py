"""Texts as vectors of their words, which makes a real if simple search of a framework's vector store."""

from __future__ import annotations

import re
from zlib import crc32

_SIZE = 256


def vector(text: str) -> list[float]:
    """Return how often words of each remainder of a checksum stand in the text, to length 1."""
    counts = [0.0] * _SIZE
    for word in re.findall(r"\w+", text.lower()):
        counts[crc32(word.encode()) % _SIZE] += 1.0
    length = sum(count * count for count in counts) ** 0.5 or 1.0
    return [count / length for count in counts]
