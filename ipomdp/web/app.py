"""The server of the pages."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NoReturn

from nicegui import Client, app, ui
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ipomdp.commands.options import LOOPBACK
from ipomdp.errors import InvalidInput
from ipomdp.processes import leave
from ipomdp.quoting import shown
from ipomdp.web.frame import TITLE
from ipomdp.web.pages import analyse, game, home, replay
from ipomdp.web.replay.arenas import Arena
from ipomdp.web.rooms import Rooms

FAVICON = "♞"
HEADERS = {
    "Referrer-Policy": "no-referrer",  # the address of a page is its secret
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
MOST_BYTES = 4_000_000
"""Of anything that is sent to the server, a file in its wrapping included."""
MOST_PAGES = 1_000
"""Open at a time."""
SECRET_PAGES = {"game": Rooms.side, "join": Rooms.invited, "replay": Rooms.side}
"""Pages behind a secret, with what tells whether it is one."""


def build(rooms: Rooms, arenas: Sequence[Arena] = ()) -> None:
    """Add all pages, and what holds for each of them."""
    home.register(rooms)
    game.register(rooms)
    analyse.register()
    replay.register(rooms, arenas)

    def known(path: str) -> bool:
        """Return whether there is something behind a path, if it is one with a secret."""
        first, *rest = path.strip("/").split("/")
        if first not in SECRET_PAGES or (first == "replay" and not rest):
            return True
        return len(rest) == 1 and SECRET_PAGES[first](rooms, rest[0]) is not None

    guard(known)


def guard(known: Callable[[str], bool]) -> None:
    """Answer what is wrong, too big or too much before anything is made for it."""

    def refusal(request: Request) -> Response | None:
        if not known(request.url.path):
            return game.not_found()
        if request.method not in ("GET", "HEAD"):
            length = request.headers.get("content-length", "")
            if not length.isdigit() or int(length) > MOST_BYTES:
                return PlainTextResponse("Too large", status_code=413)
        first = request.url.path.strip("/").split("/")[0]
        # who is in a game is let in again
        if len(Client.instances) >= MOST_PAGES and first not in ("_nicegui", *SECRET_PAGES):
            return PlainTextResponse("Too many pages are open", status_code=503)
        return None

    @app.middleware("http")
    async def look(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        response = refusal(request) or await go_on(request)
        response.headers.update(HEADERS)
        return response


def serve(
    host: str,
    port: int,
    *,
    show: bool,
    most_games: int,
    keep: Path | None = None,
    arenas: Sequence[Arena] = (),
) -> None:
    """Serve all pages until interrupted."""
    build(Rooms(most_games, keep=keep), arenas)
    run(host, port, show=show)


def run(host: str, port: int, *, show: bool | str, path: str = "") -> NoReturn:
    """Serve the pages there are until interrupted; say where they are, and open one if asked."""
    logging.getLogger("nicegui").setLevel(logging.ERROR)
    number = free_port(host, port)
    if host in LOOPBACK:  # names of other machines that lead here are somebody's trick
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*LOOPBACK, "[::1]"])
    there = f"http://{f'[{host}]' if ':' in host else host}:{number}{path}"
    print(f"ipomdp: the page is at {there} (Ctrl-C stops)", file=sys.stderr, flush=True)  # noqa: T201
    if host not in LOOPBACK:
        print("ipomdp: others on the network can reach it", file=sys.stderr, flush=True)  # noqa: T201
    with contextlib.suppress(KeyboardInterrupt):
        ui.run(
            host=host, port=number, title=TITLE, favicon=FAVICON, show=show, reload=False,
            show_welcome_message=False, reconnect_timeout=30.0, binding_refresh_interval=None,
            language="en-US", ws_max_size=MOST_BYTES,
        )  # fmt: skip
    print("ipomdp: stopped", file=sys.stderr)  # noqa: T201
    leave(0)


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; one that cannot be used is an error."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except socket.gaierror:
        raise InvalidInput(f"--host: {shown(host)} is no address of this machine") from None
    except OSError as error:
        raise InvalidInput(
            f"--port: {host}, port {port} cannot be used ({error.strerror}); try --port 0"
        ) from None
