"""Frames that choose among listed things: "which ..., A or B", "between A and B, which ...", "was A or B ..."."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .compare_asking import Asking, low, tag, untail
from .compare_frames import (
    AND,
    ASK,
    AUX,
    OR,
    SEPARATORS,
    WH,
    WH_ANY,
    Group,
    Reading,
    compares,
    group,
    plain,
    related,
    subject_question,
    tidy,
    unowned,
)
from .compare_members import member_end
from .compare_relation import finite
from .sentence import VERB_TAGS

if TYPE_CHECKING:
    from .sentence import Sentence

_PARTITIVE = frozenset("between among amongst of out".split())
_EITHER = OR | AND


def listed_last(sent: Sentence, source: str) -> Reading | None:
    """Choose among things that close the question: "which film is longer, A or B"."""
    lo, hi = _start(sent), sent.end
    joiner = next((i for i in range(hi - 1, lo, -1) if plain(sent, i, OR)), None)
    if joiner is None:
        return None
    cut = next((i for i in range(lo + 1, joiner) if plain(sent, i, SEPARATORS)), None)
    if cut is None and sent[joiner - 1].word.atom and "," in sent[joiner - 1].word.text:
        return _run_on(sent, source, lo, joiner - 1)
    if cut is None:
        cut = _uncut(sent, lo, joiner, hi)
    elif any(plain(sent, i, SEPARATORS) for i in range(joiner + 1, hi)) and not _has_verb(sent, lo, cut):
        return None
    if cut is None:
        return None
    start = cut
    while start < joiner and plain(sent, start, SEPARATORS | _PARTITIVE | {"either"}):
        start += 1
    found = group(sent, source, start, hi, _EITHER if start > cut + 1 else OR)
    return _chosen(sent, lo, cut, found)


def _start(sent: Sentence) -> int:
    """Return where the question proper starts: after "tell me", "do you know"."""
    for i in range(min(6, len(sent) - 1)):
        if plain(sent, i, ASK) and plain(sent, i + 1, WH_ANY):
            return i + 1
    return 0


def _run_on(sent: Sentence, source: str, lo: int, name: int) -> Reading | None:
    """Part a last capitalised word from the first thing: "is from Norvania, Paper Moons or ..."."""
    word = sent[name].word
    if plain(sent, name - 1, _EITHER) or not _has_verb(sent, lo, name):
        return None
    comma = source.index(",", word.start, word.end)
    found = group(sent, source, name, sent.end, OR, after=comma + 1)
    return _chosen(sent, lo, name, found, said=(source[word.start : comma],))


def _has_verb(sent: Sentence, lo: int, hi: int) -> bool:
    return any(sent[i].tag in VERB_TAGS and not sent[i].word.atom for i in range(lo, hi))


def _chosen(sent: Sentence, lo: int, cut: int, found: Group | None, said: tuple[str, ...] = ()) -> Reading | None:
    """Return the choice among the things by the question in words lo..cut, which ends in the words `said`."""
    asked = subject_question(sent, lo, cut) if found else None
    if found is None or asked is None:
        return None
    asking, noun = asked
    asking = replace(asking, rest=(*asking.rest, *said))
    if not asking.rest or _exceeds(sent, asking):
        return None
    elliptic = all(m.text.endswith(("'s", "\u2019s")) or m.text.startswith("that of ") for m in found.things)
    if not noun and elliptic and sent[lo + 1].noun:
        # "Which director is older, A's or B's?"
        return related(sent, replace(found, things=unowned(found.things)), asking, (lo + 1,))
    return related(sent, found, asking, noun)


def _exceeds(sent: Sentence, asking: Asking) -> bool:
    """Tell whether the clause compares with a thing of its own ("who has more cups than the choir ...")."""
    rest = untail(sent, asking.rest)
    than = [k for k, p in enumerate(rest) if low(sent, p) == "than"]
    return any(k + 1 == len(rest) or tag(sent, rest[k + 1]) != "CD" for k in than)


def _uncut(sent: Sentence, lo: int, joiner: int, hi: int) -> int | None:
    """Return where the things start when no comma says so: the question before them must measure."""
    if joiner + 1 >= hi or joiner < lo + 3:
        return None
    alike = [k for k in range(lo + 2, joiner) if sent[k].low == sent[joiner + 1].low]
    start = alike[-1] if alike else joiner
    if not alike:
        while start > lo + 2 and sent[start - 1].anchor:
            start -= 1
        if start == joiner:
            length = sum(len(n.word.text.split()) for n in sent.nodes[joiner + 1 : hi])
            start = joiner - min(length, joiner - lo - 2)
        elif plain(sent, start - 1, frozenset({"the"})):
            start -= 1
    found = subject_question(sent, lo, start)
    return start if found and compares(sent, found[0]) else None


def listed_out_of(sent: Sentence, source: str) -> Reading | None:
    """Choose among things that a preposition brings: "who was born first out of A and B"."""
    lo, hi = _start(sent), sent.end
    if not plain(sent, lo, WH):
        return None
    for i in range(lo + 2, hi - 2):
        if not plain(sent, i, _PARTITIVE | {"from"}) or (sent[i].low == "of" and sent[i - 1].noun):
            continue
        asked = subject_question(sent, lo, i)
        if asked is None or not compares(sent, asked[0]):
            continue
        far = plain(sent, i, frozenset({"out", "from"})) and sent[i + 1].low in ("of", "among")
        return _chosen(sent, lo, i, group(sent, source, i + 2 if far else i + 1, hi, _EITHER, listed=True))
    return None


def listed_first(sent: Sentence, source: str) -> Reading | None:
    """Choose among things before the question: "between A and B, which is longer"."""
    hi = sent.end
    if plain(sent, 0, WH_ANY | AUX):
        return None
    wh = next((i for i in range(2, hi) if plain(sent, i, WH)), None)
    if wh is None:
        return None
    start = 0
    while plain(sent, start, _PARTITIVE | {"comparing", "compared"}):
        start += 1
    if start == 0 and not plain(sent, wh - 1, SEPARATORS):
        return None
    end = wh - 1 if plain(sent, wh - 1, SEPARATORS) else wh
    return _chosen(sent, wh, hi, group(sent, source, start, end, _EITHER, listed=start > 0))


def listed_inside(sent: Sentence, source: str) -> Reading | None:
    """Choose among things behind the question word: "which of A and B is older"."""
    hi = sent.end
    if not plain(sent, 0, WH):
        return None
    start = next((i for i in range(1, min(5, hi)) if plain(sent, i, SEPARATORS | {"of", "between"})), None)
    if start is None or _has_verb(sent, 0, start) or any(plain(sent, i, WH_ANY) for i in range(start, hi)):
        return None
    if plain(sent, start, frozenset({"of"})) and not plain(sent, start - 1, WH | {"one"}):
        return None
    joiner = next((i for i in range(start, hi) if plain(sent, i, _EITHER)), start)
    if plain(sent, start, frozenset({"of"})):  # "which of the two rivers, A or B, ..."
        start = next((i for i in range(start, joiner) if plain(sent, i, SEPARATORS)), start)
    end = member_end(sent, joiner + 1, hi)
    found = group(sent, source, start + 1, end, _EITHER)
    while end < hi and plain(sent, end, SEPARATORS):
        end += 1
    asking = finite(sent, list(range(end, hi)))
    if found is None or asking is None:
        return None
    asking = tidy(sent, asking)
    # Without a measure the "and" may be the name's own: "which of the owners of Salt and Timber paid ...".
    apart = compares(sent, asking) or (plain(sent, joiner, _EITHER) and not found.noun)
    return related(sent, found, asking) if asking.rest and apart else None


def either(sent: Sentence, source: str) -> Reading | None:
    """Choose between the subjects of a yes/no question: "was A or B born first"."""
    hi = sent.end
    joiner = next((i for i in range(1, hi) if plain(sent, i, OR)), None)
    if joiner is None or not plain(sent, 0, AUX):
        return None
    end = member_end(sent, joiner + 1, hi)
    if end >= hi or not _one_phrase(sent, 1, joiner):
        return None
    found = group(sent, source, 1, end, OR)
    asking = tidy(sent, Asking(0, tuple(range(end, hi))))
    return related(sent, found, asking) if found and asking.rest else None


def _one_phrase(sent: Sentence, lo: int, joiner: int) -> bool:
    """Tell whether words lo..joiner are one noun phrase, not a clause whose last part is a choice of values."""
    end = member_end(sent, lo, joiner)
    while end < joiner and (sent[end].tag == "NN" or sent[end].low == ","):
        end = member_end(sent, end + 1, joiner)
    return end == joiner
