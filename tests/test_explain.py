"""What an explanation tells, and how the program shows it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

from decomposing import decomposer
from hopsplit.decompose.explain import Explanation
from hopsplit.decompose.rules import RULES
from program import program

QUESTION = "Who was the second wife of the man who directed The Man Who Knew Nothing?"
SVG = "{http://www.w3.org/2000/svg}"


def explained(question: str) -> Explanation:
    """Return the explanation of a question."""
    why = decomposer().decompose(question, explain=True).explanation
    assert why is not None
    return why


def tried_before(rule: str) -> list[str]:
    """Return the rules up to that one, in the order of RULES: a new rule may stand among them."""
    names = [each.name for each in RULES]
    return names[: names.index(rule) + 1]


def test_tree_names_and_bridge() -> None:
    """A protected name is one word; the bridge is the range of words that hop 1 takes over."""
    why = explained(QUESTION)
    assert [(w.text, w.tag, w.dep, why.tree[w.head].text) for w in why.tree[4:]] == [
        ("wife", "NN", "nsubj", "was"),
        ("of", "IN", "prep", "wife"),
        ("the", "DT", "det", "man"),
        ("man", "NN", "pobj", "of"),
        ("who", "WP", "nsubj", "directed"),
        ("directed", "VBD", "relcl", "man"),
        ("The Man Who Knew Nothing", "NNP", "dobj", "directed"),
        ("?", ".", "punct", "was"),
    ]
    assert why.names == ("The Man Who Knew Nothing",)
    assert why.bridge == (6, 11)


def test_attempts_tell_where_each_rule_stopped() -> None:
    """Whole-sentence rules first, then the rules for phrases up to the one that found the entity; then hop 2."""
    attempts = explained(QUESTION).attempts
    whole = QUESTION.removesuffix("?")
    assert (attempts[0].phrase, attempts[0].hop, attempts[0].stopped) == (whole, 1, "no such shape")
    phrase = "the man who directed The Man Who Knew Nothing"
    on_phrase = [(a.hop, a.rule, a.stopped) for a in attempts if a.phrase == phrase]
    assert [rule for _, rule, _ in on_phrase] == tried_before("subject_relative")
    assert (1, "ranked_clause", "neither ranked nor owned") in on_phrase
    assert on_phrase[-1] == (1, "subject_relative", "")
    assert all(stopped for *_, stopped in on_phrase[:-1])
    later = [a for a in attempts if a.hop == 2]
    assert later[-1].phrase == "Who was the second wife of #1"
    assert all(a.stopped for a in later)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("Who is older, Elin Storm or Marco Bellini?", "listed_last"),
        ("Who wrote Copper Sun and won the Aral Prize?", "coordinated_verbs"),
    ],
)
def test_attempts_end_where_the_whole_sentence_is_read(question: str, rule: str) -> None:
    """Nothing is tried after a comparison or an intersection was read."""
    why = explained(question)
    assert [a.rule for a in why.attempts if not a.stopped] == [rule]
    assert why.attempts[-1].rule == rule
    assert why.bridge == (0, 0)


def test_explaining_changes_no_plan() -> None:
    """The same plan, which without `explain` has no explanation."""
    plan = decomposer().decompose(QUESTION)
    assert plan.explanation is None
    assert plan == decomposer().decompose(QUESTION, explain=True)


def test_picture_is_svg_with_the_bridge_in_red() -> None:
    """One word for each node, one arrow for each that has a head, long names cut; equal for equal questions."""
    why = explained(QUESTION)
    picture = ET.fromstring(why.svg())  # noqa: S314  (it is our own)
    words = picture.findall(f".//{SVG}tspan[@class='displacy-word']")
    assert len(words) == len(why.tree)
    red = [word.text for word in words if word.get("fill") == "#c0392b"]
    assert red == ["the", "man", "who", "directed", "The Man Who Kne\u2026"]
    assert len(picture.findall(f".//{SVG}g[@class='displacy-arrow']")) == len(why.tree) - 1
    assert why.svg() == explained(QUESTION).svg()


@pytest.mark.parametrize("question", [QUESTION, "Who wrote Emma?", "Who is older, Elin Storm or Marco Bellini?"])
def test_arcs_leave_room_for_their_labels_and_no_blank_space(question: str) -> None:
    """Arcs are 20 pixels or more apart, the uppermost 10 below the edge, and the words are within the picture."""
    picture = ET.fromstring(explained(question).svg())  # noqa: S314  (it is our own)
    _, top, width, height = map(float, picture.attrib["viewBox"].split())
    assert (width, height) == (float(picture.attrib["width"]), float(picture.attrib["height"]))
    arcs = [arc.attrib["d"].split()[1] for arc in picture.findall(f".//{SVG}path[@class='displacy-arc']")]
    levels = sorted({float(arc.split(",")[1]) for arc in arcs})
    assert levels[0] == pytest.approx(top + 10, abs=0.1)
    assert min((low - high for high, low in pairwise(levels)), default=20.0) >= 19.9
    lines = [float(word.attrib["y"]) for word in picture.findall(f".//{SVG}text[@class='displacy-token']")]
    assert top < min(lines) <= max(lines) + 40 < top + height


def test_page_marks_the_bridge_and_escapes_the_rest() -> None:
    """Question as given and plan stand over the picture; their characters are never taken for markup."""
    plan = decomposer().decompose('Where was the founder of "A<b>&C"  born?', explain=True)
    assert plan.explanation is not None
    page = plan.explanation.html(plan)
    assert ">Where was <mark>the founder of &quot;A&lt;b&gt;&amp;C&quot;</mark>  born?</h1>" in page
    assert "<p>bridge: one entity must be found first: of_relation</p>" in page
    assert "<li>Where was #1 born? <small>final</small></li>" in page
    assert "<b>" not in page
    assert page.index("</ol>") < page.index('<div style="overflow-x: auto">') < page.index("<svg")


def test_program_explains_as_text() -> None:
    """Plan, tree, names, and the rules by phrase, those that stopped alike together."""
    done = program("decompose", "--explain", QUESTION)
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[2] == "  #1 Who directed The Man Who Knew Nothing?  [subject_relative]"
    assert "     directed                  VBD  relcl  of man       bridge" in lines
    assert "  names: The Man Who Knew Nothing" in lines
    at = lines.index("    hop 1, the man who directed The Man Who Knew Nothing")
    end = lines.index("      found by subject_relative")
    told = [name for line in lines[at + 1 : end] for name in line.rpartition(": ")[2].split(", ")]
    assert [*told, "subject_relative"] == tried_before("subject_relative")
    assert "      neither ranked nor owned: ranked_clause" in lines[at + 1 : end]
    assert not [line for line in done.out.splitlines() if line != line.rstrip()]


def test_program_explains_as_json() -> None:
    """One more field; also for lines of standard input, where there is none to explain it is null."""
    done = program("decompose", "--explain", "--format", "jsonl", stdin=f"{QUESTION}\n\n".encode())
    first, empty = map(json.loads, done.out.splitlines())
    assert set(first["explanation"]) == {"tree", "names", "attempts", "bridge"}
    assert first["explanation"]["tree"][10] == {
        "text": "The Man Who Knew Nothing",
        "tag": "NNP",
        "label": "dobj",
        "head": 9,
        "name": True,
    }
    assert first["explanation"]["bridge"] == [6, 11]
    assert {
        "hop": 1,
        "phrase": "the man who directed The Man Who Knew Nothing",
        "rule": "subject_relative",
        "stopped": "",
    } in (first["explanation"]["attempts"])
    assert empty["explanation"] is None


def test_program_draws(tmp_path: Path) -> None:
    """Both files at once; the plan is written as always."""
    svg, html = tmp_path / "tree.svg", tmp_path / "tree.html"
    done = program("decompose", QUESTION, "--svg", svg, "--html", html)
    assert done.out == program("decompose", QUESTION).out
    assert svg.read_text(encoding="utf-8") == explained(QUESTION).svg()
    assert html.read_text(encoding="utf-8") == explained(QUESTION).html(decomposer().decompose(QUESTION))


@pytest.mark.parametrize("given", [(), ("-",), ("Who is A?", "Who is B?")])
def test_program_draws_one_question(tmp_path: Path, given: tuple[str, ...]) -> None:
    """A file holds one picture."""
    done = program("decompose", *given, "--svg", tmp_path / "tree.svg")
    assert done.code == 2
    assert done.err == "error: --svg and --html draw one question; give just one as an argument\n"
    assert not list(tmp_path.iterdir())


def test_program_says_where_it_cannot_draw(tmp_path: Path) -> None:
    """A folder that is not there, and a text that is not parsed at all."""
    done = program("decompose", QUESTION, "--svg", tmp_path / "no" / "tree.svg")
    assert (done.code, done.err) == (2, f"error: {tmp_path / 'no' / 'tree.svg'}: No such file or directory\n")
    done = program("decompose", "\u200b?", "--svg", tmp_path / "tree.svg")
    assert (done.code, done.err) == (2, "error: there is no tree to draw: the question was not parsed\n")
