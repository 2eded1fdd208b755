"""Fixtures that several test files use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from llm_server import LlmServer, serving


@pytest.fixture
def llm_server() -> Iterator[LlmServer]:
    """Run an OpenAI-compatible server for one test."""
    with serving() as server:
        yield server
