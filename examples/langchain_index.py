"""Ask an index of hopsplit in a chain of LangChain's. Needs: pip install 'hopsplit[langchain]'."""

from langchain_core.documents import Document
from langchain_core.prompts import PromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from hopsplit.corpora import demo
from hopsplit.decompose import Decomposer
from hopsplit.integrations.langchain import HopsplitRetriever
from hopsplit.retrieval import read_corpus

QUESTION = "Who was the second wife of the man who directed Citizen Kane?"

documents = [
    Document(passage.text, id=passage.id, metadata={"title": passage.title, "source": "demo"})
    for passage in read_corpus([demo()])
]
retriever = HopsplitRetriever.from_documents(documents, k=3)

for found in retriever.invoke(QUESTION):
    print(found.id, {name: value for name, value in found.metadata.items() if name != "score"})


def shown(found: list[Document]) -> str:
    """Return Documents as a prompt shows them."""
    return "\n".join(f"[{each.id}] {each.metadata['title']}: {each.page_content[:60]} ..." for each in found)


prompt = PromptTemplate.from_template("{context}\nQuestion: {question}\nAnswer:")
chain = {"context": retriever | shown, "question": RunnablePassthrough()} | prompt  # | your model
print()
print(chain.invoke(QUESTION).to_string())

# The hops alone, for a chain of your own.
split = RunnableLambda(Decomposer().decompose) | (lambda plan: [hop.text for hop in plan.hops])
print()
print(split.invoke("Which film has the director who is older, Jaws or Alien?"))
