"""How the service says no: a status, and one line that names the input and the mend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from . import forms

JSON = "application/json"
_BEGINNING, _END = 300, 100  # characters of a longer text; the mend stands at its end


class RefusedError(Exception):
    """A request is not answered. Its text is what the reply says."""

    def __init__(self, status: HTTPStatus, said: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(said)
        self.status, self.headers = status, dict(headers or {})

    def reply(self) -> Response:
        """Return the reply."""
        said = "".join(char if char.isprintable() else "\ufffd" for char in " ".join(str(self).split()))
        said = said if len(said) <= _BEGINNING + _END else f"{said[:_BEGINNING]} ... {said[-_END:]}"
        return Response(forms.line({"error": said}) + "\n", self.status, self.headers, JSON)


def unprocessable(said: str) -> RefusedError:
    """Return the refusal of wrong input."""
    return RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, said)


def elsewhere(status: int, method: str, path: str, headers: Mapping[str, str] | None) -> RefusedError:
    """Return the refusal of what the router, or the reader of the body, gave up on."""
    if status == HTTPStatus.BAD_REQUEST:
        return unprocessable(
            "the body is no JSON that can be read: it is not in UTF-8, is nested too deeply, or has an endless number; "
            'give an object, such as {"question": "..."}'
        )
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = ", ".join(value for name, value in (headers or {}).items() if name.lower() == "allow")
        allowed += ", HEAD" if allowed == "GET" else ""
        return RefusedError(
            HTTPStatus.METHOD_NOT_ALLOWED, f"{path} is not for {method}; use {allowed}", {"Allow": allowed}
        )
    return RefusedError(HTTPStatus(status), f"there is no {path}; /openapi.json says what there is", headers)


def invalid(errors: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> RefusedError:
    """Return the refusal of a body, by the first of what pydantic finds wrong; `fields` are those that there are."""
    first = errors[0]
    kind, place = first["type"], [str(part) for part in first["loc"][1:]]
    if kind == "json_invalid":
        return unprocessable(f"the body is no JSON: {first['ctx']['error']} (character {place[0]}); mend it")
    if not place:
        return unprocessable('the body is no object; give one, such as {"question": "..."}, as application/json')
    if kind == "missing":
        return unprocessable(f'{place[0]} is missing; give it, such as {{"{place[0]}": "..."}}')
    if kind == "extra_forbidden":
        near = get_close_matches(place[0], fields, 1)
        mend = f"did you mean {near[0]}?" if near else f"there are {', '.join(fields)}"
        return unprocessable(f"there is no field {place[0][:80]!r}; {mend}")
    said = str(first["msg"]).removeprefix("Input ")
    return unprocessable(f"{place[0]} {said}")
