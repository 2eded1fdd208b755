"""Sentences written down with their parse, so that rules can be tried without the model."""

from __future__ import annotations

from hopsplit.decompose.sentence import Node, Sentence, Word


def tree(written: str) -> tuple[Sentence, str]:
    """Return the sentence of "word/tag/label/head[/lemma] ..." and its text.

    Heads are places, from 0; the root is its own. "_" joins the words of a name, which has the tag NNP.
    """
    nodes: list[Node] = []
    text = ""
    for i, piece in enumerate(written.split()):
        said, tag, dep, head, *lemma = piece.split("/")
        said = said.replace("_", " ")
        space = bool(text) and not said.startswith(("'", "?", ","))
        text += " " if space else ""
        name = tag == "NNP"
        word = Word(said, len(text), len(text) + len(said), space, name=name, atom=name)
        text += said
        nodes.append(Node(i, word, said.lower(), tag, dep, int(head), lemma[0] if lemma else said.lower()))
    return Sentence(nodes), text
