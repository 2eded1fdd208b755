"""The plan of a question: its kind and its hops. The only thing that leaves this package."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from .explain import Explanation  # at run time too: who reads the types of a plan, for a schema, finds it

if TYPE_CHECKING:
    import networkx

Kind = Literal["single", "bridge", "comparison", "bridge_comparison", "intersection", "deep", "unparseable"]
AnswerType = Literal["person", "place", "date", "number", "thing"]

KINDS: tuple[Kind, ...] = get_args(Kind)
ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)

_REF = re.compile(r"#(\d+)")
# Kinds whose every hop but the last must be used by a later one.
_CHAINED = frozenset({"bridge", "bridge_comparison", "deep"})


class InputError(ValueError):
    """Bad input from outside. The message names the input and the mend; the program prints it and exits 2."""


def refs_in(text: str) -> tuple[int, ...]:
    """Return the hop numbers that `text` refers to with ``#n``, each once, ascending."""
    return tuple(sorted({int(n) for n in _REF.findall(text)}))


@dataclass(frozen=True, slots=True)
class Hop:
    """One look-up of a plan.

    id: 1-based place in the plan.
    text: the question to look up; ``#n`` stands for the answer of hop n (QDMR, Wolfson et al. 2020;
        MuSiQue, Trivedi et al. 2022).
    refs: the hops that `text` refers to, ascending.
    rule: name of the rule that made the hop.
    spans: half-open character offsets into the question as the user gave it, ascending, of the words that
        the hop took over.
    answer_type: what the answer is, or None where the question does not tell.
    """

    id: int
    text: str
    refs: tuple[int, ...]
    rule: str
    spans: tuple[tuple[int, int], ...]
    answer_type: AnswerType | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is answered: `kind`, `hops` in dependency order, and the `reason` for both.

    `provenance` names the program's and the model's versions that made it; `explanation` is there where it was
    asked for, and takes no part in equality. A single question has one hop,
    the question itself; an unparseable one has none.

    Raises ValueError where a hop refers forward or to itself, where ids are not 1..n, or where a hop of a
    chained kind is not used by a later one.
    """

    question: str
    kind: Kind
    hops: tuple[Hop, ...]
    reason: str
    provenance: str = ""
    explanation: Explanation | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind {self.kind!r}; the kinds are {', '.join(KINDS)}")
        if bool(self.hops) == (self.kind == "unparseable"):
            raise ValueError(f"a plan of kind {self.kind} cannot have {len(self.hops)} hops")
        for number, hop in enumerate(self.hops, 1):
            self._check(number, hop)
        if self.kind in _CHAINED:
            used = {ref for hop in self.hops for ref in hop.refs}
            # Both ends of a bridge comparison stay open: its last hops are compared by the reader.
            needed = {hop.id for hop in self.hops[:-1]} if self.kind != "bridge_comparison" else used
            if needed - used:
                raise ValueError(f"hop {min(needed - used)} is not used by a later hop")

    def _check(self, number: int, hop: Hop) -> None:
        if hop.id != number:
            raise ValueError(f"hop {number} has the id {hop.id}")
        # A question may hold a "#1" of its own: then it is not split, and that is no reference.
        own = self.kind == "single" and not hop.refs
        if hop.refs != refs_in(hop.text) and not own:
            raise ValueError(f"hop {number} says refs {hop.refs}, its text {refs_in(hop.text)}")
        if any(not 0 < ref < number for ref in hop.refs):
            raise ValueError(f"hop {number} refers to {hop.refs}; only earlier hops can be referred to")
        if any(not 0 <= start < end <= len(self.question) for start, end in hop.spans):
            raise ValueError(f"hop {number} has spans {hop.spans} outside of the question")

    def graph(self) -> networkx.DiGraph[int]:
        """Return the hops as a networkx DiGraph: node = hop id (attribute `hop`), edge = answer flows along."""
        import networkx as nx  # noqa: PLC0415  (0.2 s, and few callers want the graph)

        graph: networkx.DiGraph[int] = nx.DiGraph()
        for hop in self.hops:
            graph.add_node(hop.id, hop=hop)
            graph.add_edges_from((ref, hop.id) for ref in hop.refs)
        return graph
