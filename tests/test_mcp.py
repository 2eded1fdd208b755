"""The MCP server as its clients see it: the real program in a process, asked by the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from program import program

T = TypeVar("T")
COMMAND = ["-m", "hopsplit.cli", "mcp"]
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
)
QUESTION = "Who was the second wife of the man who directed Citizen Kane?"


def talk(work: Callable[[ClientSession], Awaitable[T]], *options: str) -> T:
    """Start the server, do the work with a session, and stop it."""

    async def session() -> T:
        parameters = StdioServerParameters(command=sys.executable, args=[*COMMAND, *options])
        with Path("log").open("w", encoding="utf-8") as log:
            async with stdio_client(parameters, errlog=log) as streams, ClientSession(*streams) as client:
                await client.initialize()
                return await work(client)

    return asyncio.run(session())


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what one server says to a client that tries everything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("mcp"))
        return talk(_everything)


async def _everything(client: ClientSession) -> dict[str, Any]:
    calls = {
        "ask": ("ask", {"question": QUESTION, "k": 3}),
        "search": ("search", {"question": "Orson Welles", "k": 2, "method": "bm25"}),
        "decompose": ("decompose", {"question": QUESTION}),
        "k is 0": ("ask", {"question": QUESTION, "k": 0}),
        "k is 101": ("ask", {"question": QUESTION, "k": 101}),
        "empty": ("search", {"question": " "}),
        "long": ("decompose", {"question": "x" * 2_001}),
        "no question": ("ask", {}),
        "method": ("search", {"question": "x", "method": "dense"}),
        "unknown": ("answer", {"question": "x"}),
    }
    done = {name: await client.call_tool(*call) for name, call in calls.items()}
    many = await asyncio.gather(*(client.call_tool("ask", {"question": QUESTION, "k": 3}) for _ in range(20)))
    return done | {"tools": (await client.list_tools()).tools, "many": many}


def test_tools_are_described(said: dict[str, Any]) -> None:
    """Name, purpose, types and limits of what goes in, types of what comes out; none changes anything."""
    tools = {tool.name: tool for tool in said["tools"]}
    assert list(tools) == ["ask", "search", "decompose"]
    given = tools["search"].input_schema
    assert given["required"] == ["question"]
    assert given["properties"]["question"]["maxLength"] == 2_000
    assert [given["properties"]["k"][each] for each in ("minimum", "maximum", "default")] == [1, 100, 10]
    assert given["properties"]["method"]["enum"] == ["hybrid", "bm25", "tfidf"]
    assert set(tools["ask"].output_schema["required"]) >= {"plan", "bridges", "evidence", "confidence"}
    for tool in tools.values():
        assert len(tool.description) > 50
        assert tool.annotations.read_only_hint is True


def test_ask_gives_what_the_program_gives(said: dict[str, Any]) -> None:
    """In short: the hops, the bridges and the passages in their order."""
    shown = json.loads(program("ask", QUESTION, "-k", "3", "--format", "json").out)
    found = said["ask"].structured_content
    assert [hop["text"] for hop in found["plan"]["hops"]] == [
        "Who directed Citizen Kane?",
        "Who was the second wife of #1?",
    ]
    assert (found["bridges"][0]["name"], found["bridges"][0]["passage_id"]) == ("Orson Welles", "enc-028")
    assert [item["id"] for item in found["evidence"]] == ["enc-028", "enc-029", "enc-030"]
    assert [item["text"] for item in found["evidence"]] == [item["passage"]["text"] for item in shown["evidence"]]
    assert [(item["rank"], item["hop"], item["via"]) for item in found["evidence"]] == [
        (1, 1, ""),
        (2, 2, "Orson Welles"),
        (3, 2, "Orson Welles"),
    ]
    assert (found["confidence"], found["answer"], found["stopped"]) == (shown["confidence"], None, "")
    assert json.loads(said["ask"].content[0].text) == found


def test_search_and_decompose(said: dict[str, Any]) -> None:
    """One search by the method asked for; a plan without a search."""
    hits = said["search"].structured_content["hits"]
    shown = json.loads(program("search", "Orson Welles", "-k", "2", "--method", "bm25", "--format", "json").out)
    assert [hit["id"] for hit in hits] == [hit["id"] for hit in shown["hits"]]
    plan = said["decompose"].structured_content
    assert (plan["kind"], len(plan["hops"]), plan["hops"][1]["refs"]) == ("bridge", 2, [1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("k is 0", "greater than or equal to 1"),
        ("k is 101", "less than or equal to 100"),
        ("empty", "the question is empty; give at least one word"),
        ("long", "at most 2000 characters"),
        ("no question", "Field required"),
        ("method", "'hybrid', 'bm25' or 'tfidf'"),
        ("unknown", "Unknown tool: answer"),
    ],
)
def test_bad_calls_are_errors_of_the_tool(said: dict[str, Any], call: str, words: str) -> None:
    """Which a model can read, and the session goes on."""
    assert said[call].is_error
    assert words in said[call].content[0].text


def test_calls_side_by_side(said: dict[str, Any]) -> None:
    """Each gets the same answer."""
    assert [done.structured_content for done in said["many"]] == [said["ask"].structured_content] * 20


def test_an_index_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By option; its size is told."""
    monkeypatch.chdir(tmp_path)
    Path("c.jsonl").write_text('{"_id": "p", "title": "Mars", "text": "Mars is a planet."}\n', encoding="utf-8")
    assert program("index", "c.jsonl", "--out", "own").code == 0

    async def search(client: ClientSession) -> Any:
        return (await client.call_tool("search", {"question": "planet"})).structured_content

    assert talk(search, "--index", "own") == {
        "question": "planet",
        "hits": [{"rank": 1, "id": "p", "title": "Mars", "text": "Mars is a planet."}],
    }
    assert Path("log").read_text(encoding="utf-8") == "hopsplit speaks MCP on standard input and output\n"


def test_it_ends_with_its_input_and_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    """Exit 0 where the client goes away, 2 with one line for an index that is not there; nothing on standard output."""
    done = subprocess.run([sys.executable, *COMMAND], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    refused = program("mcp", "--index", tmp_path / "gone")
    assert (refused.code, refused.out, len(refused.err.splitlines())) == (2, "", 1)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda started: started.send_signal(signal.SIGTERM), 143),
        (lambda started: started.send_signal(signal.SIGINT), 130),
        (lambda started: (started.stdout.close(), started.stdin.write(f"{HELLO}\n"), started.stdin.close()), 1),
    ],
    ids=["SIGTERM", "SIGINT", "gone"],
)
def test_it_ends_with_its_host(end: Callable[[subprocess.Popen[str]], object], code: int) -> None:
    """At once, without a traceback, also where its standard input stays open."""
    started = subprocess.Popen(
        [sys.executable, *COMMAND],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stdin is not None
    assert started.stdout is not None
    assert started.stderr is not None
    with started.stdin, started.stdout, started.stderr:
        try:
            started.stdin.write(f"{HELLO}\n")
            started.stdin.flush()
            assert json.loads(started.stdout.readline())["id"] == 1
            end(started)
            assert started.wait(timeout=20) == code
            assert started.stderr.read() == "hopsplit speaks MCP on standard input and output\n"
        finally:
            started.kill()
            started.wait()
