"""Install the wheel with each extra in a new environment, and run the examples there that need it.

    python tests/fresh.py WHEEL [EXTRA ...]

Without an extra named: all but those that take gigabytes. What an example prints must be what stands beside it in
`.out`. Not one of the tests of `make test`: it installs from the network.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
_NEEDS = re.compile(r"Needs: pip install '?hopsplit(?:\[([a-z-]+)\])?'?(?: +([a-z0-9-]+))?")
# What no fresh environment of the core may have.
_NOT_CORE = ("fastapi", "haystack", "langchain_core", "llama_index", "matplotlib", "mcp", "openai", "uvicorn")
# An example and what it imports may only connect to this machine.
_GUARDED = """
import runpy, sys

def refuse(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        place = args[0] if event == "socket.getaddrinfo" else args[1]
        if (place[0] if isinstance(place, tuple) else place) not in ("127.0.0.1", "localhost", None):
            raise SystemExit(f"{event} {place}")

sys.addaudithook(refuse)
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def needs(example: Path) -> tuple[str, str]:
    """Return the extra that an example needs, empty for none, and the package beside hopsplit, empty for none."""
    found = _NEEDS.search(example.read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f"{example.name} does not say what it needs")
    return found[1] or "", found[2] or ""


def examples() -> dict[str, list[Path]]:
    """Return the examples by extra; those that need a package more by its name."""
    by_extra: defaultdict[str, list[Path]] = defaultdict(list)
    for example in sorted(EXAMPLES.glob("*.py")):
        extra, package = needs(example)
        by_extra[package or extra].append(example)
    return dict(by_extra)


def printed(python: Path | str, example: Path, folder: Path) -> str:
    """Run an example in a folder of its own, without a network, and return what it prints."""
    command = [str(python), "-W", "error::DeprecationWarning:hopsplit", "-c", _GUARDED, str(example)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode:
        raise SystemExit(f"{example.name}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def _environment() -> dict[str, str]:
    unwanted = re.compile("PYTHON|HOPSPLIT_|.*KEY")
    kept = {name: value for name, value in os.environ.items() if not unwanted.match(name)}
    return kept | {"HAYSTACK_TELEMETRY_ENABLED": "False"}


def _installed(wheel: Path, extra: str, package: str, folder: Path) -> Path:
    """Make an environment and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    wanted = [f"{wheel}[{extra}]" if extra else str(wheel), *([package] if package else [])]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return python


def main() -> None:
    """Check each extra; stop with what is wrong at the first that is not as it should be."""
    wheel, *chosen = sys.argv[1:]
    by_extra = examples()
    for name in chosen or [name for name in sorted(by_extra) if needs_no_more(by_extra[name])]:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            extra, package = needs(by_extra[name][0]) if name in by_extra else (name, "")
            python = _installed(Path(wheel).resolve(), extra, package, Path(folder) / "venv")
            size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 1e6
            if not name:
                ask = [str(python.parent / "hopsplit"), "ask", "Where was the founder of Versus born?"]
                subprocess.run(ask, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=_environment())
                code = f"import importlib.util as u; print([n for n in {_NOT_CORE!r} if u.find_spec(n)])"
                found = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout
                if found.strip() != "[]":
                    raise SystemExit(f"the core installs {found}")
            for example in by_extra.get(name, []):
                if printed(python, example, Path(folder)) != example.with_suffix(".out").read_text(encoding="utf-8"):
                    raise SystemExit(f"{example.name} does not print what {example.stem}.out has")
        done = ", ".join(example.name for example in by_extra.get(name, [])) or "no example"
        sys.stdout.write(f"{name or 'core'}: {size:.0f} MB, {time.perf_counter() - start:.0f} s; {done}\n")
        sys.stdout.flush()


def needs_no_more(found: list[Path]) -> bool:
    """Tell whether no example needs a package beside hopsplit."""
    return not any(needs(example)[1] for example in found)


if __name__ == "__main__":
    main()
