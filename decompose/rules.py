"""The rules that find a bridge entity: one ordered tuple, first match wins. Each reads the dependency parse.

A rule looks at one noun phrase (or one clause) and gives the question for the entity that it describes, or says in
a few words where it stopped. The decomposer takes the innermost entity found, puts its answer's number in its
place, and looks again, until no rule finds one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from .clauses import asked_by_clause, asked_by_name, asked_by_participle, clause, past_tense
from .lexicon import is_word
from .phrases import (
    Phrase,
    anchors,
    definite,
    folding,
    nameable,
    named,
    predicative,
    ranked,
    refers,
    relational,
    role,
)
from .render import invert, subject
from .sentence import BE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .render import Piece
    from .sentence import Sentence


@dataclass(frozen=True, slots=True)
class Found:
    """A bridge entity.

    covers: the words that the number of its answer replaces. pieces: the question for it. head: its noun, or the
    verb of a clause. keep: words of our own that stand before the number ("in" for a bare where-clause).
    """

    covers: tuple[int, ...]
    pieces: tuple[Piece, ...]
    head: int
    keep: tuple[str, ...] = ()


Match = Found | str


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to describe an entity without naming it.

    about: one sentence. example: a question that it splits, with the hop that it makes. leaves_alone: a near miss
    in which it finds nothing. match: takes the sentence and a noun phrase; gives what it found, or where it stopped.
    """

    name: str
    about: str
    example: tuple[str, str]
    leaves_alone: str
    match: Callable[[Sentence, Phrase], Match]


@dataclass(frozen=True, slots=True)
class ClauseRule:
    """Like `Rule`, for a clause that stands for an entity without a noun. `match` sees the whole sentence."""

    name: str
    about: str
    example: tuple[str, str]
    leaves_alone: str
    match: Callable[[Sentence, Asked], Match]


def _whole(np: Phrase, pieces: list[Piece]) -> Found:
    return Found(np.all, tuple(pieces), np.head)


def _by_name(sent: Sentence, np: Phrase) -> Found:
    return _whole(np, asked_by_name(sent, np, past=past_tense(sent, np)))


def _described(sent: Sentence, np: Phrase, dep: str) -> int | str:
    """Return the verb of the last clause of that label on the phrase, or why it describes nothing unnamed."""
    verbs = [k for k in np.clauses if sent[k].dep == dep]
    if not verbs:
        return "no relative clause" if dep == "relcl" else "no participle"
    if not definite(sent, np):
        return "not one definite thing"
    if sent[np.head].tag == "NNS" and np.det is None and np.poss is None:
        return "a class, not one thing"
    if named(sent, np, verbs[-1]):
        return "a name follows"
    return verbs[-1]


def _relative_verb(sent: Sentence, np: Phrase) -> int | str:
    verb = _described(sent, np, "relcl")
    if isinstance(verb, str):
        return verb
    after = sent[np.head + 1]
    if after.word.atom and is_word("class_work", sent[np.head].low) and sent[sent.root].tag[:2] not in ("VB", "MD"):
        return "a name follows"
    if sent[np.head].word.atom and (np.det is None or after.low == ","):
        return "it is named"
    return verb


def _participle_verb(sent: Sentence, np: Phrase) -> int | str:
    verb = _described(sent, np, "acl")
    if isinstance(verb, str):
        return verb
    if sent[np.head].word.atom:
        return "it is named"
    if (
        sent[verb].tag == "VB"
        or sent[verb].low in BE
        or len(sent.subtree(verb)) < 2
        or any(sent[k].low == "that" for k in sent.kids(verb, "mark"))
    ):
        return "no participle with words of its own"
    if sent[verb].tag == "VBG" and np.det is not None and sent[np.det].low != "the":
        return "not one definite thing"
    return verb


def _owned(sent: Sentence, np: Phrase) -> bool:
    return np.poss is not None and bool(anchors(sent, sent.subtree(np.poss)))


def _read_relative(sent: Sentence, np: Phrase) -> tuple[str, list[Piece]] | str:
    """Return (form, question) of the relative clause on the phrase, or where the reading stops."""
    verb = _relative_verb(sent, np)
    if isinstance(verb, str):
        return verb
    if ranked(sent, np) or _owned(sent, np):
        return "ranked or owned"
    if sum(sent[k].dep == "relcl" for k in np.clauses) > 1:
        return "two relative clauses on one noun"
    c = clause(sent, np, verb)
    if c.subject is not None and sent[c.subject].tag == "PRP":
        return "a pronoun ties the clause to the question"
    asked = asked_by_clause(sent, np, c)
    loose = np.det is not None and sent[np.det].low in ("a", "an") and not is_word("place", sent[np.head].low)
    if asked is not None and asked[0] == "where" and loose:
        return "the clause tells where something happens, not which thing"
    return asked or "the clause has no reading"


def _read_participle(sent: Sentence, np: Phrase) -> tuple[str, list[Piece]] | str:
    """Return (voice, question) of the participle on the phrase, or where the reading stops."""
    verb = _participle_verb(sent, np)
    if isinstance(verb, str):
        return verb
    if ranked(sent, np) or _owned(sent, np):
        return "ranked or owned"
    return asked_by_participle(sent, np, clause(sent, np, verb)) or "no participle"


def _clause_of(
    read: Callable[[Sentence, Phrase], tuple[str, list[Piece]] | str], form: str
) -> Callable[[Sentence, Phrase], Match]:
    """Return the matcher of clauses of one form. A phrase's clause is read once for all forms."""

    def match(sent: Sentence, np: Phrase) -> Match:
        key = (read.__name__, np.all)
        if key not in sent.memo:
            sent.memo[key] = read(sent, np)
        reading = cast("tuple[str, list[Piece]] | str", sent.memo[key])
        if isinstance(reading, str):
            return reading
        if reading[0] != form:
            return f"a clause of the form {reading[0]}"
        found = _whole(np, reading[1])
        bare = form == "when" and np.all[0] > 0 and sent[np.all[0] - 1].tag not in ("IN", "TO")
        # "won the Regatta the year X was born": the answer needs the preposition that the phrase did without.
        return replace(found, keep=("in",)) if bare else found

    return match


def _ranked_clause(sent: Sentence, np: Phrase) -> Match:
    verb = _relative_verb(sent, np)
    if isinstance(verb, str):
        verb = _participle_verb(sent, np)
    if isinstance(verb, str):
        return verb
    if not ranked(sent, np) and not _owned(sent, np):
        return "neither ranked nor owned"
    return _by_name(sent, np)


def _possessive(sent: Sentence, np: Phrase) -> Match:
    if np.poss is None:
        return "no possessor"
    if not relational(sent, np.head):
        return "a happening or a part"
    owner = sent.subtree(np.poss)
    if not nameable(sent, np.head, owner):
        return "the possessor is not named"
    if refers(sent, owner) and folding(sent, np.head):
        return "an attribute of another hop's answer"
    return _by_name(sent, np)


def _of_relation(sent: Sentence, np: Phrase) -> Match:
    of = next((p for p in np.preps if sent[p].low == "of"), None)
    if of is None:
        return "no of"
    if not relational(sent, np.head) or predicative(sent, np.head):
        return "a happening, a part or a predicate"
    if not definite(sent, np) or (np.det is not None and sent[np.det].low != "the"):
        return "not one definite thing"
    if sent[np.head].tag == "NNS" and not role(sent, np.head):
        return "a class, not one thing"
    if np.det is None and not np.before and is_word("complex_preposition", sent[np.head].low):
        return "a complex preposition"
    target = sent.subtree(of)
    if len(target) < 2:
        return "nothing after of"
    if is_word("class_place", sent[np.head].low) and not ranked(sent, np) and sent[of + 1].word.atom:
        return "the class of a name"
    named_target = [i for i in nameable(sent, np.head, target) if sent[i].tag != "CD"]
    if not named_target and not role(sent, np.head) and not ranked(sent, np):
        return "nothing named after of"
    if refers(sent, target) and folding(sent, np.head):
        return "an attribute of another hop's answer"
    return _by_name(sent, np)


def _compound_role(sent: Sentence, np: Phrase) -> Match:
    titles = [i for i in np.before if sent[i].anchor and sent[i].tag != "JJ"]
    if not titles and is_word("creator", sent[np.head].low):
        titles = [i for i in np.before if not sent.cased and sent[i].tag in ("NN", "NNP", "VBG", "JJR", "VBN")]
    article = np.det is not None or (bool(titles) and sent[titles[0]].low.startswith("the "))
    if not titles or not article or titles[-1] < np.head - 2:
        return "no title before the noun"
    if not role(sent, np.head) or predicative(sent, np.head):
        return "no role"
    if refers(sent, titles) and folding(sent, np.head):
        return "an attribute of another hop's answer"
    if (
        sent.cased
        and not sent[titles[-1]].word.atom
        and (titles[0] != np.before[0] or is_word("demonym", sent[titles[-1]].low))
    ):
        return "a people or place, not a title"
    short = replace(np, all=tuple(i for i in np.all if i <= np.head))
    return _whole(short, asked_by_name(sent, short, past=False))


def _located(sent: Sentence, np: Phrase) -> Match:
    if np.det is None or sent[np.det].low != "the":
        return "not one definite thing"
    for kid in sent[np.head].kids:
        if kid > np.head and sent[kid].dep in ("advmod", "npadvmod") and anchors(sent, sent.subtree(kid)):
            base = [i for i in np.all if i <= np.head and i != np.det]
            return _whole(np, ["What", *base, "is", *[i for i in np.all if i > np.head]])
    return "no distance or direction"


def _prepositional(sent: Sentence, np: Phrase) -> Match:
    if np.det is None or sent[np.det].low != "the":
        return "not one definite thing"
    if not relational(sent, np.head):
        return "a happening or a part"
    for prep in np.preps:
        inside = sent.subtree(prep)
        if sent[prep].low == "of" or not sent.kids(prep, "pobj"):
            continue
        first = ranked(sent, np) and sent[np.head].tag != "NNS"
        work = sent[prep].low in ("by", "about") and is_word("class_work", sent[np.head].low)
        strong = role(sent, np.head) or first or work or sent[prep].low in ("with", "behind")
        if strong and (anchors(sent, inside) or sent[prep].low == "with"):
            return _by_name(sent, np)
    return "no preposition that says which one"


def _superlative(sent: Sentence, np: Phrase) -> Match:
    if np.det is None or sent[np.det].low != "the" or not ranked(sent, np):
        return "no superlative"
    if sent[np.head].tag == "NNS" or not relational(sent, np.head) or is_word("year", sent[np.head].low):
        return "a class, a happening, a part or a time"
    return _by_name(sent, np)


def _free_relative(sent: Sentence, ask: Asked) -> Match:
    for node in sent.nodes:
        span = sent.subtree(node.i)
        word = span[0]
        free = node.dep in ("pcomp", "advcl", "ccomp", "relcl") and node.i != sent.root and len(span) > 2
        if not free or word in (ask.word, 0) or word >= node.i:
            continue
        if sent[word].low in ("who", "whoever") and node.dep == "pcomp":
            return Found(tuple(span), tuple(span), node.i)
        if sent[word].low == "where" and not is_word("place", sent[node.head].low) and anchors(sent, span):
            body = invert(sent, node.i, [i for i in span if i != word])
            return Found(tuple(span), ("Where", *body), node.i, ("in",))
    return "no clause that stands for an entity"


def _when_clause(sent: Sentence, ask: Asked) -> Match:
    if ask.word is None or not ask.initial or sent[ask.word].low not in ("who", "what", "which", "how"):
        return "does not ask who, what, which or how first"
    if any(n.tag in ("PRP", "PRP$") for n in sent.nodes):
        return "a pronoun ties the clause to the question"
    for node in sent.nodes:
        span = [i for i in sent.subtree(node.i) if sent[i].low != "?"]
        if node.dep not in ("advcl", "relcl") or node.i <= ask.word or sent[span[0]].low != "when":
            continue
        who = subject(sent, node.i)
        if who is not None and anchors(sent, sent.subtree(who)) and not refers(sent, span):
            return Found(tuple(span), ("When", *invert(sent, node.i, span[1:])), node.i, ("in",))
    return "no when-clause about a named thing"


RULES: tuple[Rule, ...] = (
    Rule(
        "ranked_clause",
        "A superlative, ordinal or possessor together with a clause says which one; the phrase is asked for whole.",
        (
            "Where was the first woman who flew over the Andes born?",
            "Who was the first woman who flew over the Andes?",
        ),
        "Who was the first woman who flew over the Andes?",
        _ranked_clause,
    ),
    Rule(
        "subject_relative",
        "The clause's subject is the entity: who, that or which did it.",
        (
            "When was the company that built the Sunflower Bridge founded?",
            "What company built the Sunflower Bridge?",
        ),
        "What company built the Sunflower Bridge?",
        _clause_of(_read_relative, "subject"),
    ),
    Rule(
        "object_relative",
        "The clause lacks an object, which is the entity: that, which or whom somebody did it to.",
        ("Who directed the film that Marta Oakes produced?", "What film did Marta Oakes produce?"),
        "Which film did Marta Oakes produce?",
        _clause_of(_read_relative, "object"),
    ),
    Rule(
        "reduced_relative",
        "As an object relative, without its pronoun.",
        ("What canal crosses the city Marta Oakes lived in?", "What city did Marta Oakes live in?"),
        "Who directed the film Marta Oakes?",
        _clause_of(_read_relative, "reduced"),
    ),
    Rule(
        "whose_relative",
        "The clause is about something that the entity owns.",
        ("Who governs the state whose capital is Lincoln?", "What state's capital is Lincoln?"),
        "Whose capital is Lincoln?",
        _clause_of(_read_relative, "whose"),
    ),
    Rule(
        "where_relative",
        "The clause says what happens at the place.",
        ("What is the population of the city where Bram Stoker died?", "In what city did Bram Stoker die?"),
        "Where did Bram Stoker die?",
        _clause_of(_read_relative, "where"),
    ),
    Rule(
        "when_relative",
        "The clause says what happened in that year or on that day.",
        ("Who ruled Spain in the year that Lima was founded?", "In what year was Lima founded?"),
        "In what year was Lima founded?",
        _clause_of(_read_relative, "when"),
    ),
    Rule(
        "prep_relative",
        "The clause begins with a preposition: in which, by whom, under whom.",
        ("Who directed the film in which Marta Oakes appeared?", "In what film did Marta Oakes appear?"),
        "In which film did Marta Oakes appear?",
        _clause_of(_read_relative, "prep"),
    ),
    Rule(
        "passive_participle",
        "A past participle says what was done to the entity: designed by, located in, hired by.",
        ("How tall is the tower designed by Gustave Eiffel?", "What tower was designed by Gustave Eiffel?"),
        "Which tower was designed by Gustave Eiffel?",
        _clause_of(_read_participle, "passive"),
    ),
    Rule(
        "active_participle",
        "A present participle says what the entity does: containing, starring, closing.",
        ("When did the country containing Gibeon become independent?", "What country contains Gibeon?"),
        "Which country is containing inflation?",
        _clause_of(_read_participle, "active"),
    ),
    Rule(
        "possessive",
        "A possessor and a relation: somebody's mother, a team's coach.",
        ("When did Ada Lovelace's mother die?", "Who is Ada Lovelace's mother?"),
        "Who is Ada Lovelace's mother?",
        _possessive,
    ),
    Rule(
        "of_relation",
        "A relation with of: the founder of X, the capital of Y.",
        ("Where was the founder of Versus born?", "Who is the founder of Versus?"),
        "What is the Bank of Norvania?",
        _of_relation,
    ),
    Rule(
        "compound_role",
        "A role straight after a title: the Jaws director.",
        ("When was The Godfather author born?", "Who is The Godfather author?"),
        "When did the French author move to Rome?",
        _compound_role,
    ),
    Rule(
        "located",
        "A distance or direction says which place: the city 20 miles north of X.",
        (
            "What is the population of the city 12 miles north of Bree?",
            "What city is 12 miles north of Bree?",
        ),
        "How far north of Denver is Boulder?",
        _located,
    ),
    Rule(
        "prepositional",
        "A prepositional phrase says which one: the receptionist at X, the lead actor in Y, the city with the most Z.",
        ("Where did the receptionist at Real Madrid grow up?", "Who is the receptionist at Real Madrid?"),
        "How many people work at Real Madrid?",
        _prepositional,
    ),
)
LAST_RESORT: tuple[Rule, ...] = (
    Rule(
        "superlative",
        "A superlative or an ordinal alone singles out the one; tried where no other rule finds anything.",
        ("Who directed the longest silent film?", "What is the longest silent film?"),
        "What is the longest silent film?",
        _superlative,
    ),
)
CLAUSE_RULES: tuple[ClauseRule, ...] = (
    ClauseRule(
        "free_relative",
        "A clause with who or where stands for the entity itself.",
        ("What prize was meant for who sang Salt Harbour?", "Who sang Salt Harbour?"),
        "Who sang Salt Harbour?",
        _free_relative,
    ),
)
LAST_CLAUSE_RULES: tuple[ClauseRule, ...] = (
    ClauseRule(
        "when_clause",
        "A when-clause about another named thing stands for a time; tried where no other rule finds anything.",
        ("Who was mayor of New York when Marta Oakes was born?", "When was Marta Oakes born?"),
        "Where was Marta Oakes when she drew the map?",
        _when_clause,
    ),
)
