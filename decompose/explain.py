"""Why a question was split so: the tree, the protected names, each rule tried and where it stopped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import Any

_WORD = re.compile(r'(<tspan class="displacy-word") fill="currentColor"')
_RED = "#c0392b"
# displaCy numbers its pictures at random; ours are equal for equal questions.
_RANDOM = re.compile(r"\b[0-9a-f]{32}-0")
# displaCy puts all words equally far apart: pixels for a letter, and the letters of a name that are shown.
_LETTER = 9
_LETTERS = 16
_LEAST = 80


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
        return _RANDOM.sub("tree", coloured)

    def html(self) -> str:
        """Return a page with the question, the bridge marked in it, and the picture."""
        start, end = self.bridge
        words = [escape(w.text) for w in self.tree]
        if end > start:
            words[start] = "<mark>" + words[start]
            words[end - 1] += "</mark>"
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>hopsplit</title></head>\n'
            f'<body style="font-family: sans-serif; margin: 2em">\n<p>{" ".join(words)}</p>\n{self.svg()}\n'
            "</body></html>\n"
        )

    def _coloured(self, found: re.Match[str], place: int) -> str:
        start, end = self.bridge
        return f'{found[1]} fill="{_RED}" font-weight="bold"' if start <= place < end else found[0]


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "\u2026"


def _arc(i: int, word: TreeWord) -> dict[str, Any]:
    low, high = sorted((i, word.head))
    return {"start": low, "end": high, "label": word.dep, "dir": "left" if i < word.head else "right"}
