"""Keeping account of a split while it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .explain import Attempt, Explanation, TreeWord

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .sentence import Sentence


@dataclass(slots=True)
class Tracer:
    """Collects what an explanation tells, while a question is split."""

    attempts: list[Attempt] = field(default_factory=list)
    bridge: tuple[int, int] = (0, 0)
    hop: int = 1

    def tried(self, rule: str, sent: Sentence, indices: Iterable[int], match: object) -> None:
        """Record a rule and what it gave: a text that says where it stopped, None, or what it found."""
        said = " ".join(f"#{n.word.ref}" if n.word.ref else n.word.text for n in (sent[i] for i in indices))
        stopped = match if isinstance(match, str) else "no such shape" if match is None else ""
        self.attempts.append(Attempt(self.hop, said.removesuffix(" ?"), rule, stopped))

    def read(self, rules: Iterable[str], sent: Sentence, chosen: str | None) -> None:
        """Record rules that read the whole sentence, in order, up to the one that did (None: none did)."""
        for rule in rules:
            self.tried(rule, sent, range(len(sent)), None if rule != chosen else sent)
            if rule == chosen:
                break

    def found(self, covers: Sequence[int]) -> None:
        """Record that a bridge entity was found in these words; the next hop is looked for."""
        if self.hop == 1:
            self.bridge = (covers[0], covers[-1] + 1)
        self.hop += 1

    def explanation(self, sent: Sentence) -> Explanation:
        """Return the explanation of a sentence, as first parsed."""
        tree = tuple(TreeWord(n.word.text, n.tag, n.dep, n.head, n.word.name) for n in sent.nodes)
        names = tuple(n.word.text for n in sent.nodes if n.word.name)
        return Explanation(tree, names, tuple(self.attempts), self.bridge)
