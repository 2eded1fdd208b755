"""The command `eval` from the outside."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from hopsplit.corpora import demo
from llm_server import LlmServer
from program import Done, program
from sets import beir

COSTS = ("median_ms", "p95_ms", "per_second", "seconds")
ORN = ["Lea Orn", ["Lea Orn kept bees.", " She wrote Salt Wind."]]
WIND = ["Salt Wind", ["Salt Wind is a novel by Lea Orn.", " It won a prize."]]
ISLE = ["Tam Isle", ["Tam Isle lies north."]]
PUBLISHED = [
    {
        "_id": "q1",
        "type": "compositional",
        "question": "What did the author of Salt Wind keep?",
        "context": [ORN, WIND, ISLE],
        "supporting_facts": [["Salt Wind", 0], ["Lea Orn", 0]],
    },
    {"_id": "q2", "question": "Who?", "context": [ISLE]},
]


def refused(*arguments: str | Path) -> str:
    """Check that `eval` refuses what it is given in one line, and return what it said."""
    done = program("eval", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("error: ")
    return done.err


def measured(*arguments: str | Path) -> dict[str, dict[str, Any]]:
    """Return the last row, that of all questions, of each method, without times."""
    done = program("eval", *arguments, "--format", "json")
    assert done.code == 0, done.err
    rows = {method["method"]: method["rows"][-1] for method in json.loads(done.out)["methods"]}
    return {name: {key: row[key] for key in row if key not in COSTS} for name, row in rows.items()}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the run file of bm25 on the company's questions."""
    folder = tmp_path_factory.mktemp("run")
    program("index", "company", "--out", folder / "index")
    queries = demo("company") / "queries.jsonl"
    command = ("run", "--index", folder / "index", "--queries", queries, "--method", "bm25", "-k", "20", "--out")
    assert program(*command, folder / "peer.trec").code == 0
    return folder / "peer.trec"


def test_a_method_and_its_run_file_agree(run: Path) -> None:
    """In all but what the file does not tell; the difference is none, and that for sure."""
    done = program("eval", "company", "--run", run, "--method", "bm25,tfidf", "--against", "peer.trec")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    start = [lines.index(f"company dev, {name}") for name in ("peer.trec", "bm25", "tfidf")]
    assert lines[start[0] + 1 : start[1]] == lines[start[1] + 1 : start[2]]
    assert lines[start[0] + 7].split()[:2] == ["single", "5"]
    assert next(line for line in lines if line.startswith("peer.trec ")).split()[4:] == ["-"] * 5
    zero = "+0.0 +0.0 to +0.0 1.0000".split()
    same = [line.split() for line in lines if line.startswith("bm25 ")][1:]
    assert [words[1] for words in same][:3] == ["R@2", "all@2", "R@5"]
    assert [words[2:] for words in same] == [zero] * 9


def test_a_run_file_alone(run: Path) -> None:
    """No method takes part unasked; the file's name is that of the method."""
    found = measured("company", "--run", run)
    assert list(found) == ["peer.trec"]
    other = measured("company", "--method", "bm25")["bm25"]
    assert found["peer.trec"] == other | {"llm_calls": None, "llm_tokens": None}


def test_a_run_of_another_set(tmp_path: Path) -> None:
    """Where no query is known it is an error; where some are missing a word on standard error says how many."""
    run = tmp_path / "run.trec"
    run.write_text("com-q01 Q0 com-001 1 2.5 x\n", encoding="utf-8")
    said = refused("encyclopedia", "--run", run)
    assert "no query of encyclopedia is in it (it has 'com-q01', the set 'enc-q01'); give a run of this set" in said
    done = program("eval", "company", "--run", run)
    assert (done.code, done.err) == (0, f"{run}: 47 of 48 questions not in it, counted as nothing found\n")
    run.write_text("\n", encoding="utf-8")
    assert "(it is empty)" in refused("company", "--run", run)


@pytest.mark.parametrize("name", ["company", "encyclopedia"])
def test_the_page_fits_a_terminal_of_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is longer and no name is cut, where nothing is a terminal and where it is one of 80 columns."""
    command = ("eval", name, "--method", "bm25,hybrid", "--against", "hybrid")
    piped = program(*command).out.splitlines()
    assert max(map(len, piped)) <= 80
    if name == "company":
        kinds = ["bridge", "bridge_comparison", "comparison", "deep", "intersection", "single", "all"]
        assert [line.split()[0] for line in piped[2:9]] == kinds
    assert any(line.startswith("R@k: share of a question's gold passages") for line in piped)
    assert any("sha256" in line for line in piped)
    assert any("ir-measures" in line for line in piped)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "")
    assert len(program(*command).out.splitlines()) == len(piped)


def test_json_is_equal_for_equal_input_but_for_times() -> None:
    """One object, as `jsonl` too; the values of the demo set, as counted on its gold."""
    command = ("eval", "encyclopedia", "--method", "bm25", "--method", " tfidf ,", "--against", "tfidf", "--format")
    found = [json.loads(program(*command, form).out) for form in ("json", "jsonl")]
    assert (found[0]["dataset"], found[0]["passages"], found[0]["gold_lost"]) == ("encyclopedia", 235, 0)
    assert [method["method"] for method in found[0]["methods"]] == ["bm25", "tfidf"]
    rows = found[0]["methods"][0]["rows"]
    assert (rows[-1]["type"], rows[-1]["questions"], rows[-1]["llm_tokens"]) == ("all", 60, 0.0)
    assert list(rows[-1]["recall"]) == ["2", "5", "10", "20"]
    assert next(row for row in rows if row["type"] == "bridge")["all_gold"]["5"] == pytest.approx(14 / 38)
    assert {one["method"] for one in found[0]["comparisons"]} == {"bm25"}
    for one in found:
        for method in one["methods"]:
            for row in method["rows"]:
                assert all(row.pop(name) > 0 for name in COSTS)
    assert found[0] == found[1]


def test_csv_and_markdown() -> None:
    """The same figures in both: shares to the last digit, and percent to one."""
    command = ("eval", "company", "--types", "deep,single", "--method", "bm25", "--at", "5", "--format")
    rows = list(csv.DictReader(io.StringIO(program(*command, "csv").out)))
    assert [(row["type"], row["questions"]) for row in rows] == [("deep", "4"), ("single", "5"), ("all", "9")]
    page = program(*command, "markdown").out.splitlines()
    assert page[0] == "## company dev"
    for row in rows:
        shares = [float(row[name]) for name in ("recall@5", "all_gold@5", "ndcg", "mrr")]
        percent = ["100" if share == 1 else f"{100 * share:.1f}" for share in shares]
        cells = [row["type"], row["questions"], *percent]
        assert f"| {' | '.join(cells)} |" in page


def test_depths(run: Path) -> None:
    """Each once, ascending, also beyond the collection; nDCG@10 and MRR do not change with them."""
    found = measured("company", "--method", "bm25", "--at", "5,1,5")["bm25"]
    assert list(found["recall"]) == ["1", "5"]
    deep = measured("company", "--method", "bm25", "--at", "90,1000")["bm25"]
    assert deep["recall"]["90"] == deep["recall"]["1000"]
    for given in (deep, measured("company", "--run", run, "--at", "1")["peer.trec"]):
        assert given["ndcg"] == found["ndcg"]
    assert found["passages"] == 10.0


def test_published_files(tmp_path: Path) -> None:
    """Paragraphs, or every sentence; what was left out is said; a set without a split has none in its title."""
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(PUBLISHED), encoding="utf-8")
    done = program("eval", path, "--method", "hybrid", "--at", "1,3")
    assert done.err == f"{path}: 1 question left out: no supporting facts\n"
    lines = done.out.splitlines()
    assert lines[0] == "tiny, hybrid"
    assert "3 passages, sha256" in lines
    done = program("eval", path, "--sentences", "--method", "rarag", "--at", "1,3", "--format", "json")
    found = json.loads(done.out)
    assert (found["dataset"], found["passages"], found["gold_lost"]) == ("tiny-sentences", 5, 0)
    assert "only a published file" in refused("company", "--sentences")
    assert "'deep'; its types are compositional" in program("eval", path, "--types", "deep").err
    done = program("eval", path, "--method", "hybrid,bm25", "--against", "bm25", "--format", "json")
    assert {one["p"] for one in json.loads(done.out)["comparisons"]} == {1.0}  # one question shows nothing


def test_failures_are_explained(tmp_path: Path) -> None:
    """Below the table, of rarag whatever was measured; at depth 5, or the largest where 5 is not among the depths."""
    rows = [
        {"_id": "a", "title": "The Tin Sea", "text": "The Tin Sea is a 1950 film directed by Milo Tarn."},
        {"_id": "b", "title": "Milo Tarn", "text": "Milo Tarn was born in Askel."},
    ]
    folder = beir(
        tmp_path / "set",
        corpus="".join(json.dumps(row) + "\n" for row in rows),
        queries='{"_id": "q1", "text": "Where was the director of The Tin Sea born?", "metadata": {"type": "bridge"}}',
        qrels="query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t1\nq1\tc\t1\n",
    )
    command = ("eval", folder, "--method", "bm25", "--explain-failures", "1", "--at")
    out = program(*command, "2,5").out
    assert "1 gold passages not in the collection" in out
    lines = out.splitlines()
    start = lines.index("1 of 1 questions without all their gold in the first 5")
    assert lines[start + 1] == "  gold unreachable    1"
    assert lines[-1] == "  gold: a at 1, b at 2, c at more than 20"
    assert "gold in the first 3\n" in program(*command, "1,3").out


def test_chain_of_query(llm_server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its calls and tokens are in the table; the settings tell the model and no key; without a model it is refused."""
    monkeypatch.setenv("HOPSPLIT_LLM_BASE_URL", llm_server.url)
    monkeypatch.setenv("HOPSPLIT_LLM_API_KEY", "a-secret-key")
    monkeypatch.delenv("HOPSPLIT_LLM_MODEL", raising=False)
    command = ("eval", "company", "--types", "deep", "--method", "hybrid,chain-of-query", "--format", "json")
    assert "chain-of-query needs a language model; name one with --llm MODEL" in refused(*command[1:])
    replies = ['{"questions": ["Who runs the Grebe team?"]}', '{"sufficient": true, "confidence": 1, "missing": ""}']
    for reply in replies * 5:  # four questions, the first of them tried before
        llm_server.will_reply(reply)
    done = program(*command, "--llm", "m-1", "--set", "budget.rounds=1")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    spent = [(one["rows"][-1]["llm_calls"], one["rows"][-1]["llm_tokens"]) for one in found["methods"]]
    assert spent == [(0.0, 0.0), (2.0, 220.0)]
    assert (llm_server.queue, len(llm_server.asked)) == ([], 10)
    assert (found["llm"]["model"], found["llm"]["budget"]["rounds"]) == ("m-1", 1)
    assert "secret" not in done.out
    assert llm_server.url not in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "rag"), "no method 'rag'; choose from rarag, overlap, hybrid, bm25, tfidf, chain-of-query"),
        (("--method", ","), "--method names none"),
        (("--types", "deep,none"), "no questions of the type 'none'; its types are bridge, bridge_comparison, "),
        (("--split", "test"), "test.tsv: No such file"),
        (("--at", "0"), "--at '0' are no depths"),
        (("--at", "5,x"), "--at '5,x' are no depths"),
        (("--at", ""), "--at '' are no depths"),
        (("--at", str(2**63)), "give whole numbers from 1 to 1,000,000"),
        (("--against", "bm25"), "--against 'bm25' is not among rarag; add it to --method or --run"),
        (("--against", "rarag"), "--against 'rarag' has nothing to be compared with"),
        (("--explain-failures", "3", "--format", "csv"), "leave --run and --format out"),
        (("--explain-failures", "-1"), "'--explain-failures'"),
        (("--run", "gone.trec"), "gone.trec: No such file"),
        (("--config", "gone.toml"), "gone.toml: No such file"),
        (("--set", "budget.rounds=1"), "--llm and --set are for the method chain-of-query"),
        (("--method", "chain-of-query", "--set", "rounds=1"), "no setting 'rounds'"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str) -> None:
    """In one line with the mend, before anything is measured."""
    assert message in refused("company", *arguments)


def test_what_is_refused_of_run_files(run: Path, tmp_path: Path) -> None:
    """Two of one name, and to explain a run that others made."""
    (tmp_path / "bm25").write_bytes(run.read_bytes())
    for twice in (("--run", run, "--run", run), ("--run", tmp_path / "bm25", "--method", "bm25")):
        assert "give the run file another name" in refused("company", *twice)
    assert "leave --run" in refused("company", "--run", run, "--explain-failures", "1")
    done: Done = program("eval", tmp_path / "bm25")
    assert (done.code, done.out) == (2, "")
    assert "a data set is a folder, or an original file that ends in .json or .jsonl" in done.err
