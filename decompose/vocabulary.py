"""What the model's lemmatizer knows: lemmas, and which words are English.

In a question without capitals, words that it does not know are taken for names.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from spacy.language import Language

_KINDS = {"VB": "VERB", "NN": "NOUN", "JJ": "ADJ", "RB": "ADV"}
_MOST_KEPT = 20_000
# Endings that the lemmatizer's index does not hold, each with what stands in its place there.
_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
)


class Lemmas:
    """The lemmatizer's rules, asked for one word at a time: the rules of hops need few lemmas of a sentence."""

    def __init__(self, nlp: Language) -> None:
        """Take the pipeline's lemmatizer, which must be one of tables and rules."""
        self._vocab = nlp.vocab
        self._lemmatizer = cast("Any", nlp.get_pipe("lemmatizer"))
        self._known: dict[tuple[str, str], str] = {}
        tables: Any = self._lemmatizer.lookups.get_table("lemma_index")
        self.verbs: frozenset[str] = frozenset(tables["verb"])

    @staticmethod
    def serves(nlp: Language) -> bool:
        """Tell whether the pipeline's lemmatizer works by tables and rules."""
        return nlp.has_pipe("lemmatizer") and getattr(nlp.get_pipe("lemmatizer"), "mode", "") == "rule"

    def __call__(self, low: str, tag: str, stand: str = "") -> str:
        """Return the lemma of a lower-case word with a fine-grained tag; the word itself where it has none.

        A word with a prefix ("co-founded") goes by what stands for it ("founded").
        """
        if stand and stand != low and low.endswith("-" + stand):
            return low[: -len(stand)] + self(stand, tag)
        kind = _KINDS.get(tag[:2])
        if kind is None:
            return low
        lemma = self._known.get((low, kind))
        if lemma is None:
            from spacy.tokens import Doc  # noqa: PLC0415

            token = Doc(self._vocab, words=[low], pos=[kind])[0]
            lemma = str(self._lemmatizer.rule_lemmatize(token)[0]).lower()
            if len(self._known) < _MOST_KEPT:
                self._known[low, kind] = lemma
        return lemma


class Vocabulary:
    """English words: the index and the exceptions of the lemmatizer's tables (90,000 forms)."""

    def __init__(self, nlp: Language) -> None:
        """Take the tables of the pipeline's lemmatizer; with none, every word counts as known."""
        self._lookups = getattr(nlp.get_pipe("lemmatizer"), "lookups", None) if nlp.has_pipe("lemmatizer") else None

    @cached_property
    def _words(self) -> set[str]:
        # Read when first asked: few questions have no capitals.
        found: set[str] = set()
        for table in ("lemma_index", "lemma_exc"):
            if self._lookups is not None and self._lookups.has_table(table):
                for forms in self._lookups.get_table(table).values():
                    found.update(forms)
        return found

    def __contains__(self, word: object) -> bool:
        """Tell whether a lower-case word, or what it is an inflection of, is in the tables."""
        if not isinstance(word, str) or not self._words or word in self._words:
            return True
        return any(word.endswith(end) and word[: -len(end)] + base in self._words for end, base in _ENDINGS)
