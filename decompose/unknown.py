"""Conditions on the unknown itself: intersections, and a question word inside a relative clause.

"Which village, built by J, lies on the Elver?" asks for one unknown by two conditions. "X opens onto a square that has
how many trees?" finds the square first: the question word stands in the clause that describes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .clauses import clause, passive_be
from .phrases import phrase, role
from .render import invert, plural, third_person
from .sentence import AUXILIARIES, BE, CLAUSES, FINITE_TAGS, RELATIVES, SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .phrases import Phrase
    from .render import Piece
    from .sentence import Sentence

# What stands for the answer of the hop before.
ANSWER = "#"

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


def question_in_clause(sent: Sentence, ask: Asked, number: int) -> Conditions | None:
    """Return the two hops of a question asked in the clause on a noun, the first one with that number."""
    hops = QUESTION_IN_CLAUSE.read(sent, ask)
    if hops is None:
        return None
    told = tuple(tuple(f"#{number}" if piece == ANSWER else piece for piece in hop) for hop in hops)
    return Conditions(QUESTION_IN_CLAUSE.name, told)


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
    return tuple(_coordinated(sent, sent.root, [ask.word], ask.word))


def _on_noun(sent: Sentence, ask: Asked) -> Hops | None:
    head = _asked_noun(sent, ask)
    if head is None or _bare_subject(sent, ask):
        return None
    np = phrase(sent, head)
    verbs = _modifiers(sent, head)
    base = _base(sent, np, verbs)
    hops: list[tuple[Piece, ...]] = []
    main = _main_clause(sent, np, verbs)
    if main is None:
        return None
    if _is_subject(sent, head):
        hops += _coordinated(sent, sent.root, list(base), head)
    else:
        hops.append(tuple(main))
    inner = [h for verb in verbs for h in _of_clause(sent, np, verb, base)]
    if inner and not ask.initial:
        late = [k for k in sent.kids(sent.root, "conj") if k > verbs[-1] and _own_predicate(sent, k)]
        inner += [(*base, *sent.subtree(k)) for k in late]
        gone = {i for k in late for i in sent.subtree(k)} | {i for i in sent.kids(sent.root, "cc") if i > verbs[-1]}
        hops = [tuple(p for p in hop if p not in gone) for hop in hops]
    inner += _with(sent, np, base)
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


def _base(sent: Sentence, np: Phrase, verbs: list[int]) -> tuple[Piece, ...]:
    """Return the words that ask for the unknown in each condition: question word, noun, its modifiers."""
    drop: set[int] = set()
    for verb in verbs:
        drop |= set(sent.subtree(verb))
    for prep in np.preps:
        if sent[prep].low == "with":
            drop |= set(sent.subtree(prep))
    kept = [i for i in _with_partners(sent, np) if i not in drop]
    while kept and sent[kept[0]].tag in ("IN", "TO"):
        kept.pop(0)
    while kept and sent[kept[-1]].low in (",", "?"):
        kept.pop()
    return tuple(kept)


def _with_partners(sent: Sentence, np: Phrase) -> list[int]:
    """Return the phrase with nouns coordinated in it that have no article: "paper and ribbon merchant"."""
    words = set(np.all)
    for conj in sent.kids(np.head, "conj"):
        if sent[conj].noun and not sent.kids(conj, "det") and not sent[conj].anchor:
            words |= set(sent.subtree(conj)) | set(sent.kids(np.head, "cc"))
    return sorted(words)


def _main_clause(sent: Sentence, np: Phrase, verbs: list[int]) -> list[Piece] | None:
    """Return the question without the clauses on the unknown, or None where nothing is said then."""
    drop: set[int] = set()
    for verb in verbs:
        drop |= set(sent.subtree(verb))
    kept = [n.i for n in sent.nodes if n.i not in drop]
    kept = [i for p, i in enumerate(kept) if not (sent[i].low == "," and _loose(kept, p, np))]
    said = [i for i in kept if i not in np.all and sent[i].low not in (*BE, "?", ",", "the")]
    return list(kept) if said else None


def _loose(kept: list[int], place: int, np: Phrase) -> bool:
    """Tell whether a comma only enclosed a clause that is gone."""
    before = kept[place - 1] if place else -1
    gone = place + 1 < len(kept) and kept[place + 1] != kept[place] + 1
    return gone or kept[place] - 1 != before or kept[place] in np.all


def _of_clause(sent: Sentence, np: Phrase, verb: int, base: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """Return the conditions of one clause on the noun; a coordination in it gives several."""
    parts = _split_coordination(sent, verb)
    hops: list[tuple[Piece, ...]] = []
    for number, (_, tokens) in enumerate(parts):
        c = clause(sent, np, verb)
        if number == 0:
            if c.pronoun is not None and sent[c.pronoun].tag == "WP$":
                # "which film whose director won": "Which film's director won".
                owned = [i for i in tokens if i > c.pronoun]
                hops.append((*base, "'s", *owned))
                continue
            rest = [i for i in tokens if i not in c.lead and not (sent[i].low == "," and i == tokens[0])]
            hops.append(_statement(sent, np, verb, base, rest, has_pronoun=c.pronoun is not None, own=c.subject))
        else:
            hops.append((*base, *tokens))
    return [h for h in hops if h]


def _statement(
    sent: Sentence,
    np: Phrase,
    verb: int,
    base: tuple[Piece, ...],
    rest: list[int],
    *,
    has_pronoun: bool,
    own: int | None,
) -> tuple[Piece, ...]:
    node = sent[verb]
    bare = not sent.kids(verb, *AUXILIARIES) and not has_pronoun
    if own is not None:
        return (*base, *invert(sent, verb, rest))
    if bare and node.tag in ("VBN", "VBD"):
        return (*base, passive_be(sent, verb, many=sent[np.head].tag == "NNS"), *rest)
    if bare and node.tag == "VBG":
        finite = node.lemma if plural(sent, np.head) else third_person(node.lemma)
        return (*base, *[finite if i == verb else i for i in rest])
    return (*base, *rest)


def _with(sent: Sentence, np: Phrase, base: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """Return "Which ship has a crew of N" for "Which ship with a crew of N ..."."""
    hops: list[tuple[Piece, ...]] = []
    for prep in np.preps:
        if sent[prep].low == "with":
            has = "have" if plural(sent, np.head) else "has"
            hops.append((*base, has, *[i for i in sent.subtree(prep) if i != prep]))
    return hops


def _split_coordination(sent: Sentence, verb: int) -> list[tuple[int, list[int]]]:
    """Return (verb, words) of each coordinated verb phrase under `verb` that has words of its own."""
    whole = sent.subtree(verb)
    others = [k for k in sent.kids(verb, "conj") if _own_predicate(sent, k)]
    if not others or not _complement(sent, verb, others[0]):
        return [(verb, list(whole))]
    gone: set[int] = set()
    for k in others:
        gone |= set(sent.subtree(k))
    gone |= set(sent.kids(verb, "cc"))
    first = [i for i in whole if i not in gone]
    while first and sent[first[-1]].low in (",", "?"):
        first.pop()
    parts = [(verb, first)]
    for k in others:
        parts += _split_coordination(sent, k)
    return parts


def _own_predicate(sent: Sentence, k: int) -> bool:
    node = sent[k]
    if not node.tag.startswith("VB") and node.low not in BE:
        return False
    auxes = sent.kids(k, *AUXILIARIES)
    finite = node.tag in FINITE_TAGS or any(sent[a].tag in FINITE_TAGS for a in auxes)
    return finite and not sent.kids(k, *SUBJECTS)


def _complement(sent: Sentence, verb: int, before: int) -> bool:
    """Tell whether the first verb has an object or adjunct of its own: "wrote X and sang Y", not "wrote and sang"."""
    return any(
        verb < k < before and sent[k].dep not in ("cc", "punct", "conj", "neg", "advmod") for k in sent[verb].kids
    )


def _coordinated(sent: Sentence, root: int, base: list[Piece], subject: int) -> list[tuple[Piece, ...]]:
    """Return one hop a coordinated verb phrase of the main clause, each with the unknown as its subject."""
    own = set(sent.subtree(subject))
    hops: list[tuple[Piece, ...]] = []
    lead = {n.i for n in sent.nodes if n.i < subject and n.i not in own and sent[n.i].dep == "punct"}
    for _, tokens in _split_coordination(sent, root):
        body = [i for i in tokens if i not in own and i not in lead]
        while body and sent[body[0]].low in (",", "and", "but"):
            body.pop(0)
        hops.append((*base, *body))
    return hops


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
        parts = [p for verb in verbs for p in _split_coordination(sent, verb)]
        if len(parts) < 2 or (np.preps and sent[np.preps[0]].low == "of"):
            continue
        base = (
            "Which" if role(sent, head) else "What",
            *[i for i in _base(sent, np, verbs) if i != np.det],
        )
        hops = [h for verb in verbs for h in _of_clause(sent, np, verb, base)]
        return tuple(hops)
    return None


def _in_clause(sent: Sentence, ask: Asked) -> Hops | None:
    """Read "X opens onto a square that has how many trees?": the noun of the clause is the bridge entity."""
    if ask.word is None or ask.initial:
        return None
    verb = next((a for a in sent.ancestors(ask.word) if sent[a].dep in CLAUSES and sent[a].tag[:2] == "VB"), None)
    if verb is None:
        return _in_phrase(sent, ask.word)
    if not sent[sent[verb].head].noun or sent[verb].head > ask.word:
        return None
    np = phrase(sent, sent[verb].head)
    c = clause(sent, np, verb)
    if c.subject is not None or (sent[np.head].dep == "attr" and sent[np.head].head == sent.root):
        return None
    main = _asked_for(sent, np, set(sent.subtree(verb)))
    if main is None:
        return None
    body = _statement(sent, np, verb, (ANSWER,), list(c.rest), has_pronoun=c.pronoun is not None, own=None)
    return main, body


def _in_phrase(sent: Sentence, word: int) -> Hops | None:
    """Read "a poem by a miller from what valley": the noun that the preposition describes is the bridge entity."""
    asked_noun = sent[word].head if sent[word].dep == "det" else word
    prep = sent[sent[asked_noun].head]
    noun = sent[prep.head]
    described = prep.low in ("from", "in", "near") and noun.noun and not noun.anchor and noun.dep in ("pobj", "dobj")
    if not described or prep.i != noun.i + 1 or prep.i > word:
        return None
    np = phrase(sent, noun.i)
    main = _asked_for(sent, np, set(sent.subtree(prep.i)))
    if main is None or np.det is None or sent[np.det].low not in ("a", "an"):
        return None
    return main, (ANSWER, "is", *sent.subtree(prep.i))


def _asked_for(sent: Sentence, np: Phrase, gone: set[int]) -> tuple[Piece, ...] | None:
    """Return the question with "what" for the phrase's article and without the words gone, or None without a verb."""
    kept = [n.i for n in sent.nodes if n.i not in gone]
    if np.det is None or not any(sent[i].tag[:2] in ("VB", "MD") for i in kept):
        return None
    return tuple("what" if i == np.det else i for i in kept)


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
QUESTION_IN_CLAUSE = UnknownRule(
    "question_in_clause",
    "The question word stands in the clause on a noun, and the noun is the bridge entity.",
    (
        "The Amber Arcade opens onto a square that has how many trees?",
        ("The Amber Arcade opens onto what square?", "#1 has how many trees?"),
    ),
    "The Amber Arcade opens onto which square?",
    _in_clause,
)
