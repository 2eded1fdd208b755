"""Read a file of questions, one a line, with a pipeline.

    python plans.py PIPELINE QUESTIONS OUT

writes OUT.spacy, the Docs with their plans, and OUT.jsonl, the plans alone.
"""

import dataclasses
import json
import sys
from pathlib import Path

import spacy
from spacy.tokens import DocBin


def main(pipeline: str, questions: str, out: str) -> None:
    """Write the Docs with their plans, and the plans alone as JSON, one a line."""
    nlp = spacy.load(pipeline)
    docs = DocBin(store_user_data=True)  # the plan is user data
    lines = Path(questions).read_text(encoding="utf-8").splitlines()
    with Path(f"{out}.jsonl").open("w", encoding="utf-8") as file:
        for doc in nlp.pipe(lines):
            docs.add(doc)
            plan = doc._.hop_plan
            row = {"question": doc.text, "kind": plan.kind, "hops": [dataclasses.asdict(hop) for hop in plan.hops]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    docs.to_disk(f"{out}.spacy")


if __name__ == "__main__":
    main(*sys.argv[1:])
