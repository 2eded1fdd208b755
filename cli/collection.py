"""Commands about collections: index, search."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..decompose.plan import InputError
from ..serving import forms
from ..serving.service import check_question
from .asking import ConfigFile, IndexFolder, Passages, Sets
from .output import Format, count, note, snippet, working, write, write_json
from .place import opened, place

if TYPE_CHECKING:
    from ..retrieval import Index, Passage


class SearchMethod(StrEnum):
    """How one query is searched."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    TFIDF = "tfidf"


def index(
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    corpus: Annotated[
        list[Path] | None,
        typer.Argument(
            help="JSON or JSONL, CSV or TSV, .txt or .md files, BEIR folders, folders of texts, or the name of a demo "
            "collection: encyclopedia, company."
        ),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Keep what the index has: add new passages, replace known ones.")
    ] = False,
    delete: Annotated[
        list[str] | None,
        typer.Option(metavar="ID|@FILE", help="Delete a passage, or a file's ids, one a line; may be repeated."),
    ] = None,
    max_chars: Annotated[
        int | None,
        typer.Option(metavar="N", help="Cut passages longer than N characters; text files: 1000 by default."),
    ] = None,
) -> None:
    """Index passages and write the index to a folder, in place of the one it holds; or change that one."""
    from ..retrieval import Index, read_corpus  # noqa: PLC0415
    from ..retrieval.storage import MANIFEST  # noqa: PLC0415

    start = time.perf_counter()
    if not corpus and (update or not delete):
        raise InputError("there is nothing to index; give at least one corpus")
    if corpus and delete and not update:
        raise InputError("a corpus with --delete changes the index; say --update, too")
    if (update or delete) and not (out / MANIFEST).exists():
        raise InputError(f"{out}: no index to change; build one without --update and --delete")
    with working(f"Indexing into {out} ...") as tell:
        tell("reading")
        skipped: list[str] = []
        places = [place(one) for one in corpus or []]
        passages = read_corpus(places, max_chars=max_chars, report=skipped.append) if places else []
        if update or delete:
            ids = _ids(delete or [])
            tell("changing")
            old, made = Index.update(out, lambda old: _changed(old, passages, ids))
            done = f"{_counts(old, made, passages)} in {out}, which has {count(len(made), 'passage')} now,"
        else:
            made = Index.build(passages, report=tell)
            done = f"indexed {count(len(made), 'passage')} into {out}"
            tell("writing")
            made.save(out)
    for one in skipped:
        note(one)
    note(f"{done} in {time.perf_counter() - start:.1f} s")


def _ids(given: list[str]) -> list[str]:
    """Return the ids of --delete, in their order; @FILE stands for those in a file, one a line."""
    from ..decompose.textfile import text_lines  # noqa: PLC0415

    ids: list[str] = []
    for one in given:
        ids += [line.strip() for _, line in text_lines(Path(one[1:]))] if one.startswith("@") else [one]
    if given and not ids:
        raise InputError(f"{', '.join(given)}: no ids to delete; give at least one")
    return ids


def _changed(old: Index, new: list[Passage], ids: list[str]) -> Index:
    """Return `old` with the passages and without those of the ids, each a passage's or a whole document's."""
    from ..retrieval.types import document_of  # noqa: PLC0415

    pieces: dict[str, set[tuple[str, str]]] = {}
    for passage in old.passages:
        document = document_of(passage)
        for name in {passage.id, document}:
            pieces.setdefault(name, set()).add((passage.id, document))
    documents = {document_of(passage) for passage in new}
    for one in ids:
        if one not in pieces:
            raise InputError(f"there is no passage or document with the id {one!r} in the index; nothing is changed")
        if any(document in documents for _, document in pieces[one]):
            raise InputError(f"{one!r} is to be deleted and stands in the corpus; leave one of them out")
    made = old.put(new) if new else old
    gone = {passage_id for one in ids for passage_id, _ in pieces[one]}
    if len(gone) == len(made):
        raise InputError("no passage would be left in the index; delete its folder instead")
    return made.delete(gone) if gone else made


def _counts(old: Index, made: Index, new: list[Passage]) -> str:
    """Say how many passages came, changed places and went."""
    before = {passage.id for passage in old.passages}
    replaced = sum(passage.id in before for passage in new)
    added = len(new) - replaced
    return f"added {added:,}, replaced {replaced:,}, deleted {len(old) + added - len(made):,}"


def search(
    question: Annotated[str, typer.Argument(help="What to search for.")],
    index: IndexFolder = None,
    k: Passages = None,
    method: Annotated[SearchMethod, typer.Option(help="How to score passages.")] = SearchMethod.HYBRID,
    format: Annotated[Format, typer.Option(help="How to write the hits.")] = Format.TEXT,  # noqa: A002
    set_: Sets = None,
    config: ConfigFile = None,
) -> None:
    """Search once, without splitting the question."""
    from .config import named, settings  # noqa: PLC0415

    check_question(question)
    chosen = settings(named(set_ or []), file=config).search
    collection = opened(index or Path(chosen.index))
    hits = collection.search(question, chosen.k if k is None else k, method=method.value)
    if format is not Format.TEXT:
        write_json(forms.of_hits(question, method.value, hits, collection))
        return
    if not hits:
        note("nothing found")
    for hit in hits:
        passage = collection.passage(hit.id)
        write(f"{hit.rank:>3}  {passage.title or hit.id}  ({hit.id}, {hit.score:.4f})", "bold")
        write(f"     {snippet(passage.text)}")
