"""The project's pages and the commands that they show. Run as a program it rewrites what the pages show."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

from program import program

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "corpora" / "README.md"])
# A console block holds one `$ hopsplit ...` line and all that the command prints.
CONSOLE = re.compile(r"^```console\n\$ (hopsplit .*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TIME = re.compile(r"\b[\d,.]+ (?=ms\b|s\b)")


def printed(command: str) -> str:
    """Run a command of a page in the current folder and return what it prints, both streams."""
    done = program(*shlex.split(command)[1:])
    return "\n".join(line.rstrip() for line in (done.out + done.err).splitlines()) + "\n"


def timeless(text: str) -> str:
    """Return a text without the times, which differ from run to run."""
    return _TIME.sub("N ", text)


def refresh(page: Path) -> None:
    """Put into a page what its commands print; where only the times differ, leave it."""
    text = page.read_text(encoding="utf-8")

    def shown(found: re.Match[str]) -> str:
        now = printed(found[1])
        return found[0] if timeless(now) == timeless(found[2]) else f"```console\n$ {found[1]}\n{now}```"

    page.write_text(CONSOLE.sub(shown, text), encoding="utf-8")


def refresh_rules() -> None:
    """Write the page that is made from the rules alone."""
    (ROOT / "docs" / "rules.md").write_text(program("rules", "--format", "markdown").out, encoding="utf-8")


if __name__ == "__main__":
    refresh_rules()
    for each in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            refresh(each)
