"""The analyser."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsplit.retrieval import Analyser

TERMS = [
    ("Who founded Versus?", ["who", "founded", "versus"]),
    ("Malcolm X's 1965 speech", ["malcolm", "x", "s", "1965", "speech"]),
    ("snake_case, C++ & e-mail", ["snake", "case", "c", "e", "mail"]),
    ("Brontë Brontë", ["bronte", "bronte"]),
    ("Łódź Ærø Đorđe Þór", ["lodz", "aero", "dorde", "thor"]),
    ("STRASSE Straße", ["strasse", "strasse"]),
    ("ﬁlm Ⅳ ½", ["film", "iv", "1", "2"]),
    ("İstanbul Diyarbak\u0131r", ["istanbul", "diyarbakir"]),
    ("东京 ラーメン", ["东", "京", "ラ", "ー", "メ", "ン"]),
    ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
    ("a\u00a0b\u2003c\u200bd", ["a", "b", "c", "d"]),
    ("\ud800 x", ["x"]),
    ("", []),
    ("?! ...", []),
]


@pytest.mark.parametrize(("text", "terms"), TERMS, ids=[ascii(text) for text, _ in TERMS])
def test_terms(text: str, terms: list[str]) -> None:
    """Letters, digits and marks make terms; case, form and diacritics are folded."""
    assert Analyser().terms(text) == terms


def test_without_folding() -> None:
    """Without folding, diacritics tell words apart."""
    assert Analyser(fold=False).terms("Brontë Łódź") == ["brontë", "łódź"]


@given(st.text())
def test_normal_forms_agree(text: str) -> None:
    """Composed and decomposed spellings of a text give the same terms."""
    forms = {tuple(Analyser().terms(unicodedata.normalize(form, text))) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    assert len(forms) == 1


@given(st.text())
def test_terms_are_stable(text: str) -> None:
    """Terms, put through the analyser again, stay as they are."""
    terms = Analyser().terms(text)
    assert Analyser().terms(" ".join(terms)) == terms


@given(st.text(alphabet=st.characters(max_codepoint=0x17F)))
def test_case_does_not_matter(text: str) -> None:
    """Upper case gives the terms of lower case."""
    assert Analyser().terms(text.upper()) == Analyser().terms(text)
