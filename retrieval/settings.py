"""Settings of the search schemes. The defaults were measured; docs/multihop.md says how."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CandidateWeights:
    """What speaks for a name being the answer of a hop, in shares of the question (see `Coverage`).

    near: a word of the hop, or one that goes with it, stands next to the name (halved at `reach` words away).
    titled: another passage has the name for its title. digits: taken off a number that nobody asked for. kind:
    the name is of the kind asked for; taken off where it is not.
    """

    near: float = 0.12
    reach: float = 3.0
    titled: float = 0.1
    digits: float = 0.1
    kind: float = 0.05


@dataclass(frozen=True, slots=True)
class ExecutorSettings:
    """How far the executor looks and how it weighs what it finds.

    Numbers of things: pool: hits of the question. first: hits of a hop that refers to none. named: hits of a
    hop with a name filled in. evidence: passages of a hop whose names are tried; candidates: names tried of
    each. searches: named searches of a hop. beam: partial paths kept. titles: passages taken because a text
    names them. seeds: hits of the question whose mentions are followed. every: places of
    which one is for a hit of the question, see `ranking.guarded`. cache: passages kept as read.

    Weights, in shares of the question: title: a passage is named in the text searched for (halved where the
    name filled in is the subject). union, split: the question covered by the path as a whole, each hop
    covered by its own passage. link: the passage's title is the name filled in. text_link: the passage
    mentions it. mention: of two passages one mentions the other's title.

    Factors: later: of a path's score for each step behind the first. other: for passages that
    are not on the best path of their part, in plans of several parts. mentioned: of a pair's score for the
    passage that was found by mention. own: a part of the plan of whose words the question has less than this share
    counts for less, in proportion: it may be another question's. power, open_share, hit_share: see `ranking.merge`.
    """

    pool: int = 30
    first: int = 20
    named: int = 8
    evidence: int = 4
    candidates: int = 8
    searches: int = 8
    beam: int = 40
    titles: int = 4
    seeds: int = 8
    every: int = 5
    cache: int = 2048
    title: float = 0.5
    union: float = 0.5
    split: float = 0.5
    link: float = 0.05
    text_link: float = 0.25
    mention: float = 0.1
    later: float = 0.97
    other: float = 0.9
    mentioned: float = 0.9
    power: float = 4.0
    own: float = 0.5
    open_share: float = 0.8
    hit_share: float = 0.15
    candidate: CandidateWeights = field(default_factory=CandidateWeights)
