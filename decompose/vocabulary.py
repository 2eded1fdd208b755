"""Which words the model's lemmatizer knows: in a question without capitals, the others are taken for names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

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


class Vocabulary:
    """English words: the index and the exceptions of the lemmatizer's tables (90,000 forms)."""

    def __init__(self, nlp: Language) -> None:
        """Read the tables of the pipeline's lemmatizer; with none, every word counts as known."""
        self._words: set[str] = set()
        lookups = getattr(nlp.get_pipe("lemmatizer"), "lookups", None) if nlp.has_pipe("lemmatizer") else None
        for table in ("lemma_index", "lemma_exc"):
            if lookups is not None and lookups.has_table(table):
                for forms in lookups.get_table(table).values():
                    self._words.update(forms)

    def __contains__(self, word: object) -> bool:
        """Tell whether a lower-case word, or what it is an inflection of, is in the tables."""
        if not isinstance(word, str) or not self._words or word in self._words:
            return True
        return any(word.endswith(end) and word[: -len(end)] + base in self._words for end, base in _ENDINGS)
