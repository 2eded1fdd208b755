"""How the HTTP service is reached, and what one request may take."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..decompose.plan import InputError


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Where the service listens, and its limits.

    host, port: where it listens; port 0: one that is free. token: what a request must bring as its bearer token; empty:
    nothing. body: bytes of a request's body at most. k: passages that a request may ask for at most. seconds: for one
    request, its waiting included. threads: requests worked on at a time. waiting: requests that may wait for that
    beside them; what comes on top is refused at once. InputError where a number cannot be, or a token has other
    characters than visible ASCII.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    body: int = 16_384
    k: int = 100
    seconds: float = 30.0
    threads: int = 4
    waiting: int = 256

    def __post_init__(self) -> None:
        if not self.host.strip():
            raise InputError("serve.host is empty; give an address, 127.0.0.1 or 0.0.0.0 for all of this machine")
        if not 0 <= self.port < 1 << 16:
            raise InputError(f"serve.port is {self.port}; give 0 to 65535")
        if not all("!" <= char <= "~" for char in self.token):  # what a header can carry
            raise InputError("serve.token has a space, or a character outside of ASCII; give another one")
        for name in ("body", "k", "threads"):
            if not getattr(self, name) >= 1:
                raise InputError(f"serve.{name} is {getattr(self, name)}; give at least 1")
        if not self.waiting >= 0:
            raise InputError(f"serve.waiting is {self.waiting}; give at least 0")
        if not 0 < self.seconds <= 86_400:
            raise InputError(f"serve.seconds is {self.seconds}; give more than 0, and at most a day")
