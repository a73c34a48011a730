"""The games on this server: each side of one behind a secret of its own."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ipomdp.arena.match import Resigned, crash_words
from ipomdp.errors import InvalidInput
from ipomdp.players.player import Player
from ipomdp.players.roster import board_game, make_player
from ipomdp.records.game_record import GameRecord
from ipomdp.seats.local import LocalCommunicator
from ipomdp.seats.sitting import sit
from ipomdp.seats.table import Table
from ipomdp.web.seat import Seat

log = logging.getLogger(__name__)

SECRET_BYTES = 24
"""Of a link: 192 bits."""
MOST_GAMES = 200
"""Games at a time; beyond, those over or forgotten make room."""
FORGOTTEN = 3600.0
"""Seconds without a move after which a game may make room for another."""
PERSON = "person"
"""The opponent that is another person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person asks for."""

    board: str = "4x4"
    side: int = 0
    opponent: str = "ipomdp"
    """A player as users type it, or ``person``."""
    seconds: float = 1.0
    """How long a player thinks about a try."""


class Room:
    """A game, its two sides, and how to get in."""

    def __init__(self, wish: Wish, table: Table, seed: int) -> None:
        self.wish, self.table = wish, table
        self._seeds = [int(s) for s in np.random.default_rng(seed).integers(2**31, size=3)]
        self._tasks: set[asyncio.Task[Any]] = set()
        self.seats: dict[int, Seat] = {}
        self.invitation: str | None = None
        """The secret with which the other side can be taken, until somebody has come."""
        self.pending: str | None = None
        """The secret of who has taken it but whose page has not been opened yet."""
        self.touched = time.monotonic()
        table.watchers.append(self._touch)

    def sit_down(self, side: int) -> Seat:
        """Return a person's seat, taken now."""
        other = "another person" if self.wish.opponent == PERSON else self.wish.opponent
        seat = Seat(LocalCommunicator(self.table, side, other), self._seeds[side])
        self.seats[side] = seat
        self._start(seat.run())
        return seat

    def play(self, side: int, player: Player) -> None:
        """Let a player play a side."""
        line = LocalCommunicator(self.table, side)
        rng = np.random.default_rng(self._seeds[2])

        async def playing() -> None:
            try:
                await sit(player, line, rng, seconds=self.wish.seconds)
            except Resigned:
                self.table.resign(side)
            except Exception as error:  # noqa: BLE001 - whatever a player does, the game has a result
                self.table.fail(side, crash_words(error))

        self._start(playing())

    def record(self) -> GameRecord | None:
        """Return the whole game, both sides of it, once it is over."""
        if self.table.result is None:
            return None
        mine, other = "person", self.wish.opponent
        white, black = (mine, other) if self.wish.side == 0 else (other, mine)
        return GameRecord(game=self.table.game, result=self.table.result, white=white, black=black)

    def keep(self, file: Path) -> None:
        """Add the game to a file when it is over."""

        def look() -> None:
            if (whole := self.record()) is None:
                return
            self.table.watchers.remove(look)
            try:
                with file.open("a", encoding="utf-8") as games:
                    games.write(json.dumps(whole.to_dict(), allow_nan=False) + "\n")
            except OSError as error:  # the players have no part in it
                log.error("%s: a game was not kept: %s", file.name, error.strerror)  # noqa: TRY400

        self.table.watchers.append(look)

    def close(self) -> None:
        """Stop everything that goes on in the room, and tell those who still look at it."""
        for task in self._tasks:
            task.cancel()
        for seat in self.seats.values():
            seat.give_up()

    def _start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a game has stopped", exc_info=error)

    def _touch(self) -> None:
        self.touched = time.monotonic()


class Rooms:
    """All games; who has no secret finds none of them."""

    def __init__(
        self,
        most: int = MOST_GAMES,
        seeds: Callable[[], int] = lambda: secrets.randbits(62),
        keep: Path | None = None,
    ) -> None:
        """Allow so many games; ``seeds`` are those of the dice of each.

        Finished games are added to the file ``keep``, a line each.
        """
        self._most, self._seeds, self._keep = most, seeds, keep
        self._rooms: list[Room] = []
        self._sides: dict[str, tuple[Room, int]] = {}
        self._invitations: dict[str, Room] = {}

    async def open(self, wish: Wish) -> str:
        """Start a game; return the secret of the person's side."""
        if self._full and not self._droppable():
            raise InvalidInput(self._no_room())
        game = await asyncio.to_thread(board_game, wish.board)
        player = None
        if wish.opponent != PERSON:
            player = await asyncio.to_thread(make_player, wish.opponent, game)
        room = Room(wish, await asyncio.to_thread(Table, game), self._seeds())
        self._make_room()
        self._rooms.append(room)
        if self._keep is not None:
            room.keep(self._keep)
        if player is None:
            room.invitation = secrets.token_urlsafe(SECRET_BYTES)
            self._invitations[room.invitation] = room
        key = await self._seat(room, wish.side)
        if player is not None:
            room.play(1 - wish.side, player)
        return key

    async def join(self, invitation: str) -> str | None:
        """Take the other side of a game; return a secret of it.

        The invitation stands until a page is opened with that secret, in case the connection is
        lost just now. Whoever takes the side in between makes the earlier secret worthless, so
        that nobody keeps one of a side that another plays.
        """
        room = self._invitations.get(invitation)
        if room is None:
            return None
        key = await self._seat(room, 1 - room.wish.side)
        if room.invitation is None:  # somebody else has come meanwhile
            del self._sides[key]
            return None
        if room.pending is not None:
            del self._sides[room.pending]
        room.pending = key
        return key

    def arrived(self, key: str) -> None:
        """Note that the page of a side is opened: an invitation that led to it is used up."""
        room, _ = self._sides[key]
        if room.invitation is None or key != room.pending:
            return
        del self._invitations[room.invitation]
        room.invitation = room.pending = None
        for side, seat in room.seats.items():
            if side == room.wish.side:
                seat.log.append(("told", "The other player has come."))
            seat.changed()

    def invited(self, invitation: str) -> Room | None:
        """Return the game that an invitation is to."""
        return self._invitations.get(invitation)

    def side(self, key: str) -> tuple[Room, int] | None:
        """Return the game and the side behind a secret."""
        return self._sides.get(key)

    async def _seat(self, room: Room, side: int) -> str:
        key = secrets.token_urlsafe(SECRET_BYTES)
        self._sides[key] = (room, side)
        seat = room.seats.get(side) or room.sit_down(side)
        await seat.begun.wait()
        return key

    @property
    def _full(self) -> bool:
        return len(self._rooms) >= self._most

    def _droppable(self) -> Room | None:
        """Return the game that makes room first: one that is over, or the longest forgotten."""
        now = time.monotonic()
        free = [
            room
            for room in self._rooms
            if room.table.result is not None or now - room.touched >= FORGOTTEN
        ]
        return min(free, key=lambda r: (r.table.result is None, r.touched), default=None)

    def _make_room(self) -> None:
        if not self._full:
            return
        room = self._droppable()
        if room is None:
            raise InvalidInput(self._no_room())
        self._drop(room)

    def _no_room(self) -> str:
        games = "a game is" if self._most == 1 else f"{self._most} games are"
        return f"{games} being played here, which is all there is room for; try again later"

    def _drop(self, room: Room) -> None:
        room.close()
        self._rooms.remove(room)
        self._sides = {key: seat for key, seat in self._sides.items() if seat[0] is not room}
        self._invitations = {k: r for k, r in self._invitations.items() if r is not room}
