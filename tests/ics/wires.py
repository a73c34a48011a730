"""Both ends of a wire in one test: a server, clients, and what may stand between them."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import numpy as np

from ipomdp.game import BoardGame
from ipomdp.ics.client import IcsCommunicator
from ipomdp.ics.hall import Limits
from ipomdp.ics.login import Wishes
from ipomdp.ics.server import Server
from ipomdp.players.roster import board_game, make_player
from ipomdp.seats.communicator import Began, Communicator, Event, Told
from ipomdp.seats.local import LocalCommunicator
from ipomdp.seats.sitting import sit
from ipomdp.seats.table import Table

PATIENCE = 120
"""Seconds after which a test has failed, on the busiest of machines."""
MOVE = re.compile(rb"[a-h][1-8][a-h][1-8](=[nbrq])?\r?\n")


@contextlib.asynccontextmanager
async def serving(
    *players: str, limits: Limits | None = None, seed: int = 1
) -> AsyncIterator[tuple[Server, int]]:
    """Serve on a free port of this machine."""
    server = Server(players or ("random",), seconds=0.05, limits=limits, seed=seed)
    server.hall.keep = True
    _, port = await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            yield server, port
    finally:
        await server.close()


class Recording:
    """A line whose events are kept."""

    def __init__(self, line: Communicator) -> None:
        self._line = line
        self.kept: list[Event] = []
        self.attempt, self.resign, self.draw = line.attempt, line.resign, line.draw
        self.close = line.close

    async def events(self) -> AsyncIterator[Event]:
        """Pass on what happens."""
        async for event in self._line.events():
            self.kept.append(event)
            yield event

    def of_the_game(self) -> list[Event]:
        """Return what a local referee would have told as well, but for the game as an object."""
        return [plain(event) for event in self.kept if not isinstance(event, Told)]


GAME = board_game("8x8")


def plain(event: Event) -> Event:
    return replace(event, game=GAME) if isinstance(event, Began) else event


async def told_locally(table: Table, side: int, other: str) -> list[Event]:
    """Return what a line to a referee in this process tells of a finished game."""
    line = LocalCommunicator(table, side, other)
    return [plain(event) async for event in line.events()]


async def seated(
    port: int, wishes: Wishes, spec: str = "random", seed: int = 0
) -> tuple[Recording, BoardGame]:
    """Let a player play a game over a socket; return what it was told."""
    game = board_game("8x8")
    line = Recording(await IcsCommunicator.connect("127.0.0.1", port, game, wishes))
    try:
        await sit(make_player(spec, game), line, np.random.default_rng(seed), seconds=0.05)
    finally:
        await line.close()
    return line, game


class Proxy:
    """Stands between clients and a server, and lets a test meddle with what passes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.tries = 0
        """Moves that were passed on to the server."""
        self.connections = 0
        self.to_client: Callable[[bytes], list[bytes | None]] = lambda data: [data]
        """What is passed on of what the server sends; at ``None`` the connection is cut."""
        self.to_server: Callable[[bytes], list[bytes | None]] = lambda data: [data]
        self.pause: Callable[[], Awaitable[object]] = lambda: asyncio.sleep(0)

    def _change_to_server(self, data: bytes) -> list[bytes | None]:
        return self.to_server(data)

    def _change_to_client(self, data: bytes) -> list[bytes | None]:
        return self.to_client(data)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        there, here = await asyncio.open_connection("127.0.0.1", self._port)
        ways = [
            asyncio.create_task(self._pass(reader, here, self._change_to_server)),
            asyncio.create_task(self._pass(there, writer, self._change_to_client)),
        ]
        await asyncio.wait(ways, return_when="FIRST_COMPLETED")
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for end in (here, writer):
            end.transport.abort()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
        change: Callable[[bytes], list[bytes | None]],
    ) -> None:  # fmt: skip
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                parts = change(data)
                for part in parts:
                    if part is None:
                        return
                    writer.write(part)
                    self.tries += bool(MOVE.fullmatch(part))
                    await writer.drain()
                    await self.pause()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """Listen, on the port returned."""
        listening = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        try:
            yield int(listening.sockets[0].getsockname()[1])
        finally:
            listening.close()
            await asyncio.sleep(0.05)


class Typist:
    """Somebody who types to the server and reads every byte of the answers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.read = b""

    @classmethod
    async def enter(cls, port: int, name: str, password: str = "") -> Typist:
        """Log in."""
        typist = cls(*await asyncio.open_connection("127.0.0.1", port))
        await typist.until("login: ")
        if name == "guest":
            await typist.type("guest")
            await typist.until("Press return")
            await typist.type("")
        else:
            await typist.type(name)
            await typist.until("password: ")
            await typist.type(password)
        await typist.until("fics% ")
        return typist

    async def type(self, *lines: str) -> None:
        """Type lines."""
        for line in lines:
            self._writer.write(f"{line}\n".encode())
            await self._writer.drain()

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)
        await self._writer.drain()

    async def until(self, text: str) -> str:
        """Return what was sent up to a text; the end of the connection is an error."""
        at = len(self.read)
        while text.encode() not in self.read[at:]:
            more = await self._reader.read(1)
            if not more:
                raise EOFError(self.read[at:].decode(errors="replace"))
            self.read += more
        return self.read[at:].decode()

    async def ask(self, line: str) -> str:
        """Return the answer to a command."""
        await self.type(line)
        return await self.until("fics% ")

    async def end(self) -> str:
        """Return what was sent up to the end of the connection."""
        at = len(self.read)
        with contextlib.suppress(ConnectionError):
            while more := await self._reader.read(65536):
                self.read += more
        return self.read[at:].decode(errors="replace")

    async def leave(self) -> None:
        """Hang up."""
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()
