"""From rankings to tables, with values worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hopsplit.evaluation import Ranked, Report, corpus_hash, load, report, tables, tokens_of
from hopsplit.evaluation.report import ALL, Row, missing, percentile
from hopsplit.evaluation.results import Evaluated, as_json, markdown, text
from hopsplit.evaluation.tables import markdown as markdown_table
from hopsplit.retrieval import Passage
from sets import QRELS, beir

PASSAGES = [
    Passage("p1", "A", "a"),  # with the line between them 3 bytes
    Passage("p2", "", "12345678901"),  # 12 bytes
    Passage("p3", "Ää", "ä"),  # 7 bytes
]
KS = (1, 2, 5)


@pytest.fixture
def measured(tmp_path: Path) -> Evaluated:
    """Return two methods measured on three questions, of which the last is of no type."""
    dataset = load(beir(tmp_path / "set", qrels=QRELS + "q3\tp1\t1\n"), "dev")
    found = [
        Ranked("q1", (("p1", 2.0), ("p7", 1.5), ("p2", 1.0)), 1, 30, 0.5),
        Ranked("q2", (("p2", 1.0),), 2, 60, 0.1),
    ]
    other = [Ranked("q3", (("p1", 1.0),), None, None, None)]
    reports = [report(name, dataset, given, tokens_of(PASSAGES), KS) for name, given in (("a|b", found), ("c", other))]
    return Evaluated(dataset, PASSAGES, reports, "c")


def test_rows(measured: Evaluated) -> None:
    """One row a type and one for all; no ranking counts as nothing found at no cost."""
    bridge, single, everything = measured.reports[0].rows
    assert bridge == Row(
        type="bridge",
        questions=1,
        recall=(1 / 2, 1 / 2, 1.0),
        all_gold=(0.0, 0.0, 1.0),
        ndcg=pytest.approx((1 + 0.5) / (1 + 0.63093), abs=1e-5),  # at ranks 1 and 3, ideal 1 and 2
        mrr=1.0,
        passages=3.0,
        precision=pytest.approx(2 / 3),
        read=2.0 + 5.0,  # p7 is not in the collection
        llm_calls=1.0,
        llm_tokens=30.0,
        median_ms=500.0,
        p95_ms=500.0,
        per_second=2.0,
    )
    assert (single.type, single.recall, single.mrr, single.precision) == ("single", (0.0, 0.0, 0.0), 0.0, 0.0)
    assert (everything.type, everything.questions) == (ALL, 3)
    assert everything.recall == pytest.approx((1 / 6, 1 / 6, 1 / 3))
    assert everything.all_gold == pytest.approx((0, 0, 1 / 3))
    assert everything.mrr == pytest.approx(1 / 3)
    assert everything.passages == pytest.approx((3 + 1 + 0) / 3)
    assert everything.precision == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert everything.read == pytest.approx((7 + 5 + 0) / 3)
    assert (everything.llm_calls, everything.llm_tokens) == (1.0, 30.0)
    assert (everything.median_ms, everything.p95_ms) == (100.0, 500.0)
    assert everything.per_second == pytest.approx(3 / 0.6)


def test_what_is_not_known_of_one_question_is_not_known_of_all(measured: Evaluated) -> None:
    """No mean of a part: calls, tokens and times are None, in the row of all and in none that does without them."""
    bridge, _, everything = measured.reports[1].rows
    assert (bridge.llm_calls, bridge.llm_tokens, bridge.median_ms) == (0.0, 0.0, 0.0)
    assert bridge.per_second is None  # nothing was asked, so there is no pace
    costs = ("llm_calls", "llm_tokens", "median_ms", "p95_ms", "per_second")
    assert [getattr(everything, name) for name in costs] == [None] * len(costs)
    assert everything.mrr == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        # The worked example of the nearest-rank method: ranks 1.5, 2, 2.5, 5 of five, rounded up.
        ((15, 20, 35, 40, 50), 30, 20),
        ((15, 20, 35, 40, 50), 40, 20),
        ((15, 20, 35, 40, 50), 50, 35),
        ((50, 15, 40, 20, 35), 100, 50),
        (range(1, 21), 95, 19),
        (range(1, 22), 95, 20),  # rank 19.95
        ((7,), 95, 7),
    ],
)
def test_percentiles(values: tuple[float, ...], share: int, expected: float) -> None:
    """Nearest rank: always one of the values."""
    assert percentile(values, share) == expected


def test_tokens() -> None:
    """One for three UTF-8 bytes of title, line break and text, rounded down, and one more."""
    assert tokens_of(PASSAGES) == {"p1": 2, "p2": 5, "p3": 3}


def test_the_corpus_hash_forgets_the_order() -> None:
    """Shuffled passages have the same hash; another title, another hash."""
    one, two = Passage("a", "T", "x"), Passage("b", "", "y")
    assert corpus_hash([one, two]) == corpus_hash([two, one])
    assert corpus_hash([one]) != corpus_hash([Passage("a", "", "x")])
    # printf '["b", "", "y"]\n' | sha256sum
    assert corpus_hash([two]).startswith("deea3a2f0df66aa7")


def test_gold_that_is_not_there(measured: Evaluated) -> None:
    """Counted once each, and said in every form."""
    few = replace(measured, passages=PASSAGES[1:2])
    assert (missing(few.dataset, few.passages), missing(measured.dataset, measured.passages)) == (2, 0)
    said = "2 gold passages not in the collection; no method can find what is not there"
    assert said in text(few)
    assert said in markdown(few)
    assert as_json(few)["gold_lost"] == 2
    assert not any("not in the collection" in line for line in text(measured))


def test_text(measured: Evaluated) -> None:
    """Names to the left, figures to the right, columns as wide as the widest cell, - for what is not known."""
    lines = list(text(measured))
    assert lines[:6] == [
        "set dev, a|b",
        "type   n  R@1  R@2  R@5 all@1 all@2 all@5 nDCG@10  MRR",
        "bridge 1 50.0 50.0  100   0.0   0.0   100    92.0  100",
        "single 1  0.0  0.0  0.0   0.0   0.0   0.0     0.0  0.0",
        "all    3 16.7 16.7 33.3   0.0   0.0  33.3    30.7 33.3",
        "",
    ]
    start = lines.index("method passages precision read calls LLM tokens    ms p95 ms a second")
    assert lines[start + 1 : start + 4] == [
        "a|b         1.3      22.2    4  1.00         30 100.0  500.0        5",
        "c           0.3      33.3    1     -          -     -      -        -",
        "",
    ]
    # Question by question the values of R@1 are 0.5, 0, 0 and 0, 0, 1: two differ, so every change of sign is as far.
    assert lines[start + 4].split() == ["minus", "c", "measure", "difference", "95%", "interval", "p"]
    assert lines[start + 5].split()[:3] == ["a|b", "R@1", "-16.7"]
    assert len([line for line in lines if line.startswith("a|b  ")]) == 1 + 7


def test_no_comparison_without_another_method(measured: Evaluated) -> None:
    """Neither a heading nor a table."""
    alone = replace(measured, reports=measured.reports[1:])
    for lines in (text(alone), markdown(alone)):
        assert not any("minus" in line or "Differences" in line for line in lines)
    assert as_json(alone)["comparisons"] == []


def test_nothing_has_no_sign() -> None:
    """What rounds to nothing is +0.0, from above and from below."""
    from hopsplit.evaluation import Comparison

    rows = tables.comparisons("b", [("a", "R@1", Comparison(-0.0001, -0.0004, 0.0004, 0.98765))])
    assert rows[1] == ["a", "R@1", "+0.0", "+0.0 to +0.0", "0.9877"]


def read_markdown(lines: list[str]) -> list[list[str]]:
    """Read a Markdown table back, without the line below its head."""
    rows = [line.replace("\\|", "\0").strip("|").split("|") for line in lines]
    return [[cell.strip().replace("\0", "|") for cell in row] for row in (rows[0], *rows[2:])]


def test_markdown_reads_back(measured: Evaluated) -> None:
    """The cells are those of the table; a bar in a name is no border; figures stand to the right."""
    for cells in (
        *map(tables.quality, measured.reports),
        tables.costs(measured.reports),
        tables.comparisons("c", measured.comparisons),
    ):
        lines = tables.markdown(cells)
        assert read_markdown(lines) == cells
        assert lines[1] == "|---" + "|--:" * (len(cells[0]) - 1) + "|"
    page = list(markdown(measured, 3))
    assert page[:3] == ["### set dev", "", "**a|b**"]
    assert "Differences from c, question by question:" in page


def test_csv_reads_back(measured: Evaluated) -> None:
    """Every row of every method to the last digit; what is not known is empty."""
    read = list(csv.DictReader(io.StringIO(tables.as_csv(measured.reports))))
    rows = [(each, row) for each in measured.reports for row in each.rows]
    assert len(read) == len(rows) == 6
    for found, (each, row) in zip(read, rows, strict=True):
        assert (found["method"], found["type"], found["questions"]) == (each.method, row.type, str(row.questions))
        for name, values in (("recall", row.recall), ("all_gold", row.all_gold)):
            assert tuple(float(found[f"{name}@{k}"]) for k in KS) == values
        for name in ("ndcg", "mrr", "passages", "precision", "read", "llm_calls", "llm_tokens"):
            value = getattr(row, name)
            assert found[name] == ("" if value is None else str(value)), name
    assert [found["per_second"] for found in read] == ["2.0", "10.0", "5.0", "", "", ""]


def test_json(measured: Evaluated) -> None:
    """All of it, shares by k; what was measured and with what."""
    found = json.loads(json.dumps(as_json(measured)))
    assert (found["dataset"], found["split"], found["passages"], found["gold_lost"]) == ("set", "dev", 3, 0)
    assert found["sha256"] == corpus_hash(PASSAGES)
    assert found["versions"]["hopsplit"].startswith("hopsplit ")
    assert set(found["versions"]) > {"spacy", "bm25s", "ir-measures"}
    assert (found["settings"]["index"]["k1"], found["settings"]["executor"]["pool"]) == (1.5, 30)
    row = found["methods"][0]["rows"][0]
    assert (row["type"], row["recall"], row["all_gold"]) == (
        "bridge",
        {"1": 0.5, "2": 0.5, "5": 1.0},
        {"1": 0.0, "2": 0.0, "5": 1.0},
    )
    assert row["seconds"] == pytest.approx(0.5)  # one question at two a second
    assert [one["measure"] for one in found["comparisons"]] == [
        *("R@1", "all@1", "R@2", "all@2", "R@5", "all@5"),
        "nDCG@10",
    ]
    assert found["comparisons"][0] | {"low": 0, "high": 0} == {
        "method": "a|b",
        "measure": "R@1",
        "difference": pytest.approx(-1 / 6),
        "low": 0,
        "high": 0,
        "p": 1.0,
    }
    assert "comparisons" not in as_json(replace(measured, against=""))


def test_equal_input_gives_equal_reports(measured: Evaluated) -> None:
    """In whatever order the rankings come."""
    given = list(measured.reports[0].ranked.values())
    again: Report = report("a|b", measured.dataset, reversed(given), tokens_of(reversed(PASSAGES)), KS)
    assert (again.rows, again.each) == (measured.reports[0].rows, measured.reports[0].each)


def test_cells_that_mean_more_elsewhere() -> None:
    """Bars, backslashes and marks of Markdown are taken for themselves; lines and colours are left out."""
    head, _, row = markdown_table([["a"], ["|\\| [x](y) `z`\n# b\x1b[31m"]])
    assert head == "| a |"
    assert row == "| \\|\\\\\\| \\[x\\](y) \\`z\\` # b \\[31m |"
