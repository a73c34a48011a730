"""A player that sits at a board over any line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from ipomdp.game import IntArray
from ipomdp.players.player import Player, Thinker
from ipomdp.seats.communicator import (
    Began,
    Communicator,
    DrawOffered,
    Ended,
    Event,
    Heard,
    Moved,
    Refused,
)
from ipomdp.seats.hearing import Hearing, tell
from ipomdp.seats.knowledge import Knowledge

_T = TypeVar("_T")
_THINKING = ThreadPoolExecutor(max_workers=32, thread_name_prefix="player")
"""Threads for players alone, who may think long: whoever shows a page must not wait for them. There
are more than cores, so that players with a time limit all keep it."""


async def sit(
    player: Player, line: Communicator, rng: np.random.Generator, *, seconds: float | None = None
) -> Ended | None:
    """Play one game over a line; return how it ended, ``None`` if the line was hung up.

    The player thinks in a thread, for so many seconds a try; whatever it raises is raised here. A
    draw is accepted by a player that can tell what its tries are worth, if none is worth anything.
    """
    sitter, events = _Sitter(player, line, rng, seconds), asyncio.Queue[Event | None]()

    async def listen() -> None:
        try:
            async for event in line.events():
                events.put_nowait(event)
        finally:
            events.put_nowait(None)

    listening = asyncio.ensure_future(listen())
    try:
        while (event := await events.get()) is not None:
            if isinstance(event, Ended):
                return event
            await sitter.take(event)
            if events.empty():
                await sitter.act(events)
        await listening  # a line that broke raises what it has to say
    finally:
        listening.cancel()
    return None


class _Sitter:
    """Keeps the order of calls that a player is promised, whatever comes over the line."""

    def __init__(
        self, player: Player, line: Communicator, rng: np.random.Generator, seconds: float | None
    ) -> None:
        self._player, self._line, self._rng, self._seconds = player, line, rng, seconds
        self._knows: Knowledge | None = None
        self._offered = self._pending = False

    async def take(self, event: Event) -> None:
        match event:
            case Began():
                self._knows = Knowledge(event.game, event.side, event.start)
                await _think(self._player.begin, event.side, event.start, self._rng)
            case DrawOffered():
                self._offered = event.by_other
            case Refused() | Moved() | Heard() if self._knows is not None:
                hearing = hearing_of(event)
                self._knows.add(hearing)
                self._pending = False
                await _think(tell, self._player, hearing)

    async def act(self, events: asyncio.Queue[Event | None]) -> None:
        """Make a try, if it is the player's turn and nothing has happened while it thought."""
        if self._knows is None or not self._knows.mine or self._pending:
            return
        tries = self._knows.tries
        if self._offered:
            self._offered = False
            if await _think(_content, self._player, tries, self._seconds):
                await self._line.draw()
                return
        action = await _think(self._player.propose, tries, self._seconds)
        if events.empty():
            self._pending = True
            await self._line.attempt(int(action))


async def _think(work: Callable[..., _T], *arguments: object) -> _T:
    """Do a player's work in a thread."""
    return await asyncio.get_running_loop().run_in_executor(_THINKING, work, *arguments)


def hearing_of(event: Refused | Moved | Heard) -> Hearing:
    """Return what a side did or heard."""
    action = None if isinstance(event, Heard) else event.action
    return Hearing(action=action, heard=None if isinstance(event, Refused) else event.heard)


def _content(player: Player, tries: IntArray, seconds: float | None) -> bool:
    """Return whether a player would rather draw."""
    if not isinstance(player, Thinker):
        return False
    ranked = player.advice(tries, seconds)
    return not ranked or ranked[0].value <= 0
