"""Cuts long documents into passages."""

from __future__ import annotations

from collections.abc import Iterator

from ..decompose.plan import InputError
from .types import Passage


def chunks(document: Passage, max_chars: int) -> Iterator[Passage]:
    """Yield `document` in pieces of at most `max_chars` characters, each with the document's title.

    Cut by semantic-text-splitter at the largest unit that fits: sections, paragraphs, sentences, words. A
    document that fits stays as it is; pieces have the ids ``doc#chunk1``, ``doc#chunk2`` ...
    and tell their document.
    """
    if max_chars < 1:
        raise InputError(f"the longest passage is {max_chars} characters; give at least 1")
    if len(document.text) <= max_chars:
        yield document
        return
    from semantic_text_splitter import TextSplitter  # noqa: PLC0415  (only long documents need it)

    for number, text in enumerate(TextSplitter(max_chars).chunks(document.text), 1):
        yield Passage(f"{document.id}#chunk{number}", document.title, text, document.id)
