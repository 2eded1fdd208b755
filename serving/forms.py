"""Plans, hits and results as JSON values: the same in the program, over HTTP and as tools."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..decompose import Plan
    from ..fallback import Result
    from ..retrieval import Hit, Retriever


def line(value: object) -> str:
    """Return a JSON value on one line, in Unicode, without the line's end."""
    return json.dumps(value, ensure_ascii=False)


def of_plan(plan: Plan, *, explain: bool = False) -> dict[str, Any]:
    """Return a plan; with `explain`, its explanation too, None where it was not parsed."""
    hops = [asdict(hop) for hop in plan.hops]
    form = {"question": plan.question, "kind": plan.kind, "hops": hops, "reason": plan.reason}
    return form | ({"explanation": _explanation(plan)} if explain else {})


def _explanation(plan: Plan) -> dict[str, Any] | None:
    why = plan.explanation
    if why is None:
        return None
    tree = [{"text": w.text, "tag": w.tag, "label": w.dep, "head": w.head, "name": w.name} for w in why.tree]
    attempts = [asdict(a) for a in why.attempts]
    return {"tree": tree, "names": why.names, "attempts": attempts, "bridge": why.bridge}


def of_hits(question: str, method: str, hits: Iterable[Hit], index: Retriever) -> dict[str, Any]:
    """Return the hits of a search with their passages, best first."""
    found = [(hit, index.passage(hit.id)) for hit in hits]
    rows = [
        {"id": hit.id, "score": hit.score, "rank": hit.rank, "title": passage.title, "text": passage.text}
        for hit, passage in found
    ]
    return {"question": question, "method": method, "hits": rows}


def of_result(result: Result) -> dict[str, Any]:
    """Return a result with all its fields."""
    return asdict(result)
