"""hopsplit in Haystack (the extra `haystack`): a pipeline from its YAML, and a document store searched hop by hop.

Writes the index of a demo collection into the current folder; no network, no language model.
Needs: pip install 'hopsplit[haystack]'.
"""

import os
from pathlib import Path

# Haystack 3 makes components of trusted modules only; Haystack 2 does not read this. Without the variable:
# `Pipeline.load(..., allowed_modules=["hopsplit.integrations.haystack"])`, from version 3 on.
os.environ["HAYSTACK_DESERIALIZATION_ALLOWLIST"] = "hopsplit.integrations.haystack"

from haystack import Document, Pipeline
from haystack.components.retrievers import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from hopsplit.corpora import demo
from hopsplit.integrations.haystack import MultiHopRetriever
from hopsplit.retrieval import Index, Passage, read_corpus

QUESTION = "Who was the second wife of the man who directed Citizen Kane?"


def prompt(passages: list[Passage]) -> str:
    """Return the prompt that the pipeline of the YAML file makes of an index of ours."""
    Index.build(passages).save("haystack-index")
    pipeline = Pipeline.loads(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
    return pipeline.run({"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}})["prompt"]["prompt"]


def titles(passages: list[Passage]) -> tuple[list[str], list[str]]:
    """Return the titles that a retriever of Haystack finds in its own store: by one search, and hop by hop."""
    store = InMemoryDocumentStore()
    store.write_documents([Document(id=p.id, content=p.text, meta={"title": p.title}) for p in passages])
    once = InMemoryBM25Retriever(store, top_k=3)
    hop_by_hop = MultiHopRetriever(InMemoryBM25Retriever(store), top_k=3)
    first, second = (each.run(query=QUESTION)["documents"] for each in (once, hop_by_hop))
    return [document.meta["title"] for document in first], [document.meta["title"] for document in second]


if __name__ == "__main__":
    collection = list(read_corpus([demo()]))
    print(prompt(collection))
    plain, multihop = titles(collection)
    print(f"\none search: {', '.join(plain)}\nhop by hop: {', '.join(multihop)}")
