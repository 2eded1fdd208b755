"""Questions to plans: normalise, protect names, parse, and take the innermost bridge out until none is left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .asked import Asked, asked
from .compare import compare
from .gazetteer import Gazetteer
from .model import load_model, provenance
from .normalise import normalise
from .phrases import Phrase, phrase
from .plan import Hop, Plan, refs_in
from .protect import Word, protect
from .render import question as render_question
from .repair import frame, reframe, repair
from .rules import LAST_RESORT, RULES, Found, free_relative, when_clause
from .sentence import Sentence, parse, sentence
from .unknown import intersection, question_in_clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spacy.language import Language

MAX_HOPS = 8


class Decomposer:
    def __init__(self, *, titles: Iterable[str] = (), nlp: Language | None = None) -> None:
        self._nlp = nlp or load_model()
        titles = list(titles)
        self._gazetteer = Gazetteer(titles) if titles else None
        self._provenance = provenance()

    def sentence(self, words: tuple[Word, ...]) -> Sentence:
        doc = parse(self._nlp, words)
        for _, pipe in self._nlp.pipeline:
            doc = pipe(doc)
        whole = doc
        parsed = sentence(words, doc)
        shape = frame(parsed)
        if shape is not None:
            part = words[shape.aux + 1 : shape.end]
            doc = parse(self._nlp, part)
            for _, pipe in self._nlp.pipeline:
                doc = pipe(doc)
            reframe(parsed, shape, sentence(part, doc))
        if parsed.cyclic():
            return sentence(words, whole)
        repair(parsed)
        return sentence(words, whole) if parsed.cyclic() else parsed

    def decompose(self, question: str) -> Plan:
        text = normalise(question)
        words = protect(text, self._nlp.make_doc(text.text), self._gazetteer)
        hops: list[Hop] = []
        lower = not question.strip()[:1].isupper()
        sent = self.sentence(words)
        pair = compare(sent, question, lower=lower)
        if pair is not None:
            hops = [Hop(i, h.text, refs_in(h.text), pair.rule, (), h.answer_type) for i, h in enumerate(pair.hops, 1)]
            return Plan(question, pair.kind, tuple(hops), pair.reason, self._provenance)
        both = intersection(sent, asked(sent))
        if both is not None:
            for pieces in both.hops:
                said = render_question(sent, pieces, question, lower=lower)
                hops.append(Hop(len(hops) + 1, said, refs_in(said), both.rule, (), None))
            return Plan(question, "intersection", tuple(hops), "", self._provenance)
        while True:
            found = innermost(sent, last_resort=not hops)
            if found is None or len(hops) > MAX_HOPS:
                break
            said = render_question(sent, found.pieces, question, lower=lower)
            hops.append(Hop(len(hops) + 1, said, refs_in(said), found.rule, (), None))
            words = substitute(words, found, len(hops))
            sent = self.sentence(words)
        inward = question_in_clause(sent, asked(sent), len(hops) + 1)
        if inward:
            said = render_question(sent, inward.first, question, lower=lower)
            hops.append(Hop(len(hops) + 1, said, refs_in(said), "question_in_clause", (), None))
            said = render_question(sent, inward.second, question, lower=lower)
            hops.append(Hop(len(hops) + 1, said, refs_in(said), "question_in_clause", (), None))
            return Plan(question, "bridge" if len(hops) == 2 else "deep", tuple(hops), "", self._provenance)
        if not hops:
            return Plan(question, "single", (Hop(1, question, (), "single", (), None),), "no rule", self._provenance)
        said = render_question(sent, list(range(len(sent))), question, lower=lower)
        hops.append(Hop(len(hops) + 1, said, refs_in(said), "final", (), None))
        return Plan(question, "bridge" if len(hops) == 2 else "deep", tuple(hops), "", self._provenance)

    def pipe(self, questions: Iterable[str], *, batch_size: int = 64, n_process: int = 1) -> Iterator[Plan]:
        for q in questions:
            yield self.decompose(q)


def innermost(sent: Sentence, *, last_resort: bool) -> Found | None:
    ask = asked(sent)
    for rules in (RULES, LAST_RESORT if last_resort else ()):
        found: list[Found] = []
        for node in sent.nodes:
            if not node.noun or node.i in ask.heads or node.word.ref or (node.word.atom and not sent.kids(node.i, "relcl", "acl")):
                continue
            np = limit(sent, phrase(sent, node.i), ask)
            if ask.word in np.all:
                continue
            for rule in rules:
                got = rule.match(sent, np)
                if got:
                    found.append(got)
                    break
        inner = [f for f in found if not any(set(g.covers) < set(f.covers) for g in found)]
        if inner:
            return min(inner, key=lambda f: f.covers[0])
    return free_relative(sent, ask) or (when_clause(sent, ask) if last_resort else None)


def substitute(words: tuple[Word, ...], found: Found, number: int) -> tuple[Word, ...]:
    covers = set(found.covers)
    first = found.covers[0]
    out = []
    for i, w in enumerate(words):
        if i == first:
            out.extend(Word(k, w.start, w.start, space=True) for k in found.keep)
            out.append(Word("#", w.start, words[found.covers[-1]].end, w.space, name=True, atom=True, ref=number))
        elif i not in covers:
            out.append(w)
    return tuple(out)


def limit(sent: Sentence, np: Phrase, ask: Asked) -> Phrase:
    """Cut a phrase of a fronted adjunct before the question word: "Besides the artist behind X, who ..."."""
    if ask.word is None or not ask.initial or np.head > ask.word or np.all[-1] < ask.word:
        return np
    kept = [i for i in np.all if i < ask.word]
    while kept and (sent[kept[-1]].low == "," or sent[kept[-1]].tag == "IN"):
        kept.pop()
    return replace(np, all=tuple(kept), clauses=tuple(c for c in np.clauses if c in kept))
