"""A parsed sentence over protected words: what the rules read. Also the sets of tags and words that they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from spacy.language import Language
    from spacy.tokens import Doc

    from .vocabulary import Lemmas

# What the parser reads in place of a name. It has seen the word as a proper noun and as nothing else.
STAND_IN = "Maria"

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
OBJECTS = frozenset({"dobj", "attr", "oprd", "dative"})
AUXILIARIES = frozenset({"aux", "auxpass"})
CLAUSES = frozenset({"relcl", "acl"})
NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
PLURAL_TAGS = frozenset({"NNS", "NNPS"})
VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
WH_TAGS = frozenset({"WP", "WDT", "WP$", "WRB"})
WH_WORDS = frozenset("who whom whose what which when where why how".split())
# The relative pronouns that can be the subject of their clause.
RELATIVES = frozenset({"who", "that", "which"})
BE = frozenset("is are was were be been being am 's 're".split())
DO = frozenset({"do", "does", "did"})
MODALS = frozenset("can could will would shall should may might must".split())
HAVE = frozenset({"has", "have", "had"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word for the parser: `text` as normalised, or a name as one atom.

    start, end: half-open offsets into the question as given. space: whether white space precedes it.
    name: it is (part of) a name. atom: a whole name, for which the parser sees another. ref: the hop whose
    answer it is, or 0. stand: what the parser reads in its place where it is a fixed expression. known: a title
    that the caller gave, never taken apart.
    """

    text: str
    start: int
    end: int
    space: bool
    name: bool = False
    atom: bool = False
    ref: int = 0
    stand: str = ""
    known: bool = False


@dataclass(slots=True)
class Node:
    """One word with its parse. `low` is its lower-case text, `head` the index of its head (the root's own)."""

    i: int
    word: Word
    low: str
    tag: str
    dep: str
    head: int
    lemma: str
    kids: list[int] = field(default_factory=list)

    @property
    def anchor(self) -> bool:
        """Whether it is a name or the answer of a hop."""
        return self.word.name or self.word.ref > 0

    @property
    def noun(self) -> bool:
        """Whether it can head a noun phrase."""
        return self.tag in NOUN_TAGS

    @property
    def plural(self) -> bool:
        """Whether it is a noun in the plural."""
        return self.tag in PLURAL_TAGS


class Sentence:
    """Nodes in text order, with the tree walks that the rules need."""

    __slots__ = ("_spans", "cased", "changes", "memo", "nodes", "root", "verbs")

    def __init__(self, nodes: list[Node], verbs: Container[str] = frozenset()) -> None:
        """Take nodes whose `kids` are not yet filled, and the bare verbs that the language knows."""
        self.nodes = nodes
        self.verbs = verbs
        self.changes = 0
        # Without any capital, nothing tells a name from a noun: rules that ask for a name take a noun then.
        self.cased = any(n.word.text[:1].isupper() for n in nodes)
        self.link()

    def link(self) -> None:
        """Fill in the children after heads have changed."""
        self._spans: dict[int, list[int]] = {}
        # What rules have worked out about the tree as it stands, by their own keys.
        self.memo: dict[tuple[str, tuple[int, ...]], object] = {}
        self.changes += 1
        self.root = 0
        for node in self.nodes:
            node.kids = []
        for node in self.nodes:
            if node.head == node.i:
                self.root = node.i
            else:
                self.nodes[node.head].kids.append(node.i)

    def cyclic(self) -> bool:
        """Tell whether the heads form a loop, which no mended tree may."""
        seen = [0] * len(self.nodes)
        for node in self.nodes:
            i = node.i
            while not seen[i]:
                seen[i] = node.i + 1
                if self.nodes[i].head == i:
                    break
                i = self.nodes[i].head
            else:
                if seen[i] == node.i + 1:
                    return True
        return False

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, i: int) -> Node:
        return self.nodes[i]

    @property
    def end(self) -> int:
        """The place of the final question mark, where the words end; the length where there is none."""
        return len(self.nodes) - (bool(self.nodes) and self.nodes[-1].low == "?")

    def subtree(self, i: int) -> list[int]:
        """Return the indices of i and everything below it, ascending."""
        found = self._spans.get(i)
        if found is None:
            # No recursion: a hostile question makes a tree deeper than the stack.
            found, left = [], [i]
            while left:
                node = left.pop()
                found.append(node)
                left.extend(self.nodes[node].kids)
            found.sort()
            self._spans[i] = found
        return found

    def kids(self, i: int, *deps: str) -> list[int]:
        """Return the children of i with one of the labels, in text order."""
        return [k for k in self.nodes[i].kids if self.nodes[k].dep in deps]

    def ancestors(self, i: int) -> list[int]:
        """Return the heads above i, nearest first."""
        chain = []
        while self.nodes[i].head != i:
            i = self.nodes[i].head
            chain.append(i)
        return chain

    def attach(self, i: int, head: int, dep: str) -> None:
        """Move i under `head` as `dep`, unless that closed a loop."""
        if i == head or i in self.ancestors(head):
            return
        self.nodes[i].head = head
        self.nodes[i].dep = dep
        self.link()


def parse(nlp: Language, words: Sequence[Word]) -> Doc:
    """Return the unparsed Doc of the words, with a stand-in for every atom."""
    from spacy.tokens import Doc  # noqa: PLC0415  (importing spaCy takes 0.6 s)

    spaces = [words[i + 1].space if i + 1 < len(words) else False for i in range(len(words))]
    return Doc(nlp.vocab, words=[STAND_IN if w.atom else w.stand or w.text for w in words], spaces=spaces)


def sentence(words: Sequence[Word], doc: Doc, lemmas: Lemmas | None = None) -> Sentence:
    """Return the sentence of the parsed `doc` over `words`; lemmas come from `lemmas`, or else from the Doc."""
    nodes = [
        Node(
            t.i, w, low, t.tag_, t.dep_, t.head.i, t.lemma_.lower() if lemmas is None else lemmas(low, t.tag_, w.stand)
        )
        for w, low, t in zip(words, (w.text.lower() for w in words), doc, strict=True)
    ]
    for node in nodes:
        if node.word.atom:
            node.tag = "NNP"
    parsed = Sentence(nodes, frozenset() if lemmas is None else lemmas.verbs)
    one_root(parsed)
    return parsed


def one_root(sent: Sentence) -> None:
    """Hang further roots (the parser saw several sentences) under the first; label them "split"."""
    roots = [n.i for n in sent.nodes if n.head == n.i]
    for extra in roots[1:]:
        sent.nodes[extra].head = roots[0]
        sent.nodes[extra].dep = "split"
    sent.link()
    sent.root = roots[0]
