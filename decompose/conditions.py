"""Several conditions on one unknown: "Which village, built by J, lies on the Elver?" has two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .condition_hops import (
    base_words,
    coordinated,
    main_clause,
    of_clause,
    own_predicate,
    split_coordination,
    with_phrases,
)
from .phrases import phrase, role
from .sentence import CLAUSES, RELATIVES, SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .render import Piece
    from .sentence import Sentence

Hops = tuple[tuple["Piece", ...], ...]


@dataclass(frozen=True, slots=True)
class UnknownRule:
    """One way to say several things of what is asked for.

    about: one sentence. example: a question, with the hops that it makes. leaves_alone: a near miss that it does
    not read. read: takes the sentence and what it asks for; gives the hops as pieces, or None.
    """

    name: str
    about: str
    example: tuple[str, tuple[str, ...]]
    leaves_alone: str
    read: Callable[[Sentence, Asked], Hops | None]


@dataclass(frozen=True, slots=True)
class Conditions:
    """The hops that a rule gives, as pieces."""

    rule: str
    hops: Hops


def intersection(sent: Sentence, ask: Asked) -> Conditions | None:
    """Return the conditions of a question whose unknown has two or more, else None."""
    if ask.word is None:
        return None
    for rule in INTERSECTIONS:
        hops = rule.read(sent, ask)
        if hops is not None and len(hops) > 1:
            return Conditions(rule.name, hops)
    return None


def _bare_subject(sent: Sentence, ask: Asked) -> bool:
    """Tell whether the question begins "who did ..." or "what did ...", with no noun."""
    word = sent[ask.word or 0]
    return word.low in ("who", "what") and ask.initial and word.dep in SUBJECTS


def _asked_noun(sent: Sentence, ask: Asked) -> int | None:
    """Return the noun in "which town ...", else None."""
    word = sent[ask.word or 0]
    return word.head if word.low in ("what", "which") and sent[word.head].noun and word.head > word.i else None


def _coordinated_verbs(sent: Sentence, ask: Asked) -> Hops | None:
    if ask.word is None or not _bare_subject(sent, ask):
        return None
    return tuple(coordinated(sent, sent.root, [ask.word], ask.word))


def _on_noun(sent: Sentence, ask: Asked) -> Hops | None:
    head = _asked_noun(sent, ask)
    if head is None or _bare_subject(sent, ask):
        return None
    np = phrase(sent, head)
    verbs = _modifiers(sent, head)
    base = base_words(sent, np, verbs)
    hops: list[tuple[Piece, ...]] = []
    main = main_clause(sent, np, verbs)
    if main is None:
        return None
    if _is_subject(sent, head):
        hops += coordinated(sent, sent.root, list(base), head)
    else:
        hops.append(tuple(main))
    inner = [h for verb in verbs for h in of_clause(sent, np, verb, base)]
    if inner and not ask.initial:
        late = [k for k in sent.kids(sent.root, "conj") if k > verbs[-1] and own_predicate(sent, k)]
        inner += [(*base, *sent.subtree(k)) for k in late]
        gone = {i for k in late for i in sent.subtree(k)} | {i for i in sent.kids(sent.root, "cc") if i > verbs[-1]}
        hops = [tuple(p for p in hop if p not in gone) for hop in hops]
    inner += with_phrases(sent, np, base)
    fronted = bool(inner) and _is_subject(sent, head) and all(v < sent.root for v in verbs)
    ordered = [*inner, *hops] if fronted and ask.initial else [*hops, *inner]
    return tuple(ordered)


def _is_subject(sent: Sentence, head: int) -> bool:
    """Tell whether the noun is the subject of the main verb: before it, with no other subject there."""
    if sent[head].dep in SUBJECTS and sent[head].head == sent.root:
        return True
    others = [k for k in sent.kids(sent.root, *SUBJECTS) if k != head]
    return not others and head < sent.root and sent[head].head == sent.root and not sent.kids(sent.root, "aux")


def _modifiers(sent: Sentence, head: int) -> list[int]:
    """Return the clauses on the noun, also one that was moved to the end of the question."""
    found = [k for k in sent[head].kids if sent[k].dep in CLAUSES and k > head]
    root = sent[head].head
    if not found and root == sent.root:
        found = [k for k in sent.kids(sent.root, "relcl") if sent[sent.subtree(k)[0]].low in RELATIVES]
    return [k for k in found if len(sent.subtree(k)) > 1 and sent[k].tag != "VB"]


def _both_objects(sent: Sentence, ask: Asked) -> Hops | None:
    """Read "Which letters name both A and B?": each object is a condition."""
    if not ask.initial:
        return None
    for node in sent.nodes:
        if node.low != "both" or node.dep not in ("preconj", "det", "predet"):
            continue
        first = sent[node.head]
        second = sent.kids(first.i, "conj")
        if first.dep not in ("dobj", "pobj") or len(second) != 1 or node.i > first.i:
            continue
        other = set(sent.subtree(second[0]))
        cc = set(sent.kids(first.i, "cc"))
        one = set(sent.subtree(first.i)) - other - cc - {node.i}
        if any(sent[i].dep in CLAUSES or sent[i].low == "of" for i in one | other):
            return None
        rest = [n.i for n in sent.nodes if n.i not in one | other | cc | {node.i}]
        cut = node.i
        hops = [tuple(sorted([*rest, *part])) for part in (one, other)]
        if all(h[0] < cut for h in hops) and sent.root < cut and _wh_subject(sent, ask):
            return tuple(hops)
    return None


def _wh_subject(sent: Sentence, ask: Asked) -> bool:
    word = ask.word or 0
    return any(sent[i].dep in SUBJECTS for i in (word, sent[word].head))


def _copular(sent: Sentence, ask: Asked) -> Hops | None:
    """Read "Who is the engineer who did A and did B?": the clauses on the asked noun are the conditions."""
    if _bare_subject(sent, ask) or _asked_noun(sent, ask) is not None or sent[ask.word or 0].low == "when":
        return None
    for head in sorted(ask.heads):
        np = phrase(sent, head)
        verbs = [k for k in np.clauses if len(sent.subtree(k)) > 1 and sent[k].tag != "VB"]
        parts = [p for verb in verbs for p in split_coordination(sent, verb)]
        if len(parts) < 2 or (np.preps and sent[np.preps[0]].low == "of"):
            continue
        base = (
            "Which" if role(sent, head) else "What",
            *[i for i in base_words(sent, np, verbs) if i != np.det],
        )
        hops = [h for verb in verbs for h in of_clause(sent, np, verb, base)]
        return tuple(hops)
    return None


INTERSECTIONS: tuple[UnknownRule, ...] = (
    UnknownRule(
        "both_objects",
        "One verb has two objects joined by both and and; each object is a condition.",
        (
            "Which letters mention both the Elver bridge and the Marlow ferry?",
            ("Which letters mention the Elver bridge?", "Which letters mention the Marlow ferry?"),
        ),
        "Who directed both the film Paper Moons and the sequel of it?",
        _both_objects,
    ),
    UnknownRule(
        "coordinated_verbs",
        "Who or what did one thing and another, each with words of its own.",
        (
            "Who wrote Copper Sun and won the Aral Prize?",
            ("Who wrote Copper Sun?", "Who won the Aral Prize?"),
        ),
        "Who wrote and sang Blue Lantern?",
        _coordinated_verbs,
    ),
    UnknownRule(
        "conditions_on_wh_noun",
        "The noun after which or what has a clause, a participle or a with-phrase besides what is asked of it.",
        (
            "Which composer, who was a pupil of Karl Eder, wrote Winter Hymn?",
            ("Which composer was a pupil of Karl Eder?", "Which composer wrote Winter Hymn?"),
        ),
        "Which composer wrote Winter Hymn?",
        _on_noun,
    ),
    UnknownRule(
        "conditions_on_asked_noun",
        "Who or what is the one with two clauses on it.",
        (
            "Who is the actor who starred in Iron Sky and directed Paper Moons?",
            ("Which actor starred in Iron Sky?", "Which actor directed Paper Moons?"),
        ),
        "Who is the actor who starred in Iron Sky?",
        _copular,
    ),
)
