"""Kinship terms that take two look-ups: a paternal grandfather is the father of the father."""

from __future__ import annotations

import re
from functools import cache

from ..decompose.plan import Hop, Plan, refs_in
from .lexicon import table


@cache
def _kin() -> re.Pattern[str]:
    terms = sorted(table("kinship"), key=lambda term: (-len(term), term))
    return re.compile("|".join(rf"\b{term.replace('_', '[ -]')}\b" for term in terms), re.IGNORECASE)


def expand(plan: Plan) -> tuple[Plan, dict[int, int]]:
    """Return `plan` with a chain of look-ups for each hop that asks for such a relation.

    "Who is the paternal grandfather of X?" becomes "Who is the father of X?", "Who is the father of #1?".
    Also returned: for each hop of the result the hop of `plan` that it stands for. A plan that has none
    comes back as it is.
    """
    if any(hop.refs != refs_in(hop.text) for hop in plan.hops):
        # A single question with a "#1" of its own, which is no reference and could be taken for one beside others.
        return plan, {hop.id: hop.id for hop in plan.hops}
    hops: list[Hop] = []
    last: dict[int, int] = {}
    origin: dict[int, int] = {}
    for hop in plan.hops:
        for text in _chain(_renumbered(hop.text, last), len(hops) + 1):
            hops.append(Hop(len(hops) + 1, text, refs_in(text), hop.rule, hop.spans, hop.answer_type))
            origin[len(hops)] = hop.id
        last[hop.id] = len(hops)
    if len(hops) == len(plan.hops):
        return plan, origin
    kind = "bridge" if plan.kind == "single" else plan.kind
    return Plan(plan.question, kind, tuple(hops), plan.reason, plan.provenance), origin


def _renumbered(text: str, last: dict[int, int]) -> str:
    return re.sub(r"#(\d+)", lambda ref: f"#{last[int(ref[1])]}", text)


def _chain(text: str, first: int) -> list[str]:
    """Return the look-ups for a hop's text: itself, or two where it names such a relation of somebody."""
    kin = _kin().search(text)
    if not kin:
        return [text]
    inner, outer = table("kinship")[kin[0].lower().replace(" ", "_").replace("-", "_")]
    before, after = text[: kin.start()], text[kin.end() :]
    if of := re.match(r"\s+of\s+", after):
        return [f"{before}{inner}{after}", f"{before}{outer}{of[0]}#{first}?"]
    if re.search(r"(?:['\u2019]s?)\s+$", before):
        asked = re.match(r"\W*(?:who|what)\s+(?:is|was|are|were)\s+", before, re.IGNORECASE)
        start = asked.end() if asked else 0
        return [f"{before}{inner}{after}", f"{before[:start]}#{first}'s {outer}{after}"]
    return [text]
