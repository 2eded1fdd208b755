"""The process that listens: its socket, its signals, its end (the extra `serve`)."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import math
import os
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import uvicorn

from ..decompose.plan import InputError
from .app import create_app
from .gate import Gate
from .service import Service
from .settings import ServeSettings

_BACKLOG = 1024
_KEEP_ALIVE = 75  # seconds; proxies keep an idle connection for 60, and must not find it closed
_READ_ON = 0.5  # seconds after the signal, for what clients have sent by then
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(service: Service, settings: ServeSettings, tell: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM, and end when every request that has come in by then has its reply.

    That takes at most `settings.seconds`; a second signal ends the process at once. `tell` is called with a line about
    where the service can be reached, when it can, and with a warning before where anybody can ask it.

    InputError where it cannot listen. To be called in the main thread.
    """
    with listening(settings) as taken:
        address = taken.getsockname()
        local = ipaddress.ip_address(address[0]).is_loopback
        if not (local or settings.token):
            tell(f"warning: {address[0]} can be reached by others, and no token is asked for; set HOPSPLIT_SERVE_TOKEN")
        host = f"[{address[0]}]" if taken.family == socket.AF_INET6 else address[0]
        ready = f"serving {len(service.index):,} passages at http://{host}:{address[1]}"
        server = _Server(create_app(service, settings, local=local), settings, lambda: tell(ready))
        asyncio.run(server.serve([taken]))


def listening(settings: ServeSettings) -> socket.socket:
    """Return a socket that listens where the settings say; InputError where that cannot be."""
    with contextlib.ExitStack() as unless_it_listens:
        try:
            found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, kind, protocol, _, address = found[0]
            # With its protocol, which create_server() leaves out: asyncio switches off Nagle's algorithm for it alone,
            # and with it each reply takes 40 ms longer.
            made = unless_it_listens.enter_context(socket.socket(family, kind, protocol))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # at once after a server that was killed
            made.bind(address)
            made.listen(_BACKLOG)
        except (OSError, UnicodeError) as error:
            raise InputError(
                f"{settings.host}:{settings.port} cannot be listened at: {getattr(error, 'strerror', None) or error}; "
                "choose another serve.host or serve.port (0: a free port)"
            ) from error
        unless_it_listens.pop_all()
    return made


class _Server(uvicorn.Server):
    """uvicorn, with an end that loses nothing."""

    def __init__(self, app: Gate, settings: ServeSettings, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                loop="asyncio",
                ws="none",
                lifespan="off",
                interface="asgi3",
                proxy_headers=False,
                server_header=False,
                access_log=False,
                log_config=None,
                log_level="critical",  # what there is to tell, the application tells
                backlog=_BACKLOG,
                timeout_keep_alive=_KEEP_ALIVE,
                timeout_graceful_shutdown=math.ceil(settings.seconds) + 1,
            )
        )
        self._app, self._ready = app, ready
        self._told: set[str] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say so when requests are answered."""
        asyncio.get_running_loop().set_exception_handler(self._trouble)
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections; answer what has been sent, and end each connection with that reply."""
        self._app.is_ending = True
        # Clients that the system has let in stand in a queue, which closing would throw away.
        let_in = [connection for each in sockets or [] for connection in _queue_of(each)]
        for server in self.servers:
            server.close()
        for connection in let_in:
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection)
        await asyncio.sleep(_READ_ON)  # or what stands unread in an idle connection would be thrown away with it
        await super().shutdown(sockets)

    def _trouble(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Let the loop tell a trouble once: where it may open no more files, it has a thousand of the same a second."""
        if context["message"] not in self._told:
            self._told.add(context["message"])
            loop.default_exception_handler(context)

    def _protocol(self) -> asyncio.Protocol:
        """Return what handles a connection, as `startup` makes it."""
        kind: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in order at the first signal, and without any at the second."""

        def stop(number: int, _: FrameType | None) -> None:
            if self.should_exit:
                os._exit(128 + number)
            self.should_exit = True

        before = {number: signal.signal(number, stop) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _queue_of(taken: socket.socket) -> Iterator[socket.socket]:
    """Yield the connections that wait to be accepted."""
    with contextlib.suppress(BlockingIOError):
        while True:
            yield taken.accept()[0]
