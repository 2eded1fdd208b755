"""Hops as questions that stand alone: with the names that a search found, or with those in the answers so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..decompose.plan import Hop, Plan
from ..retrieval.candidates import Candidates, asked, names_in
from ..retrieval.forms import forms
from ..retrieval.lexicon import word_list
from ..retrieval.pages import words_of
from ..retrieval.settings import CandidateWeights
from ..retrieval.tokens import Analyser
from ..retrieval.trail import REF
from ..retrieval.types import Bridge

_SHORT = 8  # words of an answer without a name that may stand in a question as they are
# An answer with one of these and without a name says that there is none.
_REFUSALS = frozenset("cannot couldn didn doesn don i information isn n no none not nothing unknown".split())
_EMPTY = "Empty Response"  # what LlamaIndex answers where nothing was found


def standing(plan: Plan, bridges: Iterable[Bridge] = ()) -> list[str]:
    """Return the hops with the likeliest names for their ``#n``, each once; for one that lacks a name the question."""
    names: dict[int, str] = {}
    for bridge in bridges:
        names.setdefault(bridge.hop, bridge.name)
    return list(dict.fromkeys(_text(plan, hop, names) for hop in plan.hops)) or [plan.question]


def following(plan: Plan, reasoning: str) -> str:
    """Return the question to ask next, empty where there is none.

    reasoning: what was asked and answered so far, ``- QUESTION`` and ``- ANSWER`` by turns, a line or more each; the
    questions as they were returned here. A hop that needs a name which no answer gives is asked as the whole question.
    """
    rest, done, names, texts = reasoning, 0, dict[int, str](), list[str]()
    while step := _step(plan, done, names, texts):
        done, text = step
        if not rest.startswith(f"- {text}\n- "):
            return "" if rest else text
        rest = rest.removeprefix(f"- {text}\n- ")
        texts.append(text)
        answer, names = _answered(plan, done, names, texts, rest)
        rest = rest[len(answer) + 1 :]
    return ""


def _step(plan: Plan, done: int, names: Mapping[int, str], texts: Sequence[str]) -> tuple[int, str] | None:
    """Return the first hop behind the `done` ones whose text is none of `texts`, and its text."""
    if not plan.hops:
        return None if texts else (1, plan.question)
    told = ((hop.id, _text(plan, hop, names)) for hop in plan.hops[done:])
    return next((step for step in told if step[1] not in texts), None)


def _answered(
    plan: Plan, done: int, names: Mapping[int, str], texts: Sequence[str], rest: str
) -> tuple[str, dict[int, str]]:
    """Return the answer that `rest` begins with, and the names with the one in it.

    An answer may have lines that begin like a question: it ends where the question follows that it leads to.
    """
    ends = [place for place in range(len(rest)) if rest.startswith("\n- ", place)]
    for end in [*ends, len(rest.removesuffix("\n"))]:
        found = {**names, done: _name_in(rest[:end], plan, done)}
        step = _step(plan, done, found, texts)
        if step and rest.startswith(f"\n- {step[1]}\n- ", end):
            break
    return rest[:end], found


def _text(plan: Plan, hop: Hop, names: Mapping[int, str]) -> str:
    """Return the text of a hop with names for its references; the question where one is missing."""
    if not all(names.get(ref) for ref in hop.refs):
        return plan.question
    return REF.sub(lambda ref: names[int(ref[1])], hop.text) if hop.refs else hop.text


def _name_in(answer: str, plan: Plan, number: int) -> str:
    """Return the likeliest name for ``#number`` in an answer in words; a short answer without one as it is.

    Empty where the answer says that there is none, or has many words and no name.
    """
    hop = next((hop for hop in plan.hops if hop.id == number), None)
    if hop is None or hop.text == plan.question or answer.strip() == _EMPTY:
        return ""
    words, analyser = words_of(answer, Analyser()), Analyser()
    wanted = asked(hop, f" {' '.join(analyser.terms(plan.question))} ", analyser)
    rated = Candidates(lambda _: (words, names_in(words, None)), CandidateWeights()).rated("", wanted)
    if rated:
        return rated[0].name.written
    whole = answer.strip().rstrip(" .")
    short = len(words.words) <= _SHORT and "\n" not in whole
    return whole if short and _REFUSALS.isdisjoint(words.terms) else ""


def best_tools(question: str, tools: Sequence[tuple[str, str]]) -> list[str]:
    """Return the names of the tools, of (name, description) pairs, that share most words with a question.

    Words that all of the tools have do not count. Where several share as many, or none any, all of these.
    """
    analyser = Analyser()
    said = {form for term in analyser.terms(question) for form in (term, *forms(term))} - word_list("stop")
    words = [set(analyser.terms(f"{name} {description}")) for name, description in tools]
    common = set.intersection(*words) if len(words) > 1 else set()
    shared = [len(said & each - common) for each in words]
    return [name for (name, _), count in zip(tools, shared, strict=True) if count == max(shared)]
