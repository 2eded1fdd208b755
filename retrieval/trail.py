"""One question on its way through a collection."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from ..decompose.plan import Hop, Plan
from .candidates import Asked, asked
from .forms import forms
from .known import Known
from .lexicon import word_list
from .ranking import Coverage, Vector
from .settings import ExecutorSettings
from .types import Search

REF = re.compile(r"#(\d+)")
_TAG = re.compile(r"\([^()]*\)")
_EDGES = re.compile(r"^\W+|\W+$")


def bare(hop: Hop) -> str:
    """Return the text of `hop` without its ``#n``."""
    return REF.sub(" ", hop.text)


class Trail:
    """What is looked up once for a question: coverage of passages, titles in texts, searches made."""

    def __init__(self, known: Known, plan: Plan, settings: ExecutorSettings, k: int) -> None:
        """Search the question first: `hits` are at least `settings.pool` and `k`, where there are so many."""
        self.known, self.plan, self.settings = known, plan, settings
        # By (quick, what was sent), in the order of the searches: the query.
        self.queries: dict[tuple[bool, str], str] = {}
        # By (quick, what was sent): how many hits were asked for, and those that came.
        self._hits: dict[tuple[bool, str], tuple[int, list[str]]] = {}
        self.hits = self.search(plan.question, max(k, settings.pool))
        self.idf = known.idf or known.pooled(self.hits[: settings.pool])
        terms = known.analyser.terms
        self._question_terms = terms(plan.question)
        self._hop_terms = {hop.id: terms(bare(hop)) for hop in plan.hops}
        self.coverage = Coverage(self._question_terms, self._hop_terms.values(), self.idf)
        self.masks = {number: self.coverage.mask(words) for number, words in self._hop_terms.items()}
        # What only stands in a tag, as in "Oh My (Dappy song)", may well be the answer.
        self._said = f" {' '.join(terms(_TAG.sub(' ', plan.question)))} "
        self._vectors: dict[str, Vector] = {}

    def vector(self, passage_id: str) -> Vector:
        """Return how far the passage covers each term; see `Coverage`."""
        if passage_id not in self._vectors:
            self._vectors[passage_id] = self.coverage.of(self.known.page(passage_id))
        return self._vectors[passage_id]

    def asked(self, number: int) -> Asked:
        """Return what the hop of that number asks for."""
        return asked(self.plan.hops[number - 1], self._said, self.known.analyser)

    def search(self, query: str, k: int) -> list[str]:
        """Return the ids of at most `k` hits of the whole engine."""
        return self._once(query, query, k, quick=False)

    def quick(self, query: str, k: int) -> list[str]:
        """Return the ids of at most `k` hits of the quick engine for the content words of `query`.

        Stop words have the longest postings and say the least; they are left out where others remain. To an engine
        of its own kind the words go as they are written: it may tell capitals and diacritics apart.
        """
        terms, stop = self.known.analyser.terms, word_list("stop")
        if self.known.quick is self.known.retriever:
            words = [_EDGES.sub("", word) for word in query.split() if terms(word)]
            content = [word for word in words if not stop.issuperset(terms(word))] or words
        else:
            words = terms(query)
            content = [term for term in words if term not in stop] or words
        return self._once(query, " ".join(content), k, quick=True) if content else []

    def _once(self, query: str, sent: str, k: int, *, quick: bool) -> list[str]:
        """Return the ids of at most `k` hits; what was sent before to the same engine is no further search."""
        asked_for, ids = self._hits.get((quick, sent), (0, []))
        if not asked_for:
            self.queries[quick, sent] = query
        if asked_for < k:
            engine = self.known.quick if quick else self.known.retriever
            ids = [hit.id for hit in engine.search(sent, k)]
            self._hits[quick, sent] = k, ids
        return ids[:k]

    def searches(self, k: int) -> Iterator[Search]:
        """Yield the searches made, in their order, each with its first `k` hits."""
        for key, query in self.queries.items():
            yield Search(query, tuple(self._hits[key][1][:k]))

    def titles_in(self, text: str) -> dict[str, float]:
        """Return the passages that `text` names, the best `titles` of them, ordered by (-weight, id)."""
        found = self.known.titles_in(text)
        return {i: found[i] for i in sorted(found, key=lambda i: (-found[i], i))[: self.settings.titles]}

    def own_share(self, hops: Iterable[Hop]) -> float:
        """Return from 0 to 1 how much of what `hops` say, by idf and without stop words, the question says."""
        asked = {form for term in self._question_terms for form in (term, *forms(term))}
        said = {term for hop in hops for term in self._hop_terms[hop.id] if term not in word_list("stop")}
        own = (term for term in said if not asked.isdisjoint((term, *forms(term))))
        return math.fsum(map(self.idf, own)) / (math.fsum(map(self.idf, said)) or 1.0) if said else 1.0
