"""Two retrievers for LlamaIndex: an index of hopsplit, and your retriever, hop by hop.

Needs: pip install 'hopsplit[llama-index]'. The embedding counts words, so that the example needs nothing else.
"""

import re
from zlib import crc32

from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import TextNode

from hopsplit.corpora import demo
from hopsplit.integrations.llama_index import HopsplitRetriever, MultiHopRetriever
from hopsplit.retrieval import read_corpus

QUESTION = "Who was the second wife of the man who directed Citizen Kane?"


class Words(BaseEmbedding):
    """A text as the numbers of its words."""

    def _get_text_embedding(self, text: str) -> list[float]:
        counts = [0.0] * 2048
        for word in re.findall(r"\w{4,}", text.lower()):
            counts[crc32(word.encode()) % 2048] += 1.0
        return counts

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


nodes = [
    TextNode(id_=passage.id, text=passage.text, metadata={"title": passage.title}) for passage in read_corpus([demo()])
]
vectors = VectorStoreIndex(nodes, embed_model=Words()).as_retriever(similarity_top_k=4)

for name, retriever in {
    "a vector store alone": vectors,
    "the same, hop by hop": MultiHopRetriever(vectors, similarity_top_k=4),
    "an index of hopsplit": HopsplitRetriever.from_nodes(nodes, similarity_top_k=4),
}.items():
    print(f"{name}:")
    for found in retriever.retrieve(QUESTION):
        print(" ", found.node_id, found.metadata)
