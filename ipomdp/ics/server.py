"""A small Internet Chess Server for Kriegspiel: sockets, logins, and one session for each."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable

from ipomdp.errors import InvalidInput
from ipomdp.ics import house, units
from ipomdp.ics.accounts import Account
from ipomdp.ics.hall import Hall, Limits
from ipomdp.ics.lines import CHUNK, Splitter, TooLong
from ipomdp.ics.orders import Orders
from ipomdp.ics.units import Unit

log = logging.getLogger(__name__)

PROMPT = "fics% "
GREETING = "Kriegspiel, wild 16 of the Internet Chess Servers, refereed by ipomdp."
_LEVEL = re.compile(r"[$@/]?\s*set(?:-quietly)?\s+level\s?1(?:\s+([01]))?\s*", re.IGNORECASE)
_ATTEMPTS = 3


class Server:
    """Listens, and lets people and programs play wild 16 against each other and the house."""

    def __init__(
        self,
        players: Iterable[str] = house.USUAL,
        *,
        seconds: float | None = 1.0,
        limits: Limits | None = None,
        seed: int | None = None,
    ) -> None:
        self.hall = Hall(
            house.handles(players), seconds=seconds, limits=limits or Limits(), seed=seed
        )
        self._sessions: set[Session] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Server | None = None

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> tuple[str, int]:
        """Start to listen; return where."""
        self._listening = await asyncio.start_server(self._welcome, host, port, limit=CHUNK)
        found = self._listening.sockets[0].getsockname()
        return str(found[0]), int(found[1])

    async def close(self) -> None:
        """Stop listening, hang up on everybody, and stop the house."""
        if self._listening is not None:
            self._listening.close()
        for session in tuple(self._sessions):
            session.hang_up("The server stops. Goodbye.")
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.hall.close()
        if self._listening is not None:
            await self._listening.wait_closed()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        session = Session(self.hall, reader, writer)
        if len(self._sessions) >= self.hall.limits.connections:
            session.hang_up("Too many are here; try again later.")
        self._sessions.add(session)
        try:
            await session.run()
        except (ConnectionError, TimeoutError) as error:
            log.debug("a connection ends: %s", type(error).__name__)
        finally:
            self._sessions.discard(session)
            session.hang_up("")


class Session:
    """One connection, from the greeting on."""

    def __init__(
        self, hall: Hall, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._hall, self._reader, self._writer = hall, reader, writer
        self._splitter = Splitter(longest=hall.limits.line)
        self._units = self._over = False

    def send(self, unit: Unit) -> None:
        """Send something in the form that the other end has asked for."""
        text = f"\n{unit.message}\n{PROMPT}"
        self._write(units.encode(unit) if self._units else text)

    def hang_up(self, words: str) -> None:
        """Say why, and end the connection; nothing it still sends counts."""
        if not self._over:
            if words:
                self._write(f"\n{words}\n")
            self._over = True
            self._writer.close()

    def _write(self, text: str) -> None:
        if self._over:
            return
        self._writer.write(text.replace("\n", "\r\n").encode())
        if self._writer.transport.get_write_buffer_size() > self._hall.limits.unread:
            log.info("somebody does not read what is sent")
            self._over = True
            self._writer.transport.abort()

    async def run(self) -> None:
        """Talk until either end hangs up."""
        lines = self._lines()
        try:
            async with asyncio.timeout(self._hall.limits.login):
                account = await self._login(lines)
            if account is not None:
                await self._serve(account, lines)
        except TooLong:
            self.hang_up("That line is too long. Goodbye.")
        finally:
            await lines.aclose()
            self.hang_up("")
            with contextlib.suppress(ConnectionError, TimeoutError):
                async with asyncio.timeout(5):
                    await self._writer.wait_closed()

    async def _lines(self) -> AsyncGenerator[str, None]:
        """Return what is typed, no faster than is allowed."""
        limits, loop = self._hall.limits, asyncio.get_running_loop()
        left, before = float(limits.burst), loop.time()
        while not self._over and (received := await self._reader.read(CHUNK)):
            for line in self._splitter.feed(received):
                now = loop.time()
                left = min(left + (now - before) * limits.commands, limits.burst) - 1
                before = now
                if left < 0:
                    await asyncio.sleep(-left / limits.commands)
                if self._over:
                    return
                yield line.text.replace(units.BEGIN[0], "")

    async def _login(self, lines: AsyncIterator[str]) -> Account | None:
        """Ask for a name and a password; return who it is."""
        self._write(f"{GREETING}\n\n")
        for _ in range(_ATTEMPTS):
            self._write("login: ")
            if (name := await anext(lines, None)) is None:
                return None
            name, password = name.strip(), ""
            if name.lower() in ("guest", "g"):
                name = self._hall.guest()
                self._write(
                    f'\nLogging you in as "{name}"; you may use this name to play unrated games.\n'
                    f'\nPress return to enter the server as "{name}":\n'
                )
                await anext(lines, None)
            elif problem := self._hall.free(name):
                self._write(f"\n{problem}\n")
                continue
            else:
                self._write(
                    f'\nLogging you in as "{name}". A password lets you come back to a game.\n'
                    "password: "
                )
                if (typed := await anext(lines, None)) is None:
                    return None
                password = typed
            if (account := self._hall.enter(name, password, self)) is not None:
                self._write(f"\n**** Starting FICS session as {account.name} ****\n{PROMPT}")
                return account
            self._write("\n**** Invalid password! ****\n")
        self.hang_up("Goodbye.")
        return None

    async def _serve(self, account: Account, lines: AsyncIterator[str]) -> None:
        orders = Orders(self._hall, account)
        try:
            if account.playing and account.seat is not None:
                account.seat.greet(again=True)
                words = f"{account.name} is back."
                self._hall.tell(account.seat.other, Unit(units.OTHER, account.name, words))
            async for line in lines:
                if line.strip().lower() in ("quit", "exit", "logout"):
                    self.hang_up("Goodbye.")
                    return
                await self._answer(account, orders, line)
        finally:
            self._hall.leave(account, self)

    async def _answer(self, account: Account, orders: Orders, line: str) -> None:
        if level := _LEVEL.fullmatch(line):
            self._units = level[1] != "0"
            self.send(Unit(units.OTHER, account.name, f"level1 set to {int(self._units)}."))
            return
        try:
            answer = await orders.carry_out(line)
        except InvalidInput as error:
            answer = str(error)
        if answer is not None:
            self.send(Unit(units.OTHER, account.name, answer))
        await self._writer.drain()
