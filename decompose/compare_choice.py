"""Frames that choose: "which ..., A or B", "between A and B, which ...", "was A or B ...", "is A older than B"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .compare_frames import (
    AND,
    AUX,
    OR,
    SEPARATORS,
    WH,
    WH_ANY,
    Reading,
    end_of,
    lead_in,
    many,
    member_end,
    plain,
    related,
    subject_question,
    tidy,
)
from .compare_measure import (
    Clause,
    amount,
    base,
    degree,
    equal,
    low,
    measured,
    moment,
    shared,
    tag,
    untail,
    when,
)
from .compare_relation import inner
from .compare_things import things, whole
from .lexicon import is_word
from .sentence import DO, VERB_TAGS

if TYPE_CHECKING:
    from .compare_things import Thing
    from .sentence import Sentence

_PARTITIVE = frozenset("between among of out amongst".split())
_THAN = frozenset({"than"})
_TIMES = frozenset({"before", "after"})
_AS = frozenset({"as"})
_NO_NAMES = frozenset("VB VBD VBN VBG RB IN MD PRP".split())


def listed_last(sent: Sentence, source: str) -> Reading | None:
    """Read "which ..., A or B" and "which ... out of A and B"."""
    lo, hi = lead_in(sent), end_of(sent)
    joiner = next((i for i in range(hi - 1, lo, -1) if plain(sent, i, OR)), None)
    if joiner is None:
        return _partitive(sent, source, lo, hi)
    comma = next((i for i in range(lo + 1, joiner) if plain(sent, i, SEPARATORS)), None)
    if comma is None:
        cut = _uncut(sent, lo, joiner, hi)
    elif any(plain(sent, i, SEPARATORS) for i in range(joiner + 1, hi)) and not _has_verb(sent, lo, comma):
        return None
    else:
        cut = comma
    if comma is None and sent[joiner - 1].word.atom and "," in sent[joiner - 1].word.text:
        return _run_on(sent, source, lo, joiner - 1)
    if cut is None:
        return None
    start = cut
    while start < joiner and plain(sent, start, SEPARATORS | _PARTITIVE | {"either"}):
        start += 1
    members = things(sent, source, start, hi, OR | (AND if start > cut + 1 else frozenset()), many=many(sent))
    return _chosen(sent, lo, cut, members)


def _run_on(sent: Sentence, source: str, lo: int, name: int) -> Reading | None:
    """Read a question whose last capitalised word runs into the first thing: "is from Japan, Summer Wars or ..."."""
    word = sent[name].word
    comma = source.index(",", word.start, word.end)
    hi = end_of(sent)
    members = things(sent, source, name, hi, OR, many=many(sent), after=comma + 1)
    if sent[name - 1].low in OR | AND or not _has_verb(sent, lo, name):
        return None
    return _chosen(sent, lo, name, members, said=(source[word.start : comma],))


def _has_verb(sent: Sentence, lo: int, hi: int) -> bool:
    return any(sent[i].tag in VERB_TAGS and not sent[i].word.atom for i in range(lo, hi))


def _chosen(
    sent: Sentence, lo: int, cut: int, members: tuple[Thing, ...], said: tuple[str, ...] = ()
) -> Reading | None:
    """Return the choice among `members` by the question in words lo..cut, which ends in the words `said`."""
    if len(members) < 2 or not _whole_names(sent, members):
        return None
    asked = subject_question(sent, lo, cut)
    if asked is None:
        return None
    clause, noun = asked
    clause = replace(clause, rest=(*clause.rest, *said))
    if not clause.rest or _exceeds(sent, clause):
        return None
    return related(sent, members, clause, noun)


def _exceeds(sent: Sentence, clause: Clause) -> bool:
    """Tell whether the clause compares with a thing of its own ("who has more titles than the school ...")."""
    rest = untail(sent, clause.rest)
    return any(
        low(sent, p) in _THAN and (p is rest[-1] or tag(sent, rest[k + 1]) != "CD")
        for k, p in enumerate(rest)
    )


def _whole_names(sent: Sentence, members: tuple[Thing, ...]) -> bool:
    """Tell whether no member is a mere verb, adverb or adjective ("wrote or sang", "alive or dead")."""
    alone = [sent[m.words[0]] for m in members if len(m.words) == 1]
    if any(n.tag in _NO_NAMES and not n.anchor for n in alone):
        return False
    return any(sent[i].anchor or sent[i].noun for m in members for i in m.words)


def _uncut(sent: Sentence, lo: int, joiner: int, hi: int) -> int | None:
    """Return where the things start when no comma says so."""
    alike = [k for k in range(lo + 2, joiner) if sent[k].low == sent[joiner + 1].low]
    start = alike[-1] if alike and joiner + 1 < hi else joiner
    while start == joiner or (start > lo + 2 and not alike and sent[start - 1].anchor):
        if not sent[start - 1].anchor:
            break
        start -= 1
    if start == joiner:
        start = joiner - min(hi - joiner - 1, joiner - lo - 2)
    elif plain(sent, start - 1, frozenset({"the"})):
        start -= 1
    found = subject_question(sent, lo, start)
    return start if found and (measured(sent, found[0]) or inner(sent, found[0])) else None


def _partitive(sent: Sentence, source: str, lo: int, hi: int) -> Reading | None:
    """Read "... out of A and B", "... between A and B" after a measure."""
    for i in range(lo + 2, hi - 2):
        if not plain(sent, i, _PARTITIVE | {"from"}) or not plain(sent, lo, WH):
            continue
        start = (
            i + 2
            if plain(sent, i, frozenset({"out", "from"})) and sent[i + 1].low in ("of", "among")
            else i + 1
        )
        asked = subject_question(sent, lo, i)
        if asked is None or (measured(sent, asked[0]) is None and inner(sent, asked[0]) is None):
            continue
        if sent[i].low == "of" and sent[i - 1].noun:
            continue
        members = things(sent, source, start, hi, AND | OR, many=many(sent))
        return _chosen(sent, lo, i, members)
    return None


def listed_first(sent: Sentence, source: str) -> Reading | None:
    """Read "between A and B, which ..." and "A or B: which ..."."""
    hi = end_of(sent)
    if plain(sent, 0, WH_ANY | AUX):
        return _listed_inside(sent, source, hi)
    wh = next((i for i in range(2, hi) if plain(sent, i, WH)), None)
    if wh is None:
        return None
    start = 0
    while plain(sent, start, _PARTITIVE | {"comparing", "compared"}):
        start += 1
    if start == 0 and not plain(sent, wh - 1, SEPARATORS):
        return None
    members = things(sent, source, start, wh, OR | AND, many=many(sent))
    return _chosen(sent, wh, hi, members)


def _listed_inside(sent: Sentence, source: str, hi: int) -> Reading | None:
    """Read "which of A and B ..." and "which film, A or B, ..."."""
    if not plain(sent, 0, WH):
        return None
    start = next((i for i in range(1, min(5, hi)) if plain(sent, i, SEPARATORS | {"of", "between"})), None)
    if start is None or _has_verb(sent, 0, start) or any(plain(sent, i, WH_ANY) for i in range(start, hi)):
        return None
    if plain(sent, start, frozenset({"of"})) and not plain(sent, start - 1, WH | {"one"}):
        return None
    joiner = next((i for i in range(start, hi) if plain(sent, i, OR | AND)), start)
    end = member_end(sent, joiner + 1, hi)
    members = things(sent, source, start + 1, end, OR | AND, many=many(sent))
    if len(members) < 2 or not _whole_names(sent, members):
        return None
    while end < hi and plain(sent, end, SEPARATORS):
        end += 1
    asked = subject_question(sent, 0, 1) or _after(sent, end, hi)
    return related(sent, members, asked, []) if isinstance(asked, Clause) and asked.rest else None


def _after(sent: Sentence, at: int, hi: int) -> Clause | None:
    from .compare_relation import finite  # noqa: PLC0415

    clause = finite(sent, list(range(at, hi)))
    return tidy(sent, clause) if clause else None


def either(sent: Sentence, source: str) -> Reading | None:
    """Read "was A or B ..."."""
    lo, hi = 1, end_of(sent)
    joiner = next((i for i in range(lo, hi) if plain(sent, i, OR)), None)
    if joiner is None or not plain(sent, 0, AUX):
        return None
    end = member_end(sent, joiner + 1, hi)
    if member_end(sent, lo, joiner) != joiner or end >= hi:
        return None
    members = things(sent, source, lo, end, OR, many=many(sent))
    if len(members) < 2 or not _whole_names(sent, members):
        return None
    clause = tidy(sent, Clause(0, tuple(range(end, hi))))
    return related(sent, members, clause, []) if clause.rest else None


def standard(sent: Sentence, source: str) -> Reading | None:
    """Read "is A older than B", "was A released before B", "does A have the same N as B"."""
    hi = end_of(sent)
    lo = _degree_first(sent)
    if lo == 0:
        return None
    mark = next((i for i in range(hi - 2, lo, -1) if plain(sent, i, _THAN | _TIMES | _AS)), None)
    if mark is None:
        return None
    end = member_end(sent, lo, mark)
    first, second = whole(sent, source, lo, end), whole(sent, source, mark + 1, _unverbed(sent, mark + 1, hi))
    if (
        first is None
        or second is None
        or not _comparable(sent, first, second, timed=plain(sent, mark, _TIMES))
    ):
        return None
    if not any(sent[i].anchor for i in range(lo, end)):
        end = next((i for i in range(lo + 1, mark) if _measures(sent, i)), end)
        first = whole(sent, source, lo, end) or first
    front = tuple(range(1, lo - 1)) if lo > 1 else ()
    clause = tidy(sent, Clause(lo - 1, (*front, *range(end, mark))))
    if plain(sent, mark, _TIMES):
        timed = any(sent[i].tag in VERB_TAGS for i in range(end, mark)) or end == mark
        return Reading((first, second), when(sent, clause)) if timed else None
    if inner(sent, clause):
        return related(sent, (first, second), clause, [])
    readers = (shared, equal) if plain(sent, mark, _AS) else (moment, amount, degree)
    found = next((c for c in (read(sent, clause) for read in readers) if c), None)
    return Reading((first, second), found) if found else None


def _measures(sent: Sentence, i: int) -> bool:
    """Tell whether a predicate that compares opens at word i, in a question without capitals."""
    node = sent[i]
    return (
        bool(base(sent, i))
        or node.low in ("more", "less", "fewer", "the", "as")
        or node.tag in VERB_TAGS - {"VBG"}
    )


def _degree_first(sent: Sentence) -> int:
    """Return where the first thing starts: after an auxiliary, or after "how much older is"."""
    if plain(sent, 0, AUX):
        return 1
    if plain(sent, 0, frozenset({"how"})):
        return next((i + 1 for i in range(2, min(7, len(sent))) if plain(sent, i, AUX)), 0)
    return 0


def _unverbed(sent: Sentence, lo: int, hi: int) -> int:
    return hi - 1 if hi - 1 > lo and plain(sent, hi - 1, AUX) else hi


def _comparable(sent: Sentence, first: Thing, second: Thing, *, timed: bool) -> bool:
    """Tell whether both are things: no numbers, dates, pronouns or clauses."""
    words = [sent[i] for i in second.words]
    if (
        second.text[0].isdigit()
        and words[0].tag == "CD"
        or words[0].tag in ("PRP", "PRP$", "CD", "VBG", "IN", "WRB", "EX")
    ):
        return False
    if not any(n.noun or n.anchor for n in words) or not any(
        sent[i].noun or sent[i].anchor for i in first.words
    ):
        return False
    relative = any(n.low in ("that", "which", "who") for n in words)
    if any(n.tag in ("VBD", "VBZ", "VBP", "MD") and not n.word.atom for n in words) and not relative:
        return False
    if not timed:
        return True
    named = any(n.anchor for n in words) == any(sent[i].anchor for i in first.words)
    lows = [w.lower() for w in second.text.split()]
    events = {"war", "battle", "revolution", "era", "century", "christmas", "noon", "midnight"}
    happening = any(w in events or is_word("month", w) or is_word("event", w) for w in lows)
    return named and not happening and low(sent, first.words[0]) not in ("it", "he", "she", "they")


_ = DO
