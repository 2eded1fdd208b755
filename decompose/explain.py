"""Why a question was split so: the tree, the protected names, each rule tried and where it stopped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .plan import Plan

_WORD = re.compile(r'(<tspan class="displacy-word") fill="currentColor"')
_RED = "#c0392b"
# displaCy numbers its pictures at random; ours are equal for equal questions.
_RANDOM = re.compile(r"\b[0-9a-f]{32}-0")
_SIZE = re.compile(r'width="(\d+)" height="([\d.]+)"')
_TOP = re.compile(r'class="displacy-arc"[^>]* d="M[\d.]+,[\d.]+ [\d.]+,([\d.-]+) ')
_STYLED = re.compile(r"height: [\d.]+px")
# displaCy puts all words equally far apart: pixels for a letter, and the letters of a name that are shown. An arc
# stands a sixth of that distance above the one within it, which must leave room for its label.
_LETTER = 9
_LETTERS = 16
_LEAST = 120
_MARGIN = 10
_BLANK = 45


@dataclass(frozen=True, slots=True)
class TreeWord:
    """A word of the parse: text (a whole name is one word), fine-grained tag, dependency label, head's place."""

    text: str
    tag: str
    dep: str
    head: int
    name: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """A rule tried.

    hop: the hop that was looked for. phrase: the words that the rule looked at, `#n` for the answer of hop n.
    stopped: where it stopped, or empty where it found what it looks for.
    """

    hop: int
    phrase: str
    rule: str
    stopped: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that led to a plan. `tree` is the parse after the known slips of the parser were mended.

    names: the protected names. attempts: the rules tried, in order. bridge: half-open range of words of the
    first entity found, or (0, 0).
    """

    tree: tuple[TreeWord, ...]
    names: tuple[str, ...]
    attempts: tuple[Attempt, ...]
    bridge: tuple[int, int] = (0, 0)

    def svg(self) -> str:
        """Return displaCy's picture of the tree as SVG, with the words of the bridge in red."""
        from spacy import displacy  # noqa: PLC0415

        words = [{"text": _short(w.text), "tag": w.tag} for w in self.tree]
        longest = max((len(word["text"]) for word in words), default=0)
        options: dict[str, Any] = {"compact": True, "distance": max(_LEAST, _LETTER * longest)}
        drawn = {"words": words, "arcs": [_arc(i, w) for i, w in enumerate(self.tree) if w.head != i]}
        svg = displacy.render(drawn, style="dep", manual=True, options=options, jupyter=False)
        place = count()
        coloured = _WORD.sub(lambda found: self._coloured(found, next(place)), str(svg))
        return _RANDOM.sub("tree", _cropped(coloured))

    def html(self, plan: Plan) -> str:
        """Return a page with the question, the words of the first entity marked in it, its plan, and the picture.

        `plan` is the one that this explains.
        """
        hops = "\n".join(f"<li>{escape(hop.text)} <small>{hop.rule}</small></li>" for hop in plan.hops)
        question = f'<h1 style="font-size: 1.3em">{self._marked(plan.question)}</h1>'
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>hopsplit</title></head>\n'
            f'<body style="font-family: sans-serif; margin: 2em">\n{question}\n'
            f"<p>{plan.kind}: {escape(plan.reason)}</p>\n<ol>\n{hops}\n</ol>\n"
            f'<div style="overflow-x: auto">\n{self.svg()}\n</div>\n</body></html>\n'
        )

    def _marked(self, question: str) -> str:
        """Return the question for a page, with the bridge marked where its words stand there as in the tree."""
        at, places = 0, []
        for word in self.tree:
            found = question.find(word.text, at)
            places.append((found, found + len(word.text)))
            at = max(at, places[-1][1] if found >= 0 else 0)
        start, end = self.bridge
        if not end or min(places[start][0], places[end - 1][0]) < 0:
            return escape(question)
        begin, stop = places[start][0], places[end - 1][1]
        return f"{escape(question[:begin])}<mark>{escape(question[begin:stop])}</mark>{escape(question[stop:])}"

    def _coloured(self, found: re.Match[str], place: int) -> str:
        start, end = self.bridge
        return f'{found[1]} fill="{_RED}" font-weight="bold"' if start <= place < end else found[0]


def _cropped(svg: str) -> str:
    """Cut off what displaCy leaves blank: below, and above, where it reckons with arcs thrice as high as ours."""
    size, tops = _SIZE.search(svg), [float(y) for y in _TOP.findall(svg)]
    if size is None:
        return svg
    width, height = int(size[1]), float(size[2])
    top = max(0.0, min(tops, default=0.0) - _MARGIN)
    low = height - top - _BLANK
    svg = _SIZE.sub(f'width="{width}" height="{low:g}" viewBox="0 {top:g} {width} {low:g}"', svg, count=1)
    return _STYLED.sub(f"height: {low:g}px", svg, count=1)


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "\u2026"


def _arc(i: int, word: TreeWord) -> dict[str, Any]:
    low, high = sorted((i, word.head))
    return {"start": low, "end": high, "label": word.dep, "dir": "left" if i < word.head else "right"}
