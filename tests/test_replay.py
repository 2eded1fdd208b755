"""Replies that are kept in a folder, told by a real server before."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from decomposing import decomposer
from halls import ASK, DEEP, PLAN, UNPARSEABLE, YES, index, no, say, timeless
from hopsplit.decompose import InputError
from hopsplit.fallback import Asker, ChainSettings, Completion, LlmError, Message, OpenAIClient, Replay, Result
from llm_server import LlmServer
from replay_writer import REQUESTS, Echo, ask_all

# All that a request is told by, but the name of the model.
REQUEST: dict[str, Any] = {
    "messages": [Message("system", "Reply in JSON."), Message("user", "Enough?")],
    "temperature": 0.1,
    "max_tokens": 50,
    "schema": {"title": "Verdict", "type": "object"},
}
SAID = Completion('{"sufficient": true}', 100, 10)


def complete(replay: Replay, **changes: Any) -> Completion:
    """Send the request, or one that differs in a part."""
    return replay.complete(**(REQUEST | changes))


def recorded(server: LlmServer, folder: Path, name: str = "m") -> Path:
    """Have one reply recorded; return its file."""
    before = set(files(folder)) if folder.exists() else set()
    server.will_reply(SAID.text)
    assert complete(Replay(folder, OpenAIClient("m", base_url=server.url), name=name)) == SAID
    (made,) = set(files(folder)) - before
    return made


def files(folder: Path) -> list[Path]:
    """Return the files of a folder, all of which must be named by two hashes."""
    found = sorted(folder.iterdir())
    assert all(re.fullmatch(r"[0-9a-f]{32}-[0-9a-f]{32}\.json", each.name) for each in found)
    return found


def is_kept(replay: Replay, **changes: Any) -> bool:
    """Return whether the folder alone has a reply."""
    try:
        complete(replay, **changes)
    except LlmError as error:
        if str(error).startswith("no reply to this was recorded in ") and not error.may_pass:
            return False
        raise
    return True


def test_a_reply_is_kept(llm_server: LlmServer, tmp_path: Path) -> None:
    """The second time nobody is asked; the folder alone has it, too."""
    folder = tmp_path / "new" / "replies"
    recorded(llm_server, folder)
    assert complete(Replay(folder, OpenAIClient("m", base_url=llm_server.url), name="m")) == SAID
    assert complete(Replay(folder, name="m")) == SAID
    assert len(llm_server.asked) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": REQUEST["messages"][::-1]},
        {"messages": REQUEST["messages"][1:]},
        {"messages": [Message("user", "Reply in JSON."), Message("user", "Enough?")]},
        {"messages": [Message("system", "Reply in JSON."), Message("user", "enough?")]},
        {"messages": [Message("system", "Reply in JSON.Enough?"), Message("user", "")]},
        {"temperature": 0.3},
        {"max_tokens": 51},
        {"schema": {}},
        {"schema": {"title": "Verdict", "type": "array"}},
    ],
)
def test_a_request_that_differs_is_another(llm_server: LlmServer, tmp_path: Path, changes: dict[str, Any]) -> None:
    """Each part of it counts; in the schema the order of the keys does not."""
    recorded(llm_server, tmp_path)
    assert not is_kept(Replay(tmp_path, name="m"), **changes)
    assert is_kept(Replay(tmp_path, name="m"), schema=dict(reversed(REQUEST["schema"].items())))


def test_the_name_of_the_model_counts_where_it_is_told(llm_server: LlmServer, tmp_path: Path) -> None:
    """Another's reply is none; without a name it is one, and of several the first by the name of its file."""
    recorded(llm_server, tmp_path, "a")
    assert is_kept(Replay(tmp_path))
    assert not is_kept(Replay(tmp_path, name="b"))
    llm_server.will_reply("of b")
    assert complete(Replay(tmp_path, OpenAIClient("m", base_url=llm_server.url), name="b")).text == "of b"
    assert complete(Replay(tmp_path, name="a")) == SAID
    assert complete(Replay(tmp_path, name="b")).text == "of b"
    first = json.loads(files(tmp_path)[0].read_bytes())
    assert complete(Replay(tmp_path)).text == first["text"]


def test_what_was_recorded_gives_the_same_bytes(llm_server: LlmServer, tmp_path: Path) -> None:
    """Whole questions, with an unusable reply among them: nobody is asked the second time."""
    settings = ChainSettings(answer=True)
    synthesis = {"answer": "The Po.", "passages": [1, 2], "contradictions": ""}
    say(llm_server, PLAN, no(0.2), "no \ud83d object", ASK, YES, synthesis, PLAN, YES, synthesis, used=(90, 9))
    client = OpenAIClient("m", base_url=llm_server.url)

    def ask(llm: Replay) -> list[Result]:
        asker = Asker(index(), llm=llm, chain=settings, decomposer=decomposer())
        return timeless([asker.ask(question, k=3) for question in (DEEP, UNPARSEABLE)])

    live = ask(Replay(tmp_path, client, name="m"))
    assert [(result.route, result.stopped, result.usage.llm_calls) for result in live] == [
        ("chain", "", 6),
        ("chain", "", 3),
    ]
    assert len(files(tmp_path)) == len(llm_server.asked) == 9
    replayed = ask(Replay(tmp_path))
    assert as_bytes(replayed) == as_bytes(live)
    assert len(llm_server.asked) == 9


def as_bytes(results: Sequence[Result]) -> bytes:
    """Return results as JSON, without the time of each step."""
    told = [asdict(result) for result in results]
    for result in told:
        for step in result["trace"]:
            del step["seconds"]
    return json.dumps(told).encode()


def test_a_failure_is_not_kept(llm_server: LlmServer, tmp_path: Path) -> None:
    """It passes through as it is."""
    llm_server.will_fail(429, headers={"Retry-After": "7"})
    with pytest.raises(LlmError, match=r"^status 429: refused$") as caught:
        complete(Replay(tmp_path, OpenAIClient("m", base_url=llm_server.url)))
    assert (caught.value.may_pass, caught.value.retry_after) == (True, 7.0)
    assert files(tmp_path) == []


def changed(**changes: Any) -> Callable[[dict[str, Any]], bytes]:
    """Return what writes a record with some of its fields changed, without those that are None."""
    return lambda kept: json.dumps(
        {name: value for name, value in (kept | changes).items() if value is not None}
    ).encode()


@pytest.mark.parametrize(
    "write",
    [
        lambda _: b"",
        lambda _: b"\xff\xfe\x00",
        lambda _: b"[" * 200_000,
        lambda _: b"[]",
        lambda kept: json.dumps(kept).encode()[:-1],
        lambda kept: json.dumps(kept).encode().ljust((1 << 23) + 1),
        lambda kept: changed(request=kept["request"] | {"max_tokens": 51})(kept),
        changed(request=None),
        changed(model="another"),
        changed(model=["m"]),
        changed(model=None),
        changed(text=None),
        changed(text=["a"]),
        changed(prompt_tokens=None),
        changed(prompt_tokens=-1),
        changed(prompt_tokens=True),
        changed(prompt_tokens=1.5),
        changed(completion_tokens="7"),
        changed(completion_tokens=10**9 + 1),
    ],
)
def test_a_file_that_is_not_what_its_name_says(
    llm_server: LlmServer, tmp_path: Path, write: Callable[[dict[str, Any]], bytes]
) -> None:
    """It is taken for none, and a new reply takes its place."""
    file = recorded(llm_server, tmp_path)
    file.write_bytes(write(json.loads(file.read_bytes())))
    assert not is_kept(Replay(tmp_path, name="m"))
    assert not is_kept(Replay(tmp_path))
    recorded_again = Replay(tmp_path, OpenAIClient("m", base_url=llm_server.url), name="m")
    llm_server.will_reply("new")
    assert complete(recorded_again).text == "new"
    assert complete(Replay(tmp_path, name="m")).text == "new"
    assert files(tmp_path) == [file]


def test_a_file_of_a_mebibyte(llm_server: LlmServer, tmp_path: Path) -> None:
    """It is the longest that is read."""
    file = recorded(llm_server, tmp_path)
    file.write_bytes(file.read_bytes().ljust(1 << 23))
    assert complete(Replay(tmp_path)) == SAID


def test_no_link_is_followed_and_no_pipe_read(llm_server: LlmServer, tmp_path: Path) -> None:
    """Even to a reply that would do; a new one takes the place of the link, and not of what it leads to."""
    folder, elsewhere = tmp_path / "replies", tmp_path / "elsewhere"
    file = recorded(llm_server, folder)
    file.rename(elsewhere)
    held = elsewhere.read_bytes()
    file.symlink_to(elsewhere)
    assert not is_kept(Replay(folder))
    recorded_again = Replay(folder, OpenAIClient("m", base_url=llm_server.url), name="m")
    llm_server.will_reply("new")
    assert complete(recorded_again).text == "new"
    assert (file.is_symlink(), elsewhere.read_bytes()) == (False, held)
    file.unlink()
    os.mkfifo(file)
    assert not is_kept(Replay(folder))


def folder_in_place(folder: Path) -> None:
    """Put a folder where the file of the reply goes."""
    (file,) = files(folder)
    file.unlink()
    (file / "in").mkdir(parents=True)


def no_folder(folder: Path) -> None:
    """Take the folder away."""
    for file in files(folder):
        file.unlink()
    folder.rmdir()


def file_for_folder(folder: Path) -> None:
    """Put a file in the place of the folder."""
    no_folder(folder)
    folder.touch()


@pytest.mark.parametrize("harm", [folder_in_place, no_folder, file_for_folder])
def test_a_reply_that_cannot_be_kept_is_not_lost(
    llm_server: LlmServer, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """It comes all the same, each time anew, and leaves nothing behind."""
    folder = tmp_path / "replies"
    recorded(llm_server, folder)
    replay = Replay(folder, OpenAIClient("m", base_url=llm_server.url), name="m")
    harm(folder)
    before = sorted(tmp_path.rglob("*"))
    for said in ("first", "second"):
        llm_server.will_reply(said)
        assert complete(replay).text == said
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("text", ["", "\ud83d", 'a\x00b\r\n"\N{SNOWMAN}\u2028'])
def test_every_text_is_kept_as_it_is(llm_server: LlmServer, tmp_path: Path, text: str) -> None:
    """Lone surrogates and all, in the reply as in the messages."""
    llm_server.will_reply(text)
    asked = {"messages": [Message("user", text)]}
    assert complete(Replay(tmp_path, OpenAIClient("m", base_url=llm_server.url)), **asked).text == text
    assert complete(Replay(tmp_path), **asked).text == text


def test_no_name_of_a_file_is_from_outside(llm_server: LlmServer, tmp_path: Path) -> None:
    """Whatever the model is called, and whatever it is asked."""
    folder = tmp_path / "[a]*" / "replies"
    for name in ("../../evil", "/evil", "*", "a\x00b", "\ud800"):
        llm_server.will_reply("said")
        replay = Replay(folder, OpenAIClient("m", base_url=llm_server.url), name=name)
        asked = {"messages": [Message("user", f"../{name}")], "schema": {"title": "../evil"}}
        assert complete(replay, **asked).text == "said"
        assert is_kept(Replay(folder, name=name), **asked)
    assert len(files(folder)) == 5
    assert [path.name for path in tmp_path.rglob("*") if path.is_dir()] == ["[a]*", "replies"]


def test_a_folder_must_be_one(tmp_path: Path) -> None:
    """Without a model it must be there; with one it must be possible."""
    with pytest.raises(InputError, match="/none: no folder of recorded replies; record some with --llm MODEL --llm-c"):
        Replay(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InputError, match="/file: no folder of recorded replies"):
        Replay(file)
    for folder in (file, file / "below"):
        with pytest.raises(InputError, match="; name a folder for the replies"):
            Replay(folder, Echo())


def test_several_processes_and_threads_at_once(tmp_path: Path) -> None:
    """Each reply that is found afterwards is a whole one, and nothing else is in the folder."""
    command = [sys.executable, Path(__file__).with_name("replay_writer.py"), tmp_path]
    writers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    assert len(files(tmp_path)) == REQUESTS
    pids = {str(writer.pid) for writer in writers}
    for number, text in enumerate(ask_all(Replay(tmp_path))):
        pid, _, said = text.partition(" ")
        assert pid in pids
        assert said == str(number) * 5_000
