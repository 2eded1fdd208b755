"""The application: what is answered at which path (the extra `serve`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from ..decompose.plan import InputError
from ..fallback import Result
from . import forms, openapi, schemas
from .gate import PAGE, Gate
from .metrics import MEDIA_TYPE, Metrics
from .refusals import JSON, RefusedError, elsewhere, invalid, unprocessable
from .service import Service
from .settings import ServeSettings
from .workers import BusyError, Workers

_FILES = Path(__file__).parent / "page"
_MEDIA = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_RETRY_AFTER = 1  # seconds

Work = Callable[[threading.Event], dict[str, Any]]


def create_app(service: Service, settings: ServeSettings | None = None, *, local: bool = True) -> Gate:
    """Return the service as an ASGI application, for one event loop.

    local: it can be reached from this machine alone; then requests under another host's name are refused. The host and
    the port of the settings are for who runs it.
    """
    settings = settings or ServeSettings()
    workers = Workers(settings.threads, settings.waiting)
    metrics = Metrics(workers)
    app = FastAPI(
        title="hopsplit",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    _add_questions(app, service, settings, workers, metrics)
    _add_figures(app, metrics)
    _add_page(app)
    _add_refusals(app)
    document = openapi.document(app, settings)
    app.openapi = lambda: document  # type: ignore[method-assign]  # as FastAPI's page on extending it says
    return Gate(app, settings, metrics, local=local)


def _add_questions(app: FastAPI, service: Service, settings: ServeSettings, workers: Workers, metrics: Metrics) -> None:
    """Add what takes a question."""

    async def answered(work: Work) -> Response:
        done = await workers.run(lambda cancel: forms.line(work(cancel)).encode() + b"\n")
        timing = f"wait;dur={1e3 * done.waited:.1f}, work;dur={1e3 * done.worked:.1f}"
        return Response(done.value, headers={"Server-Timing": timing}, media_type=JSON)

    def allowed(asked: schemas.Search | schemas.Ask) -> int:
        if asked.k > settings.k and "k" in asked.model_fields_set:
            raise InputError(f"k is {asked.k:,}; ask for at most {settings.k:,} passages (serve.k)")
        return min(asked.k, settings.k)

    @app.post(
        "/decompose", response_model=schemas.Decomposition, responses=openapi.answers("The plan.", openapi.ON_FROM_PLAN)
    )
    async def decompose(asked: schemas.Decompose) -> Response:
        """Split a question, by the titles of the collection; nothing is searched."""
        return await answered(lambda _: service.decompose(asked.question, explain=asked.explain))

    @app.post("/search", response_model=schemas.Hits, responses=openapi.answers("The hits."))
    async def search(asked: schemas.Search) -> Response:
        """Search once, without splitting the question."""
        k = allowed(asked)
        return await answered(lambda _: service.search(asked.question, k, asked.method))

    @app.post("/ask", response_model=Result, responses=openapi.answers("The evidence, and how it was found."))
    async def ask(asked: schemas.Ask) -> Response:
        """Split a question, search its hops, and give the evidence with the way it was found."""
        k = allowed(asked)

        def work(cancel: threading.Event) -> dict[str, Any]:
            result = service.ask(asked.question, k, cancel)
            metrics.used(result["usage"])
            return result

        return await answered(work)


def _add_figures(app: FastAPI, metrics: Metrics) -> None:
    """Add what tells how the service is."""
    refusals = openapi.refusals(openapi.OF_FIGURES)

    @app.get("/healthz", response_model=schemas.Health, responses=refusals)
    async def healthz() -> Response:
        """Say that the service answers."""
        return Response('{"status": "ok"}\n', media_type=JSON)

    figures = {"description": "The figures.", "content": {"text/plain": {"schema": {"type": "string"}}}}

    @app.get("/metrics", response_class=Response, responses={int(HTTPStatus.OK): figures, **refusals})
    async def metrics_() -> Response:
        """Give the figures of the service in the form that Prometheus reads."""
        return Response(metrics.text(), media_type=MEDIA_TYPE)


def _add_page(app: FastAPI) -> None:
    """Add the page and its files, which are read once: no path leads out of their folder."""
    files = {path.name: (path.read_bytes(), _MEDIA[path.suffix]) for path in _FILES.iterdir() if path.suffix in _MEDIA}

    async def page(name: str = "index.html") -> Response:
        if name not in files:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        content, media = files[name]
        return Response(content, headers={"Cache-Control": "no-cache"}, media_type=media)

    for path in ("/", PAGE + "{name}"):
        app.add_api_route(path, page, include_in_schema=False)


def _add_refusals(app: FastAPI) -> None:
    """Add what becomes of errors: each is one line of JSON."""
    bodies: dict[str, type[BaseModel]] = {
        "/decompose": schemas.Decompose,
        "/search": schemas.Search,
        "/ask": schemas.Ask,
    }

    @app.exception_handler(InputError)
    async def wrong(_: Request, error: InputError) -> Response:
        return unprocessable(str(error)).reply()

    @app.exception_handler(RequestValidationError)
    async def no_fields(request: Request, error: RequestValidationError) -> Response:
        return invalid(error.errors(), list(bodies[request.scope["path"]].model_fields)).reply()

    @app.exception_handler(HTTPException)
    async def nowhere(request: Request, error: HTTPException) -> Response:
        return elsewhere(error.status_code, request.method, request.scope["path"], error.headers).reply()

    @app.exception_handler(BusyError)
    async def busy(_: Request, __: BusyError) -> Response:
        said = f"too many requests wait (serve.waiting); ask again in {_RETRY_AFTER} second"
        return RefusedError(HTTPStatus.TOO_MANY_REQUESTS, said, {"Retry-After": str(_RETRY_AFTER)}).reply()

    @app.exception_handler(Exception)
    async def bug(_: Request, __: Exception) -> Response:
        said = "the service has a bug here; its log says where"
        return RefusedError(HTTPStatus.INTERNAL_SERVER_ERROR, said).reply()
