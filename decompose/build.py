"""Plans and hops from sentences: text, spans, answer types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .asked import asked
from .clauses import asked_by_clause, asked_by_participle, clause
from .phrases import phrase
from .plan import Hop, Plan, refs_in
from .render import answer_type, invert, question, subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .compare import Compared
    from .plan import AnswerType
    from .render import Piece
    from .sentence import Sentence


def spans(sent: Sentence, pieces: Iterable[Piece]) -> tuple[tuple[int, int], ...]:
    """Return the source offsets of the pieces' own words, neighbours joined, ascending."""
    words = sorted({p for p in pieces if isinstance(p, int)})
    found: list[tuple[int, int]] = []
    last = -2
    for i in words:
        word = sent[i].word
        if word.ref or word.end <= word.start or word.text == "?":
            continue
        if found and i == last + 1:
            found[-1] = (found[-1][0], max(found[-1][1], word.end))
        else:
            found.append((word.start, word.end))
        last = i
    return tuple(sorted(found))


def make_hop(
    sent: Sentence, pieces: Sequence[Piece], source: str, rule: str, number: int, *, noun: int | None = None
) -> Hop:
    """Return the hop that the pieces say."""
    text = question(sent, pieces, source)
    return Hop(number, text, refs_in(text), rule, spans(sent, pieces), _answer(sent, pieces, noun))


def _answer(sent: Sentence, pieces: Sequence[Piece], noun: int | None) -> AnswerType | None:
    """Read the answer's type off the question word and the noun that it asks for."""
    lows = [p.lower() if isinstance(p, str) else sent[p].low for p in pieces]
    at = next(
        (i for i, low in enumerate(lows) if low in ("who", "whom", "what", "which", "where", "when", "how")),
        None,
    )
    if at is None:
        return None
    after = lows[at + 1] if at + 1 < len(lows) else ""
    if lows[at] == "how":
        return answer_type("how", after)
    head = sent[noun].low if noun is not None else _head(sent, pieces, at)
    return answer_type(lows[at], head)


def _head(sent: Sentence, pieces: Sequence[Piece], at: int) -> str:
    piece = pieces[at]
    if isinstance(piece, int) and sent[sent[piece].head].noun and sent[piece].head > piece:
        return sent[sent[piece].head].low
    heads = sorted(asked(sent).heads)
    return sent[heads[0]].low if heads else ""


def final_hop(sent: Sentence, source: str, number: int, *, indirect: bool = False) -> Hop:
    """Return the hop of what is left of the question; an indirect one is put in question order."""
    pieces: list[Piece] = list(range(len(sent)))
    ours = sent[0].word.end == sent[0].word.start
    if indirect and ours:
        pieces = _requested(sent) or pieces
    elif indirect:
        who = subject(sent, sent.root)
        start = sent.subtree(who)[0] if who is not None else 0
        if start > 0:
            pieces = [*range(start), *invert(sent, sent.root, list(range(start, len(sent))))]
    return make_hop(sent, pieces, source, "final", number)


def _requested(sent: Sentence) -> list[Piece] | None:
    """Return "In what city was #1 born" for "Name the city where #1 was born"."""
    for head in sorted(asked(sent).heads):
        np = phrase(sent, head)
        for verb in np.clauses[-1:]:
            read = asked_by_clause if sent[verb].dep == "relcl" else asked_by_participle
            found = read(sent, np, clause(sent, np, verb))
            if found is not None:
                return found[1]
    return None


def single(source: str, sent: Sentence, reason: str, provenance: str) -> Plan:
    """Return the plan of a question that is one look-up: itself."""
    whole = list(range(len(sent)))
    hop = Hop(1, source, (), "single", spans(sent, whole), _answer(sent, whole, None))
    return Plan(source, "single", (hop,), reason, provenance)


def unparseable(source: str, reason: str, provenance: str) -> Plan:
    """Return the plan of what is no grammatical English question."""
    return Plan(source, "unparseable", (), reason, provenance)


def comparison(source: str, sent: Sentence, compared: Compared, provenance: str) -> Plan:
    """Return the plan of a comparison."""
    hops = tuple(
        Hop(n, hop.text, refs_in(hop.text), compared.rule, spans(sent, hop.covers), hop.answer_type)
        for n, hop in enumerate(compared.hops, 1)
    )
    return Plan(source, compared.kind, hops, compared.reason, provenance)
