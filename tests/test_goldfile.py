"""Fixture files of decompositions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hopsplit.decompose import Hop, InputError, Plan
from hopsplit.evaluation import goldfile

PLAN = Plan(
    "Where was the author of Emma born?",
    "bridge",
    (
        Hop(1, "Who is the author of Emma?", (), "of-phrase", ()),
        Hop(2, "Where was #1 born?", (1,), "of-phrase", ()),
    ),
    "a reason",
)
RIGHT = {"id": "c1", "question": PLAN.question, "kind": "bridge", "hops": [h.text for h in PLAN.hops]}


def write(path: Path, *cases: dict[str, object]) -> Path:
    """Write cases one a line."""
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, None),
        ({"rules": ["of-phrase", "of-phrase"]}, None),
        ({"kind": "single", "hops": [PLAN.question]}, "kind bridge, expected single"),
        ({"hops": ["Who wrote Emma?", "Where was #1 born?"]}, "hops ['Who is the author of Emma?'"),
        ({"rules": ["possessive", "of-phrase"]}, "rules ['of-phrase', 'of-phrase'], expected"),
        ({"known_wrong": "why"}, "comes out right now; remove its known_wrong (why)"),
        ({"kind": "deep", "known_wrong": "why"}, None),
    ],
)
def test_differences(tmp_path: Path, change: dict[str, object], why: str | None) -> None:
    """Kind, hops and, where given, rules must be equal; a known-wrong case must be wrong."""
    cases = goldfile.read(write(tmp_path / "gold.jsonl", RIGHT | change))
    found = [difference.why for difference in goldfile.differences(cases, [PLAN])]
    assert len(found) == (why is not None)
    assert all(text.startswith(why or "") for text in found)


def test_update_rewrites_only_what_is_expected(tmp_path: Path) -> None:
    """Notes and order stay; known-wrong cases keep their aim, and lose the mark once right."""
    path = write(
        tmp_path / "gold.jsonl",
        {"id": "c1", "question": PLAN.question, "kind": "single", "hops": [], "note": "n", "rules": []},
        RIGHT | {"id": "c2", "known_wrong": "was wrong"},
        RIGHT | {"id": "c3", "kind": "deep", "known_wrong": "is wrong"},
    )
    goldfile.update(path, [PLAN, PLAN, PLAN])
    written = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert written == [
        RIGHT | {"note": "n", "rules": ["of-phrase", "of-phrase"]},
        RIGHT | {"id": "c2"},
        RIGHT | {"id": "c3", "kind": "deep", "known_wrong": "is wrong"},
    ]
    assert goldfile.differences(goldfile.read(path), [PLAN, PLAN, PLAN]) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "bridges"}, r", line 1: unknown kind 'bridges'"),
        ({"hops": "one"}, r", line 1: 'hops' must be a list of texts"),
        ({"rules": [1]}, r", line 1: 'rules' must be a list of texts"),
        ({"id": ""}, r", line 1: 'id' must be a text"),
    ],
)
def test_bad_fixtures(tmp_path: Path, change: dict[str, object], message: str) -> None:
    """Each fault is one error with the line."""
    with pytest.raises(InputError, match=message):
        goldfile.read(write(tmp_path / "gold.jsonl", RIGHT | change))


def test_ids_are_unique_and_there_are_some(tmp_path: Path) -> None:
    """A second case of the same id, and a file without cases."""
    with pytest.raises(InputError, match=r", line 2: the id 'c1' was used before"):
        goldfile.read(write(tmp_path / "gold.jsonl", RIGHT, RIGHT))
    with pytest.raises(InputError, match="no cases"):
        goldfile.read(write(tmp_path / "gold.jsonl"))
