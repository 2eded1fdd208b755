"""Fixtures that several test files use."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from llm_server import LlmServer, serving

# Haystack reads this when it is imported; else it writes to the home folder and reports its pipelines.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"


@pytest.fixture
def llm_server() -> Iterator[LlmServer]:
    """Run an OpenAI-compatible server for one test."""
    with serving() as server:
        yield server
