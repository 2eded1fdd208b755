"""A real Chromium without a window, and what a page did in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
_BAD = ("error", "warning")  # kinds of lines of the console


def found() -> str:
    """Return the path of a Chromium, empty where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser, with a profile of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=_OPTIONS)
        yield browser
        browser.close()


@dataclass(slots=True)
class Watched:
    """A page, and what it did: errors that the console or the engine told, addresses it asked, requests given up."""

    page: Page
    errors: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Begin to note it all."""
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type in _BAD else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("requestfailed", lambda request: self.given_up.append(request.url))

    def wait(self) -> None:
        """Wait until nothing is on its way any more."""
        self.page.locator("#results:not([aria-busy])").wait_for(state="attached")

    def ask(self, question: str) -> None:
        """Type a question where the focus is, send it off with Enter, and wait."""
        self.page.keyboard.type(question)
        self.page.keyboard.press("Enter")
        self.wait()

    def is_at_peace(self) -> bool:
        """Return whether no error was told, and nothing asked but the page's own service."""
        home = self.page.url.split("#")[0]
        return self.errors == [] and all(url.startswith(home) for url in self.asked)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all that the selector finds, blanks made one."""
        return [" ".join(text.split()) for text in self.page.locator(selector).all_text_contents()]

    def evidence(self) -> dict[int, tuple[str, str]]:
        """Return by rank the heading that a passage stands under, and its id."""
        script = """groups => groups.flatMap(group => [...group.querySelectorAll("li")].map(item =>
            [item.value, group.querySelector("h3").textContent, item.id.replace("passage-", "")]))"""
        rows = self.page.locator(".group").evaluate_all(script)
        return {rank: (heading, passage) for rank, heading, passage in rows}


@contextmanager
def watched(context: BrowserContext) -> Iterator[Watched]:
    """Open a page in a context, and close both after it."""
    seen = Watched(context.new_page())
    seen.watch()
    yield seen
    context.close()
