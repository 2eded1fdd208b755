"""Choose the ranking's settings on the training questions: what is counted, and with which weight.

    python benchmarks/tune_fields.py DATA

DATA holds the folders 2wiki-train, musique-train and hotpotqa-train, each with corpus.jsonl, train/queries.jsonl and
train/qrels.tsv; docs/measures.md tells where the sets are to be had.

Prints recall at 5, 10 and 20, the mean over the sets. The development sets are not looked at.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from hopsplit.decompose import InputError
from hopsplit.evaluation import dataset
from hopsplit.retrieval import Analyser, Hit, Index, Passage, Settings, fuse, read_corpus

SETS = ("2wiki-train", "musique-train", "hotpotqa-train")
AT = (5, 10, 20)


@dataclass(frozen=True)
class Questions:
    """A training set: passages, and each question with its gold passages."""

    passages: list[Passage]
    gold: list[tuple[str, frozenset[str]]]


def load(folder: Path) -> Questions:
    """Read one set."""
    judged = dataset.load(folder, "train").judged
    return Questions(read_corpus([folder]), [(one.question.text, frozenset(one.gold)) for one in judged])


def recall(rankings: Sequence[Sequence[str]], questions: Questions) -> list[float]:
    """Return recall at each of `AT`, in percent."""
    shares = [
        [len(gold.intersection(ranking[:k])) / len(gold) for k in AT]
        for ranking, (_, gold) in zip(rankings, questions.gold, strict=True)
    ]
    return [100 * sum(column) / len(shares) for column in zip(*shares, strict=True)]


def searched(index: Index, questions: Questions, method: str) -> list[list[str]]:
    """Return the ids that each question finds."""
    hits: list[list[Hit]] = index.search_many([text for text, _ in questions.gold], 100, method=method)  # type: ignore[arg-type]
    return [[hit.id for hit in found] for found in hits]


def characters(questions: Questions) -> list[list[str]]:
    """Rank by TF-IDF of character n-grams of 3 to 5 inside words, against inflection and misspellings."""
    terms, passages = Analyser().terms, sorted(questions.passages, key=lambda passage: passage.id)
    model = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    matrix = model.fit_transform(" ".join(terms(f"{p.title} {p.text}")) for p in passages)
    rows = model.transform(" ".join(terms(text)) for text, _ in questions.gold) @ matrix.T
    orders = np.argsort(-rows.toarray(), axis=1, kind="stable")[:, :100]
    return [[passages[number].id for number in order] for order in orders]


def variants() -> Iterator[tuple[str, Settings, str]]:
    """Yield what is compared: name, settings, method."""
    base = Settings()
    for k1, b in ((0.9, 0.4), (1.2, 0.75), (1.5, 0.75), (2.0, 0.75), (1.5, 0.5)):
        yield f"bm25, k1 {k1}, b {b}", replace(base, k1=k1, b=b), "bm25"
    yield "bm25, diacritics kept", replace(base, analyser=Analyser(fold=False)), "bm25"
    for title in (1, 2, 3, 4, 5, 8):
        only = replace(base, title=title, tfidf_share=0)
        yield f"bm25, title x{title}", only, "hybrid"
        yield f"tfidf, title x{title}", only, "tfidf"
        for share in (0.5, 1.0, 2.0):
            yield f"hybrid, title x{title}, tfidf share {share}", replace(only, tfidf_share=share), "hybrid"
    for constant in (10, 30):
        yield f"hybrid, fusion constant {constant}", replace(base, rrf=constant), "hybrid"


def show(name: str, results: list[list[float]]) -> None:
    """Print one line: the mean over the sets, then recall at 5 of each set."""
    means = "".join(f"{sum(column) / len(column):7.2f}" for column in zip(*results, strict=True))
    print(f"{name:40}{means}   {'  '.join(f'{result[0]:.1f}' for result in results)}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    data = parser.parse_args().data
    sets = [load(data / name) for name in SETS]
    print(f"{'':40}{''.join(f'    R@{k:<2}' for k in AT)}   R@5 of {', '.join(SETS)}")
    for name, settings, method in variants():
        show(name, [recall(searched(Index.build(s.passages, settings=settings), s, method), s) for s in sets])
    both: list[list[float]] = []
    for questions in sets:
        words = searched(Index.build(questions.passages), questions, "hybrid")
        pairs = zip(words, characters(questions), strict=True)
        both.append(recall([[i for i, _ in fuse([(1, w), (0.5, c)])] for w, c in pairs], questions))
    show("hybrid + 0.5 x character n-grams", both)


if __name__ == "__main__":
    try:
        main()
    except InputError as problem:
        sys.exit(f"error: {problem}")
