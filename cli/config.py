"""Settings of the program: an option goes before the environment, that before a TOML file, that before the default.

They have the same names everywhere: `budget.rounds` is `--set budget.rounds=1`, HOPSPLIT_BUDGET_ROUNDS, `rounds` in the
table `[budget]` of hopsplit.toml, and in `[tool.hopsplit.budget]` of pyproject.toml.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ..decompose.plan import InputError
from ..fallback.endpoint import address
from .settings import Settings

T = TypeVar("T")

FILE = "hopsplit.toml"
PROJECT = "pyproject.toml"
_MAX_BYTES = {FILE: 1 << 14, PROJECT: 1 << 16}  # a longer one can keep the parser busy for minutes
# What a pyproject.toml with settings of ours has, in any way that TOML may write it; others are not parsed.
_OURS = re.compile(rb"""tool["']?[ \t]*\.[ \t]*["']?hopsplit|^[ \t]*(["']?)hopsplit\1[ \t]*[.=]""", re.MULTILINE)
_SHOWN = 80  # characters of a wrong name


class _Value(NamedTuple):
    """A value, and how its place is told in an error."""

    value: object
    place: str


_TABLES: dict[str, type] = get_type_hints(Settings)
_SECRET = ("llm.api_key", "serve.token")
# Where questions go, and who may send some: not for a file to say that nobody named.
_NOT_BY_CHANCE = ("llm.", "serve.host", "serve.token")
_NAMES = [f"{table}.{each.name}" for table, kind in _TABLES.items() for each in fields(kind)]
_FILE_ONLY = "llm.prices"
_IN_WORDS = [name for name in _NAMES if name != _FILE_ONLY]  # those that one word can say
_VARIABLES = {f"HOPSPLIT_{name.upper().replace('.', '_')}": name for name in _IN_WORDS}
_PREFIXES = tuple(f"HOPSPLIT_{table.upper()}_" for table in _TABLES)


def settings(options: Mapping[str, str], *, file: Path | None = None) -> Settings:
    """Return the settings in force.

    options: by name, such as `llm.model`. file: a TOML file; None: of the working directory `hopsplit.toml`, or else
    the table `[tool.hopsplit]` of `pyproject.toml`, where there is one. A file that nobody named may have come with a
    stranger's folder: it cannot say which model is asked, where, with what key, or where replies are written, nor who
    can reach the service.

    InputError on an unknown name or a wrong value, and where such a file says one of these.
    """
    return _made_of(_values(options, file))


def in_force(options: Mapping[str, str], *, file: Path | None = None) -> Iterator[tuple[str, object, str]]:
    """Yield each setting by name, its value, and where that is from; see `settings`. No secret is told."""
    values = _values(options, file)
    found = _made_of(values)
    for name in _NAMES:
        table, _, field_name = name.partition(".")
        value = getattr(getattr(found, table), field_name)
        if name in _SECRET:
            value = "set" if value else ""
        elif name == "llm.base_url" and value:
            value = address(value)
        yield name, value, values[name].place if name in values else "default"


def _values(options: Mapping[str, str], file: Path | None) -> dict[str, _Value]:
    """Return what was given, by name, the strongest source of each."""
    path = file or _found()
    values = dict(_of_file(path)) if path else {}
    if not file and (bold := [name for name in values if name.startswith(_NOT_BY_CHANCE)]):
        raise InputError(
            f"{path}: {bold[0]} says where questions go, or who may ask; it counts only in a file that you name: "
            f"--config {path}"
        )
    values |= dict(_of_environment())
    for name in options:
        _check_name(name, _IN_WORDS, "--set")
    return values | {name: _Value(value, f"option {name}") for name, value in options.items()}


def _found() -> Path | None:
    """Return the file of settings in the working directory, None where there is none."""
    if Path(FILE).is_file():
        return Path(FILE)
    project = Path(PROJECT)
    try:
        return project if project.is_file() and _OURS.search(project.read_bytes()) else None
    except OSError:  # there is none, or none that is for us to read
        return None


def _made_of(values: Mapping[str, _Value]) -> Settings:
    return Settings(**{table: _made(kind, table, values) for table, kind in _TABLES.items()})


def named(pairs: Sequence[str]) -> dict[str, str]:
    """Return the names and values of `NAME=VALUE`; InputError where one is none."""
    split = [pair.partition("=") for pair in pairs]
    for name, equals, _ in split:
        if not equals:  # what is no name may be a key
            shown = f"--set {name}" if name in _NAMES else "--set"
            raise InputError(f"{shown} has no value; give NAME=VALUE, such as budget.rounds=1")
    return {name.strip(): value.strip() for name, _, value in split}


def _of_file(path: Path) -> Iterator[tuple[str, _Value]]:
    """Yield the settings of a file by name; in a pyproject.toml they stand below `tool.hopsplit`."""
    tables, above = _toml(path), ""
    if path.name == PROJECT:
        tool = tables.get("tool")
        tables, above = tool.get("hopsplit", {}) if isinstance(tool, dict) else {}, "tool.hopsplit."
        if not isinstance(tables, dict):
            raise InputError(f"{path}: tool.hopsplit is no table; write [tool.hopsplit.budget]")
    for table, content in tables.items():
        if table not in _TABLES:
            near = get_close_matches(table, _TABLES, 1)
            known = f"did you mean [{above}{near[0]}]?" if near else f"there are {', '.join(_TABLES)}"
            raise InputError(f"{path}: there is no table {above + table[:_SHOWN]!r}; {known}")
        if not isinstance(content, dict):
            raise InputError(f"{path}: {above}{table} is no table; write [{above}{table}]")
        for name, value in content.items():
            _check_name(f"{table}.{name}", _NAMES, str(path))
            yield f"{table}.{name}", _Value(value, f"{path}: {above}{table}.{name}")


def _toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; InputError where it is none, or endless."""
    most = _MAX_BYTES.get(path.name, _MAX_BYTES[FILE])
    try:
        with path.open("rb") as opened:
            said = opened.read(most + 1)
        if len(said) > most:
            raise InputError(f"{path}: longer than {most:,} bytes; name a TOML file of settings")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; name a TOML file of settings") from error
    try:
        return tomllib.loads(said.decode("utf-8-sig").replace("\r\n", "\n"))
    except RecursionError as error:
        raise InputError(f"{path}: no TOML: nested too deeply; name a TOML file of settings") from error
    except ValueError as error:  # also of a number with thousands of digits
        raise InputError(f"{path}: no TOML: {error}; mend it, or name a TOML file of settings") from error


def _of_environment() -> Iterator[tuple[str, _Value]]:
    for variable, value in os.environ.items():
        if variable.startswith(_PREFIXES) and value:
            _check_name(variable, list(_VARIABLES), "environment")
            yield _VARIABLES[variable], _Value(value, variable)


def _check_name(name: str, known: Sequence[str], source: str) -> None:
    """Raise InputError, with a suggestion, on a name that no setting has."""
    if name in known:
        return
    near = [each for each in known if each.endswith(f".{name}")] or get_close_matches(name, known, 1)
    mend = f"did you mean {near[0]}?" if near else f"names begin with {', '.join(f'{table}.' for table in _TABLES)}"
    raise InputError(f"{source}: there is no setting {name[:_SHOWN]!r}; {mend}")


def _made(kind: type[T], table: str, values: Mapping[str, _Value]) -> T:
    """Return the settings of one table; InputError names the first wrong value and where it is from."""
    defaults = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]
    mine = {name: values[f"{table}.{name}"] for name in defaults if f"{table}.{name}" in values}
    given: dict[str, Any] = {}
    for name, (value, place) in mine.items():
        if isinstance(value, bool) and not isinstance(defaults[name], bool):  # which is taken for 1 or 0 otherwise
            raise InputError(f"{place}: {str(value).lower()} is no value for it; give a number or a text")
        given[name] = _split(value) if isinstance(defaults[name], tuple) else value
    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        raise InputError(_told(error, table, mine)) from error


def _told(error: ValidationError, table: str, values: Mapping[str, _Value]) -> str:
    """Say in one line what is wrong with which value."""
    first = error.errors(include_url=False, include_input=False)[0]
    said = str(first["msg"]).removeprefix("Value error, ")
    where = [str(each) for each in first["loc"]]
    if where:
        return f"{'.'.join([values[where[0]].place, *where[1:]])}: {said}"
    # Said by the class itself, which begins with the name.
    name, _, rest = said.partition(" ")
    value = values.get(name.removeprefix(f"{table}."))
    return f"{value.place} {rest}" if value else said


def _split(value: object) -> object:
    """Return the parts between commas, where it is a text."""
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
