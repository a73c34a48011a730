"""The line to a referee in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from ipomdp.seats.communicator import Began, DrawOffered, Ended, Event, Heard, Moved, Refused
from ipomdp.seats.hearing import Hearing
from ipomdp.seats.table import Table


class LocalCommunicator:
    """A side's line to a table; any number of them may be open to one side."""

    def __init__(self, table: Table, side: int, other: str = "") -> None:
        self._table, self._side, self._other = table, side, other
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._told = 0
        self._offered: int | None = None
        self._ended = False
        self._events.put_nowait(Began(game=table.game, side=side, start=table.start, other=other))
        self._look()
        table.watchers.append(self._look)

    async def events(self) -> AsyncIterator[Event]:
        """Return what happens, from the beginning; it ends with the game."""
        while (event := await self._events.get()) is not None:
            yield event
            if isinstance(event, Ended):
                return

    async def attempt(self, action: int) -> None:
        """Try a move; one that is not open to the side is an error."""
        if self._table.mover != self._side:
            raise ValueError("it is the other's turn")
        self._table.attempt(action)

    async def resign(self) -> None:
        """Give up."""
        self._table.resign(self._side)

    async def draw(self) -> None:
        """Offer a draw, or accept the other's offer."""
        self._table.draw(self._side)

    async def close(self) -> None:
        """Stop listening."""
        if self._look in self._table.watchers:
            self._table.watchers.remove(self._look)
        self._events.put_nowait(None)

    def _look(self) -> None:
        """Pass on what is new to the side, and nothing else."""
        table = self._table
        known = table.known(self._side)
        for hearing in known[self._told :]:
            self._events.put_nowait(_event(hearing))
        self._told = len(known)
        if table.offered != self._offered:
            self._offered = table.offered
            if self._offered is not None:
                self._events.put_nowait(DrawOffered(by_other=self._offered != self._side))
        if table.result is not None and not self._ended:
            self._ended = True
            self._events.put_nowait(Ended(winner=table.result.winner, reason=table.result.reason))


def _event(hearing: Hearing) -> Event:
    if hearing.action is None:
        return Heard(heard=hearing.heard or 0)
    if hearing.heard is None:
        return Refused(action=hearing.action)
    return Moved(action=hearing.action, heard=hearing.heard)
