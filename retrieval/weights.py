"""From term counts to term weights: BM25 by bm25s, TF-IDF by scikit-learn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from .counts import TermCounts, TermNumbers
from .postings import Postings

Weights = NDArray[np.float32]


class _Corpus(NamedTuple):
    ids: TermNumbers
    vocab: dict[str, int]


def postings(counts: TermCounts) -> Postings:
    """Return the postings of `counts`; the weights of every engine run parallel to `docs`."""
    columns = counts.matrix(title=1).tocsc()
    return Postings(columns.indptr.astype(np.int64), columns.indices.astype(np.int32))


def bm25_weights(counts: TermCounts, *, title: int, k1: float, b: float) -> Weights:
    """BM25 with Lucene's idf, parallel to the postings, computed by bm25s (method "lucene").

    ln(1 + (N - df + .5) / (df + .5)) * tf / (k1 * (1 - b + b * length / mean length) + tf), Kamphuis et al.
    2020, table 1, the title counted `title` times. Above zero for every term, also for one that stands in
    more than half of the passages.
    """
    if not counts.terms:
        return np.empty(0, np.float32)
    import bm25s  # noqa: PLC0415  (only needed to build)

    model = bm25s.BM25(method="lucene", k1=k1, b=b, csc_backend="scipy")  # takes half the memory
    corpus = _Corpus(TermNumbers(counts.matrix(title=title)), {t: n for n, t in enumerate(counts.terms)})
    model.index(corpus, create_empty_token=False, show_progress=False)
    weights: Weights = model.scores["data"]
    return weights


def tfidf_weights(counts: TermCounts, *, title: int) -> tuple[Weights, Weights]:
    """TF-IDF by scikit-learn: (weights parallel to the postings, idf of each term).

    (1 + ln tf) * (1 + ln((1 + N) / (1 + df))), the title counted `title` times; each passage has length 1.
    """
    if not counts.terms:
        return np.empty(0, np.float32), np.empty(0, np.float32)
    from sklearn.feature_extraction.text import TfidfTransformer  # noqa: PLC0415  (0.5 s)

    model = TfidfTransformer(sublinear_tf=True)
    weighted: csr_matrix = model.fit_transform(counts.matrix(title=title).astype(np.float32))
    return weighted.tocsc().data.astype(np.float32), model.idf_.astype(np.float32)
