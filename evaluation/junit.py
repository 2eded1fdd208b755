"""A comparison with a fixture file as JUnit's XML, which build servers show as tests."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

from .goldcase import Case, Difference
from .replacing import replacing

# What no XML document may hold, whichever way it is written.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(path: Path, name: str, cases: Sequence[Case], found: Sequence[Difference]) -> None:
    """Write one test a case: a failure where it differs, skipped where it is wrong as is known."""
    differing = {each.case.id: each for each in found}
    skipped = [case for case in cases if case.known_wrong and case.id not in differing]
    counts = {"tests": len(cases), "failures": len(found), "errors": 0, "skipped": len(skipped)}
    numbers = {key: str(number) for key, number in counts.items()}
    root = ET.Element("testsuites", numbers)
    suite = ET.SubElement(root, "testsuite", {"name": _fit(name), **numbers})
    for case in cases:
        where = {"classname": _fit(name), "name": _fit(case.id), "file": _fit(name), "line": str(case.line)}
        test = ET.SubElement(suite, "testcase", where)
        if case.id in differing:
            each = differing[case.id]
            failure = ET.SubElement(test, "failure", {"message": _fit(next(each.lines())), "type": "difference"})
            failure.text = _fit("\n".join([case.title, *each.lines()]))
        elif case.known_wrong:
            ET.SubElement(test, "skipped", {"message": _fit(case.known_wrong)})
    ET.indent(root)
    with replacing(path) as file:
        file.write("<?xml version='1.0' encoding='utf-8'?>\n" + ET.tostring(root, encoding="unicode") + "\n")


def _fit(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _UNFIT.sub("\ufffd", text)
