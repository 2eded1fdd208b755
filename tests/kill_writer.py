"""Kills writers of an index and looks at what they leave; run by test_storage.py, needs fork and SIGKILL.

python kill_writer.py steps|times FOLDER prints how many writers were killed, after how many of them the old
index was there, and after how many the new one. Exit 1 with a traceback where neither was.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from hopsplit.retrieval import Index, Passage

# What Python reports before it changes files (https://docs.python.org/3/library/audit_events.html).
_CHANGES = ("open", "os.", "shutil.")


def build(word: str, count: int) -> Index:
    """Build an index whose every passage says `word`."""
    return Index.build(Passage(f"p{n:05}", f"{word} {n}", f"{word} text {n % 7}") for n in range(count))


def in_child(act: Callable[[], None]) -> int:
    """Run `act` in a fork; return the fork's process id."""
    pid = os.fork()
    if pid == 0:
        try:
            act()
        except Exception:  # noqa: BLE001  (a fork must end here, whatever happens)
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return pid


def save_until(index: Index, folder: Path, step: int) -> None:
    """Save, and be killed before the file operation number `step`."""
    left = [step]

    def count(event: str, _: tuple[object, ...]) -> None:
        if event.startswith(_CHANGES) and event != "os.kill":
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    index.save(folder)


def look(folder: Path, old: Index, new: Index) -> bool:
    """Return whether the folder holds the new index; AssertionError where it holds neither."""
    found = Index.open(folder)
    word = "new" if len(found) == len(new) else "old"
    expected = new if word == "new" else old
    assert list(found.passages) == list(expected.passages)
    assert found.search(f"{word} 3 text", 10) == expected.search(f"{word} 3 text", 10)
    return word == "new"


def recover(folder: Path, new: Index, clean: list[str]) -> None:
    """Save again after the kill; nothing of the killed writer may stay."""
    new.save(folder)
    assert len(Index.open(folder)) == len(new)
    assert sorted(str(f.relative_to(folder)) for f in folder.rglob("*")) == clean


def steps(old: Index, new: Index, root: Path) -> list[bool]:
    """Kill one writer before each of its file operations until one gets through."""
    results: list[bool] = []
    clean = names(new, root / "clean")
    while True:
        folder = shutil.copytree(root / "old", root / "index")
        step = len(results)
        status = os.waitpid(in_child(lambda folder=folder, step=step: save_until(new, folder, step)), 0)[1]
        if status == 0:
            return results
        assert os.WIFSIGNALED(status)
        results.append(look(folder, old, new))
        recover(folder, new, clean)
        shutil.rmtree(folder)


def times(old: Index, new: Index, root: Path) -> list[bool]:
    """Kill writers at random moments of the time that one needs."""
    begin = time.perf_counter()
    clean = names(new, root / "clean")
    needed = time.perf_counter() - begin
    chance = random.Random(5)
    results: list[bool] = []
    for _ in range(20):
        folder = shutil.copytree(root / "old", root / "index")
        pid = in_child(lambda folder=folder: new.save(folder))
        time.sleep(chance.uniform(0, needed))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        results.append(look(folder, old, new))
        recover(folder, new, clean)
        shutil.rmtree(folder)
    return results


def names(index: Index, folder: Path) -> list[str]:
    """Save to a clean folder; return the names of its files and folders."""
    index.save(folder)
    return sorted(str(f.relative_to(folder)) for f in folder.rglob("*"))


if __name__ == "__main__":
    way, place = sys.argv[1], Path(sys.argv[2])
    small = way == "steps"
    before, after = build("old", 50 if small else 2000), build("new", 60 if small else 3000)
    before.save(place / "old")
    seen = (steps if small else times)(before, after, place)
    sys.stdout.write(f"{len(seen)} {seen.count(False)} {seen.count(True)}\n")
