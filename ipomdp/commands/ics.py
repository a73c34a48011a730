"""The commands `ics-serve` and `assist`: Kriegspiel over the protocol of chess servers."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
import re
import signal
import socket
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ipomdp.commands.aloud import log_aloud, play_one, say
from ipomdp.commands.options import HIGHEST_PORT, HIGHEST_SEED, LOOPBACK, naming, natural, real
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.processes import leave
from ipomdp.quoting import printable, shown

if TYPE_CHECKING:
    from ipomdp.ics.server import Server
    from ipomdp.seats.communicator import Communicator

PASSWORD = "IPOMDP_ICS_PASSWORD"  # noqa: S105 - the name of a variable
LONGEST_THOUGHT = 3600.0

Host = Annotated[
    str, typer.Option(metavar="HOST", help="The address to listen on: this machine alone.")
]
Port = Annotated[
    str, typer.Option(metavar="PORT", help="The port to listen on; 0 takes one that is free.")
]
Players = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="PLAYER",
        help="A player of the house, as often as you like: ipomdp, hs and random otherwise.",
    ),
]
Seconds = Annotated[str, typer.Option(metavar="S", help="How long a player thinks about a try.")]
Seed = Annotated[
    str | None, typer.Option(metavar="N", help="The dice; else each run has new ones.")
]
Ics = Annotated[
    str, typer.Option(metavar="HOST:PORT", help="The chess server.", show_default=False)
]
User = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"Your name there; its password is read from {PASSWORD} or asked for.",
    ),
]
Sitting = Annotated[
    str | None,
    typer.Option(
        "--player", metavar="PLAYER", help="Who plays in your place: ipomdp, hs:boards=200, ..."
    ),
]
Match = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Whom to challenge; else challenges are accepted."),
]
Side = Annotated[
    str | None, typer.Option(metavar="SIDE", help="Yours in a game you ask for: white or black.")
]
Browser = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Whether to open the assistant's page.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("ics-serve")(serve)
    app.command()(assist)


def serve(
    host: Host = "127.0.0.1",
    port: Port = "5000",
    player: Players = None,
    seconds: Seconds = "1",
    seed: Seed = None,
) -> None:
    """Let chess programs play Kriegspiel against our players."""
    number = natural("--port", port, least=0, most=HIGHEST_PORT)
    allowed, dice = _seconds(seconds), _seed(seed)

    from ipomdp.ics.house import USUAL
    from ipomdp.ics.server import Server
    from ipomdp.players.roster import board_game, make_player

    specs = player or list(USUAL)
    board = board_game("8x8")
    for spec in specs:
        with naming("--player"):
            make_player(spec, board)
    log_aloud()
    server = Server(specs, seconds=allowed, seed=dice)
    with contextlib.suppress(KeyboardInterrupt):  # where signals cannot be caught otherwise
        asyncio.run(_serve(server, host, number))
    say("stopped")
    leave(0)


async def _serve(server: Server, host: str, port: int) -> None:
    try:
        where, number = await server.start(host, port)
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or "not an address of this machine"
        raise InvalidInput(f"--host, --port: {shown(host)}, {port}: {problem}") from None
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, stop.set)
    if where not in LOOPBACK:
        say("others can reach this server, and whoever listens reads names and passwords")
    say(f"listening on {where}:{number}; Ctrl-C stops")
    for handle, spec in server.hall.house.items():
        say(f"  match {handle} wild 16" + (f"   ({spec})" if spec != handle else ""))
    try:
        await stop.wait()
    finally:
        await server.close()


def assist(
    ics: Ics,
    user: User = "guest",
    player: Sitting = None,
    match: Match = None,
    side: Side = None,
    seconds: Seconds = "1",
    seed: Seed = None,
    browser: Browser = True,
) -> None:
    """Play on a chess server with advice, or let a player."""
    host, port = _address(ics)
    allowed, dice = _seconds(seconds), _seed(seed)
    if side not in (None, *SIDES):
        raise InvalidInput(f"--side: expected {' or '.join(SIDES)}, not {shown(side)}")
    for option, name in (("--user", user), ("--match", match)):
        if name is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
            raise InvalidInput(
                f"{option}: expected a name of letters and digits, not {shown(name)}"
            )

    from ipomdp.ics.client import IcsCommunicator
    from ipomdp.ics.login import GUEST, Wishes
    from ipomdp.players.roster import board_game, make_player

    board = board_game("8x8")
    sitting = None
    if player is not None:
        with naming("--player"):
            sitting = make_player(player, board)
    password = "" if user == GUEST else _password(user)
    wishes = Wishes(user=user, password=password, match=match or "", colour=side or "")
    log_aloud()
    try:
        if sitting is not None:
            asyncio.run(play_one(sitting, (host, port), board, wishes, allowed, dice))
        else:
            _open_page(IcsCommunicator(host, port, board, wishes), host, port, show=browser)
    except KeyboardInterrupt:
        say("stopped")
        raise


def _open_page(line: Communicator, host: str, port: int, *, show: bool) -> None:
    """Let a person play, in the browser; the page opens the line itself."""
    try:
        from ipomdp.web.assist import run
    except ImportError:
        raise InvalidInput(
            "the assistant in the browser needs the extra `web`: pip install 'ipomdp[web]'; "
            "or give --player"
        ) from None
    try:
        socket.create_connection((host, port), timeout=10).close()
    except OSError as error:
        raise _unreachable(host, port, error) from None
    run(line, show=show)


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    host = host.strip("[]")
    if not colon or not host:
        raise InvalidInput(f"--ics: expected HOST:PORT, as 127.0.0.1:5000, not {shown(text)}")
    return host, natural("--ics", port, most=HIGHEST_PORT)


def _unreachable(host: str, port: int, error: OSError) -> InvalidInput:
    return InvalidInput(f"--ics: {host}:{port}: {error.strerror or 'no connection'}")


def _password(user: str) -> str:
    """Return the password: never an option, which everybody on the machine could read."""
    found = os.environ.get(PASSWORD)
    if found is None and sys.stdin is not None and sys.stdin.isatty():
        found = getpass.getpass(f"password of {user}: ")
    return printable(found or "").replace("\n", "")


def _seconds(text: str) -> float:
    found = real(text)
    if not isinstance(found, float) or not 0 < found <= LONGEST_THOUGHT:
        expected = f"a number of seconds above 0, up to {LONGEST_THOUGHT:g}"
        raise InvalidInput(f"--seconds: expected {expected}, not {shown(text)}")
    return found


def _seed(text: str | None) -> int | None:
    return None if text is None else natural("--seed", text, least=0, most=HIGHEST_SEED)
