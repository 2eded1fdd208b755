"""The authors' own files of HotpotQA, 2WikiMultiHopQA and MuSiQue as data sets: of paragraphs, or of sentences.

The paragraphs of all questions are pooled, each once, with the ids that `read_corpus` gives them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..decompose.plan import InputError
from ..retrieval.formats import content_id, hotpotqa, json_rows, musique, pairs
from ..retrieval.sources import Place, field
from ..retrieval.types import Passage
from .dataset import Dataset, Judged, Question

_SUFFIXES = (".json", ".jsonl")
_HOPS = re.compile(r"([0-9]+hop[0-9]*)__")


@dataclass(frozen=True, slots=True)
class Original:
    """A file's questions and passages, the passages in the order of their ids, and how much was left out.

    unjudged: questions without supporting facts, as in test sets. unanswerable: questions that MuSiQue says to be
    so, as some of their paragraphs were taken away. dropped: supporting facts with the number of a sentence that
    their paragraph does not have.
    """

    dataset: Dataset
    passages: tuple[Passage, ...]
    unjudged: int
    unanswerable: int
    dropped: int

    def notes(self) -> list[str]:
        """Say in one line each what was left out."""
        said = (
            (self.unjudged, "question", "no supporting facts"),
            (self.unanswerable, "question", "marked as not answerable"),
            (self.dropped, "supporting fact", "the paragraph has no sentence of that number"),
        )
        return [f"{n} {noun}{'s' if n > 1 else ''} left out: {why}" for n, noun, why in said if n]


class _Read(NamedTuple):
    """What one question gives: its passages, which of them are gold, and how many supporting facts name none."""

    passages: list[Passage]
    gold: set[str]
    dropped: int = 0


def load(path: Path) -> Original:
    """Read a file whose passages are the paragraphs; gold are those with a supporting fact.

    A supporting fact names a title; it means the question's paragraphs of that title, as in the files of the
    HippoRAG papers. Where the question has none (HotpotQA's full-wiki files), the id is "missing:" and the title,
    which no passage has: it counts as not found.
    """
    return _load(path, path.stem, _paragraphs)


def episodes(path: Path) -> Original:
    """Read a file whose passages are the sentences, each as "Title: sentence"; gold are the supporting sentences.

    HotpotQA and 2WikiMultiHopQA only. Equal sentences under equal titles are one passage, whose id is made from the
    content: a paragraph's id and a number would not do, as 2WikiMultiHopQA cuts equal paragraphs into sentences in
    more than one way. Empty sentences, which keep their numbers, are none.
    """
    return _load(path, f"{path.stem}-sentences", _sentences)


def _load(path: Path, name: str, read: Callable[[dict[str, Any], Place], _Read]) -> Original:
    """Read all rows; `read` says what the passages and the gold of one are."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: a data set is a folder, or an original file that ends in {' or '.join(_SUFFIXES)}")
    passages: dict[str, Passage] = {}
    judged: dict[str, Judged] = {}
    places: dict[str, Place] = {}
    unjudged = unanswerable = dropped = 0
    for place, row in json_rows(path):
        question, found = _question(row, place), read(row, place)
        passages.update((passage.id, passage) for passage in found.passages)
        if not _answerable(row, place):  # MuSiQue has each of them a second time, under the same id
            unanswerable += 1
            continue
        dropped += found.dropped
        if not found.gold:
            unjudged += 1
        elif question.id in judged:
            raise InputError(f"{place}: the question id {question.id!r} stands already in {places[question.id]}")
        else:
            judged[question.id], places[question.id] = Judged(question, tuple(sorted(found.gold))), place
    if not judged:
        raise InputError(f"{path}: no question with supporting facts; test sets have none, give another")
    dataset = Dataset(name, "", path, tuple(judged.values()))
    ordered = tuple(passages[passage_id] for passage_id in sorted(passages))
    return Original(dataset, ordered, unjudged, unanswerable, dropped)


def _question(row: dict[str, Any], place: Place) -> Question:
    """Read the question; its type is in the field "type", or with MuSiQue what its id begins with."""
    if "context" not in row and "paragraphs" not in row:
        there = (", ".join(row) or "no field")[:200]
        wanted = "a file of HotpotQA, 2WikiMultiHopQA or MuSiQue, or a folder"
        raise InputError(f'{place}: neither "context" nor "paragraphs", only {there}; give {wanted}')
    query_id, text = field(row, "_id" if "_id" in row else "id", place), field(row, "question", place)
    if not query_id.strip() or not text.strip():
        raise InputError(f"{place}: the question or its id is empty; give both")
    if row.get("type") is not None:
        return Question(query_id, text, field(row, "type", place))
    hops = _HOPS.match(query_id)
    return Question(query_id, text, hops[1] if hops else "")


def _answerable(row: dict[str, Any], place: Place) -> bool:
    """Tell whether the file holds what the question needs, which is so where it does not say."""
    return "paragraphs" not in row or _flag(row, "answerable", place, default=True)


def _paragraphs(row: dict[str, Any], place: Place) -> _Read:
    """Take the paragraphs as passages."""
    if "context" not in row:
        entries = list(musique(row, place))
        gold = {passage.id for passage, entry in entries if _flag(entry, "is_supporting", place, default=False)}
        return _Read([passage for passage, _ in entries], gold)
    passages = [passage for passage, _ in hotpotqa(row, place)]
    titled: dict[str, set[str]] = {}
    for passage in passages:
        titled.setdefault(passage.title, set()).add(passage.id)
    facts = _facts(row, place)
    return _Read(passages, {one for title, _ in facts for one in titled.get(title, {f"missing:{title}"})})


def _sentences(row: dict[str, Any], place: Place) -> _Read:
    """Take the sentences as passages."""
    if "context" not in row:
        raise InputError(f"{place}: MuSiQue tells supporting paragraphs, not sentences; measure with its paragraphs")
    numbered: dict[tuple[str, int], set[str]] = {}
    passages: dict[str, Passage] = {}
    titles = set()
    for paragraph, sentences in hotpotqa(row, place):
        titles.add(paragraph.title)
        for number, sentence in enumerate(sentences):
            if sentence:
                text = f"{paragraph.title}: {sentence}"
                passage = Passage(content_id("", text), "", text)
                passages[passage.id] = passage
                numbered.setdefault((paragraph.title, number), set()).add(passage.id)
    gold: set[str] = set()
    dropped = 0
    for title, number in _facts(row, place):
        if title in titles:
            found = numbered.get((title, number), set())
            dropped += not found
            gold |= found
        else:
            gold.add(f"missing:{title}#s{number}")
    return _Read(list(passages.values()), gold, dropped)


def _facts(row: dict[str, Any], place: Place) -> set[tuple[str, int]]:
    """Return the supporting facts, (title, number of the sentence from 0); none where the field is missing or null."""
    return set(_listed(row, place)) if row.get("supporting_facts") is not None else set()


def _listed(row: dict[str, Any], place: Place) -> Iterator[tuple[str, int]]:
    shape = "[title, sentence number]"
    for title, number in pairs(row, "supporting_facts", "sent_id", shape, place):
        if type(number) is not int:  # True is an int to isinstance
            raise InputError(f'{place}: each entry of "supporting_facts" must be {shape}')
        yield title, number


def _flag(entry: dict[str, Any], name: str, place: Place, *, default: bool) -> bool:
    """Return a field that is true or false, `default` where it is missing or null."""
    value = entry.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise InputError(f'{place}: the field "{name}" must be true or false')
    return value
