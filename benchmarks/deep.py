"""Measure what a language model adds on deep questions, at best and at worst, and how often it is asked at all.

    python benchmarks/deep.py DATASET ... [--split dev] [--rounds 2]

DATASET: a folder with corpus.jsonl and questions in BEIR form; docs/measures.md tells where some are to be had. Deep
questions are those of MuSiQue of 3 and 4 hops (`metadata.type`). Their `metadata.decomposition` is a list of look-ups
`{"question", "answer", "gold"}`: `#1` in a question stands for the answer of the first, `gold` is the id of the passage
with the answer. A set without such questions gets the last line alone.

No language model is needed; two scripts stand in for one, and the same arguments give the same figures:

    perfect      splits as the data set does; knows an answer once it is shown the gold passage with the answer in it;
                 asks for what is missing, with the answers in place that it knows
    adversarial  splits into the look-ups of another question, asks for those of others, is never satisfied and each
                 time surer of itself

Prints recall at 5, 10 and 20, each of a question asked for as many passages, of plain hybrid search, of rarag without
a model and with both ("!" where less than hybrid), and how many times hybrid's recall at 10 that is; then, of the
questions asked for 10 passages, the means of calls, tokens (as `estimate_tokens` counts) and rounds, and why the
questions that went to the model ended.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

from hopsplit.decompose import Decomposer, InputError
from hopsplit.evaluation.dataset import Dataset, load
from hopsplit.evaluation.lines import objects
from hopsplit.evaluation.metrics import measured
from hopsplit.fallback import Asker, Budget, Completion, Message, Result
from hopsplit.fallback.asker import titles
from hopsplit.fallback.llm import estimate_tokens
from hopsplit.retrieval import Index, Passage, read_corpus

AT = (5, 10, 20)
COUNTED = 10  # passages asked for where calls and tokens are told


@dataclass(frozen=True)
class LookUp:
    """One step of a question: its text with `#n`, its answer, the passage that gives it."""

    text: str
    answer: str
    passage: Passage


@dataclass(frozen=True)
class Deep:
    """A question with the steps that people wrote for it."""

    text: str
    type: str
    gold: tuple[str, ...]
    look_ups: tuple[LookUp, ...]

    def filled(self, look_up: LookUp) -> str:
        """Return the text of a look-up with the answers that it needs in their places."""
        return re.sub(r"#(\d+)", lambda ref: self.look_ups[int(ref[1]) - 1].answer, look_up.text)


class Scripted:
    """A model that replies what a script says, here that all is well. asked: the question that the calls are about."""

    asked: Deep

    def complete(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, schema: Mapping[str, Any]
    ) -> Completion:
        """Return the reply of the script to one of the three prompts, told apart by the fields asked for."""
        script = {"questions": self.split, "sufficient": self.judge, "queries": self.follow_up}
        act = next(script[name] for name in schema["properties"] if name in script)
        text = json.dumps(act(messages[-1].content))
        return Completion(text, estimate_tokens(messages), estimate_tokens([Message("assistant", text)]))

    def split(self, prompt: str) -> dict[str, object]:
        """Return the question itself."""
        return {"questions": [json.loads(prompt.splitlines()[0].removeprefix("Question: "))]}

    def judge(self, prompt: str) -> dict[str, object]:
        """Say that all is well."""
        return {"sufficient": True, "confidence": 1.0, "missing": ""}

    def follow_up(self, prompt: str) -> dict[str, object]:
        """Ask for nothing in particular."""
        return {"queries": ["anything"]}


class Perfect(Scripted):
    """See the top of the file."""

    def split(self, prompt: str) -> dict[str, object]:
        """Return the look-ups that people wrote."""
        return {"questions": [each.text for each in self.asked.look_ups]}

    def judge(self, prompt: str) -> dict[str, object]:
        """Say what share of the look-ups is done, and the first that is not."""
        done = self._done(prompt)
        missing = next((e.text for e, is_done in zip(self.asked.look_ups, done, strict=True) if not is_done), "")
        return {"sufficient": all(done), "confidence": sum(done) / len(done), "missing": missing}

    def follow_up(self, prompt: str) -> dict[str, object]:
        """Ask for the first two open look-ups whose references are known."""
        done, queries = self._done(prompt), []
        for look_up, is_done in zip(self.asked.look_ups, done, strict=True):
            if not is_done and all(done[int(ref) - 1] for ref in re.findall(r"#(\d+)", look_up.text)):
                queries.append(self.asked.filled(look_up))
        return {"queries": queries[:2]}

    def _done(self, prompt: str) -> list[bool]:
        """Return for each look-up whether the prompt shows its passage, and the answer in what is shown of it."""
        shown = [json.loads(line) for line in re.findall(r"^\[\d+\] (.*)$", prompt, re.MULTILINE)]
        return [any(shows(passage, look_up) for passage in shown) for look_up in self.asked.look_ups]


class Adversarial(Scripted):
    """See the top of the file. others: of each question those with which it shares no passage."""

    def __init__(self, deep: Sequence[Deep]) -> None:
        turned = [(asked, (*deep[place:], *deep[:place])) for place, asked in enumerate(deep)]
        self._others = {
            asked.text: [other for other in others if not set(other.gold) & set(asked.gold)] for asked, others in turned
        }
        self._turn = 0

    def split(self, prompt: str) -> dict[str, object]:
        """Return the look-ups of another question."""
        self._turn = 0
        return {"questions": [look_up.text for look_up in self._others[self.asked.text][0].look_ups]}

    def judge(self, prompt: str) -> dict[str, object]:
        """Be never satisfied, but surer each time."""
        self._turn += 1
        return {"sufficient": False, "confidence": min(self._turn / 10, 1.0), "missing": "more"}

    def follow_up(self, prompt: str) -> dict[str, object]:
        """Ask for look-ups of yet another question."""
        others = self._others[self.asked.text]
        other = others[self._turn * len(others) // 3 % len(others)]  # far apart: neighbours share look-ups
        return {"queries": [other.filled(look_up) for look_up in other.look_ups[-2:]]}


def shows(shown: Mapping[str, str], look_up: LookUp) -> bool:
    """Return whether what a prompt shows of a passage is the look-up's, with its answer."""
    passage = look_up.passage
    same = shown["title"] == passage.title and passage.text.startswith(shown["text"])
    return same and plain(look_up.answer) in plain(f"{shown['title']} {shown['text']}")


def plain(text: str) -> str:
    """Return a text without what an answer may be spelled with or without: case and punctuation."""
    return re.sub(r"\W+", " ", text.casefold()).strip()


def deep_of(folder: Path, dataset: Dataset, index: Index) -> Iterator[Deep]:
    """Yield the questions of 3 and 4 hops that have look-ups, in the order of the file."""
    paths = (folder / dataset.split / "queries.jsonl", folder / "queries.jsonl")
    rows = {str(row["_id"]): row for _, row in objects(next(path for path in paths if path.exists()))}
    for judged in dataset.judged:
        metadata: Any = rows[judged.question.id].get("metadata")
        if judged.question.type[:1] in ("3", "4") and metadata.get("decomposition"):
            steps = metadata["decomposition"]
            look_ups = [
                LookUp(step["question"].replace(" >> ", " "), step["answer"], index.passage(step["gold"]))
                for step in steps
            ]
            yield Deep(judged.question.text, judged.question.type, judged.gold, tuple(look_ups))


def show_deep(deep: Sequence[Deep], askers: Mapping[str, tuple[Scripted | None, Asker]], index: Index) -> None:
    """Print the figures of the deep questions."""
    hits = [[hit.id for hit in index.search(one.text, max(AT))] for one in deep]
    scores = {"hybrid": [recalls(one.gold, ids) for one, ids in zip(deep, hits, strict=True)]}
    results = {name: list(answered(deep, *asker)) for name, asker in askers.items()}
    for name, rows in results.items():
        scores[name] = [[found(one, row[k], k) for k in AT] for one, row in zip(deep, rows, strict=True)]
    print(f"{'deep questions':22}" + "".join(f"{f'R@{k}':>8}" for k in AT) + "  x hybrid")
    for kind in sorted({"", *(kind for one in deep for kind in (one.type[:4], one.type))}):
        of_kind = [one.type.startswith(kind) for one in deep]
        means = {name: mean(list(compress(rows, of_kind))) for name, rows in scores.items()}
        for name, row in means.items():
            label = f"{kind or 'all'} ({sum(of_kind)})" if name == "hybrid" else ""
            marks = ["!" if one < least - 1e-9 else " " for one, least in zip(row, means["hybrid"], strict=True)]
            cells = "".join(f"{100 * one:7.1f}{mark}" for one, mark in zip(row, marks, strict=True))
            times = row[AT.index(COUNTED)] / (means["hybrid"][AT.index(COUNTED)] or math.inf)
            print(f"{label:11}{name:11}{cells}{times:9.2f}")
    for name, (model, _) in askers.items():
        if model:
            show_use(name, [row[COUNTED] for row in results[name]])


def answered(deep: Sequence[Deep], model: Scripted | None, asker: Asker) -> Iterator[dict[int, Result]]:
    """Yield what each question finds, by the number of passages asked for."""
    for one in deep:
        if model:
            model.asked = one
        yield {k: asker.ask(one.text, k=k) for k in AT}


def mean(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of each column."""
    return [statistics.mean(column) for column in zip(*rows, strict=True)]


def found(one: Deep, result: Result, k: int) -> float:
    """Return the share of the gold passages that a result has."""
    return recalls(one.gold, [item.passage.id for item in result.evidence])[AT.index(k)]


def recalls(gold: Sequence[str], ranking: Sequence[str]) -> list[float]:
    """Return recall at each of `AT`."""
    return list(measured({"": gold}, {"": ranking}, AT)[""].recall)


def show_use(name: str, results: Sequence[Result]) -> None:
    """Print what a model was used for."""
    counts = [(r.usage.llm_calls, r.usage.prompt_tokens, r.usage.completion_tokens, rounds(r)) for r in results]
    calls, prompt, completion, searched = mean(counts)
    routed = [result for result in results if result.route == "chain"]
    print(f"{name}: {len(routed)} of {len(results)} went to the model; means of all: {calls:.2f} calls, ", end="")
    print(f"{prompt:.0f} + {completion:.0f} tokens, {searched:.2f} rounds")
    for why, count in sorted(Counter(result.stopped or "the model is satisfied" for result in routed).items()):
        print(f"  {100 * count / len(routed):5.1f} %  {why}")


def rounds(result: Result) -> int:
    """Return how many times a model was asked for further queries."""
    return sum(step.action == "ask" for step in result.trace)


def show_routes(dataset: Dataset, asker: Asker) -> None:
    """Print how many of all questions go to a model that is at once content, and what the others cost."""
    results = list(asker.pipe(judged.question.text for judged in dataset.judged))
    others = [result.usage for result in results if result.route != "chain"]
    routed, count = len(results) - len(others), len(results)
    spent = sum(usage.prompt_tokens + usage.completion_tokens for usage in others)
    print(
        f"all {count} questions: {routed} ({100 * routed / count:.1f} %) go to a model; the others take {spent} tokens"
    )


def main() -> None:
    """Measure every data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("datasets", type=Path, nargs="+", metavar="DATASET")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--rounds", type=int, default=2, help="of searching on, at most")
    options = parser.parse_args()
    budget = Budget(rounds=options.rounds)
    for folder in options.datasets:
        dataset = load(folder, options.split)
        index = Index.build(read_corpus([dataset.corpus]))
        decomposer = Decomposer(titles=titles(index))
        print(f"\n{dataset.name} ({dataset.split})")
        deep = list(deep_of(folder, dataset, index))
        if deep:
            models = {"rarag": None, "perfect": Perfect(), "adversarial": Adversarial(deep)}
            askers = {
                name: (model, Asker(index, llm=model, budget=budget, decomposer=decomposer))
                for name, model in models.items()
            }
            show_deep(deep, askers, index)
        show_routes(dataset, Asker(index, llm=Scripted(), decomposer=decomposer))


if __name__ == "__main__":
    try:
        main()
    except InputError as problem:
        sys.exit(f"error: {problem}")
