"""The pytest plugin: every case of a fixture file of decompositions is a test.

pytest loads this module wherever hopsplit is installed, so it imports nothing of hopsplit before the first such file.
It stands in the program's package because that one, unlike `hopsplit.evaluation`, costs nothing to import.
PYTEST_DONT_REWRITE: nothing is asserted here, and a pytest inside a pytest finds the module loaded.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..decompose import Decomposer
    from ..evaluation.goldfile import Case, Difference

_NAMES = (".gold.jsonl", ".gold.txt")


class _Gold:
    """What one pytest session knows: its files, its decomposer, and how many cases it rewrote in which file."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.files = [config.invocation_params.dir / name for name in config.getoption("hopsplit_gold")]
        self.update: bool = config.getoption("hopsplit_gold_update")
        self.rewritten: Counter[Path] = Counter()
        self._decomposer: Decomposer | None = None

    def decomposer(self) -> Decomposer:
        """Return the session's one decomposer; the first call loads the model."""
        if self._decomposer is None:
            with _at_peace():
                from ..decompose import Decomposer  # noqa: PLC0415
                from ..decompose.textfile import read_titles  # noqa: PLC0415

                files: list[Path] = self.config.getini("hopsplit_titles")
                self._decomposer = Decomposer(titles=[title for path in files for title in read_titles(path)])
        return self._decomposer


_GOLD = pytest.StashKey[_Gold]()


class _Differs(Exception):  # noqa: N818  (no error of the program: a test that fails)
    """A case does not come out as expected."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.why)
        self.difference = difference


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("hopsplit", "decompositions of questions (hopsplit)")
    group.addoption(
        "--hopsplit-gold",
        action="append",
        default=[],
        metavar="FILE",
        help="also test the decompositions in this fixture file, whatever its name; may be repeated",
    )
    group.addoption(
        "--hopsplit-gold-update",
        action="store_true",
        help="rewrite what fixture files expect of the selected cases that differ",
    )
    parser.addini("hopsplit_titles", "files of names, one a line, that are never taken apart", type="paths")


def pytest_configure(config: pytest.Config) -> None:
    """Have the named files collected, beside what pytest collects anyway."""
    gold = config.stash[_GOLD] = _Gold(config)
    if gold.update and (hasattr(config, "workerinput") or getattr(config.option, "numprocesses", None)):
        raise pytest.UsageError("--hopsplit-gold-update rewrites files, so let one process do it: leave -n out")
    for path in gold.files:
        if not path.is_file():
            raise pytest.UsageError(f"--hopsplit-gold {path}: no such file; name a file of cases")
    config.args.extend(str(path) for path in gold.files if str(path) not in config.args)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> GoldFile | None:
    """Collect a fixture file, known by its name or named by the user."""
    if file_path.name.endswith(_NAMES) or _named(file_path, parent.config):
        file: GoldFile = GoldFile.from_parent(parent, path=file_path)
        return file
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep each case once: older versions of pytest collect a file twice that is named and also in a test folder."""
    seen: set[tuple[Path, str]] = set()
    for item in list(items):
        if isinstance(item, GoldItem):
            if (item.path, item.case.id) in seen:
                items.remove(item)
            seen.add((item.path, item.case.id))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say which files were rewritten."""
    for path, number in config.stash[_GOLD].rewritten.items():
        terminalreporter.write_line(f"hopsplit: rewrote {number} case{'' if number == 1 else 's'} of {path}")


class GoldFile(pytest.File):
    """A fixture file."""

    def collect(self) -> Iterator[GoldItem]:
        """Yield its cases."""
        with _at_peace():
            from ..decompose.plan import InputError  # noqa: PLC0415
            from ..evaluation import goldfile  # noqa: PLC0415
        from .output import printable  # noqa: PLC0415

        try:
            cases = goldfile.read(self.path)
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for case in cases:
            yield GoldItem.from_parent(self, name=printable(case.id), case=case)


class GoldItem(pytest.Item):
    """A case: it passes where the program agrees; one known to be wrong must not come out right."""

    def __init__(self, *, case: Case, **others: Any) -> None:
        super().__init__(**others)
        self.case = case

    def runtest(self) -> None:
        """Compare the case with what comes out now, or have its file rewritten."""
        from ..evaluation import goldfile  # noqa: PLC0415
        from .output import printable  # noqa: PLC0415

        gold = self.config.stash[_GOLD]
        plan = gold.decomposer().decompose(self.case.question)
        difference = goldfile.difference(self.case, plan)
        if difference is not None and gold.update:
            goldfile.update(self.path, [difference])
            gold.rewritten[self.path] += 1
        elif difference is not None:
            raise _Differs(difference)
        elif self.case.known_wrong:
            pytest.xfail(printable(self.case.known_wrong))
            # With --runxfail we are still here.
            difference = goldfile.difference(replace(self.case, known_wrong=""), plan)
            if difference is not None:
                raise _Differs(difference)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **kwargs: Any) -> Any:
        """Show what differs, or is expected to, and bad input in words; all else is a fault, with its traceback."""
        from ..decompose.plan import InputError  # noqa: PLC0415
        from .output import printable  # noqa: PLC0415

        if isinstance(excinfo.value, _Differs):
            file = self.nodeid.split("::", maxsplit=1)[0]
            # The short summary at the end shows the first line alone.
            first, *others = excinfo.value.difference.lines()
            lines = [first, f"{file}:{self.case.line}: {self.case.title}", *(f"  {line}" for line in others)]
            return "\n".join(printable(line) for line in lines)
        if isinstance(excinfo.value, (InputError, pytest.xfail.Exception)):
            return printable(str(excinfo.value))
        return super().repr_failure(excinfo, *args, **kwargs)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line counted from 0, and the name."""
        return self.path, self.case.line - 1, self.name


def _named(path: Path, config: pytest.Config) -> bool:
    """Tell whether a file is one that the user named."""
    return any(path.samefile(named) for named in config.stash[_GOLD].files if named.exists())


@contextmanager
def _at_peace() -> Iterator[None]:
    """Ignore warnings of libraries while they load: a project that makes errors of warnings cannot mend those."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
