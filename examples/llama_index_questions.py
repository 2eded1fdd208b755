"""Split questions for the query engines of LlamaIndex. Needs: pip install 'hopsplit[llama-index]'.

The model repeats the first passage that it is shown, so that the example needs nothing else; put yours in its place.
"""

from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.query_engine import MultiStepQueryEngine, RetrieverQueryEngine, SubQuestionQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import TextNode
from llama_index.core.tools import QueryEngineTool

from hopsplit.corpora import demo
from hopsplit.integrations.llama_index import HopsplitQuestionGenerator, HopsplitRetriever, HopsplitStepTransform
from hopsplit.retrieval import read_corpus

QUESTION = "Where was the father of the founder of Versus born?"


class First(CustomLLM):
    """A language model of few words."""

    @property
    def metadata(self) -> LLMMetadata:
        """Return the defaults."""
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **kwargs) -> CompletionResponse:
        """Return the first passage of a prompt, which stands between two lines and below its title."""
        context = prompt.split("-" * 21)[1]
        return CompletionResponse(text=context.split("\n\n")[:2][-1].strip())

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs):
        """Return it at once."""
        yield self.complete(prompt)


nodes = [
    TextNode(id_=passage.id, text=passage.text, metadata={"title": passage.title}) for passage in read_corpus([demo()])
]
retriever = HopsplitRetriever.from_nodes(nodes, similarity_top_k=3)
synthesizer = get_response_synthesizer(llm=First())
engine = RetrieverQueryEngine(retriever, synthesizer)

print("sub-questions, asked at once:")
tool = QueryEngineTool.from_defaults(engine, name="encyclopedia", description="people, films, music")
at_once = SubQuestionQueryEngine.from_defaults(
    [tool], llm=First(), question_gen=HopsplitQuestionGenerator(retriever), use_async=False, verbose=False
)
for node in at_once.query(QUESTION).source_nodes:
    if node.text.startswith("Sub question: "):
        print(" ", node.text.splitlines()[0])

print("steps, each with the answer before it:")
steps = MultiStepQueryEngine(engine, HopsplitStepTransform(), synthesizer, stop_fn=HopsplitStepTransform.stop)
for question, answer in steps.query(QUESTION).metadata["sub_qa"]:
    print(f"  {question}\n    {str(answer)[:80]} ...")
