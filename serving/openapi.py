"""The OpenAPI document: types, every status with its headers, the limits that are set."""

from __future__ import annotations

from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from . import schemas
from .gate import OPEN
from .settings import ServeSettings

ABOUT = "Splits multi-hop questions into hops without a language model, and searches one collection with them."
_TEXT = {"type": "string"}
_TIMED = {
    "Server-Timing": {
        "description": "Milliseconds that the request waited for a thread, and worked: `wait;dur=0.1, work;dur=12.3`.",
        "schema": _TEXT,
    }
}
# What each status says, and the headers that come with it.
_REFUSALS: dict[int, tuple[str, dict[str, Any]]] = {
    401: ("There is no token, or a wrong one.", {"WWW-Authenticate": {"schema": _TEXT}}),
    405: ("Another method than the path has.", {"Allow": {"schema": _TEXT}}),
    408: ("It takes longer than the service allows.", {}),
    413: ("The body is longer than the service allows.", {}),
    415: ("The body is not sent as application/json.", {}),
    421: ("It is for another host, or a proxy says so.", {}),
    422: ("The input is wrong; the error names the mend.", {}),
    429: ("Too many requests wait.", {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}),
    500: ("A bug; the log of the service says where.", {}),
}
_QUESTION = {"question": "$response.body#/question"}
# A question that was split can be asked, and searched for as it is.
ON_FROM_PLAN = {name: {"operationId": name, "requestBody": _QUESTION} for name in ("ask", "search")}
OF_QUESTIONS = (405, 408, 413, 415, 421, 422, 429, 500)
OF_FIGURES = (405, 408, 413, 421, 500)


def refusals(statuses: tuple[int, ...]) -> dict[int | str, dict[str, Any]]:
    """Return what a route says of these statuses."""
    return {
        status: {"model": schemas.Trouble, "description": _REFUSALS[status][0], "headers": _REFUSALS[status][1]}
        for status in statuses
    }


def answers(about: str, links: dict[str, Any] | None = None) -> dict[int | str, dict[str, Any]]:
    """Return what a route of questions says of all its statuses."""
    done = {"description": about, "headers": _TIMED, "links": links or {}}
    return {int(HTTPStatus.OK): done, **refusals(OF_QUESTIONS)}


def document(app: FastAPI, settings: ServeSettings) -> dict[str, Any]:
    """Return the document of the routes of `app` under these settings."""
    made = get_openapi(title=app.title, version=version("hopsplit"), description=ABOUT, routes=app.routes)
    for name in ("Search", "Ask"):
        k = made["components"]["schemas"][name]["properties"]["k"]
        k |= {"maximum": settings.k, "default": min(k["default"], settings.k)}
    if settings.token:
        made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        about, headers = _REFUSALS[HTTPStatus.UNAUTHORIZED]
        trouble = {"schema": {"$ref": "#/components/schemas/Trouble"}}
        refusal = {"description": about, "headers": headers, "content": {"application/json": trouble}}
        for path in made["paths"].keys() - OPEN:
            for operation in made["paths"][path].values():
                operation["security"] = [{"token": []}]
                operation["responses"][str(int(HTTPStatus.UNAUTHORIZED))] = refusal
    return made
