"""Build, save, open and update an index."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsplit.decompose import InputError
from hopsplit.retrieval import Analyser, Index, Passage, Settings

PASSAGES = [
    Passage("kea", "Kea", "The kea is a parrot of New Zealand's mountains."),
    Passage("tui", "Tui", "The tui, a bird of New Zealand,\nmimics human speech."),
    Passage("é/1", "Śnieżka 山", 'A mountain; "Sněžka" in Czech.'),
    Passage("moa", "", "Extinct."),
]


def files(folder: Path) -> dict[str, bytes]:
    """Read every file below `folder`."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def saved(index: Index, folder: Path) -> dict[str, bytes]:
    """Save `index` and read its files."""
    index.save(folder)
    return files(folder)


def test_round_trip(tmp_path: Path) -> None:
    """An opened index has the same passages, settings and hits as the one saved."""
    built = Index.build(PASSAGES, settings=Settings(analyser=Analyser(fold=False), k1=1.1, title=2))
    built.save(tmp_path / "index")
    opened = Index.open(tmp_path / "index")
    assert list(opened.passages) == sorted(PASSAGES, key=lambda p: p.id)
    assert opened.settings == built.settings
    assert len(opened) == 4
    assert opened.search("mountains of new zealand", 9) == built.search("mountains of new zealand", 9)
    assert files(tmp_path / "index") == saved(opened, tmp_path / "again")


def test_passages_by_number_and_id() -> None:
    """Passages are reached by id, by place, from the end and by slice."""
    index = Index.build(PASSAGES)
    assert index.passage("é/1") == PASSAGES[2]
    assert [p.id for p in index.passages] == ["kea", "moa", "tui", "é/1"]
    assert index.passages[-1].id == "é/1"
    assert [p.id for p in index.passages[1:3]] == ["moa", "tui"]
    for missing in ("ke", "kea ", "zzz", ""):
        with pytest.raises(KeyError):
            index.passage(missing)
    with pytest.raises(IndexError):
        index.passages[4]


def test_shuffled_corpus_gives_the_same_files(tmp_path: Path) -> None:
    """The order of the passages leaves no trace in any byte."""
    one = saved(Index.build(PASSAGES), tmp_path / "a")
    assert one == saved(Index.build(PASSAGES[::-1]), tmp_path / "b")


def test_add_replace_delete_equal_a_rebuild(tmp_path: Path) -> None:
    """After updates every byte is that of an index built from the resulting passages."""
    new = Passage("kea", "Kea", "Also a ferry.")
    updated = Index.build(PASSAGES[:2]).add(PASSAGES[2:]).replace([new]).delete(["tui"])
    rebuilt = Index.build([new, *PASSAGES[2:]])
    assert saved(updated, tmp_path / "a") == saved(rebuilt, tmp_path / "b")


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_any_updates_equal_a_rebuild(data: st.DataObject) -> None:
    """Random updates of a random collection give the hits of a rebuilt one."""
    chance = random.Random(data.draw(st.integers()))
    words = ["ada", "bell", "city", "dam"]

    def passage(number: int) -> Passage:
        return Passage(str(number), chance.choice(words), " ".join(chance.choices(words, k=3)))

    state = {p.id: p for p in map(passage, range(6))}
    index = Index.build(state.values())
    for number in range(6, 9):
        old = sorted(chance.sample(sorted(state), 2))
        changed = Passage(old[0], "new", "text ada")
        index = index.replace([changed]).delete([old[1]]).add([passage(number)])
        state |= {old[0]: changed, str(number): index.passage(str(number))}
        del state[old[1]]
    rebuilt = Index.build(state.values())
    assert list(index.passages) == list(rebuilt.passages)
    assert index.search("ada city new", 9) == rebuilt.search("ada city new", 9)


def test_updates_leave_the_old_index_alone() -> None:
    """An update gives a new index; who holds the old one sees no change."""
    index = Index.build(PASSAGES)
    index.delete(["kea"])
    assert [h.id for h in index.search("kea", 1)] == ["kea"]


def pieces(document: str, *numbers: int) -> list[Passage]:
    """Return pieces of a document as `read_corpus` cuts them."""
    return [Passage(f"{document}#chunk{n}", "", "jade", document) for n in numbers]


def whole(*ids: str) -> list[Passage]:
    """Return documents that were not cut."""
    return [Passage(i, "", "jade") for i in ids]


def test_put_replaces_whole_documents() -> None:
    """Putting a document again, cut into fewer pieces, leaves none of the old ones; others are added or stay."""
    index = Index.build(pieces("a.md", 1, 2, 3) + whole("b.md", "c#1", "c#2"))
    one = index.put(pieces("a.md", 1, 2) + whole("c#1", "d.md"))
    assert [p.id for p in one.passages] == ["a.md#chunk1", "a.md#chunk2", "b.md", "c#1", "c#2", "d.md"]
    assert [p.id for p in one.put(whole("a.md") + pieces("b.md", 1)).passages][:2] == ["a.md", "b.md#chunk1"]


def test_an_id_that_looks_like_a_piece_is_an_id(tmp_path: Path) -> None:
    """Only what was cut goes with its document, also after the index was saved; one id has one document."""
    Index.build(whole("x#chunk1", "x#chunk2") + pieces("y", 1, 2)).save(tmp_path / "index")
    index = Index.open(tmp_path / "index")
    assert [p.id for p in index.put(whole("x", "y")).passages] == ["x", "x#chunk1", "x#chunk2", "y"]
    assert [p.document for p in index.passages] == ["", "", "y", "y"]
    for new in (pieces("x", 2), whole("y#chunk1")):
        with pytest.raises(InputError, match="is taken by another document"):
            index.put(new)


def test_build_reports_its_parts() -> None:
    """A caller can show what the build is at."""
    said: list[str] = []
    Index.build(PASSAGES, report=said.append)
    assert said == ["counting terms", "weighing terms", "collecting names"]


def test_bad_updates() -> None:
    """Taken and unknown ids, repeats, and deleting everything are bad input."""
    index = Index.build(PASSAGES)
    with pytest.raises(InputError, match="the passage id 'kea' is taken; replace it"):
        index.add([PASSAGES[0]])
    with pytest.raises(InputError, match="no passage with the id 'emu'"):
        index.replace([Passage("emu", "", "")])
    with pytest.raises(InputError, match="no passage with the id 'emu'"):
        index.delete(["kea", "emu"])
    with pytest.raises(InputError, match="'x' stands twice"):
        index.add([Passage("x", "", ""), Passage("x", "", "")])
    with pytest.raises(InputError, match="no passages to index"):
        index.delete([p.id for p in PASSAGES])
    with pytest.raises(InputError, match="no passages to index"):
        Index.build([])
    with pytest.raises(InputError, match="has the id ' '; give each passage an id"):
        Index.build([Passage(" ", "", "x")])
    with pytest.raises(InputError, match="the passage 'x' has a lone surrogate at character 1"):
        Index.build([Passage("x", "", "y\udfff")])


def test_reader_is_unaffected_by_a_writer(tmp_path: Path) -> None:
    """An open index answers as before while and after the folder is rewritten."""
    Index.build(PASSAGES).save(tmp_path)
    reader = Index.open(tmp_path)
    before = reader.search("new zealand bird", 9)
    Index.build([Passage("x", "", "y")]).save(tmp_path)
    assert reader.search("new zealand bird", 9) == before
    assert reader.passage("tui") == PASSAGES[1]
    assert len(Index.open(tmp_path)) == 1


def test_readers_during_many_writes(tmp_path: Path) -> None:
    """Whoever opens the index while it is rewritten over and over gets one version or the other, whole."""
    versions = [Index.build(PASSAGES), Index.build(PASSAGES[:1])]
    versions[0].save(tmp_path)
    done = threading.Event()

    def write() -> None:
        for turn in range(30):
            versions[turn % 2].save(tmp_path)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    sizes = set()
    while not done.is_set():
        index = Index.open(tmp_path)
        sizes.add((len(index), tuple(h.id for h in index.search("kea tui", 9))))
    writer.join()
    assert sizes
    assert sizes <= {(4, ("kea", "tui")), (4, ("tui", "kea")), (1, ("kea",))}
