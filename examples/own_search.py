"""Run the search-then-search scheme over a search engine of your own: here SQLite's. Needs: pip install hopsplit."""

import re
import sqlite3

from hopsplit.corpora import demo
from hopsplit.fallback import Asker
from hopsplit.retrieval import SearchFunction, read_corpus

QUESTION = "Who was the second wife of the man who directed Citizen Kane?"

table = sqlite3.connect(":memory:")
table.execute("create virtual table passages using fts5(id unindexed, text)")
for passage in read_corpus([demo()]):
    table.execute("insert into passages values (?, ?)", (passage.id, f"{passage.title}. {passage.text}"))


def search(query: str, k: int) -> list[tuple[str, str, float]]:
    """Return (id, text, score), at most k; SQLite's bm25 is lower for a better match, so it is turned round."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    found = "select id, text, -bm25(passages) from passages where passages match ? order by 3 desc, id limit ?"
    return list(table.execute(found, (words, k)))


print(QUESTION)
print("SQLite alone:")
for passage_id, text, _ in search(QUESTION, 3):
    print(f"  {passage_id}  {text[:60]} ...")

result = Asker(SearchFunction(search)).ask(QUESTION, k=3)
print("hopsplit over SQLite:")
for item in result.evidence:
    print(f"  {item.passage.id}  {item.passage.text[:60]} ... (hop {item.hop}{item.via and ' via ' + item.via})")
