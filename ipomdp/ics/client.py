"""The line to a referee on an Internet Chess Server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import AsyncIterator

from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.ics import heard
from ipomdp.ics.blocks import Block, Blocks
from ipomdp.ics.following import Following
from ipomdp.ics.lines import CHUNK, Splitter, TooLong
from ipomdp.ics.login import Login, Wishes
from ipomdp.ics.words import KIND
from ipomdp.quoting import cut, printable
from ipomdp.seats.communicator import Began, Event, Told

log = logging.getLogger(__name__)

MOST_UNREAD = 100_000
"""Events that may wait for somebody to take them."""
_CHALLENGE = re.compile(r"Challenge: (\S{1,40}) \(.*\) .*\S", re.IGNORECASE)
_KINDS = (KIND, "wild 16", "w16", "kriegspiel")
_NO_LIST = re.compile(rf".*\b{heard.COMMAND}\b.*", re.IGNORECASE)


class IcsCommunicator:
    """A side's line to a chess server; it outlives a lost connection."""

    def __init__(self, host: str, port: int, game: BoardGame, wishes: Wishes) -> None:
        self._where, self._wishes = (host, port), wishes
        self._following = Following(game)
        self._game = game
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._writer: asyncio.StreamWriter | None = None
        self._entered = asyncio.Event()
        self._asked = self._begun = False
        self._running: asyncio.Task[None] | None = None
        self._later: list[str] = []

    @classmethod
    async def connect(
        cls, host: str, port: int, game: BoardGame, wishes: Wishes | None = None
    ) -> IcsCommunicator:
        """Connect and log in; what goes wrong is an ``InvalidInput``."""
        line = cls(host, port, game, wishes or Wishes())
        await line.open()
        return line

    async def open(self) -> None:
        """Connect and log in; ``events`` does so itself if nobody has."""
        where = f"{self._where[0]}:{self._where[1]}"
        try:
            async with asyncio.timeout(self._wishes.login):
                streams = await asyncio.open_connection(*self._where, limit=CHUNK)
                self._running = asyncio.create_task(self._run(streams))
                entered = asyncio.create_task(self._entered.wait())
                await asyncio.wait((entered, self._running), return_when="FIRST_COMPLETED")
                entered.cancel()
        except TimeoutError:
            await self.close()
            raise InvalidInput(f"{where}: no login prompt of a chess server") from None
        except OSError as error:
            raise InvalidInput(f"{where}: {error.strerror or 'no connection'}") from None
        if not self._entered.is_set():
            words = [e.words for e in self._left() if isinstance(e, Told)]
            self._events.put_nowait(None)
            raise InvalidInput(f"{where}: {words[-1] if words else 'the login was refused'}")

    def _left(self) -> list[Event]:
        """Return what is still to be told."""
        return [e for _ in range(self._events.qsize()) if (e := self._events.get_nowait())]

    async def events(self) -> AsyncIterator[Event]:
        """Return what happens, game after game, until the line is hung up."""
        if self._running is None:
            try:
                await self.open()
            except InvalidInput as error:
                yield Told(words=str(error))
                return
        while (event := await self._events.get()) is not None:
            yield event
        self._events.put_nowait(None)
        if self._running is not None and self._running.done() and not self._running.cancelled():
            self._running.result()  # what went wrong here, if anything, is raised

    async def attempt(self, action: int) -> None:
        """Try a move; one that is not open to the side is an error."""
        following = self._following
        if following.knows is None or not following.knows.mine:
            raise ValueError("it is the other's turn" if following.knows else "no game is on")
        if following.pending is not None:
            raise ValueError("the last try is not answered yet")
        if action not in following.knows.tries:
            raise ValueError(f"{self._game.actions[action]} is not among the open tries")
        following.pending = action
        if not following.behind:
            self._try()

    async def resign(self) -> None:
        """Give up."""
        self._order("resign")

    async def draw(self) -> None:
        """Offer a draw, or accept the other's offer."""
        self._order("draw")

    async def challenge(self, name: str, colour: str = "") -> None:
        """Challenge somebody to a game."""
        self._order(f"match {name} w16 {colour} u".replace("  ", " "))

    async def close(self) -> None:
        """Hang up; ``events`` ends."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    # sending

    def _send(self, text: str) -> bool:
        """Send a line; return whether there was anybody to send it to."""
        if self._writer is None or self._writer.is_closing():
            return False
        self._writer.write(f"{printable(text)}\n".encode())
        return True

    def _order(self, text: str) -> None:
        """Send a command, now or once the line is there again."""
        if self._following.behind or not self._entered.is_set() or not self._send(text):
            self._later.append(text)

    def _try(self) -> None:
        """Send the try that is not answered, as ``e2e4`` or ``e7e8=q``."""
        if self._following.pending is not None:
            name = self._game.actions[self._following.pending]
            self._send(name[:4] + "=" * (len(name) > 4) + name[4:])

    # the connection

    async def _run(self, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        try:
            while True:
                words = await self._talk(*streams)
                if words or not self._entered.is_set():
                    self._tell(words or "the server hung up")
                    return
                self._tell("the line was lost; trying again")
                self._following.missed()
                found = await self._again()
                if found is None:
                    self._tell("the server cannot be reached any longer")
                    return
                streams = found
        except TooLong as error:
            self._tell(f"hung up: the server sent {error}")
        finally:
            self._hang_up()
            self._events.put_nowait(None)

    def _hang_up(self) -> None:
        if self._writer is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._writer.transport.abort()
            self._writer = None

    async def _again(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Return a new connection; ``None`` if there is none to be had."""
        wait = self._wishes.patience
        for _ in range(self._wishes.attempts):
            await asyncio.sleep(wait)
            wait = min(2 * wait, 30.0)
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(self._wishes.login):
                    return await asyncio.open_connection(*self._where, limit=CHUNK)
        return None

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        """Take what is sent until the connection ends; return why it must not be tried again."""
        self._hang_up()
        self._writer, self._asked = writer, False
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        login = Login(self._wishes, self._send)
        splitter, blocks = Splitter(prompts=True), Blocks()
        while received := await self._read(reader, None if login.over else self._wishes.login):
            for found in blocks.feed(splitter.feed(received)):
                if login.over and isinstance(found, Block):
                    self._take(found)
                elif not login.over:
                    login.take(found)
                    if login.over:
                        self._settle()
                if problem := login.refused or self._following.failed:
                    return problem
        return ""

    async def _read(self, reader: asyncio.StreamReader, seconds: float | None) -> bytes:
        """Return what is sent, nothing if the connection has ended or a login takes too long."""
        try:
            async with asyncio.timeout(seconds):
                return await reader.read(CHUNK)
        except (ConnectionError, TimeoutError):
            return b""

    def _settle(self) -> None:
        """Say how to be spoken to, and what is wanted."""
        self._entered.set()
        self._send("set style 12")
        if self._wishes.units:
            self._send("set level1 1")
        if self._following.behind:
            self._ask()
        if self._wishes.match and not self._begun:
            self._send(f"match {self._wishes.match} w16 {self._wishes.colour} u".replace("  ", " "))

    def _ask(self) -> None:
        """Ask for the list of what was heard."""
        self._asked = True
        self._send(heard.COMMAND)

    def _take(self, block: Block) -> None:
        """Pass on what a block says."""
        following, was_behind = self._following, self._following.behind
        self._answer(block)
        if self._wishes.match and not self._begun:  # what is said of whom we wait for
            mine = self._wishes.match.lower()
            for line in block.lines:
                if line.lower().startswith(f"{mine} "):
                    self._events.put_nowait(Told(words=line))
        for event in self._told(block):
            self._begun = self._begun or isinstance(event, Began)
            self._events.put_nowait(event)
        if self._events.qsize() > MOST_UNREAD:
            raise TooLong(f"more than {MOST_UNREAD} messages that nobody took")
        if following.behind and not self._asked:
            self._ask()
        if not following.behind:
            self._asked = False
            if was_behind:
                self._try()
            while self._later and self._send(self._later[0]):
                self._later.pop(0)

    def _answer(self, block: Block) -> None:
        """Accept a challenge to Kriegspiel, decline any other."""
        for line in block.lines:
            if challenge := _CHALLENGE.fullmatch(line):
                right = any(kind in line.lower() for kind in _KINDS)
                self._send(f"{'accept' if right else 'decline'} {challenge[1]}")

    def _told(self, block: Block) -> list[Event]:
        following = self._following
        try:
            events = following.take(block.lines)
        except (ValueError, KeyError, IndexError) as error:  # a server that makes no sense
            log.debug("ignored: %s", cut(printable(str(error))))
            following.behind, events = following.knows is not None, []
        if following.behind and self._asked and any(map(_NO_LIST.fullmatch, block.lines)):
            following.unlisted()
        return events

    def _tell(self, words: str) -> None:
        log.debug("%s:%d: %s", *self._where, words)
        self._events.put_nowait(Told(words=words))
