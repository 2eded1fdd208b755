"""The command `report` on a small data set: the same twice, whole, and without a trace of where it was made."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from films import FILMS
from hopsplit.evaluation.tables import costs
from program import program
from sets import beir

QUESTIONS = {
    "q1": ("When did the director of film The Paper Gate die?", "bridge", ("gate", "venn")),
    "q2": ("Where was the director of The Salt Road born?", "bridge", ("road", "korda")),
    "q3": ("Where is the lighthouse of Port Askel?", "single", ("askel",)),
}
METHODS = ("--method", "rarag,hybrid,bm25")
TIMES = costs([])[0][-3:]  # the columns of a table that hold times


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data set in a folder whose name nobody else has."""
    rows = ({"_id": p.id, "title": p.title, "text": p.text} for p in FILMS)
    queries = ({"_id": i, "text": text, "metadata": {"type": kind}} for i, (text, kind, _) in QUESTIONS.items())
    qrels = (f"{i}\t{passage}\t1\n" for i, (_, _, gold) in QUESTIONS.items() for passage in gold)
    return beir(
        tmp_path_factory.mktemp("home-of-kilroy") / "silent films (old)",
        corpus="".join(json.dumps(row) + "\n" for row in rows),
        queries="".join(json.dumps(row) + "\n" for row in queries),
        qrels="query-id\tcorpus-id\tscore\n" + "".join(qrels),
    )


@pytest.fixture(scope="module")
def out(films: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a report made in this process, which was not there before."""
    out = tmp_path_factory.mktemp("out") / "kilroy" / "docs"
    done = program("report", films, "--out", out, *METHODS)
    assert (done.code, done.out, done.err) == (0, "", f"wrote {out / 'results.md'}\n")
    return out


def timeless(page: str) -> list[str]:
    """Return the lines of a page without the cells that hold times: those columns, and what the last table tells."""
    lines, hidden = [], 0
    for line in page.partition("## Time\n")[0].splitlines():
        cells = line.rstrip("| ").split(" | ")
        if cells[-1] == TIMES[-1]:
            hidden = len(TIMES)
        elif not line.startswith("|"):
            hidden = 0
        lines.append(" | ".join(cells[: len(cells) - hidden]))
    return lines


def test_twice_the_same(films: Path, out: Path, tmp_path: Path) -> None:
    """In another process with another hash seed and folder: pictures of recall to the byte, the page but for times."""
    command = [sys.executable, "-m", "hopsplit.cli", "report", str(films), "--out", "again", *METHODS]
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    again = tmp_path / "again"
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    assert names == ["latency.svg", "recall-silent-films-old-.svg", "results.md", "size.svg"]
    assert (again / names[1]).read_bytes() == (out / names[1]).read_bytes()
    one, other = ((folder / "results.md").read_text(encoding="utf-8") for folder in (out, again))
    assert timeless(one) == timeless(other)
    # What a method gave and spent stays to be compared; 5 of 36 passages were gold.
    assert [line for line in timeless(one) if line.startswith("| rarag | 12.0 |")] == [
        "| rarag | 12.0 | 13.9 | 356 | 0.00 | 0"
    ]


def test_links_and_traces(films: Path, out: Path) -> None:
    """Every picture is linked, every link leads to one; no path, and no name of a folder above, is told."""
    page = (out / "results.md").read_text(encoding="utf-8")
    links = re.findall(r"!\[[^\]]+\]\(([^)\s]+)\)", page)
    assert len(links) == page.count("](") == 3
    assert sorted(links) == sorted(path.name for path in out.iterdir() if path.suffix == ".svg")
    for path in out.iterdir():
        text = path.read_text(encoding="utf-8")
        for told in ("kilroy", str(films.parent), str(Path.home()) + "/", str(Path.cwd())):
            assert told not in text, path.name
    for link in links:
        assert (out / link).read_text(encoding="utf-8").startswith("<?xml")


def test_the_page(out: Path) -> None:
    """What it was made by, the definitions, a table for each method, the differences, the cost of growing parts."""
    lines = (out / "results.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Results"
    assert lines[2].startswith("Written by `hopsplit report silent-films-old- --out DIR --split dev --method rarag,")
    assert any(line.startswith("- R@k: share of a question's gold") for line in lines)
    assert "## silent films (old) dev" in lines
    for name in ("**rarag**", "**hybrid**", "**bm25**"):
        head = lines.index(name) + 2
        assert lines[head].startswith("| type | n | R@2 | R@5 | R@10 | R@20 | all@2 ")
        assert [line.split(" | ")[0] for line in lines[head + 2 : head + 5]] == ["| bridge", "| single", "| all"]
    rarag = lines[lines.index("**rarag**") + 6]
    # In the films of the fixtures the first two passages are the gold of each question.
    assert rarag.startswith("| all | 3 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 |")
    assert [line.split(" | ")[0] for line in lines if line.startswith("| rarag | R@")] == ["| rarag"] * 4
    assert not any(line.startswith("| hybrid | R@") for line in lines)
    sizes = [line.split(" | ")[0] for line in lines[lines.index("## Time") :] if line.startswith("| ")]
    assert sizes == ["| passages", *(f"| {size}" for size in (1, 2, 3, 6, 12))]


def test_pictures_as_png(films: Path, tmp_path: Path) -> None:
    """The other form, linked as such; equal twice as well."""
    for name in ("one", "two"):
        assert program("report", films, "--out", tmp_path / name, "--method", "hybrid", "--pictures", "png").code == 0
    pictures = [(tmp_path / name / "recall-silent-films-old-.png").read_bytes() for name in ("one", "two")]
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"\x89PNG\r\n\x1a\n")
    page = (tmp_path / "one" / "results.md").read_text(encoding="utf-8")
    assert page.count(".png)") == 3
    assert "Differences from" not in page  # there is one method


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("company", "--method", "bm25"), "--against 'hybrid' is not among the methods; add it to --method"),
        (("company", "--method", "rag"), "there is no method 'rag'"),
        (("company", "--split", "test"), "test.tsv: No such file"),
        (("company", "gone"), "gone: no such folder or file; name a data set"),
        (("company", "company"), "two data sets are called 'company'; give one of them another name"),
        (("company", "--pictures", "gif"), "'gif' is not one of 'svg', 'png'"),
        (("company", "--method", "hybrid,chain-of-query"), "chain-of-query needs a language model"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    """In one line, before anything is written."""
    done = program("report", *arguments, "--out", tmp_path / "out")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert not list(tmp_path.glob("out/*"))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A file is there, or above; the error names the mend."""
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for out in (tmp_path / "file", tmp_path / "file" / "docs"):
        done = program("report", "company", "--out", out)
        assert (done.code, done.out) == (2, "")
        assert f"{out}: " in done.err
        assert "name a folder that can be written" in done.err
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named before anything is measured; `eval` does without it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    done = program("report", "company", "--out", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert "pip install matplotlib (from a checkout: pip install '.[plots]')" in done.err
    assert list(tmp_path.iterdir()) == []
    assert program("eval", "company", "--method", "bm25").code == 0
