"""Settings of the program: where they come from, which place goes first, and what a wrong one says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hopsplit.cli.config import in_force, named, settings
from hopsplit.decompose import InputError
from hopsplit.fallback import Price

KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no settings but those of a test, in an empty folder."""
    for name in [name for name in os.environ if name.startswith("HOPSPLIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def written(text: str, name: str = "s.toml") -> Path:
    """Return a file of settings."""
    Path(name).write_text(text, encoding="utf-8")
    return Path(name)


def refused(options: dict[str, str], file: Path | None = None) -> str:
    """Return what is said of wrong settings, which is one line without the key."""
    with pytest.raises(InputError) as raised:
        settings(options, file=file)
    said = str(raised.value)
    assert KEY not in said
    assert len(said.splitlines()) == 1
    return said


def test_nothing_set() -> None:
    """No model, and every limit of the fallback in force."""
    chosen = settings({})
    assert (chosen.llm.model, chosen.llm.base_url, chosen.llm.api_key, chosen.llm.cache) == ("none", "", "", "")
    assert (chosen.llm.timeout, chosen.llm.schema, chosen.llm.of_tokens()) == (60.0, "json_schema", None)
    assert (chosen.budget.rounds, chosen.budget.hops, chosen.budget.cost_usd) == (2, 3, 0.05)
    assert (chosen.router.kinds, chosen.chain.answer) == (("deep", "unparseable"), False)


def test_an_option_goes_before_a_variable_before_the_file_before_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in turn on top of the others, setting by setting; an empty variable is not set, an empty option is."""
    assert settings({}).budget.rounds == 2
    file = written("[budget]\nrounds = 3\nhops = 7\n[llm]\nbase_url = 'http://127.0.0.1:1'\n")
    assert settings({}, file=file).budget.rounds == 3
    monkeypatch.setenv("HOPSPLIT_BUDGET_ROUNDS", "4")
    monkeypatch.setenv("HOPSPLIT_LLM_BASE_URL", "")
    assert settings({}, file=file).budget.rounds == 4
    assert settings({}, file=file).llm.base_url == "http://127.0.0.1:1"
    last = settings({"budget.rounds": "5", "llm.base_url": ""}, file=file)
    assert (last.budget.rounds, last.budget.hops, last.llm.base_url) == (5, 7, "")


def test_every_kind_of_value_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers, a truth value, a list with commas, and one with nothing in it; no limit is "inf"."""
    monkeypatch.setenv("HOPSPLIT_ROUTER_KINDS", "deep, bridge,")
    monkeypatch.setenv("HOPSPLIT_CHAIN_ANSWER", "true")
    monkeypatch.setenv("HOPSPLIT_LLM_TIMEOUT", "2.5")
    chosen = settings({"budget.seconds": "inf", "llm.schema": "none"})
    assert (chosen.router.kinds, chosen.chain.answer, chosen.llm.timeout) == (("deep", "bridge"), True, 2.5)
    assert (chosen.budget.seconds, chosen.llm.schema) == (float("inf"), "none")
    assert settings({"router.kinds": ""}).router.kinds == ()


def test_a_file_with_every_table() -> None:
    """As an editor on Windows saves it: with a mark in front, and two characters at the end of a line."""
    text = """\N{BYTE ORDER MARK}[llm]
model = "m"
price = [1, 10]
[budget]
cost_usd = 1
[router]
kinds = ["bridge"]
min_confidence = 0
[chain]
answer = true
"""
    chosen = settings({}, file=written(text.replace("\n", "\r\n")))
    assert (chosen.llm.model, chosen.llm.price, chosen.budget.cost_usd) == ("m", Price(1, 10), 1.0)
    assert (chosen.router.kinds, chosen.router.min_confidence, chosen.chain.answer) == (("bridge",), 0.0, True)


def test_the_price_of_a_model() -> None:
    """Its own line in the table of prices; a price that is set goes before it; other models have none."""
    file = written('[llm.prices]\nm = [0.15, 0.60]\n"gpt-9.1" = "2,8"\n')
    prices = [settings({"llm.model": model}, file=file).llm.of_tokens() for model in ("m", "gpt-9.1", "other")]
    assert prices == [Price(0.15, 0.6), Price(2, 8), None]
    assert settings({"llm.model": "m", "llm.price": "0,0"}, file=file).llm.of_tokens() == Price(0, 0)


def test_names_and_values_of_options() -> None:
    """A value may have an equals sign; the last of two counts; blanks around either are none of it."""
    pairs = ["llm.base_url=http://h/?a=b", "budget.rounds=1", "budget.rounds = 3 ", "llm.cache="]
    assert named(pairs) == {"llm.base_url": "http://h/?a=b", "budget.rounds": "3", "llm.cache": ""}


@pytest.mark.parametrize(("pair", "said"), [("budget.rounds", "--set budget.rounds has"), (KEY, "--set has")])
def test_a_name_without_a_value(pair: str, said: str) -> None:
    """What is the name of no setting is not repeated: it may be a key."""
    with pytest.raises(InputError) as raised:
        named(["budget.hops=1", pair])
    assert str(raised.value) == f"{said} no value; give NAME=VALUE, such as budget.rounds=1"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("budget.rounds", "many", ": Input should be a valid integer, unable to parse string as an integer"),
        ("budget.rounds", "", ": Input should be a valid integer, unable to parse string as an integer"),
        ("budget.rounds", "-1", " is -1; give 0 or more"),
        ("llm.timeout", "0", ": Input should be greater than 0"),
        ("llm.timeout", "inf", ": Input should be less than or equal to 86400"),
        ("llm.schema", "xml", ": Input should be 'json_schema', 'json_object' or 'none'"),
        ("llm.base_url", "nowhere", ": the base URL is no address; give one such as http://127.0.0.1:8080/v1"),
        (
            "llm.api_key",
            KEY + "\N{EN DASH}",
            ": the API key has a character that no key has, at place 15 of 15; set it anew",
        ),
        ("llm.price", "1", ": give two prices, such as 0.15,0.60"),
        ("llm.price", "nan,1", ": nan,1 is no price; give US dollars a million tokens, such as 0.15,0.60"),
        ("llm.price", "1,-2", ": 1,-2 is no price; give US dollars a million tokens, such as 0.15,0.60"),
        (
            "router.kinds",
            "deep,single",
            " has 'single'; choose from bridge, comparison, bridge_comparison, intersection, deep, unparseable",
        ),
        ("chain.answer", "perhaps", ": Input should be a valid boolean, unable to interpret input"),
        ("chain.attempts", "0", " is 0; give at least 1"),
        ("chain.dry", "0", " is 0; give at least 1"),
        ("chain.gain", "nan", " is nan; give -1 to 1"),
    ],
)
def test_a_wrong_value_is_told_with_its_place(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    """The same of an option, of a variable, which cannot be empty, and of a text in a file."""
    assert refused({name: value}) == f"option {name}{said}"
    if value:
        variable = f"HOPSPLIT_{name.replace('.', '_').upper()}"
        with monkeypatch.context() as changed:
            changed.setenv(variable, value)
            assert refused({}) == f"{variable}{said}"
    table, _, rest = name.partition(".")
    assert refused({}, written(f'[{table}]\n{rest} = "{value}"')) == f"s.toml: {name}{said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("budget = 1", "budget is no table; write [budget]"),
        ("[[budget]]\nrounds = 1", "budget is no table; write [budget]"),
        ("[budgets]", "there is no table 'budgets'; did you mean [budget]?"),
        ("[colours]", "there is no table 'colours'; there are search, llm, budget, router, chain, serve"),
        ("[budget]\nround = 1", "there is no setting 'budget.round'; did you mean budget.rounds?"),
        (
            "[budget]\nrounds = 1.5",
            "budget.rounds: Input should be a valid integer, got a number with a fractional part",
        ),
        ("[budget]\nrounds = true", "budget.rounds: true is no value for it; give a number or a text"),
        ("[budget]\nseconds = nan", "budget.seconds is nan; give 0 or more"),
        ("[llm]\nmodel = 3", "llm.model: Input should be a valid string"),
        (f"[llm]\napi_key = ['{KEY}']", "llm.api_key: Input should be a valid string"),
        ("[llm.prices]\ngpt-9.1 = [2, 8]", "llm.prices.gpt-9: give two prices, such as 0.15,0.60"),
        (
            "[llm.prices]\nm = [1, 'x']",
            "llm.prices.m: [1, 'x'] is no price; give US dollars a million tokens, such as 0.15,0.60",
        ),
        ("a = " + 5000 * "[", "no TOML: nested too deeply; name a TOML file of settings"),
        ("#" * 16_385, "longer than 16,384 bytes; name a TOML file of settings"),
    ],
)
def test_a_wrong_file(text: str, said: str) -> None:
    """What is wrong is told after the name of the file."""
    assert refused({}, written(text)) == f"s.toml: {said}"


def test_what_is_no_file_of_settings() -> None:
    """A folder, a file that is not there, one that never ends, one that is not UTF-8, one of prose."""
    assert refused({}, Path("gone.toml")) == "gone.toml: No such file or directory; name a TOML file of settings"
    assert refused({}, Path()) == ".: Is a directory; name a TOML file of settings"
    assert refused({}, Path("/dev/zero")) == "/dev/zero: longer than 16,384 bytes; name a TOML file of settings"
    Path("s.toml").write_bytes(b"[llm]\nmodel = '\xff'")
    assert refused({}, Path("s.toml")).startswith("s.toml: no TOML: 'utf-8' codec can't decode byte 0xff")
    said = refused({}, written("my settings"))
    assert said.startswith("s.toml: no TOML: Expected '=' after a key ")
    assert said.endswith("; mend it, or name a TOML file of settings")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("budget.round", "did you mean budget.rounds?"),
        ("gain", "did you mean chain.gain?"),
        ("llm.prices", "did you mean llm.price?"),
        ("colour", "names begin with search., llm., budget., router., chain., serve."),
    ],
)
def test_an_unknown_option(name: str, near: str) -> None:
    """The nearest name is told: also of one whose table was left out, or that only a file can have."""
    assert refused({name: "1"}) == f"--set: there is no setting {name!r}; {near}"


def test_an_unknown_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit misspelt would otherwise be no limit; variables that speak of no table are somebody else's."""
    monkeypatch.setenv("HOPSPLIT_COLOUR", "red")
    assert settings({}).budget.rounds == 2
    monkeypatch.setenv("HOPSPLIT_BUDGET_ROUND", "1")
    said = "environment: there is no setting 'HOPSPLIT_BUDGET_ROUND'; did you mean HOPSPLIT_BUDGET_ROUNDS?"
    assert refused({}) == said


@pytest.mark.parametrize(
    "line",
    [
        "llm.base_url = 'http://stranger.example'",
        "llm.api_key = 'of-a-stranger'",
        "llm.model = 'replay'",
        "llm.cache = '/tmp/stranger'",
        "llm.timeout = 1",
        "serve.host = '0.0.0.0'",
        "serve.token = 'of-a-stranger'",
    ],
)
def test_a_file_that_nobody_named_opens_no_way_out_or_in(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """It may lie in a stranger's folder: refused, whatever is set; once named it counts."""
    monkeypatch.setenv("HOPSPLIT_LLM_API_KEY", KEY)
    file = written(line, "hopsplit.toml")
    name, _, value = line.partition(" = ")
    assert refused({}) == (
        f"hopsplit.toml: {name} says where questions go, or who may ask; it counts only in a file that you name: "
        "--config hopsplit.toml"
    )
    table, _, field = name.partition(".")
    chosen = settings({"llm.api_key": ""} if field != "api_key" else {}, file=file)
    expected = {"timeout": 1.0, "api_key": KEY}.get(field, value.strip("'"))
    assert getattr(getattr(chosen, table), field) == expected


def test_a_table_of_pyproject() -> None:
    """[tool.hopsplit] counts where there is no hopsplit.toml, by the same rules, and where it is named."""
    named = written("[project]\nname = 'x'\n[tool.hopsplit.budget]\nrounds = 5", "pyproject.toml")
    assert settings({}).budget.rounds == 5
    assert list(in_force({}))[0:2] == [("search.index", "encyclopedia", "default"), ("search.k", 10, "default")]
    assert ("budget.rounds", 5, "pyproject.toml: tool.hopsplit.budget.rounds") in list(in_force({}))
    own = written("[budget]\nhops = 7", "hopsplit.toml")
    assert (settings({}).budget.rounds, settings({}).budget.hops) == (2, 7)
    assert settings({}, file=named).budget.rounds == 5
    own.unlink()
    written("[tool.hopsplit.llm]\nmodel = 'm'", "pyproject.toml")
    assert refused({}).startswith("pyproject.toml: llm.model says where questions go, or who may ask; ")
    written("[tool.hopsplit]\nbudgets = {}", "pyproject.toml")
    assert refused({}) == (
        "pyproject.toml: there is no table 'tool.hopsplit.budgets'; did you mean [tool.hopsplit.budget]?"
    )
    written("[tool]\nhopsplit = 3", "pyproject.toml")
    assert refused({}) == "pyproject.toml: tool.hopsplit is no table; write [tool.hopsplit.budget]"


@pytest.mark.parametrize(
    "head",
    ["[tool]\nhopsplit.budget.", '[tool."hopsplit".budget]\n', "[tool]\n'hopsplit'.budget.", "tool.hopsplit.budget."],
)
def test_the_table_may_be_written_in_any_way(head: str) -> None:
    """That TOML has for it."""
    written(f"{head}rounds = 5", "pyproject.toml")
    assert settings({}).budget.rounds == 5


def test_other_peoples_pyproject_is_left_alone() -> None:
    """Broken, huge or no file at all: it does not speak of hopsplit."""
    written("[project\n", "pyproject.toml")
    assert settings({}).budget.rounds == 2
    written("#" * 100_000, "pyproject.toml")
    assert settings({}).budget.rounds == 2
    Path("pyproject.toml").unlink()
    Path("pyproject.toml").mkdir()
    assert settings({}).budget.rounds == 2
    Path("pyproject.toml").rmdir()
    os.mkfifo("pyproject.toml")  # nobody will ever write to it
    assert settings({}).budget.rounds == 2


def test_a_file_that_nobody_named_may_say_how_a_model_is_used() -> None:
    """The other tables count; a file that is named takes its place as a whole."""
    written("[budget]\nrounds = 1\n[chain]\nanswer = true", "hopsplit.toml")
    found = settings({})
    assert (found.budget.rounds, found.chain.answer) == (1, True)
    instead = settings({}, file=written("[budget]\nhops = 9"))
    assert (instead.budget.rounds, instead.budget.hops, instead.chain.answer) == (2, 9, False)


def test_settings_do_not_show_the_key() -> None:
    """Neither where they are printed whole."""
    chosen = settings({"llm.api_key": KEY, "llm.model": "m-1"})
    assert chosen.llm.api_key == KEY
    assert KEY not in repr(chosen)
    assert "m-1" in repr(chosen)
