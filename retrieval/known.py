"""What the schemes know of a collection besides searching it: names, term weights, passages as read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from .candidates import Name, names_in
from .index import Index
from .lexicon import word_list
from .mentions import Names
from .pages import Page, Words, read, words_of
from .tokens import Analyser
from .types import Retriever


class Known:
    """A collection as the schemes see it.

    An `Index` brings the names of its passages, the weights of its terms and a quick engine. Any other
    retriever is searched as it is: names are then the capitalised runs, and each question weighs its terms by its hits.
    """

    names: Names | None
    idf: Callable[[str], float] | None

    def __init__(self, retriever: Retriever, *, cache: int) -> None:
        """Keep the last `cache` passages as read."""
        self.retriever = self.quick = retriever
        self.names, self.idf, self.analyser = None, None, Analyser()
        if isinstance(retriever, Index):
            self.quick = retriever.engine("bm25")
            self.names, self.idf, self.analyser = (
                retriever.names,
                lru_cache(maxsize=1 << 16)(retriever.idf),
                retriever.settings.analyser,
            )
        self.page = lru_cache(cache)(self._page)
        self.named = lru_cache(cache)(self._named)

    def _page(self, passage_id: str) -> Page:
        return read(self.retriever.passage(passage_id), self.analyser)

    def _named(self, passage_id: str) -> tuple[Words, tuple[Name, ...]]:
        words = words_of(self.page(passage_id).passage.text, self.analyser)
        return words, names_in(words, self.names)

    def titles_in(self, text: str) -> dict[str, float]:
        """Return the passages that a question names, with the weight of the name.

        A name counts by the root of the share of the text's idf that it makes up: "Ticket" in a long question
        says little. A single word in lower case is likelier a noun than a title ("country"): three tenths.
        """
        found: dict[str, float] = {}
        if self.names is None or self.idf is None:
            return found
        words = words_of(text, self.analyser)
        for mention in self.names.find(words.terms, range(len(words.terms))):
            share = _told(words.terms[mention.start : mention.stop], self.idf) / _told(words.terms, self.idf)
            noun = mention.stop - mention.start == 1 and words.words[mention.start][0].islower()
            factor = math.sqrt(share) * (0.3 if noun else 1.0)
            for passage_id, weight in mention.titled:
                found[passage_id] = max(weight * factor, found.get(passage_id, 0.0))
        return found

    def pooled(self, passage_ids: Sequence[str]) -> Callable[[str], float]:
        """Return BM25's idf among these passages, for a collection of which nothing else is known; stop words: half.

        Among the hits of a question a word that all have says little of any, and a name that few have much.
        """
        holders = Counter(term for passage_id in passage_ids for term in self.page(passage_id).counts)
        stop = word_list("stop")

        def idf(term: str) -> float:
            weight = math.log(1 + (len(passage_ids) - holders[term] + 0.5) / (holders[term] + 0.5))
            return weight / 2 if term in stop else weight

        return idf


def _told(terms: Sequence[str], idf: Callable[[str], float]) -> float:
    """Return how much the terms tell: the idf of those that are no stop words."""
    return sum(idf(term) for term in terms if term not in word_list("stop")) or 1.0
