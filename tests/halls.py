"""A small collection of invented halls, people and rivers, and a scripted language model to ask about them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from decomposing import decomposer
from hopsplit.fallback import Asker, OpenAIClient, Result
from hopsplit.retrieval import Index, Passage
from llm_server import LlmServer

HALLS = [
    Passage("hall", "Glass Hall", "The Glass Hall is a market hall of 1911. Its architect was Ugo Marl."),
    Passage("marl", "Ugo Marl", "Ugo Marl came from the capital of Piedmont."),
    # What the question needs next says nothing of it: no word and no name leads there.
    Passage("turin", "Turin", "Turin lies on the Po."),
    Passage("po", "Po", "The Po rises at Monviso and ends in the Adriatic."),
    Passage("stone", "Stone Hall", "The Stone Hall was never finished. Its architect was born in an unknown town."),
    Passage("iron", "Iron Hall", "The Iron Hall stands in a town by a river. It burnt in 1840."),
    Passage("tarn", "Tarn", "The Tarn is a river that flows through a town of towers."),
    Passage("ebb", "Ebb", "The Ebb is a river that flows through no town."),
    Passage("lune", "Lune", "The Lune flows through the town where the glass works were."),
    Passage("venn", "Orla Venn", "Orla Venn was an architect, born in the town of Port Askel."),
    Passage("fair", "Great Fair", "The Great Fair was held in a hall of iron and glass."),
    Passage("works", "Glass works", "The glass works made panes for halls and bottles for the river trade."),
]

DEEP = "What river flows through the town where the architect of the Glass Hall was born?"
DEEP_HOPS = ["Who is the architect of the Glass Hall?", "In what town was #1 born?", "What river flows through #2?"]
BRIDGE = "Where was the architect of the Glass Hall born?"
UNPARSEABLE = "glass hall architect river"

# What the scripted model says.
LOOK_UPS = ["Who was the architect of the Glass Hall?", "Where did #1 come from?", "What river is #2 on?"]
PLAN = {"questions": LOOK_UPS}
YES = {"sufficient": True, "confidence": 0.9, "missing": ""}
TURIN = "On which river does Turin lie?"
ASK = {"queries": [TURIN]}


# A program in place of a reply, and the file that it would make.
MADE = "/tmp/hopsplit-was-here"  # noqa: S108
CODE = f"""```python
import os
os.system("touch {MADE}")
verdict = dict(sufficient=True, confidence=1.0, missing="")
```"""


def no(confidence: float, missing: str = "the river of Turin") -> dict[str, Any]:
    """Return a verdict that the passages do not suffice."""
    return {"sufficient": False, "confidence": confidence, "missing": missing}


def say(server: LlmServer, *replies: object, used: tuple[int, int] = (100, 10), delay: float = 0.0) -> None:
    """Queue replies: a text as it is, anything else as JSON; each with the tokens that the server counts for it."""
    for reply in replies:
        server.will_reply(reply if isinstance(reply, str) else json.dumps(reply), usage=used, delay=delay)


@cache
def index() -> Index:
    """Return the index of the collection."""
    return Index.build(HALLS)


def asker(server: LlmServer, **settings: Any) -> Asker:
    """Return an asker over the collection whose language model is behind the server."""
    return Asker(index(), llm=OpenAIClient("m", base_url=server.url), decomposer=decomposer(), **settings)


def unaided() -> Asker:
    """Return an asker over the collection without a language model."""
    return Asker(index(), decomposer=decomposer())


def ids(result: Result) -> list[str]:
    """Return the passage ids of the evidence."""
    return [item.passage.id for item in result.evidence]


def acts(result: Result) -> list[str]:
    """Return what the model was asked for, in order."""
    return [step.action for step in result.trace if step.prompt]


def further(result: Result) -> list[str]:
    """Return the queries that were searched after the model's verdict."""
    after = next((place for place, step in enumerate(result.trace) if step.action == "judge"), len(result.trace))
    return [step.text for step in result.trace[after:] if step.action == "search"]


def told(asked: dict[str, Any]) -> list[str]:
    """Return the lines that a request tells of the question, whatever a reader may take for the end of a line."""
    content: str = asked["messages"][1]["content"]
    return content.splitlines()


def shown(asked: dict[str, Any]) -> list[str]:
    """Return the titles of the passages that a request shows, in their order."""
    lines = [line for line in told(asked) if line.startswith("[")]
    assert [line.split()[0] for line in lines] == [f"[{number}]" for number in range(1, len(lines) + 1)]
    return [json.loads(line.partition(" ")[2])["title"] for line in lines]


def timeless(results: Sequence[Result]) -> list[Result]:
    """Return results without their time."""
    return [replace(result, usage=replace(result.usage, seconds=0.0)) for result in results]
