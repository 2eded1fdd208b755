"""Search hop by hop with a retriever that you have, here a vector store's. Needs: pip install 'hopsplit[langchain]'.

The embedding counts words, so that the example needs nothing else; put yours in its place.
"""

import re
from zlib import crc32

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from hopsplit.corpora import demo
from hopsplit.integrations.langchain import MultiHopRetriever
from hopsplit.retrieval import read_corpus

QUESTION = "Who was the second wife of the man who directed Citizen Kane?"


class Words(Embeddings):
    """A text as the numbers of its words."""

    def embed_query(self, text: str) -> list[float]:
        """Return how often words of each of 2,048 kinds stand in a text."""
        counts = [0.0] * 2048
        for word in re.findall(r"\w{4,}", text.lower()):
            counts[crc32(word.encode()) % 2048] += 1.0
        return counts

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return this for each text."""
        return [self.embed_query(text) for text in texts]


class Searches(BaseCallbackHandler):
    """Prints what the vector store is asked for."""

    def on_retriever_start(self, serialized, query, *, parent_run_id=None, **kwargs) -> None:
        """Print the query of a search."""
        if parent_run_id:
            print("  searches:", query)


store = InMemoryVectorStore(Words())
store.add_documents(
    [
        Document(f"{passage.title}. {passage.text}", id=passage.id, metadata={"title": passage.title})
        for passage in read_corpus([demo()])
    ]
)
retriever = MultiHopRetriever(retriever=store.as_retriever(search_kwargs={"k": 4}), k=4)

print("the store alone:")
for found in store.similarity_search(QUESTION, k=4):
    print(" ", found.id, found.metadata["title"])
print("hop by hop:")
for found in retriever.invoke(QUESTION, config={"callbacks": [Searches()]}):
    print(" ", found.id, {name: value for name, value in found.metadata.items() if name != "score"})
