"""The figures of the README and of the page of measures are those of the page that `hopsplit report` wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results.md"
# The data sets as the README calls them and as their folders are called; its rows and the methods that they are of.
SETS = {"2WikiMultiHopQA": "2wiki", "MuSiQue": "musique", "HotpotQA": "hotpotqa"}
METHODS = {"hopsplit": "rarag", "one search, BM25 and TF-IDF": "hybrid", "one search, BM25": "bm25"}


def section(page: Path, heading: str) -> str:
    """Return what stands below a heading of the second level, up to the next; "" where there is none."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def table(text: str) -> Iterator[dict[str, str]]:
    """Yield the rows of the first Markdown table of a text: cells by the names of their columns, without stars."""
    found = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert found, "there is no table"
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in found[0].replace("*", "").splitlines()
    ]
    yield from (dict(zip(head, row, strict=True)) for row in rows)


def result(name: str, method: str) -> dict[str, str]:
    """Return the row of all questions of a method on a data set."""
    text = section(RESULTS, f"{name} dev").partition(f"**{method}**\n")[2]
    (row,) = (row for row in table(text) if row["type"] == "all")
    return row


@pytest.mark.parametrize("row", METHODS)
def test_the_figures_of_the_readme(row: str) -> None:
    """Gold passages among the first five, and questions with all of them there, of each data set."""
    (cells,) = (cells for cells in table(section(ROOT / "README.md", "Measured")) if cells[""] == row)
    for called, name in SETS.items():
        found = result(name, METHODS[row])
        assert [float(value) for value in cells[called].split("/")] == [float(found["R@5"]), float(found["all@5"])]


def test_no_row_of_the_readme_goes_unchecked() -> None:
    """Its table has these rows and data sets, and no others."""
    rows = list(table(section(ROOT / "README.md", "Measured")))
    assert [row.pop("") for row in rows] == list(METHODS)
    assert all(list(row) == list(SETS) for row in rows)


def test_the_data_sets_of_the_page_of_measures() -> None:
    """How many questions and passages, and the beginning of the hash, are those that were measured."""
    rows = list(table(section(ROOT / "docs" / "measures.md", "The data sets of the results")))
    assert [row["set"].partition(" ")[0] for row in rows] == list(SETS)
    for row, name in zip(rows, SETS.values(), strict=True):
        assert row["questions"] == result(name, "rarag")["n"]
        told = re.search(r"^([\d,]+) passages, sha256 (\w+)$", section(RESULTS, f"{name} dev"), re.MULTILINE)
        assert told
        assert row["passages"] == told[1]
        assert told[2].startswith(row["SHA-256 begins"].strip("`"))
