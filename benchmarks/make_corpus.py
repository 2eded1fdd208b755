"""Make a collection of any size for measuring speed: invented people, films, books, companies and towns.

    python benchmarks/make_corpus.py 600000 --out FOLDER

Writes FOLDER/corpus.jsonl (BEIR), queries.jsonl and qrels/dev.tsv: questions that need two passages,
200 of them from 1,000 passages on.
The same arguments give the same bytes. A passage has about 75 words, as paragraphs of encyclopedias do: facts
that name other passages, then sentences of words drawn by Zipf's law from a vocabulary that grows with the
size.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

_ONSETS = (
    *("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "kl"),
    *("l", "m", "n", "p", "pr", "r", "s", "sh", "st", "t", "tr", "v", "w", "z"),
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "io", "ou")
_CODAS = ("", "", "n", "r", "l", "s", "m", "nd", "rt", "lt")
_COMMON = (Path(__file__).parent / "common_words.txt").read_text(encoding="utf-8").split()  # most frequent first
_KINDS = ("person", "film", "book", "company", "town")
_FACTS = {
    "person": "{name} (born {year}) is a {place} {job}. Born in {town}, the {kin} of {person}.",
    "film": "{name} is a {year} film directed by {person} and produced by {company}. It stars {person2}.",
    "book": "{name} is a novel by {person}, first published in {year}. It is set in {town}.",
    "company": "{name} is a company founded in {year} by {person}. Its headquarters are in {town}.",
    "town": "{name} is a town on the river {word}, founded in {year}. Its mayor is {person}.",
}
_JOBS = ("director", "novelist", "engineer", "singer", "chemist", "footballer", "politician", "painter")
_KIN = ("father", "mother", "son", "daughter", "husband", "wife", "brother", "sister")
_QUESTIONS = {
    "film": "Where was the director of {name} born?",
    "book": "Who is the author of {name} related to?",
    "company": "When was the founder of {name} born?",
    "town": "What is the job of the mayor of {name}?",
}


class World:
    """Names and words that follow from the seed and the size alone."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self._chance = random.Random(seed)  # noqa: S311  (no secret)
        words = dict.fromkeys(_COMMON)
        while len(words) < 5_000 + size // 3:
            words[self._word()] = None
        self._words = list(words)
        # Zipf-Mandelbrot, with the constants that English text has.
        self._sums = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(self._words))))
        self.names = [self._name(_KINDS[n % len(_KINDS)]) for n in range(size)]

    def _word(self) -> str:
        pick = self._chance.choice
        count = self._chance.choice((1, 2, 2, 2, 3, 3))
        return "".join(pick(_ONSETS) + pick(_VOWELS) + pick(_CODAS) for _ in range(count))

    def _name(self, kind: str) -> str:
        if kind == "town":
            return self._word().capitalize() + self._chance.choice(("ton", "ville", "burg", "ford", " Falls"))
        words = [self._word().capitalize() for _ in range(2)]
        if kind == "film":
            return f"The {words[0]} of {words[1]}"
        return " ".join(words) + (" Works" if kind == "company" else "")

    def other(self, kind: str) -> int:
        """Draw the number of a passage of that kind."""
        return self._chance.randrange(self.size // len(_KINDS)) * len(_KINDS) + _KINDS.index(kind)

    def passage(self, number: int) -> tuple[dict[str, str], int]:
        """Return one row of the corpus, and the number of the person that it names first."""
        kind, name, chance = _KINDS[number % len(_KINDS)], self.names[number], self._chance
        person = self.other("person")
        fact = _FACTS[kind].format(
            name=name,
            year=chance.randint(1800, 2020),
            place=self.names[self.other("town")],
            job=chance.choice(_JOBS),
            kin=chance.choice(_KIN),
            town=self.names[self.other("town")],
            company=self.names[self.other("company")],
            person=self.names[person],
            person2=self.names[self.other("person")],
            word=self._words[chance.randrange(len(self._words))].capitalize(),
        )
        text = " ".join([fact, *(self._sentence() for _ in range(chance.randint(1, 7)))])
        return {"_id": f"p{number}", "title": name, "text": text}, person

    def _sentence(self) -> str:
        words = self._chance.choices(self._words, cum_weights=self._sums, k=self._chance.randint(8, 20))
        return " ".join(words).capitalize() + "."


def rows(world: World) -> Iterator[tuple[dict[str, str], int]]:
    """Yield every passage in order."""
    return (world.passage(number) for number in range(world.size))


def write(size: int, folder: Path, *, seed: int = 7) -> None:
    """Write the collection, its questions and their gold passages."""
    if size < 100:
        raise SystemExit("give a size of at least 100")
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    step = max(1, size // len(_KINDS) // 50)  # one passage of each kind is a round; 50 rounds are asked about
    asked: list[tuple[str, str, Sequence[str]]] = []
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
        for number, (row, person) in enumerate(rows(World(size, seed))):
            file.write(json.dumps(row) + "\n")
            kind = _KINDS[number % len(_KINDS)]
            if number // len(_KINDS) % step == 0 and kind in _QUESTIONS and len(asked) < 200:
                asked.append((f"q{number}", _QUESTIONS[kind].format(name=row["title"]), (row["_id"], f"p{person}")))
    with (folder / "queries.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"_id": i, "text": text}) + "\n" for i, text, _ in asked)
    with (folder / "qrels" / "dev.tsv").open("w", encoding="utf-8") as file:
        file.write("query-id\tcorpus-id\tscore\n")
        file.writelines(f"{i}\t{gold}\t1\n" for i, _, golds in asked for gold in golds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("size", type=int, help="number of passages")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    arguments = parser.parse_args()
    write(arguments.size, arguments.out)
