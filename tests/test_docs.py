"""What the pages show is what the program does: every command and snippet in them is run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from pages import CONSOLE, PAGES, PYTHON, ROOT, printed, timeless

_IDS = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each page's commands in a folder of their own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=_IDS)
def test_commands_print_what_the_page_shows(page: Path) -> None:
    """In the page's order; all but the times must be equal. `make docs` rewrites what the pages show."""
    for command, shown in CONSOLE.findall(page.read_text(encoding="utf-8")):
        assert timeless(printed(command)) == timeless(shown), command


@pytest.mark.parametrize("page", PAGES, ids=_IDS)
def test_snippets_give_what_the_page_shows(page: Path) -> None:
    """Python sessions are run like doctests, those of a page one after the other."""
    problems: list[str] = []
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, snippet in enumerate(PYTHON.findall(page.read_text(encoding="utf-8"))):
        test = doctest.DocTestParser().get_doctest(snippet, names, f"snippet {number}", str(page), 0)
        assert test.examples, f"{page.name}: a snippet must be a session (>>>)"
        runner.run(test, out=problems.append, clear_globs=False)
        names = test.globs
    assert problems == []


@pytest.mark.parametrize("page", PAGES, ids=_IDS)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that is there."""
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_console_block_is_checked() -> None:
    """No block escapes the pattern, and the first page shows the two main commands and a snippet."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(CONSOLE.findall(text)) == text.count("```console\n"), page.name
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {command.split()[1] for command, _ in CONSOLE.findall(readme)} >= {"decompose", "ask"}
    assert PYTHON.search(readme)
