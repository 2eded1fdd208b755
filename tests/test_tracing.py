"""How a question's steps are shown: as a tree on standard output, and as JSON lines in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hopsplit.cli.tracing import check_trace, save_trace, write_trace
from hopsplit.decompose import InputError, Plan
from hopsplit.fallback import Result, Step, Usage

QUESTION = "Where was the architect of the Glass Hall born?"
IDS = ("p1", "p2", "p3", "p4", "p5", "p6", "p7")
RULES = (
    Step("search", QUESTION, "", IDS[:2]),
    Step("search", "Who is the architect?", "", IDS),
    Step("bridge", "#1", "Ugo Marl (p1)"),
)
MODEL = (
    Step("failed", "", "status 500: busy", (), "decompose@1", 0, 0, 0.25),
    Step("retry", QUESTION, "no JSON object in it", (), "decompose@1", 100, 10, 0.5),
    Step("plan", QUESTION, "Who? | Where was #1 born?", (), "decompose@1", 1200, 10, 1.0),
    Step("search", "Who?", "", IDS[:1]),
    Step("judge", QUESTION, "not sufficient, confidence 0.30, missing: a town", (), "judge@2", 100, 10, 0.1),
    Step("ask", "a town", "Ugo Marl [bold]birth", (), "follow_up@3", 100, 10, 0.1),
    Step("search", "Ugo Marl [bold]birth", ""),
    Step("answer", QUESTION, "T\x1b[31murin", (), "answer@4", 100, 10, 0.1),
)


def result(*steps: Step) -> Result:
    """Return a result that came about in these steps."""
    plan = Plan(QUESTION, "unparseable", (), "", "")
    usage = Usage(4, 6, 1600, 50, 0.0, 2.0)
    return Result(
        QUESTION, plan, "chain", "deep: beyond the rules", (), (), 0.5, None, None, usage, "budget:hops", steps
    )


def test_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    """Searches below the rules or the call that they are for; no call repeats the question; nothing in it is obeyed."""
    write_trace(result(*RULES, *MODEL))
    assert capsys.readouterr().out == (
        "chain: deep: beyond the rules\n"
        "├── rules: 2 searches\n"
        f"│   ├── search {QUESTION} -> p1, p2\n"
        "│   ├── search Who is the architect? -> p1, p2, p3, p4, p5 and 2 more\n"
        "│   └── bridge #1 -> Ugo Marl (p1)\n"
        "├── failed -> status 500: busy [decompose@1, 0.25 s]\n"
        "├── retry -> no JSON object in it [decompose@1, 100 + 10 tokens, 0.50 s]\n"
        "├── plan -> Who? | Where was #1 born? [decompose@1, 1,200 + 10 tokens, 1.00 s]\n"
        "│   └── search Who? -> p1\n"
        "├── judge -> not sufficient, confidence 0.30, missing: a town [judge@2, 100 + 10 tokens, 0.10 s]\n"
        "├── ask a town -> Ugo Marl [bold]birth [follow_up@3, 100 + 10 tokens, 0.10 s]\n"
        "│   └── search Ugo Marl [bold]birth\n"
        "└── answer -> T\N{REPLACEMENT CHARACTER}[31murin [answer@4, 100 + 10 tokens, 0.10 s]\n"
    )


def test_the_tree_without_a_language_model(capsys: pytest.CaptureFixture[str]) -> None:
    """One branch."""
    write_trace(result(RULES[0]))
    assert capsys.readouterr().out.splitlines() == [
        "chain: deep: beyond the rules",
        "└── rules: 1 search",
        f"    └── search {QUESTION} -> p1, p2",
    ]


def test_a_terminal_is_not_overrun(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are broken at its width, the branches go on beside them; without colours where they are not wanted."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    write_trace(result(*RULES))
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "chain: deep: beyond the rules",
        "└── rules: 2 searches",
        "    ├── search Where was the architect",
        "    │   of the Glass Hall born? -> p1,",
        "    │   p2",
        "    ├── search Who is the architect? ->",
        "    │   p1, p2, p3, p4, p5 and 2 more",
        "    └── bridge #1 -> Ugo Marl (p1)",
    ]


def test_the_file(tmp_path: Path) -> None:
    """Each step a line with its number, and what came of it all; what the file held before is gone."""
    path = tmp_path / "trace.jsonl"
    path.write_text("old\n" * 100, encoding="utf-8")
    save_trace(result(RULES[2], Step("judge", "Où?", "sufficient", (), "judge@2", 100, 10, 0.5)), path)
    text = path.read_text(encoding="utf-8")
    assert '"Où?"' in text
    nothing = {"hits": [], "prompt": "", "prompt_tokens": 0, "completion_tokens": 0, "seconds": 0.0}
    judged = {"hits": [], "prompt": "judge@2", "prompt_tokens": 100, "completion_tokens": 10, "seconds": 0.5}
    used = {"searches": 4, "llm_calls": 6, "prompt_tokens": 1600, "completion_tokens": 50, "cost_usd": 0.0}
    end = {"route": "chain", "reason": "deep: beyond the rules", "usage": used | {"seconds": 2.0}}
    assert [json.loads(line) for line in text.splitlines()] == [
        {"step": 1, "action": "bridge", "text": "#1", "outcome": "Ugo Marl (p1)"} | nothing,
        {"step": 2, "action": "judge", "text": "Où?", "outcome": "sufficient"} | judged,
        {"step": 3, "action": "end", "text": QUESTION, "outcome": "budget:hops"} | end,
    ]


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """Found before the work and after it; one that can is left as it is by the first."""
    said = "Is a directory; name a file for the trace"
    for act in (lambda: check_trace(tmp_path), lambda: save_trace(result(), tmp_path)):
        with pytest.raises(InputError) as raised:
            act()
        assert str(raised.value) == f"{tmp_path}: {said}"
    kept = tmp_path / "kept"
    kept.write_text("old", encoding="utf-8")
    check_trace(kept)
    assert kept.read_text(encoding="utf-8") == "old"
