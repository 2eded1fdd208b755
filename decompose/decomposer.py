"""Questions to plans: normalise, protect names, parse, and take the innermost bridge out until none is left."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from .asked import asked, asks_attribute
from .build import comparison, final_hop, make_hop, single, unparseable
from .check import unreadable, unsaid, unsound
from .compare import compare
from .compare_rules import COMPARISONS
from .conditions import INTERSECTIONS, intersection
from .entities import innermost, substitute
from .frame import frame, reframe
from .gazetteer import Gazetteer
from .imperative import direct
from .model import load_model, provenance
from .normalise import normalise
from .plan import Hop, InputError, Plan, refs_in
from .protect import protect, without_repeats
from .question_in_clause import QUESTION_IN_CLAUSE, question_in_clause
from .repair import repair
from .rules import RULES, Rule
from .sentence import Sentence, Word, parse, sentence
from .tracer import Tracer
from .vocabulary import Lemmas, Vocabulary

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# A question of more relations than this is a riddle; its plan stops growing.
MAX_HOPS = 8
# Components of a pipeline that the rules do not read.
_BESIDES = ("ner", "senter", "textcat", "textcat_multilabel", "entity_ruler", "entity_linker", "spancat", "hopsplit")
BATCH = 256
# A parse writes to the vocabulary of its pipeline, which decomposers share. A rule of one's own may ask another one.
_PARSING = threading.RLock()

# A step of the work hands out a Doc to parse and goes on with the parsed one.
Steps = Generator["Doc", "Doc", Plan]
Parse = Generator["Doc", "Doc", Sentence]


class Decomposer:
    """Splits questions, one after the other in however many threads. Build it once: the model takes half a second.

    titles: names to protect as atoms (a collection's titles), in any order; matching ignores case and diacritics.
    rules: the rules to try on noun phrases, in order; `RULES` and one's own. nlp: a spaCy pipeline with a tagger,
    a parser and a lemmatizer in place of the pinned model.
    """

    def __init__(
        self, *, titles: Iterable[str] = (), rules: Sequence[Rule] = RULES, nlp: Language | None = None
    ) -> None:
        self._own = nlp is not None
        self._nlp = nlp if nlp is not None else load_model()
        self._titles = _each_once(titles)
        self._gazetteer = Gazetteer(self._titles) if self._titles else None
        self._lemmas = Lemmas(self._nlp) if Lemmas.serves(self._nlp) else None
        self._unused = _BESIDES if self._lemmas is None else (*_BESIDES, "attribute_ruler", "lemmatizer")
        self._vocabulary = Vocabulary(self._nlp)
        self._rules = tuple(rules)
        self._provenance = provenance() if nlp is None else f"{nlp.meta.get('name')} {nlp.meta.get('version')}"

    def decompose(self, question: str, *, explain: bool = False) -> Plan:
        """Return the plan of one question; with `explain`, its `explanation` too.

        Raises InputError where it is no text or an empty one, holds a lone surrogate or has more than 2,000 characters.
        """
        steps = self._steps(question, explain=explain)
        with _PARSING:
            try:
                doc = next(steps)
                while True:
                    doc = steps.send(self._parsed(doc))
            except StopIteration as done:
                plan: Plan = done.value
                return plan

    def pipe(
        self, questions: Iterable[str], *, batch_size: int = BATCH, n_process: int = 1, explain: bool = False
    ) -> Iterator[Plan]:
        """Yield the plan of each question, in order; just what `decompose` gives, at a few times its speed.

        With `n_process` above 1, batches are shared out to processes that load the model again (0.5 s each).
        """
        batches = _batches(questions, batch_size)
        if n_process > 1 and not self._own:
            from .parallel import pipe_batches  # noqa: PLC0415  (multiprocessing, only when asked for)

            yield from pipe_batches(type(self), batches, self._titles, self._rules, n_process, explain=explain)
            return
        for batch in batches:
            with _PARSING:
                plans = self._batch(batch, explain=explain)
            yield from plans

    def plans(self, questions: Sequence[str], *, explain: bool = False) -> list[Plan]:
        """Return the plan of each question, in order, whatever it is.

        One that `decompose` refuses is unparseable, with the refusal as its reason.
        """
        try:
            return list(self.pipe(questions, explain=explain))
        except InputError:
            return [self._plan(question, explain=explain) for question in questions]

    def _plan(self, question: str, *, explain: bool) -> Plan:
        try:
            return self.decompose(question, explain=explain)
        except InputError as error:
            return Plan(question, "unparseable", (), str(error))

    def _batch(self, questions: Sequence[str], *, explain: bool = False) -> list[Plan]:
        """Take all questions forward together, a parse at a time, so that the parser sees batches."""
        running = [self._steps(q, explain=explain) for q in questions]
        plans: list[Plan | None] = [None] * len(running)
        waiting: list[tuple[int, Doc | None]] = [(i, None) for i in range(len(running))]
        while waiting:
            asked_for: list[tuple[int, Doc]] = []
            for i, doc in waiting:
                try:
                    asked_for.append((i, next(running[i]) if doc is None else running[i].send(doc)))
                except StopIteration as done:
                    plans[i] = done.value
            docs = self._parsed_batch([doc for _, doc in asked_for])
            waiting = [(i, doc) for (i, _), doc in zip(asked_for, docs, strict=True)]
        return [plan for plan in plans if plan is not None]

    def _parsed_batch(self, docs: list[Doc]) -> Iterator[Doc]:
        """Parse the docs, each different one once: with names behind stand-ins, many questions read alike."""
        alike = [(doc.text, tuple(token.idx for token in doc)) for doc in docs]
        different = dict(zip(alike, docs, strict=True))
        parsed = dict(zip(different, self._stream(iter(different.values()), len(different)), strict=True))
        return (parsed[key] for key in alike)

    def _stream(self, stream: Iterator[Doc], size: int) -> Iterator[Doc]:
        for name, component in self._nlp.pipeline:
            if name not in self._unused:
                stream = component.pipe(stream, batch_size=size)  # type: ignore[attr-defined]
        return stream

    def _parsed(self, doc: Doc) -> Doc:
        for name, component in self._nlp.pipeline:
            if name not in self._unused:
                doc = component(doc)
        return doc

    def _sentence(self, words: tuple[Word, ...]) -> Parse:
        """Parse the words; where the frame of an inverted question needs it, its subject phrase alone too."""
        whole = yield parse(self._nlp, words)
        sent = sentence(words, whole, self._lemmas)
        shape = frame(sent)
        if shape is not None:
            part = words[shape.start : shape.end]
            inner = yield parse(self._nlp, part)
            reframe(sent, shape, sentence(part, inner, self._lemmas))
        if not sent.cyclic():
            repair(sent)
        return sentence(words, whole, self._lemmas) if sent.cyclic() else sent

    def _steps(self, question: str, *, explain: bool) -> Steps:
        if not isinstance(question, str):  # where a chain hands over its whole dict
            raise InputError(f"{question!r:.80} is no question; give a text")
        text = normalise(question)
        if not question.strip():
            raise InputError("the question is empty; give a question")
        tracer = Tracer() if explain else None
        if not text.text:
            return unparseable(question, "no words", self._provenance)
        words = protect(text, self._nlp.make_doc(text.text), self._vocabulary, self._gazetteer)
        asked_words = without_repeats(words)
        words = direct(asked_words)
        sent = yield from self._sentence(words)
        plan = self._whole(question, sent)
        if tracer is not None and (plan is None or plan.hops):
            whole = [rule.name for rule in COMPARISONS] + [rule.name for rule in INTERSECTIONS]
            tracer.read(whole, sent, plan.hops[0].rule if plan is not None else None)
        if plan is None:
            indirect = words[0] is not asked_words[0]
            plan = yield from self._bridges(question, words, sent, tracer, indirect=indirect)
        if tracer is not None:
            return replace(plan, explanation=tracer.explanation(sent))
        return plan

    def _whole(self, question: str, sent: Sentence) -> Plan | None:
        """Return the plan of a question that is settled by its shape as a whole, or None."""
        ask = asked(sent)
        if refs_in(question):
            return single(
                question,
                sent,
                'not split: it holds "#" with a number, which stands for answers in hops',
                self._provenance,
            )
        compared = compare(sent, question)
        if compared is not None:
            return comparison(question, sent, compared, self._provenance)
        trouble = unreadable(sent, ask)
        if trouble is not None:
            return unparseable(question, trouble, self._provenance)
        both = intersection(sent, ask)
        if both is not None:
            hops = [make_hop(sent, pieces, question, both.rule, n) for n, pieces in enumerate(both.hops, 1)]
            reason = "several conditions on one unknown"
            return Plan(question, "intersection", tuple(hops), reason, self._provenance)
        return None

    def _bridges(
        self, question: str, words: tuple[Word, ...], sent: Sentence, tracer: Tracer | None, *, indirect: bool
    ) -> Steps:
        """Take out the innermost bridge entity, parse what is left, and so on."""
        first = sent
        hops: list[Hop] = []
        before, folded = sent, ""
        while len(hops) < MAX_HOPS:
            found = innermost(sent, asked(sent), self._rules, last_resort=not hops, tracer=tracer)
            if found is None:
                break
            rule, entity = found
            if tracer is not None:
                tracer.found(entity.covers)
            hops.append(make_hop(sent, entity.pieces, question, rule, len(hops) + 1, noun=entity.head))
            words = substitute(words, entity, len(hops))
            before = sent
            sent = yield from self._sentence(words)
        inward = question_in_clause(sent, asked(sent), len(hops) + 1)
        if tracer is not None:
            tracer.tried(QUESTION_IN_CLAUSE.name, sent, range(len(sent)), inward)
        if inward is not None:
            for pieces in inward.hops:
                hops.append(make_hop(sent, pieces, question, inward.rule, len(hops) + 1))
        elif not hops:
            return single(question, first, "no rule finds an entity that must be found first", self._provenance)
        else:
            trouble = unsound(sent)
            if trouble is not None:
                return single(question, first, f"not split: {trouble}", self._provenance)
            if len(hops) == 2 and hops[1].refs == (1,) and asks_attribute(sent):
                # The folding rule: an attribute of what one relation leads to rides on that relation's hop.
                hops, sent, folded = hops[:1], before, "; what is asked of it is an attribute, no hop of its own"
            hops.append(final_hop(sent, question, len(hops) + 1, indirect=indirect))
        missing = unsaid([h.text for h in hops], [n.low for n in first.nodes if not n.word.atom])
        if len(missing) > 1:
            return single(question, first, f"not split: no hop holds {', '.join(missing)}", self._provenance)
        rules = ", ".join(dict.fromkeys(h.rule for h in hops if h.rule != "final"))
        first_found = "one entity" if len(hops) == 2 else f"{len(hops) - 1} entities"
        reason = f"{first_found} must be found first: {rules}{folded}"
        return Plan(question, "bridge" if len(hops) == 2 else "deep", tuple(hops), reason, self._provenance)


def _each_once(titles: Iterable[str]) -> tuple[str, ...]:
    """Return the titles sorted, each once; InputError where they are no list, or one of them is no text."""
    if isinstance(titles, str) or not isinstance(titles, Iterable):
        raise InputError(f"the titles are {titles!r:.80}; give a list of texts")
    given = list(titles)
    for title in given:
        if not isinstance(title, str):  # YAML takes 1984 for a number
            raise InputError(f"{title!r:.80} is no title; give a text")
    return tuple(sorted(set(given)))


def _batches(questions: Iterable[str], size: int) -> Iterator[list[str]]:
    iterator = iter(questions)
    while batch := list(islice(iterator, max(1, size))):
        yield batch
