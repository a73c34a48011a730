"""The page of a seat whose game is elsewhere: the assistant for an online game."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from nicegui import app, ui

from ipomdp.seats.communicator import Communicator
from ipomdp.web.app import guard
from ipomdp.web.app import run as run_pages
from ipomdp.web.frame import framed
from ipomdp.web.pages.game import SeatPage
from ipomdp.web.rooms import SECRET_BYTES
from ipomdp.web.seat import Seat


def run(line: Communicator, *, host: str = "127.0.0.1", port: int = 0, show: bool = True) -> None:
    """Show a seat at the other end of a line until interrupted."""
    path = f"/seat/{secrets.token_urlsafe(SECRET_BYTES)}"
    seat = Seat(line, secrets.randbits(62))
    running: set[asyncio.Task[Any]] = set()

    @ui.page(path)
    def page() -> None:
        with framed("Play", links=False):
            SeatPage(seat)

    guard(lambda asked: asked == path or asked.startswith("/_nicegui"))
    app.on_startup(lambda: running.add(asyncio.ensure_future(seat.run())))
    app.on_shutdown(line.close)
    run_pages(host, port, show=path if show else False, path=path)
