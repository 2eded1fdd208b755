"""Chain of query: split by a language model, search, judge, search for what is missing, within a budget.

The loop of IRCoT (Trivedi et al. 2023) with queries in place of thoughts. Whatever goes wrong, the best
evidence so far comes back, never less than the search that it started from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..decompose.plan import Hop, InputError, Kind, Plan, refs_in
from ..retrieval.executor import Executor
from ..retrieval.fusion import fuse
from ..retrieval.kinship import expand
from ..retrieval.lexicon import word_list
from ..retrieval.ranking import Found, guarded, strictly
from ..retrieval.tokens import Analyser
from ..retrieval.types import Evidence, Outcome, Passage, Retriever
from . import prompting
from .calls import Caller, StopError, UnusableError
from .replies import Decomposition, FollowUp, Verdict, clean
from .threads import start
from .types import Judgement, Step

RULE = "llm"  # the name of the rule of hops that a language model wrote
_ROUNDING = 1e-9  # 0.85 - 0.8 is less than 0.05
_CONSTANT = 2
_EVERY = 2
_LEAST = 5  # passages that a model is shown, however few are asked for


@dataclass(frozen=True, slots=True)
class ChainSettings:
    """When the loop ends before its budget, and what it does besides.

    gain: a round after which the judge's confidence is not higher by this is the last. dry: so many searches
    after each other that find no new passage are the last: the collection has nothing. attempts: tries for one
    call of the model. answer: whether the model is asked for an answer in the end. InputError where a number cannot be.
    """

    gain: float = 0.05
    dry: int = 3
    attempts: int = 3
    answer: bool = False

    def __post_init__(self) -> None:
        if not -1 <= self.gain <= 1:
            raise InputError(f"chain.gain is {self.gain}; give -1 to 1")
        for name, value in (("dry", self.dry), ("attempts", self.attempts)):
            if not value >= 1:
                raise InputError(f"chain.{name} is {value}; give at least 1")


class Chain:
    """One run of the loop over one question; `run` it once, then read the fields.

    outcome: of the search of `plan`, for `k` passages or more; see `depth`. plan: the one that was searched: the
    model's, or where it gave none that of the rules. bridges: of its hops. evidence: the merged ranking, at most `k`.
    judgement: the model's last. stopped: why it ended before the model was satisfied, empty where it was.
    """

    def __init__(
        self,
        plan: Plan,
        outcome: Outcome,
        *,
        executor: Executor,
        retriever: Retriever,
        caller: Caller,
        settings: ChainSettings,
        k: int,
    ) -> None:
        self.plan, self.evidence, self.bridges, self.stopped = plan, outcome.evidence, outcome.bridges, ""
        self.judgement: Judgement | None = None
        self._base = outcome.evidence
        self._executor, self._retriever, self._caller = executor, retriever, caller
        self._settings, self._budget, self._k = settings, caller.meter.budget, k
        self._question = plan.question
        self._others: list[Sequence[Evidence]] = []
        self._searched: dict[tuple[str, ...], str] = {}
        self._note_searched([plan.question, *_plain(plan)])
        self._seen = {item.passage.id for item in outcome.evidence}
        self._dry = 0

    def run(self) -> None:
        """Go on until the model is satisfied or a limit is reached."""
        try:
            self._split()
            self._search_on()
        except StopError as stop:
            self.stopped = str(stop)
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001  (of a search engine, which is the caller's)
            self.stopped = f"search: {clean(f'{type(error).__name__}: {error}')}"

    def _split(self) -> None:
        """Have the question split by the model, and search what it is split into."""
        try:
            prompt = prompting.decompose(self._question, self.plan)
            said = self._caller.ask(prompt, "plan", self._question, lambda reply: " | ".join(reply.questions))
        except UnusableError:
            return  # the plan that there is has been searched
        if not _is_of(self._question, said.questions):
            self._caller.steps.append(Step("failed", "", "the plan is of another question: it has none of its words"))
            return
        plan = planned(self.plan, said)
        if [hop.text for hop in plan.hops] == [hop.text for hop in self.plan.hops]:
            return
        outcome = self._caller.wait_for(start(partial(self._executor.run, plan, self._k)))
        self._caller.steps.extend(told(outcome))
        self._note_searched(_plain(plan))
        self._note_found([item.passage.id for item in outcome.evidence], len(outcome.searches))
        self.plan, self.bridges = plan, outcome.bridges
        # What only the rules' plan found was found for hops that this one has not.
        self._base = tuple(replace(item, hop=0, via="") for item in self._base)
        self._others.append(outcome.evidence)
        self._merge()

    def _search_on(self) -> None:
        """Judge and search further until the model is satisfied; StopError at a limit."""
        sure, asked = 0.0, 0
        for turn in range(self._budget.rounds + 1):
            verdict = self._judged()
            if verdict.sufficient:
                return
            if turn and verdict.confidence - sure < self._settings.gain - _ROUNDING:
                raise StopError("the confidence rises no more")
            sure = verdict.confidence
            if turn == self._budget.rounds:
                raise StopError("budget:rounds")
            if asked >= self._budget.hops:
                raise StopError("budget:hops")
            queries = self._queries(verdict)[: self._budget.hops - asked]
            if not queries:
                raise StopError("no new query")
            asked += len(queries)
            self._search(queries)

    def _judged(self) -> Verdict:
        prompt = prompting.judge(self._question, self._passages(), self._budget.judge_tokens)
        said = self._caller.ask(prompt, "judge", self._question, _verdict)
        self.judgement = Judgement(said.sufficient, said.confidence, said.missing)
        return said

    def _queries(self, verdict: Verdict) -> list[str]:
        """Ask for queries; return those that are new, whatever their spelling."""
        searched = list(self._searched.values())
        prompt = prompting.follow_up(
            self._question, self._passages(), self._budget.judge_tokens, searched, verdict.missing
        )
        said: FollowUp = self._caller.ask(prompt, "ask", verdict.missing, lambda reply: " | ".join(reply.queries))
        return self._note_searched(said.queries)

    def _search(self, queries: Sequence[str]) -> None:
        """Search queries side by side, and merge what they find."""
        before, trouble = self.evidence, None
        for query, future in [(query, start(partial(self._found, query))) for query in queries]:
            try:
                found = self._caller.wait_for(future)
            except Exception as error:  # noqa: BLE001  (raised below, when what else was found is kept)
                trouble = error
                continue
            ids = [item.passage.id for item in found]
            self._caller.steps.append(Step("search", query, "", tuple(ids)))
            self._note_found(ids, 1)
            self._others.append(found)
        self._merge()
        if trouble:
            raise trouble
        if {item.passage.id for item in before} == {item.passage.id for item in self.evidence}:
            raise StopError("nothing new")
        if self._dry >= self._settings.dry:
            raise StopError(f"no new passage in {self._dry} search{'' if self._dry == 1 else 'es'}")

    def _found(self, query: str) -> list[Evidence]:
        hits = self._retriever.search(query, self._k)
        return [Evidence(self._retriever.passage(hit.id), hit.score, 0, "", query) for hit in hits]

    def _note_found(self, ids: Sequence[str], searches: int) -> None:
        """Count searches after each other that found nothing new."""
        self._dry = self._dry + searches if self._seen.issuperset(ids) else 0
        self._seen.update(ids)

    def _note_searched(self, queries: Iterable[str]) -> list[str]:
        """Return the queries that are no repeats, in whatever spelling, of those noted before; note them."""
        terms, before = Analyser().terms, len(self._searched)
        for query in queries:
            self._searched.setdefault(tuple(terms(query)), query)
        return list(self._searched.values())[before:]

    def _merge(self) -> None:
        self.evidence = merge(self._base, self._others, self._k)

    def _passages(self) -> list[Passage]:
        return [item.passage for item in self.evidence]


def _plain(plan: Plan) -> list[str]:
    """Return the hops that were searched as they stand; one searched with guessed names is not done with."""
    return [hop.text for hop in expand(plan)[0].hops if not hop.refs]


def _is_of(question: str, look_ups: Iterable[str]) -> bool:
    """Return whether look-ups share a word with a question, stop words aside; small models repeat the example."""
    terms = Analyser().terms
    said = {term for text in look_ups for term in terms(text)} - word_list("stop")
    return not said.isdisjoint(terms(question))


def depth(k: int) -> int:
    """Return how many passages to work with where `k` are asked for: a model cannot judge one or two."""
    return max(k, _LEAST)


def planned(plan: Plan, said: Decomposition) -> Plan:
    """Return the plan that a model's look-ups make of a question."""
    hops = tuple(Hop(number, text, refs_in(text), RULE, ()) for number, text in enumerate(said.questions, 1))
    used = {ref for hop in hops for ref in hop.refs}
    chained = all(hop.id in used for hop in hops[:-1])
    kind: Kind = "comparison" if not used else "deep" if chained else "bridge_comparison"
    if len(hops) == 1:
        kind = "single"
    elif len(hops) == 2 and used:
        kind = "bridge"
    reason = f"split by the language model; the rules: {plan.kind}{f', {plan.reason}' if plan.reason else ''}"
    return Plan(plan.question, kind, hops, reason, plan.provenance)


def told(outcome: Outcome) -> list[Step]:
    """Return the searches of an outcome, then the likeliest bridge of each hop."""
    steps = [Step("search", search.query, "", search.hits) for search in outcome.searches]
    likeliest = {bridge.hop: bridge for bridge in reversed(outcome.bridges)}
    bridges = (likeliest[hop] for hop in sorted(likeliest))
    return [*steps, *(Step("bridge", f"#{bridge.hop}", f"{bridge.name} ({bridge.passage_id})") for bridge in bridges)]


def merge(base: Sequence[Evidence], others: Sequence[Sequence[Evidence]], k: int) -> tuple[Evidence, ...]:
    """Return the first `k` by the sum of 1 / (2 + rank) over the rankings, ties by passage id.

    With so low a constant what leads a ranking stands near the front. Every second place is for `base`: its first n
    are among the first 2 n, so a model that leads astray costs places and few passages. A passage keeps the
    provenance of the first of `others`, then of `base`, that has it. Scores are made strictly decreasing.
    """
    first: dict[str, Evidence] = {}
    for ranking in (*others, base):
        for item in ranking:
            first.setdefault(item.passage.id, item)
    fused = fuse([(1, [item.passage.id for item in ranking]) for ranking in (base, *others)], constant=_CONSTANT)
    found = {passage_id: Found(score, 0, "") for passage_id, score in fused}
    order = guarded(found, [item.passage.id for item in base], _EVERY)[:k]
    scores = strictly(score for _, score in order)
    return tuple(replace(first[each], score=score) for (each, _), score in zip(order, scores, strict=True))


def _verdict(verdict: Verdict) -> str:
    outcome = "sufficient" if verdict.sufficient else "not sufficient"
    missing = f", missing: {verdict.missing}" if verdict.missing else ""
    return f"{outcome}, confidence {verdict.confidence:.2f}{missing}"
