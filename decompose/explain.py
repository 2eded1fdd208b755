"""Why a question was split so: the tree, the protected names, each rule tried and where it stopped."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .sentence import Sentence


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
    """A rule tried on a phrase. `stopped`: where it stopped, or empty where it found an entity."""

    rule: str
    phrase: str
    stopped: str

    @classmethod
    def of(cls, rule: str, sent: Sentence, indices: Iterable[int], match: object) -> Attempt:
        """Return the record of one match, or of the words where it stopped."""
        said = " ".join(f"#{n.word.ref}" if n.word.ref else n.word.text for n in (sent[i] for i in indices))
        return cls(rule, said.removesuffix(" ?"), match if isinstance(match, str) else "")


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

    def displacy(self, *, page: bool = False) -> str:
        """Return displaCy's picture of the tree: an SVG, or an HTML page that marks the bridge in the text too."""
        from spacy import displacy  # noqa: PLC0415

        words = [{"text": w.text, "tag": w.tag} for w in self.tree]
        arcs = [
            {
                "start": min(i, w.head),
                "end": max(i, w.head),
                "label": w.dep,
                "dir": "left" if i < w.head else "right",
            }
            for i, w in enumerate(self.tree)
            if w.head != i
        ]
        options: dict[str, Any] = {"compact": True, "distance": 110}
        svg = str(
            displacy.render({"words": words, "arcs": arcs}, style="dep", manual=True, options=options, jupyter=False)
        )
        svg = self._marked(svg)
        if not page:
            return svg
        return (
            "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>hopsplit</title></head>\n"
            f"<body style='font-family:sans-serif;margin:2em'><p style='font-size:1.3em'>{self._text()}</p>\n{svg}\n</body></html>\n"
        )

    def _text(self) -> str:
        start, end = self.bridge
        words = [escape(w.text) for w in self.tree]
        if end > start:
            words[start] = "<mark>" + words[start]
            words[end - 1] += "</mark>"
        return " ".join(words)

    def _marked(self, svg: str) -> str:
        """Draw the words of the bridge in another colour."""
        start, end = self.bridge
        parts = svg.split('<tspan class="displacy-word" fill="currentColor"')
        for i in range(start, end):
            parts[i + 1] = ' fill="#c0392b" font-weight="bold"' + parts[i + 1]
        out = parts[0]
        for i, part in enumerate(parts[1:]):
            lead = (
                '<tspan class="displacy-word"'
                if start <= i < end
                else '<tspan class="displacy-word" fill="currentColor"'
            )
            out += lead + part
        return out


@dataclass(slots=True)
class Tracer:
    """Collects what an explanation tells."""

    attempts: list[Attempt] = field(default_factory=list)
    bridge: tuple[int, int] = (0, 0)

    def add(self, attempt: Attempt) -> None:
        """Record a rule tried."""
        self.attempts.append(attempt)

    def explanation(self, sent: Sentence) -> Explanation:
        """Return the explanation of a sentence, as first parsed."""
        tree = tuple(TreeWord(n.word.text, n.tag, n.dep, n.head, n.word.name) for n in sent.nodes)
        names = tuple(n.word.text for n in sent.nodes if n.word.name)
        return Explanation(tree, names, tuple(self.attempts), self.bridge)
