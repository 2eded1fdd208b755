"""Names of passages and where a text mentions them."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lexicon import word_list
from .pages import SHORT
from .strings import Strings
from .tokens import Analyser
from .types import Passage

LONGEST = 12  # terms of a name
_MASK = 2**64 - 1
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplying loses nothing
_TAG = re.compile(r"\s*\([^()]*\)\s*$")
_LEAD = re.compile(r"\W{0,3}([^\W\d_][^(,;:]{2,80}?)\W*(?:\(|,| (?:is|was|are|were|may) )")
_KNOWN = re.compile(
    r"\b(?:known(?: professionally)?|credited|billed|born|n[ée]e|stage name|abbreviated)"
    r"(?: simply| as| by (?:his|her|its|their) stage names?)* ?[\"'\u201c]?"
    r"((?:[^\W\d_a-z][\w'\u2019.-]*[ ]?){1,5})"
)
_JUNIOR = frozenset({"jr", "sr"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text: terms ``start`` to ``stop`` (half-open), and the passages it may stand for.

    titled: (id of the passage, weight of the name for it), ordered by (-weight, row). The weight is 1 for the
    whole title, less for a part of it or another name; see `names_of`.
    """

    start: int
    stop: int
    titled: tuple[tuple[str, float], ...]


@lru_cache(maxsize=1 << 16)
def _hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest())


def _key(terms: Iterable[str]) -> int:
    """Return a 64-bit key of the terms in their order, the same in every process."""
    key = 0
    for term in terms:
        key = (key * int(_FACTOR) + _hash(term)) & _MASK
    return key


def names_of(passage: Passage, analyser: Analyser) -> dict[tuple[str, ...], float]:
    """Return the names of what `passage` is about, as terms, each with its weight.

    1 the title; 0.9 the title without the tag in parentheses; 0.8 the name that opens the text; 0.7 what
    follows "also known as" and the like; 0.6 the title up to its first comma; 0.5 a personal name without
    initials and "Jr."; 0.4 the last word of a name of two or three words. A passage without a title has none.
    """
    names: dict[tuple[str, ...], float] = {}

    def put(name: str, weight: float) -> tuple[str, ...]:
        terms = tuple(analyser.terms(name))
        if 0 < len(terms) <= LONGEST and not all(t in word_list("stop") or len(t) < 2 for t in terms):
            names[terms] = max(weight, names.get(terms, 0.0))
        return terms

    if not passage.title:
        return names
    put(passage.title, 1.0)
    bare = _TAG.sub("", passage.title)
    put(bare, 0.9)
    opening = passage.text[:400]
    whole = [put(bare.partition(",")[0], 0.6)]
    if (lead := _LEAD.match(opening)) and _is_name(lead[1]):
        whole.append(put(lead[1], 0.8))
    for known in _KNOWN.finditer(opening):
        words = known[1].lower().split()
        # "born May 3, 1950" is no name; "born Ann Lee" and "known as Pelé" are.
        if words[0] not in word_list("calendar") and (len(words) > 1 or " as " in known[0]):
            put(known[1], 0.7)
    for terms in whole:
        short = [t for t in terms if len(t) > 1 and t not in _JUNIOR]
        if len(short) > 1:
            put(" ".join(short), 0.5)
            put(f"{short[0]} {short[-1]}", 0.5)
    if 2 <= len(bare.split()) <= 3 and all(word[0].isupper() for word in bare.split()):
        put(bare.split()[-1], 0.4)
    return names


def name_parts(passages: Iterable[Passage], analyser: Analyser) -> dict[str, NDArray[Any]]:
    """Return the names of `passages`, whose rows are their places, as arrays that an index can store.

    Parallel arrays ordered by (key, -weight, row).
    """
    keys, rows, weights = array("Q"), array("i"), array("f")
    for row, passage in enumerate(passages):
        for terms, weight in names_of(passage, analyser).items():
            keys.append(_key(terms))
            rows.append(row)
            weights.append(weight)
    columns = np.asarray(keys), np.asarray(rows), np.asarray(weights)
    order = np.lexsort((columns[1], -columns[2], columns[0]))
    return {
        "names.keys.npy": columns[0][order],
        "names.rows.npy": columns[1][order],
        "names.weights.npy": columns[2][order],
    }


def _is_name(text: str) -> bool:
    """Tell whether an opening is a name, and not a whole sentence with the beginning of the next one."""
    words = text.split()
    ends = len(words) > 1 and words[0][0].isupper() and words[-1][0].isupper()
    return ends and not any(map(_ends_sentence, words[:-1]))


def _ends_sentence(word: str) -> bool:
    """Tell whether a sentence ends with the word, which is no initial or short title then ("J.", "U.S.", "St.")."""
    bare = word.rstrip(".")
    return word[-1] in "!?" or (bare != word and len(bare) > 1 and "." not in bare and bare not in SHORT)


class Names:
    """The names of a collection's passages, looked up by 64-bit keys. Its arrays may be memory-mapped.

    Two different names share a key with a chance of about 1 in 10^13 for a million names; the worst that
    follows is a needless candidate.
    """

    def __init__(self, parts: Mapping[str, NDArray[Any]], ids: Strings) -> None:
        """Take what `name_parts` made and the ids of the passages, by row."""
        self._keys: NDArray[np.uint64] = parts["names.keys.npy"]
        self._rows: NDArray[np.int32] = parts["names.rows.npy"]
        self._weights: NDArray[np.float32] = parts["names.weights.npy"]
        self._ids = ids

    def titled(self, terms: Sequence[str], *, most: int = 8) -> tuple[tuple[str, float], ...]:
        """Return the passages that have exactly `terms` for a name, as in `Mention.titled`."""
        key = np.uint64(_key(terms))
        low = int(np.searchsorted(self._keys, key))
        return self._titled(low, most) if low < len(self._keys) and self._keys[low] == key else ()

    def find(self, terms: Sequence[str], starts: Sequence[int], *, most: int = 8) -> list[Mention]:
        """Return the names in `terms` that begin at one of `starts`, the longest at each place, no overlap.

        `starts` ascend. A part of a name (weight 0.4) counts only where no other passage claims it. At most
        `most` passages for each name.
        """
        if not starts or not len(self._keys):
            return []
        hashes = np.array([_hash(term) for term in terms], np.uint64)
        begin = np.array(starts)
        key = np.zeros(len(begin), np.uint64)
        keys = np.zeros((min(LONGEST, len(terms) - starts[0]), len(begin)), np.uint64)
        for length in range(len(keys)):
            inside = int(np.searchsorted(begin, len(terms) - length))
            key = key[:inside] * _FACTOR + hashes[begin[:inside] + length]
            keys[length, :inside] = key
        low = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: dict[int, tuple[int, int]] = {}
        for length, place in zip(*np.nonzero(self._keys[low] == keys), strict=True):
            found[int(place)] = (int(length) + 1, int(low[length, place]))  # the longest comes last
        return list(self._chosen(starts, found, most))

    def _chosen(self, starts: Sequence[int], found: Mapping[int, tuple[int, int]], most: int) -> Iterator[Mention]:
        end = 0
        for place in sorted(found):
            start, (length, low) = starts[place], found[place]
            if start >= end and (titled := self._titled(low, most)):
                yield Mention(start, start + length, titled)
                end = start + length

    def _titled(self, low: int, most: int) -> tuple[tuple[str, float], ...]:
        high = int(np.searchsorted(self._keys, self._keys[low], side="right"))
        if self._weights[low] < 0.45 and high - low > 1:
            return ()
        high = min(high, low + most)
        weights = [round(weight, 2) for weight in self._weights[low:high].tolist()]
        return tuple(zip([self._ids[row] for row in self._rows[low:high].tolist()], weights, strict=True))
