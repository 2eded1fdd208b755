"""The program from the outside: what it prints where, its exit codes, and what it does with bad input."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from halls import say
from hopsplit.corpora import demo
from hopsplit.evaluation import runfile
from llm_server import LlmServer
from program import Done, program

SEED = "Where was the father of the founder of Versus born?"
DEEP = "What is the emblem of the studio founded by the director of Spirited Away?"
KEY = "a-long-and-secret-key"
# What a language model says to DEEP: how it splits it, that a passage is missing, what to search, that it suffices.
DIALOGUE = (
    {"questions": ["Who is the director of Spirited Away?", "What studio did #1 found?", "What is the emblem of #2?"]},
    {"sufficient": False, "confidence": 0.3, "missing": "the emblem"},
    {"queries": ["Studio Ghibli logo", "Totoro"]},
    {"sufficient": True, "confidence": 0.9, "missing": ""},
)
CORPUS = (
    '{"_id": "p1", "title": "Glass Hall", "text": "The architect of the Glass Hall was Ugo Marl."}\n'
    '{"_id": "p2", "title": "Ugo Marl", "text": "Ugo Marl was born in Turin."}\n'
)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no settings but those of a test."""
    for name in [name for name in os.environ if name.startswith("HOPSPLIT_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index of the demo collection, made by the program."""
    folder = tmp_path_factory.mktemp("index") / "encyclopedia"
    done = program("index", demo(), "--out", folder)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("indexed ")
    return folder


def shell(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    command = [sys.executable, "-m", "hopsplit.cli", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | variables, encoding="utf-8"
    )


def refused(done: Done) -> str:
    """Check that a run was refused as bad input is, and return what it said."""
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    return done.err


def test_version_names_program_and_model() -> None:
    """Both versions, since plans are tied to both."""
    done = shell("--version")
    assert done.returncode == 0
    assert done.stdout.startswith(f"hopsplit {version('hopsplit')}, en_core_web_sm")
    assert done.stdout.strip().split()[-1].startswith("3.8.")


def test_help_lists_every_command() -> None:
    """Each on a line of its own."""
    done = shell("--help")
    assert done.returncode == 0
    for name in ("decompose", "index", "search", "ask", "run", "eval", "report", "gold", "rules", "config", "doctor"):
        assert f"\n  {name} " in done.stdout
    assert "..." not in done.stdout.split("Commands:")[1]


def test_decompose_writes_the_seed_example() -> None:
    """The two hops of the founding example, with the rule that made each."""
    done = program("decompose", SEED, "--format", "jsonl")
    assert (done.code, done.err) == (0, "")
    plan = json.loads(done.out)
    assert list(plan) == ["question", "kind", "hops", "reason"]
    assert (plan["question"], plan["kind"]) == (SEED, "bridge")
    assert [hop["text"] for hop in plan["hops"]] == [
        "Who is the founder of Versus?",
        "Where was the father of #1 born?",
    ]
    assert [list(hop) for hop in plan["hops"]] == 2 * [["id", "text", "refs", "rule", "spans", "answer_type"]]
    assert [hop["refs"] for hop in plan["hops"]] == [[], [1]]


def test_decompose_as_text() -> None:
    """The question, its kind, its hops."""
    done = program("decompose", SEED)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == SEED
    assert lines[1].strip().startswith("bridge")
    assert [line.split("  ")[1] for line in lines[2:]] == [
        "#1 Who is the founder of Versus?",
        "#2 Where was the father of #1 born?",
    ]


def test_decompose_loses_no_line() -> None:
    """One object for every line, in order, whatever is on it: CRLF, blank, bad UTF-8, NUL, BOM."""
    lines = [
        b"\xef\xbb\xbf" + SEED.encode(),
        b"",
        b"Caf\xe9?",
        b"a\xed\xa0\x80b",
        b"x\0y",
        "Wer schrieb Bråk?".encode(),
        b"   ",
        SEED.encode(),
        b"who " * 2501,
    ]
    done = program("decompose", "--format", "jsonl", stdin=b"\r\n".join(lines))
    assert (done.code, done.err) == (0, "")
    plans = [json.loads(line) for line in done.out.splitlines()]
    assert len(plans) == len(lines)
    assert plans[0] == plans[7]
    assert plans[0]["kind"] == "bridge"
    reasons = {number: plans[number]["reason"] for number in (1, 2, 3, 4, 6, 8)}
    assert reasons == {
        1: "the line is empty",
        2: "the line is not UTF-8 (byte 3)",
        3: "the line is not UTF-8 (byte 1)",
        4: "the line holds a NUL character",
        6: "the line is empty",
        8: "the line has 10,004 characters; a question has at most 2,000",
    }
    assert {plans[number]["kind"] for number in reasons} == {"unparseable"}
    assert plans[5]["question"] == "Wer schrieb Bråk?"


def test_decompose_protects_given_titles(tmp_path: Path) -> None:
    """A title that reads like syntax stays whole when the titles are given."""
    titles = tmp_path / "titles.txt"
    titles.write_text("The Man Who Hired The Author Of Spring\n", encoding="utf-8")
    question = "When did The Man Who Hired The Author Of Spring come out?"
    done = program("decompose", question, "--titles", titles, "--format", "jsonl")
    assert json.loads(done.out)["kind"] == "single"


def test_decompose_is_the_same_twice_and_in_another_process() -> None:
    """Byte for byte, also with another hash seed."""
    questions = (demo() / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    stdin = "\n".join(json.loads(line)["text"] for line in questions).encode()
    here = program("decompose", "--format", "jsonl", stdin=stdin)
    command = [sys.executable, "-m", "hopsplit.cli", "decompose", "--format", "jsonl"]
    there = subprocess.run(
        command, input=stdin, capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": "7"}
    )
    assert there.stdout.decode() == here.out


def test_search(index: Path) -> None:
    """As many hits as asked for, best first, in both formats."""
    done = program("search", "Lost in Translation", "--index", index, "-k", "3", "--format", "json")
    found = json.loads(done.out)
    assert (found["question"], found["method"]) == ("Lost in Translation", "hybrid")
    assert [hit["rank"] for hit in found["hits"]] == [1, 2, 3]
    assert found["hits"][0]["title"].startswith("Lost in Translation")
    text = program("search", "Lost in Translation", "--index", index, "-k", "3", "--method", "bm25").out
    assert text.splitlines()[0].startswith("  1  Lost in Translation")
    assert len(text.splitlines()) == 6


def test_search_without_a_hit_says_so(index: Path) -> None:
    """Nothing on standard output, a word on standard error, exit 0."""
    done = program("search", "qqqzzz", "--index", index)
    assert (done.code, done.out, done.err) == (0, "", "nothing found\n")


def test_ask_the_demo_collection() -> None:
    """Without an index: plan, route, bridge and evidence of the seed question."""
    done = program("ask", SEED, "-k", "5", "--format", "json")
    assert (done.code, done.err) == (0, "")
    result = json.loads(done.out)
    assert list(result) == [
        "question",
        "plan",
        "route",
        "reason",
        "evidence",
        "bridges",
        "confidence",
        "judgement",
        "answer",
        "usage",
        "stopped",
        "trace",
    ]
    assert result["route"] == "executor"
    assert len(result["evidence"]) == 5
    assert any("Gianni Versace" in item["via"] for item in result["evidence"])
    assert result["answer"] is None
    assert result["usage"]["llm_calls"] == 0


def test_ask_as_text() -> None:
    """Ids, the hop of each passage, the bridge, the confidence; `jsonl` is another word for `json`."""
    done = program("ask", SEED, "-k", "2")
    lines = done.out.splitlines()
    assert "  bridge #1 = Gianni Versace (enc-001)" in lines
    assert lines[7:13:2] == [
        "  1  Versus (fashion label)  (enc-001; hop 1)",
        "  2  Gianni Versace  (enc-002; hop 2 via Gianni Versace)",
        "",
    ]
    assert lines[-1].startswith("confidence 0.")
    assert json.loads(program("ask", SEED, "--format", "jsonl").out)["question"] == SEED


def test_a_name_that_the_passage_lacks_is_told_apart(tmp_path: Path) -> None:
    """The passage about the mill does not name Milo Tarn: it was searched with him, not reached via him."""
    rows = [
        {"_id": "a", "title": "The Tin Sea", "text": "The Tin Sea is a 1950 film directed by Milo Tarn."},
        {"_id": "b", "title": "Milo Tarn", "text": "Milo Tarn was born in Askel."},
        {"_id": "c", "title": "Old Mill", "text": "A miller was born there, where the mill stands."},
    ]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    program("index", corpus, "--out", tmp_path / "out")
    out = program("ask", "Where was the director of The Tin Sea born?", "--index", tmp_path / "out").out
    assert "Milo Tarn  (b; hop 2 via Milo Tarn)" in out
    assert "Old Mill  (c; hop 2, searched with Milo Tarn)" in out


def test_a_doubtful_bridge_is_said_to_be(index: Path) -> None:
    """The collection knows nothing of the league: the confidence is low and the text says unsure."""
    question = "How much did the sponsor of the Winter Chess League pay?"
    done = json.loads(program("ask", question, "--index", index, "--format", "json").out)
    assert done["confidence"] < 0.4
    lines = program("ask", question, "--index", index).out.splitlines()
    assert [line.endswith(", unsure") for line in lines if line.startswith("  bridge #1")] == [True]
    assert lines[-1].startswith(f"confidence {done['confidence']:.2f}, ")


def test_ask_without_a_hit_says_so() -> None:
    """As search does."""
    done = program("ask", "qqqzzz?")
    assert (done.code, done.err) == (0, "nothing found\n")


def test_demo_collections_have_names(tmp_path: Path) -> None:
    """In ask, search, gold and index; a folder of that name comes first."""
    assert "com-" in program("ask", "Who signed the contract with Brackwell?", "--index", "company", "-k", "1").out
    assert "(com-" in program("search", "pump", "--index", "company", "-k", "1").out
    assert "50 cases, " in program("gold", "company").out
    assert "not rewritten" in refused(program("gold", "company", "--update"))
    assert program("index", "company", "--out", tmp_path / "out").err.startswith("indexed 89 passages")


def test_ask_gives_the_same_from_a_saved_index(index: Path) -> None:
    """All but the time."""
    one = json.loads(program("ask", SEED, "--format", "json").out)
    two = json.loads(program("ask", SEED, "--format", "json", "--index", index).out)
    for result in (one, two):
        del result["usage"]["seconds"]
    assert one == two


def test_ask_a_language_model(llm_server: LlmServer) -> None:
    """A question beyond the rules costs four calls of 110 tokens; one within them costs none."""
    model = ("--llm", "m-1", "--llm-base-url", llm_server.url, "--llm-api-key", KEY)
    say(llm_server, *DIALOGUE)
    text = program("ask", DEEP, *model).out.splitlines()
    assert "  #3 What is the emblem of #2?              [llm]" in text
    assert [line for line in text if line.startswith(("  bridge", "  asked"))] == [
        "  bridge #1 = Hayao Miyazaki (enc-019)",
        "  bridge #2 = Studio Ghibli (enc-020)",
        "  asked on: Studio Ghibli logo | Totoro",
    ]
    assert "  the language model says: sufficient, 0.90 of what is needed" in text
    assert text[-1].endswith(", 4 LLM calls, 440 tokens, price unknown (llm.price is not set)")
    assert [asked["model"] for asked in llm_server.asked] == 4 * ["m-1"]
    assert {sent["authorization"] for sent in llm_server.headers} == {f"Bearer {KEY}"}
    within = program("ask", SEED, *model, "--format", "json").out
    assert (json.loads(within)["route"], len(llm_server.asked)) == ("executor", 4)


def test_without_a_language_model_nothing_of_it_is_loaded() -> None:
    """Neither where the question is beyond the rules; spaCy comes first, as it may bring an httpx itself."""
    code = (
        "import sys, spacy; from hopsplit.cli.main import main\n"
        "before = set(sys.modules)\n"
        f"sys.argv = ['hopsplit', 'ask', {DEEP!r}]; main()\n"
        "print({'openai', 'httpx', 'httpx2', 'tenacity'} & (set(sys.modules) - before) or 'none')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "none"
    assert "no language model configured" in done.stdout


def test_have_an_answer_worded(llm_server: LlmServer) -> None:
    """Of the two passages shown it names the second, and a third that it was not shown; the price is in the sum."""
    say(llm_server, {"answer": "Reggio", "passages": [2, 3], "contradictions": "Milan in [1]"})
    model = ("--llm", "m", "--llm-base-url", llm_server.url, "--set", "llm.price=1,10")
    out = program("ask", SEED, "-k", "2", "--answer", *model).out
    assert "  answer of the language model: Reggio (from enc-002)\n  contradictions: Milan in [1]\n\n  1  Versus" in out
    assert out.endswith(", 1 LLM call, 110 tokens, 0.0002 USD\n")


def test_ask_recorded_replies(llm_server: LlmServer, tmp_path: Path) -> None:
    """What was kept gives the same result without the model, and is not asked for again; only the seconds differ."""
    say(llm_server, *DIALOGUE)
    model = ("--llm", "m", "--llm-base-url", llm_server.url)
    kept = ("--llm-cache", tmp_path / "kept", "--format", "json")
    first, again, replayed = (
        json.loads(program("ask", DEEP, *given, *kept).out) for given in (model, model, ("--llm", "replay"))
    )
    assert len(llm_server.asked) == len(list((tmp_path / "kept").iterdir())) == 4
    assert first["usage"]["llm_calls"] == 4
    for result in (first, again, replayed):
        for timed in (result["usage"], *result["trace"]):
            del timed["seconds"]
    assert first == again == replayed


def test_no_output_tells_the_key(llm_server: LlmServer, tmp_path: Path) -> None:
    """A server that repeats it is quoted without it, in every kind of output; the rules' evidence comes back."""
    trace, kept = tmp_path / "trace.jsonl", tmp_path / "kept"
    said = []
    for more in (("--trace", "--trace-to", trace, "--llm-cache", kept), ("--format", "json")):
        llm_server.will_fail(401, json.dumps({"error": {"message": f"wrong key: {KEY}"}}))
        done = program("ask", DEEP, "--llm", "m", "--llm-base-url", llm_server.url, "--llm-api-key", KEY, *more)
        assert done.code == 0
        note = "the language model failed, and the evidence is without it from there on: status 401: wrong key: ..."
        assert done.err == f"{note}\n"
        said.append(done.out)
    assert "  stopped: llm: status 401: wrong key: ...\n" in said[0]
    assert json.loads(said[1])["route"] == "executor"
    assert len(json.loads(said[1])["evidence"]) == 10
    assert KEY not in "".join([*said, trace.read_text(encoding="utf-8"), *(p.read_text() for p in kept.iterdir())])


def test_run_files_are_the_same_twice_and_for_a_shuffled_corpus(tmp_path: Path) -> None:
    """Byte for byte, for every method."""
    lines = (demo() / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    random.Random(1).shuffle(lines)
    (tmp_path / "shuffled.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for name, corpus in (("one", demo()), ("two", tmp_path / "shuffled.jsonl")):
        assert program("index", corpus, "--out", tmp_path / name).code == 0
    for method in ("rarag", "overlap", "hybrid", "bm25", "tfidf"):
        written = []
        for number, name in enumerate(("one", "one", "two")):
            out = tmp_path / f"{method}{number}.trec"
            command = ("run", "--index", tmp_path / name, "--queries", demo() / "queries.jsonl", "--out", out)
            assert program(*command, "--method", method, "-k", "20").code == 0
            written.append(out.read_bytes())
        assert written[0] == written[1] == written[2]
        rankings = runfile.read(out)
        assert max(len(ranking) for ranking in rankings.values()) == 20


def test_run_by_two_processes_writes_the_same_file(index: Path, tmp_path: Path) -> None:
    """Byte for byte; a bad query, index or k is refused as by one process; no process is too few."""
    command = ("run", "--index", index, "--queries", demo() / "queries.jsonl", "--out")
    for jobs in ("1", "2"):
        assert program(*command, tmp_path / jobs, "--jobs", jobs).code == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"_id": "q1", "text": "a\\ud800"}', encoding="utf-8")
    done = program("run", "--index", index, "--queries", bad, "--out", tmp_path / "3", "--jobs", "2")
    assert "'q1' has a lone surrogate" in refused(done)
    assert "k is 0" in refused(program(*command, tmp_path / "3", "--jobs", "2", "-k", "0"))
    gone = ("run", "--index", tmp_path / "gone", "--queries", demo() / "queries.jsonl", "--jobs", "2", "--out")
    assert "gone" in refused(program(*gone, tmp_path / "3"))
    assert program(*command, tmp_path / "3", "--jobs", "0").code == 2
    assert not (tmp_path / "3").exists()


def test_gold_exit_codes(tmp_path: Path) -> None:
    """0 where all is as expected, 1 on a difference, and --update mends the file."""
    path = tmp_path / "gold.jsonl"
    path.write_text(
        json.dumps({"id": "c1", "question": SEED, "kind": "single", "hops": [SEED]}) + "\n", encoding="utf-8"
    )
    done = program("gold", path)
    assert done.code == 1
    assert "c1: " + SEED in done.out
    assert "kind bridge, expected single" in done.out
    assert program("gold", path, "--update").code == 0
    done = program("gold", path)
    assert (done.code, done.out) == (0, "1 case, 1 as expected, 0 different\n")


def test_rules_are_listed() -> None:
    """Every rule with its sentence, example and near miss."""
    from hopsplit.decompose.rules import RULES

    done = program("rules")
    assert done.code == 0
    for rule in RULES:
        assert f"\n{rule.name}\n" in "\n" + done.out
        assert rule.about in done.out


def test_config_tells_each_setting_and_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An option goes before a variable, that before a file; no secret is told; one JSON object a setting."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOPSPLIT_LLM_API_KEY", "sk-0123456789abcdef")
    monkeypatch.setenv("HOPSPLIT_BUDGET_ROUNDS", "1")
    settings = '[llm]\nbase_url = "http://u:pw@h/v1"\n[llm.prices]\nm = [1, 2]\n[budget]\nrounds = 3\nseconds = inf\n'
    (tmp_path / "s.toml").write_text(settings, encoding="utf-8")
    given = ("config", "--config", "s.toml", "--set", "chain.answer=true")
    text = program(*given)
    assert text.code == 0
    assert not any(secret in text.out for secret in ("sk-0123456789abcdef", "pw@"))
    found = map(json.loads, program(*given, "--format", "json").out.splitlines())
    rows = {row["name"]: (row["value"], row["from"]) for row in found}
    assert len(rows) == len(text.out.splitlines()) == 33
    assert rows["llm.api_key"] == ("set", "HOPSPLIT_LLM_API_KEY")
    assert rows["llm.base_url"] == ("http://h/v1", "s.toml: llm.base_url")
    assert rows["llm.prices"] == ({"m": {"prompt": 1.0, "completion": 2.0}}, "s.toml: llm.prices")
    assert rows["budget.rounds"] == (1, "HOPSPLIT_BUDGET_ROUNDS")
    assert rows["budget.seconds"] == ("inf", "s.toml: budget.seconds")
    assert rows["chain.answer"] == (True, "option chain.answer")
    assert rows["budget.hops"] == (3, "default")
    assert program("config", "--set", "x=1").code == 2


def test_index_and_k_may_be_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For ask and search alike; an option goes before them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hopsplit.toml").write_text('[search]\nindex = "company"\nk = 2\n', encoding="utf-8")
    question = "Who leads the platform team?"
    for command, items in (("search", "hits"), ("ask", "evidence")):
        done = json.loads(program(command, question, "--format", "json").out)
        assert len(done[items]) == 2
        assert str(done[items][0]).count("'com-") == 1
        other = json.loads(program(command, question, "-k", "1", "--index", "encyclopedia", "--format", "json").out)
        assert len(other[items]) == 1
        assert str(other[items][0]).count("'enc-") == 1
    monkeypatch.setenv("HOPSPLIT_SEARCH_INDEX", "gone")
    assert refused(program("search", question)).startswith("error: gone: ")


def test_doctor_checks_the_index_that_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no option names one; a demo collection has none."""
    monkeypatch.chdir(tmp_path)
    assert "index  ok     none given" in program("doctor").out
    monkeypatch.setenv("HOPSPLIT_SEARCH_INDEX", "gone")
    done = program("doctor")
    assert done.code == 1
    assert "index  WRONG  gone: " in done.out


def test_doctor_finds_what_is_wrong(tmp_path: Path) -> None:
    """All well; then a changed byte."""
    (tmp_path / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    program("index", tmp_path / "corpus.jsonl", "--out", tmp_path / "out")
    done = program("doctor", "--index", tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    model, index, llm = done.out.splitlines()
    assert model.startswith("model  ok     hopsplit ")
    assert index == f"index  ok     {tmp_path / 'out'}: 2 passages, every checksum right"
    assert llm.startswith("llm    ok     none set")
    names = next((tmp_path / "out").glob("data-*/ids.txt"))
    names.write_bytes(names.read_bytes().replace(b"p1", b"p0"))
    done = program("doctor", "--index", tmp_path / "out")
    assert done.code == 1
    assert "index  WRONG" in done.out
    assert "ids.txt is damaged" in done.out


@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        (
            f'base_url = "https://me:word@llm.example:8080/v1"\napi_key = "{KEY}"\nprice = "0.15,0.60"',
            0,
            "ok     no model named, https://llm.example:8080/v1, key ...-key, "
            "0.15 and 0.6 US dollars a million tokens in and out; not tried",
        ),
        (
            'model = "m"\nbase_url = "http://127.0.0.1:8080"\napi_key = "short"',
            0,
            "ok     m, http://127.0.0.1:8080, key set, no price; not tried",
        ),
        (
            'model = "m"',
            1,
            "WRONG  the LLM 'm' needs HOPSPLIT_LLM_BASE_URL (a local server) or HOPSPLIT_LLM_API_KEY to be set",
        ),
        ('model = "replay"\ncache = "."', 0, "ok     replies kept in ."),
        ('model = "replay"', 1, "WRONG  --llm replay has no folder of replies; name it with --llm-cache DIR"),
        ("timeout = 0", 1, "WRONG  s.toml: llm.timeout: Input should be greater than 0"),
    ],
)
def test_doctor_tells_the_settings_of_a_language_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, code: int, said: str
) -> None:
    """Without sending anything; of a key the end alone, of a short one nothing, and no password."""
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(f"[llm]\n{written}\n", encoding="utf-8")
    done = program("doctor", "--config", "s.toml")
    assert (done.code, done.out.splitlines()[2]) == (code, f"llm    {said}")


# What bad input does: one clear line, exit 2.


def test_a_missing_file(tmp_path: Path) -> None:
    """Wherever a file is named."""
    gone = tmp_path / "gone"
    for command in (
        ("index", gone, "--out", tmp_path / "out"),
        ("search", "x", "--index", gone),
        ("ask", "x", "--index", gone),
        ("run", "--index", gone, "--queries", gone, "--out", tmp_path / "out"),
        ("eval", gone),
        ("gold", gone),
        ("decompose", "x", "--titles", gone),
    ):
        assert "gone" in refused(program(*command))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no passages"),
        (CORPUS + "not json\n", "line 3"),
        (CORPUS + CORPUS, "'p1'"),
        (CORPUS + '{"_id": "p3"}\n', "line 3"),
    ],
)
def test_a_bad_corpus(tmp_path: Path, text: str, message: str) -> None:
    """Empty, a line that is not JSON, an id used twice, a passage without text: no index is left behind."""
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(text, encoding="utf-8")
    said = refused(program("index", corpus, "--out", tmp_path / "out"))
    assert message in said
    assert "corpus.jsonl" in said
    assert not (tmp_path / "out").exists()


def test_an_index_of_another_format(tmp_path: Path) -> None:
    """The error names the folder and the mend."""
    (tmp_path / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    assert program("index", tmp_path / "corpus.jsonl", "--out", tmp_path / "out").code == 0
    manifest = tmp_path / "out" / "manifest.json"
    written = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(written | {"format": 99}), encoding="utf-8")
    said = refused(program("search", "x", "--index", tmp_path / "out"))
    assert "99" in said
    assert "index" in said


@pytest.mark.parametrize(
    ("question", "word"),
    [("", "empty"), ("  \t", "empty"), ("a\udce9b", "surrogate"), ("who " * 2501, "10,004")],
)
def test_a_bad_question(index: Path, question: str, word: str) -> None:
    """Empty, blank, with a lone surrogate (as bytes that are not UTF-8 arrive in an argument), or endless."""
    assert word in refused(program("decompose", question))
    assert word in refused(program("ask", question, "--index", index))
    assert word in refused(program("search", question, "--index", index))


def test_bad_queries(index: Path, tmp_path: Path) -> None:
    """A lone surrogate spelt in JSON, an id used twice, an empty question: the run file is not written."""
    queries, out = tmp_path / "q.jsonl", tmp_path / "run.trec"
    for text, message in (
        ('{"_id": "q1", "text": "a\\ud800"}', "'q1' has a lone surrogate"),
        ('{"_id": "q1", "text": "a"}\n{"_id": "q1", "text": "b"}', "q.jsonl, line 2"),
        ('{"_id": "q1", "text": " "}', "q.jsonl, line 1"),
        ('{"id": "q1", "text": "a"}', "q.jsonl, line 1: the field '_id' is missing; there is id, text"),
        ('{"_id": "q1", "text": "' + "who " * 2501 + '"}', "'q1' has 10,004 characters"),
        ('{"_id": "q 1", "text": "Versus"}', "'q 1' has white space"),
    ):
        queries.write_text(text, encoding="utf-8")
        command = ("run", "--index", index, "--queries", queries, "--out", out, "--method", "bm25")
        assert message in refused(program(*command))
    assert [path.name for path in tmp_path.iterdir()] == ["q.jsonl"]


def test_an_index_whose_ids_no_run_file_can_hold(tmp_path: Path) -> None:
    """Known before the first question is asked, with the mend, although no question finds that passage."""
    (tmp_path / "texts").mkdir()
    for name in ("a b.md", "versus.md"):
        (tmp_path / "texts" / name).write_text(Path(name).stem, encoding="utf-8")
    program("index", tmp_path / "texts", "--out", tmp_path / "index")
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"_id": "q1", "text": "Versus"}', encoding="utf-8")
    run = ("run", "--index", tmp_path / "index", "--queries", queries, "--out", tmp_path / "run.trec")
    said = refused(program(*run))
    assert "'a b.md' has white space" in said
    assert "or its file another name, and index it again" in said
    assert not (tmp_path / "run.trec").exists()


def test_a_k_of_zero(index: Path, tmp_path: Path) -> None:
    """Wherever k is asked for."""
    queries = demo() / "queries.jsonl"
    for command in (
        ("search", "Versus", "--index", index),
        ("ask", SEED, "--index", index),
        ("ask", "Who wrote Emma?", "--index", index),
        ("run", "--index", index, "--queries", queries, "--out", tmp_path / "run.trec"),
    ):
        for k in ("0", "-1"):
            assert "k is " + k in refused(program(*command, "-k", k))
    assert list(tmp_path.iterdir()) == []


def test_usage_errors() -> None:
    """An unknown command, option or choice, a missing argument: exit 2, nothing on standard output."""
    for command in (("decompos",), ("ask", "x", "--bogus"), ("search",), ("ask", "x", "-k", "many")):
        assert " --help" in refused(program(*command))
    said = refused(program("ask", "x", "--format", "xml"))
    assert said.startswith("error: Invalid value for '--format': 'xml' is not one of 'text', 'json', 'jsonl'; see ")


def test_without_arguments_the_help_is_shown() -> None:
    """As with --help."""
    assert program().out == program("--help").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--llm m", "the LLM 'm' needs HOPSPLIT_LLM_BASE_URL (a local server) or HOPSPLIT_LLM_API_KEY to be set"),
        ("--llm replay", "--llm replay has no folder of replies; name it with --llm-cache DIR"),
        (
            "--llm replay --llm-cache gone",
            "gone: no folder of recorded replies; record some with --llm MODEL --llm-cache gone",
        ),
        (
            "--llm m --llm-base-url http://127.0.0.1:1 --llm-cache file",
            "file: File exists; name a folder for the replies",
        ),
        ("--answer", "--answer needs a language model; name one with --llm MODEL"),
        ("--llm none --answer", "--answer needs a language model; name one with --llm MODEL"),
        ("--llm-base-url http://127.0.0.1:1", "--llm-base-url needs a language model; name one with --llm MODEL"),
        ("--llm-cache x", "--llm-cache needs a language model; name one with --llm MODEL"),
        ("--set budget.round=1", "--set: there is no setting 'budget.round'; did you mean budget.rounds?"),
        ("--set budget.rounds=-1 --set budget.rounds=-2", "option budget.rounds is -2; give 0 or more"),
        ("--config gone.toml", "gone.toml: No such file or directory; name a TOML file of settings"),
        ("--trace-to gone/trace", "gone/trace: No such file or directory; name a file for the trace"),
    ],
)
def test_wrong_options_of_a_language_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, said: str
) -> None:
    """Each is named with the mend, before anything is searched or sent, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert refused(program("ask", SEED, *options.split())) == f"error: {said}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_variables_and_a_file_say_the_same_as_options(
    llm_server: LlmServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file names the model, a variable the file and the kinds, an option goes before both; a wish is no error."""
    file = tmp_path / "s.toml"
    file.write_text(f'[llm]\nmodel = "m-2"\nbase_url = "{llm_server.url}"\n[budget]\nllm_calls = 0\n', encoding="utf-8")
    monkeypatch.setenv("HOPSPLIT_CONFIG", str(file))
    monkeypatch.setenv("HOPSPLIT_ROUTER_KINDS", "bridge,unparseable")
    monkeypatch.setenv("HOPSPLIT_CHAIN_ANSWER", "true")
    assert "  no answer of the language model\n  stopped: budget:llm_calls\n" in program("ask", SEED).out
    assert llm_server.asked == []
    assert "LLM" not in program("ask", SEED, "--llm", "none").out
    say(llm_server, {"questions": [SEED]}, {"sufficient": True, "confidence": 1, "missing": ""})
    done = json.loads(program("ask", SEED, "--set", "budget.llm_calls=2", "--format", "json").out)
    assert (done["route"], done["stopped"], done["usage"]["llm_calls"]) == ("chain", "budget:llm_calls", 2)
    assert llm_server.asked[0]["model"] == "m-2"


def test_a_reader_that_goes_away_is_no_error() -> None:
    """A closed pipe ends the program quietly."""
    command = [sys.executable, "-m", "hopsplit.cli", "decompose", "--format", "jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.write(b"Who wrote Emma?\n" * 2000)
        process.stdin.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_colour_only_where_it_is_wanted() -> None:
    """No escape sequences in a pipe, and none from a passage or a question either."""
    assert "\x1b" not in shell("decompose", SEED).stdout
    assert "\x1b" not in shell("decompose", SEED, NO_COLOR="1", FORCE_COLOR="").stdout
    assert "\x1b[1m" in shell("decompose", SEED, FORCE_COLOR="1").stdout
    assert "\x1b[31m" not in shell("decompose", "Who wrote \x1b[31mEmma?").stdout
