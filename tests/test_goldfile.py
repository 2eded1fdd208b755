"""Fixture files of decompositions, in both forms; and the command that compares them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from decomposing import GOLD, ROOT, decomposer
from hopsplit.decompose import Hop, InputError, Plan
from hopsplit.evaluation import goldfile
from program import program

PLAN = Plan(
    "Where was the author of Emma born?",
    "bridge",
    (
        Hop(1, "Who is the author of Emma?", (), "of_relation", ()),
        Hop(2, "Where was #1 born?", (1,), "final", ()),
    ),
    "a reason",
)
RIGHT = {"id": "c1", "question": PLAN.question, "kind": "bridge", "hops": [h.text for h in PLAN.hops]}
TEXT = """\
Where was the author of Emma born?
  bridge: one entity must be found first: of_relation
  #1 Who is the author of Emma?  [of_relation]
  #2 Where was #1 born?          [final]
"""


def write(path: Path, *cases: dict[str, object]) -> Path:
    """Write cases one a line."""
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return path


def updated(path: Path, before: str, *plans: Plan) -> str:
    """Write a file, update it after the plans, and return what it holds then."""
    path.write_bytes(before.encode())
    goldfile.update(path, goldfile.differences(goldfile.read(path), plans))
    assert goldfile.differences(goldfile.read(path), plans) == []
    return path.read_bytes().decode()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, None),
        ({"rules": ["of_relation", "final"]}, None),
        ({"rules": ["of_relation", ""]}, None),
        ({"kind": "single", "hops": [PLAN.question]}, "kind bridge, expected single"),
        ({"hops": ["Who wrote Emma?", "Where was #1 born?"]}, "hops ['Who is the author of Emma?'"),
        ({"rules": ["possessive", "final"]}, "rules ['of_relation', 'final'], expected"),
        ({"known_wrong": "why"}, "comes out right now; take its known-wrong mark off (why)"),
        ({"kind": "deep", "known_wrong": "why"}, None),
    ],
)
def test_differences(tmp_path: Path, change: dict[str, object], why: str | None) -> None:
    """Kind, hops and, where given, rules must be equal; a known-wrong case must be wrong."""
    cases = goldfile.read(write(tmp_path / "gold.jsonl", RIGHT | change))
    found = [difference.why for difference in goldfile.differences(cases, [PLAN])]
    assert len(found) == (why is not None)
    assert all(text.startswith(why or "") for text in found)


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            {"kind": "single", "hops": [PLAN.question]},
            [
                "kind bridge, expected single",
                "reason: a reason",
                "- #1 Where was the author of Emma born?",
                "+ #1 Who is the author of Emma?",
                "+ #2 Where was #1 born?",
            ],
        ),
        (
            {"hops": ["Who is the author of Emma?", "Where is #1 from?", "Where is #2?"]},
            [
                "hops that differ: 2, 3",
                "reason: a reason",
                "  #1 Who is the author of Emma?",
                "- #2 Where is #1 from?",
                "+ #2 Where was #1 born?",
                "- #3 Where is #2?",
            ],
        ),
        (
            {"rules": ["possessive", "final"]},
            [
                "hops that differ: 1",
                "reason: a reason",
                "- #1 Who is the author of Emma?  [possessive]",
                "+ #1 Who is the author of Emma?  [of_relation]",
                "  #2 Where was #1 born?  [final]",
            ],
        ),
        ({"known_wrong": "why"}, ["comes out right now; take its known-wrong mark off (why)"]),
    ],
)
def test_a_difference_is_shown_hop_by_hop(tmp_path: Path, change: dict[str, object], lines: list[str]) -> None:
    """What is expected stands beside what came, hops that agree without a mark, rules where the case names some."""
    cases = goldfile.read(write(tmp_path / "gold.jsonl", RIGHT | change))
    (difference,) = goldfile.differences(cases, [PLAN])
    assert list(difference.lines()) == lines


def test_what_the_program_prints_is_a_fixture(tmp_path: Path) -> None:
    """The text of `decompose`, as it is, for questions of every kind: all comes out as expected, rules too."""
    names = ("bridge_comparison", "comparison", "deep", "intersection", "names", "single", "unparseable")
    questions = [case.question for name in names for case in goldfile.read(GOLD / f"{name}.jsonl")[:5]]
    path = tmp_path / "printed"
    path.write_text(program("decompose", *questions).out, encoding="utf-8")
    cases = goldfile.read(path)
    plans = list(decomposer().pipe(questions))
    assert [case.id for case in cases] == questions
    assert {case.kind for case in cases} == {"bridge", *names} - {"names"}
    assert [case.hops for case in cases] == [tuple(hop.text for hop in plan.hops) for plan in plans]
    assert [case.rules or () for case in cases] == [tuple(hop.rule for hop in plan.hops) for plan in plans]
    assert goldfile.differences(cases, plans) == []


def test_text_without_rules_and_reasons_with_remarks_ids_and_marks(tmp_path: Path) -> None:
    """All that is optional; an indented line belongs to the question above it, also behind an empty line."""
    path = tmp_path / "gold"
    path.write_text(
        "// {a remark}\n\nWho wrote Emma?\n  // another\n\tknown wrong:  not yet: see #2\n  id: e 1\n\n  single\n"
        "Where was  she born [there]? \n  bridge\n  #1 Who is she [x]?\n  #2 Where was #1 born? [y]\t[final]\n",
        encoding="utf-8",
    )
    first, second = goldfile.read(path)
    assert (first.id, first.question, first.kind, first.hops) == ("e 1", "Who wrote Emma?", "single", ())
    assert (first.rules, first.known_wrong, first.line) == (None, "not yet: see #2", 3)
    assert (second.id, second.question, second.line) == (second.question, "Where was  she born [there]?", 9)
    assert (second.hops, second.rules) == (("Who is she [x]?", "Where was #1 born? [y]"), ("", "final"))
    assert (first.title, second.title) == ("e 1: Who wrote Emma?", "Where was  she born [there]?")


def test_the_form_is_told_by_the_content(tmp_path: Path) -> None:
    """Whatever the name says."""
    path = write(tmp_path / "gold.txt", RIGHT)
    assert goldfile.read(path)[0].id == "c1"
    path = tmp_path / "gold.jsonl"
    path.write_text(TEXT, encoding="utf-8")
    assert goldfile.read(path)[0].rules == ("of_relation", "final")


def test_update_of_lines_of_json(tmp_path: Path) -> None:
    """Every byte stays that is not expected of a case that differs; a mark goes where the case has come right."""
    before = """\
\ufeff{"id":"c1","note":{"n":[1.0e3,"\\u00e9"]},"kind":"single",ASKED,"hops":[],"rules":[]}\r

{"known_wrong": "was", "id": "c2", ASKED, "kind": "bridge", "hops": HOPS}
{"id": "c3", ASKED, "kind": "bridge", "hops":  HOPS, "known_\\u0077rong": "was" }
{"id":"c4", ASKED, "kind": "deep",  "hops": ["é"], "known_wrong": "is"}
 { "id": "c5", ASKED, "kind": "bridge", "hops": ["x", "#1"], "é": 1 }"""
    after = """\
\ufeff{"id":"c1","note":{"n":[1.0e3,"\\u00e9"]},"kind":"bridge",ASKED,"hops":CLOSE,"rules":["of_relation","final"]}\r

{"id": "c2", ASKED, "kind": "bridge", "hops": HOPS}
{"id": "c3", ASKED, "kind": "bridge", "hops":  HOPS }
{"id":"c4", ASKED, "kind": "deep",  "hops": ["é"], "known_wrong": "is"}
 { "id": "c5", ASKED, "kind": "bridge", "hops": ["Who wrote Émilie?", "Where was #1 born?"], "é": 1 }"""
    for short, long in (
        ("ASKED", '"question": "Where was the author of Emma born?"'),
        ("HOPS", '["Who is the author of Emma?", "Where was #1 born?"]'),
        ("CLOSE", '["Who is the author of Emma?","Where was #1 born?"]'),
    ):
        before, after = before.replace(short, long), after.replace(short, long)
    other = replace(PLAN, hops=(replace(PLAN.hops[0], text="Who wrote Émilie?"), PLAN.hops[1]))
    assert updated(tmp_path / "gold", before, PLAN, PLAN, PLAN, PLAN, other) == after


THREE = replace(PLAN, kind="deep", hops=(*PLAN.hops, Hop(3, "What is the capital of #2?", (2,), "final", ())))
SINGLE = Plan("Who wrote Emma?", "single", (Hop(1, "Who wrote Emma?", (), "asked", ()),), "none found")


@pytest.mark.parametrize(
    ("before", "plan", "after"),
    [
        pytest.param(
            "Where was the author of Emma born?\n  bridge: old\n  #1 Who?  [of_relation]\n  #2 Where?  [final]\n",
            PLAN,
            "Where was the author of Emma born?\n  bridge: a reason\n"
            "  #1 Who is the author of Emma?  [of_relation]\n  #2 Where was #1 born?          [final]\n",
            id="as the program prints it",
        ),
        pytest.param("// a\r\n" + TEXT.replace("\n", "\r\n"), PLAN, None, id="nothing differs"),
        pytest.param(
            f"// a\n{TEXT}\n// b\n",
            THREE,
            "// a\nWhere was the author of Emma born?\n  deep: a reason\n"
            "  #1 Who is the author of Emma?  [of_relation]\n"
            "  #2 Where was #1 born?          [final]\n"
            "  #3 What is the capital of #2?  [final]\n\n// b\n",
            id="one more hop",
        ),
        pytest.param(
            "Where was the author of Emma born?\r\n\tbridge\r\n\t// why\r\n\t#1  Who is the author of Emma?\r\n\r\n"
            "\t#2 What?\r\n\t// then\r\n\t#3 How?",
            PLAN,
            "Where was the author of Emma born?\r\n\tbridge\r\n\t// why\r\n\t#1  Who is the author of Emma?\r\n\r\n"
            "\t#2 Where was #1 born?\r\n\t// then",
            id="one hop less, Windows, no end of the last line",
        ),
        pytest.param(
            "\ufeffWhere was the author of Emma born?\n    single",
            PLAN,
            "\ufeffWhere was the author of Emma born?\n    bridge\n    #1 Who is the author of Emma?\n"
            "    #2 Where was #1 born?",
            id="no hops before, byte order mark",
        ),
        pytest.param(
            "Where was the author of Emma born?\n bridge\n #1 Who is the author?  [of]\n #2 Where was #1 born?\n",
            THREE,
            "Where was the author of Emma born?\n deep\n #1 Who is the author of Emma?  [of_relation]\n"
            " #2 Where was #1 born?\n #3 What is the capital of #2?  [final]\n",
            id="a hop without a rule",
        ),
        pytest.param(
            "Who wrote Emma?\n  known wrong: why\n  // known wrong: stays\n  single\n",
            SINGLE,
            "Who wrote Emma?\n  // known wrong: stays\n  single\n",
            id="come right",
        ),
        pytest.param("Who wrote Emma?\n  deep\n  #1 x\n  known wrong: why\n", SINGLE, None, id="still wrong"),
    ],
)
def test_update_of_text(tmp_path: Path, before: str, plan: Plan, after: str | None) -> None:
    """The expected part of a case that differs is written as the program prints it; all else stays as it is."""
    assert updated(tmp_path / "gold", before, plan) == (before if after is None else after)


def test_update_of_a_file_that_has_changed(tmp_path: Path) -> None:
    """It is left alone."""
    path = write(tmp_path / "gold", RIGHT | {"kind": "deep"})
    found = goldfile.differences(goldfile.read(path), [PLAN])
    write(path, RIGHT | {"kind": "single"})
    with pytest.raises(InputError, match="changed since it was read"):
        goldfile.update(path, found)
    assert goldfile.read(path)[0].kind == "single"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "bridges"}, r", line 1: unknown kind 'bridges'"),
        ({"hops": "one"}, r", line 1: 'hops' must be a list of texts"),
        ({"rules": [1]}, r", line 1: 'rules' must be a list of texts"),
        ({"rules": ["of_relation"]}, r", line 1: 1 rules for 2 hops"),
        ({"id": ""}, r", line 1: 'id' must be a text"),
        ({"question": "Who \ud800?"}, r", line 1: the question holds a lone surrogate"),
        ({"question": "Who " * 501}, r", line 1: the question has 2,004 characters"),
    ],
)
def test_bad_fixtures(tmp_path: Path, change: dict[str, object], message: str) -> None:
    """Each fault is one error with the line."""
    with pytest.raises(InputError, match=message):
        goldfile.read(write(tmp_path / "gold.jsonl", RIGHT | change))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  bridge\n", ", line 1: indented, with no question at the left margin above it"),
        ("// x\nWho?\n\nWho else?\n  single\n", ", line 2: no kind below the question; indent one of single, bridge"),
        ("Who?\n  bridges: x\n", r", line 2: not a kind \(single, bridge, .*\), a hop"),
        ("Who?\n  single\n  deep\n", ", line 3: a second 'kind' for one question"),
        ("Who?\n  bridge\n  #1 a\n  #3 b\n", ", line 4: hop #3 where #2 is due"),
        ("Who?\n  known wrong:\n  single", ", line 2: nothing behind 'known wrong'"),
        ("Who?\n  single\n\nWho?\n  single", ", line 4: the question 'Who\\?' was used before"),
        ('// x\n{"id": 1,\n', ", line 1: not JSON"),
        ("\n// nothing\n", "no cases; give what `hopsplit decompose` prints"),
    ],
)
def test_bad_text(tmp_path: Path, text: str, message: str) -> None:
    """Each fault is one error with the line."""
    path = tmp_path / "gold.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}(: )?{message}"):
        goldfile.read(path)


def test_ids_are_unique_and_there_are_some(tmp_path: Path) -> None:
    """A second case of the same id, and a file without cases."""
    with pytest.raises(InputError, match=r", line 2: the id 'c1' was used before"):
        goldfile.read(write(tmp_path / "gold.jsonl", RIGHT, RIGHT))
    with pytest.raises(InputError, match="no cases"):
        goldfile.read(write(tmp_path / "gold.jsonl"))


# The command.

WRONG = {"id": "\x1b[1m\ufffe\ud800", "question": "Who\x00wrote <Emma>?", "kind": "deep", "hops": ["a\x07"]}


def test_junit(tmp_path: Path) -> None:
    """One test a case, with what XML cannot hold replaced; the exit code is that of the comparison."""
    known = RIGHT | {"id": "c2", "kind": "deep", "known_wrong": "not \x0b yet"}
    path = write(tmp_path / "gold", RIGHT, WRONG, known)
    done = program("gold", path, "--junit", tmp_path / "out.xml")
    assert (done.code, done.err) == (1, "")
    assert done.out.endswith("\n3 cases, 2 as expected (1 known wrong), 1 different\n")
    root = ET.parse(tmp_path / "out.xml").getroot()  # noqa: S314  (our own)
    (suite,) = root
    assert suite.attrib == {"name": str(path), "tests": "3", "failures": "1", "errors": "0", "skipped": "1"}
    names = [(test.get("name"), test.get("line"), [child.tag for child in test]) for test in suite]
    assert names == [("c1", "1", []), ("\ufffd[1m\ufffd\ufffd", "2", ["failure"]), ("c2", "3", ["skipped"])]
    failure, skipped = suite[1][0], suite[2][0]
    assert (failure.get("message"), skipped.get("message")) == ("kind single, expected deep", "not \ufffd yet")
    assert (failure.text or "").splitlines() == [
        "\ufffd[1m\ufffd\ufffd: Who\ufffdwrote <Emma>?",
        "kind single, expected deep",
        "reason: no rule finds an entity that must be found first",
        "- #1 a\ufffd",
        "+ #1 Who\ufffdwrote <Emma>?",
    ]
    assert program("gold", path, "--junit", tmp_path / "out.xml", "--update").code == 2
    assert program("gold", path, "--junit", tmp_path / "no" / "out.xml").code == 2


def test_gold_update_says_how_many_and_spares_the_rest(tmp_path: Path) -> None:
    """Exit 0 after rewriting, and nothing to rewrite thereafter."""
    path = tmp_path / "gold.txt"
    path.write_text(
        f"{TEXT}\nWho wrote Emma?\n  deep\n\nWho wrote Ivanhoe?\n  deep\n  known wrong: x\n", encoding="utf-8"
    )
    done = program("gold", path, "--update")
    assert (done.code, done.err) == (0, f"rewrote 1 case of {path}\n")
    assert done.out == (
        "Who wrote Emma?\n  kind single, expected deep\n  reason: no rule finds an entity that must be found first\n"
        "  + #1 Who wrote Emma?\n3 cases, 2 as expected (1 known wrong), 1 different\n"
    )
    new = f"{TEXT}\nWho wrote Emma?\n  single\n  #1 Who wrote Emma?\n\nWho wrote Ivanhoe?\n  deep\n  known wrong: x\n"
    assert path.read_text(encoding="utf-8") == new
    done = program("gold", path, "--update")
    assert (done.code, done.err) == (0, "")
    assert path.read_text(encoding="utf-8") == new


def test_gold_with_titles(tmp_path: Path) -> None:
    """A title is not taken apart, here as in `decompose`."""
    question = "who is the mother of the director of the man who knew nothing?"
    (tmp_path / "titles").write_text("The Man Who Knew Nothing\n", encoding="utf-8")
    (tmp_path / "gold").write_text(
        program("decompose", question, "--titles", tmp_path / "titles").out, encoding="utf-8"
    )
    assert program("gold", tmp_path / "gold").code == 1
    assert program("gold", tmp_path / "gold", "--titles", tmp_path / "titles").code == 0
    assert program("gold", tmp_path / "gold", "--titles", tmp_path / "none").code == 2


def test_the_page_shows_what_comes_out(tmp_path: Path) -> None:
    """The fixture of docs/gold.md, and what `hopsplit gold` says of it."""
    page = (ROOT / "docs" / "gold.md").read_text(encoding="utf-8")
    fixture, shown = re.findall(r"^```text\n((?:(?!```).*\n)*)```", page, re.MULTILINE)
    (tmp_path / "my.gold.txt").write_text(fixture, encoding="utf-8")
    done = program("gold", tmp_path / "my.gold.txt")
    assert (done.code, done.out) == (1, shown)


def test_the_report_does_not_replace_what_is_read(tmp_path: Path) -> None:
    """The file of cases, named again for the report, stays as it is."""
    path = write(tmp_path / "gold.jsonl", RIGHT)
    before = path.read_bytes()
    done = program("gold", path, "--junit", path)
    assert (done.code, path.read_bytes()) == (2, before)
    assert "is a file that is read" in done.err
