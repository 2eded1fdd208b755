"""What the documents show is what the program does: every command and snippet in them is run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from program import program

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
_CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ ", re.MULTILINE)
_TIME = re.compile(r"\b[\d,.]+ (?=ms|s\b)")


def commands(page: Path) -> list[tuple[str, str]]:
    """Return the commands of a page, each with the output that the page shows for it."""
    blocks = _CONSOLE.findall(page.read_text(encoding="utf-8"))
    said = [part for block in blocks for part in _COMMAND.split(block)[1:]]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in said)]


def same(text: str) -> str:
    """Return a text without what differs from run to run: times and spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in _TIME.sub("N ", text).strip().splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the page's commands in order, in one empty folder; `...` alone on a line stands for any lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    for command, shown in commands(page):
        words = shlex.split(command)
        if words[0] != "hopsplit":
            continue
        done = program(*words[1:])
        assert done.code in (0, 1), done.err
        pattern = re.escape(same(shown)).replace(r"\.\.\.", "...")
        pattern = re.sub(r"(^|\n)\.\.\.(?=\n|$)", r"\1(?s:.*)", pattern)
        assert re.fullmatch(pattern, same(done.out + done.err)), f"{command}\n{done.out}{done.err}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_snippets_give_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the page's Python sessions."""
    monkeypatch.chdir(tmp_path)
    parser, names = doctest.DocTestParser(), {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    problems: list[str] = []
    for number, snippet in enumerate(_PYTHON.findall(page.read_text(encoding="utf-8"))):
        assert ">>> " in snippet, f"{page.name}: show what the snippet prints"
        test = parser.get_doctest(snippet, names, f"{page.name}:{number}", str(page), 0)
        runner.run(test, out=problems.append, clear_globs=False)
        names = test.globs
    assert problems == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that is there."""
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_shows_the_program() -> None:
    """The checks above have something to check."""
    shown = [command.split()[1] for command, _ in commands(ROOT / "README.md")]
    assert {"decompose", "ask"} <= set(shown)
