"""What every page has: its head, its links, and small things that several of them show."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import ui

from ipomdp.errors import IpomdpError
from ipomdp.web.board import add_shapes

TITLE = "Kriegspiel"
"""Of every page: a title tells nothing about a game."""
LINKS = {"Play": "/", "Analyse": "/analyse", "Replay": "/replay"}
STYLE = Path(__file__).parent / "style.css"


@contextmanager
def framed(here: str, *, links: bool = True) -> Iterator[None]:
    """Put what follows into the frame that all pages share; ``here`` is one of the links."""
    ui.page_title(TITLE)
    ui.add_css(STYLE)
    add_shapes()
    with ui.header().classes("items-center gap-1 py-2"):
        ui.label("ipomdp").classes("text-lg font-semibold mr-4 max-sm:hidden")
        for name, target in LINKS.items() if links else ():
            link = ui.link(name, target).classes("text-white no-underline px-3 py-1 rounded")
            if name == here:
                link.classes("bg-white/20").props("aria-current=page")
    with ui.column().classes("w-full max-w-6xl mx-auto p-3 gap-4"):
        yield


@contextmanager
def card(title: str = "") -> Iterator[None]:
    """Put what follows on a card."""
    with ui.column().classes("ipomdp-card gap-2"):
        if title:
            heading(title)
        yield


def heading(text: str) -> None:
    """Write the head of a part of the page."""
    ui.label(text).classes("text-base font-semibold").props("role=heading aria-level=2")


def command_line(*words: str) -> ui.label:
    """Show the command that gives the same, to be copied."""
    return ui.label(shlex.join(words)).classes("ipomdp-command").props("data-command")


def complain(error: Exception) -> None:
    """Tell the person what cannot be done."""
    ui.notify(str(error), type="negative", multi_line=True, close_button=True, timeout=12_000)


@contextmanager
def complaining() -> Iterator[None]:
    """Turn errors that a person can cause into a message on the page."""
    try:
        yield
    except IpomdpError as error:
        complain(error)


def download(name: str, text: Callable[[], str | bytes], what: str) -> ui.button:
    """Return a button that downloads a file made when it is pressed."""

    def give() -> None:
        with complaining():
            made = text()
            ui.download(made.encode() if isinstance(made, str) else made, name)

    return ui.button(what, on_click=give, icon="download").props("flat dense no-caps")
