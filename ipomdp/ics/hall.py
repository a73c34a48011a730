"""The hall where games are arranged and played: everything of the server but its sockets."""

from __future__ import annotations

import asyncio
import logging
import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ipomdp.arena.match import Resigned, crash_words
from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.ics import units
from ipomdp.ics.accounts import Account, Connection, Secret
from ipomdp.ics.house import HANDLE
from ipomdp.ics.seat import Seat
from ipomdp.ics.units import Unit
from ipomdp.ics.words import end_line
from ipomdp.players.player import Player
from ipomdp.players.roster import board_game, make_player
from ipomdp.seats.local import LocalCommunicator
from ipomdp.seats.sitting import sit
from ipomdp.seats.table import LONGEST, Table

log = logging.getLogger(__name__)

BOARD = "8x8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the server puts up with."""

    connections: int = 64
    games: int = 16
    line: int = 2048
    """Bytes of a command."""
    commands: float = 50.0
    """Commands a second, in the long run; what is beyond waits."""
    burst: int = 200
    """Commands at once."""
    unread: int = 1 << 20
    """Bytes sent to somebody who does not read them."""
    login: float = 60.0
    """Seconds to log in."""
    grace: float = 120.0
    """Seconds that a game waits for one whose connection is gone."""
    longest: int = LONGEST
    """Half-moves of a game."""


class Game:
    """A game on the server."""

    def __init__(self, number: int, names: tuple[str, str], table: Table) -> None:
        self.number, self.names, self.table = number, names, table
        self.house: asyncio.Task[None] | None = None
        """The player of the house that sits in it."""


class Hall:
    """Accounts, games, and the players of the house."""

    def __init__(
        self, house: Mapping[str, str], *, seconds: float | None, limits: Limits, seed: int | None
    ) -> None:
        self.house = dict(house)
        """The players of the house by their handles."""
        self.limits = limits
        self.accounts: dict[str, Account] = {}
        """By names in small letters."""
        self.games: dict[int, Game] = {}
        """Those under way, by number."""
        self.played: list[Game] = []
        """All games since the server started whose tables somebody keeps; see ``keep``."""
        self.keep = False
        self._seconds, self._rng = seconds, np.random.default_rng(seed)
        self._last = self._arranged = 0

    # names

    def house_name(self, name: str) -> str | None:
        """Return the handle of a player of the house, whatever the case of its letters."""
        return next((h for h in self.house if h.lower() == name.lower()), None)

    def free(self, name: str) -> str | None:
        """Return why a name cannot be had, ``None`` if it can."""
        if not HANDLE.fullmatch(name):
            return "A name is 2 to 17 letters and digits, a letter first."
        return "That name belongs to the house." if self.house_name(name) else None

    def guest(self) -> str:
        """Return a name for a guest."""
        while True:
            name = "Guest" + "".join(secrets.choice(string.ascii_uppercase) for _ in range(4))
            if name.lower() not in self.accounts:
                return name

    def enter(self, name: str, password: str, line: Connection) -> Account | None:
        """Log somebody in; ``None`` if the name is taken and the password is not its own."""
        account = self.accounts.get(name.lower())
        if account is None:
            account = Account(name, Secret(password) if password else None)
            self.accounts[name.lower()] = account
        elif account.secret is None or not account.secret.fits(password):
            return None
        if account.line is not None:
            account.line.hang_up("You have logged in from somewhere else.")
        account.line = line
        account.stop_waiting()
        return account

    def leave(self, account: Account, line: Connection) -> None:
        """Note that a connection is gone; a game waits for its player to come back."""
        if account.line is not line:  # somebody else has it by now
            return
        account.line = None
        account.challenges.clear()
        for other in self.accounts.values():
            other.challenges.pop(account.name.lower(), None)
        wait = self.limits.grace if account.secret is not None else 0.0
        if account.playing and account.seat is not None and wait:
            words = f"{account.name} has lost the connection; the game waits {wait:g} seconds."
            self.tell(account.seat.other, Unit(units.DISCONNECTED, account.name, words))
        if account.seat is None or not wait:
            self._forget(account)
        else:
            account.wait(wait, lambda: self._forget(account))

    def _forget(self, account: Account) -> None:
        """Give up on somebody who has not come back; a game of theirs is lost."""
        if account.line is not None:
            return
        if self.accounts.get(account.name.lower()) is account:
            del self.accounts[account.name.lower()]
        if account.playing and account.seat is not None:
            game = self.games[account.seat.number]
            game.table.fail(account.seat.side, f"{account.name} has lost the connection")

    def tell(self, name: str, unit: Unit) -> None:
        """Send something to somebody, if they are there."""
        account = self.accounts.get(name.lower())
        if account is not None:
            account.send(unit)

    # games

    def colours(self, one: str, other: str, colour: int | None) -> tuple[str, str]:
        """Return who is White and who Black; by lot, unless the one has a colour."""
        side = int(self._rng.integers(2)) if colour is None else colour
        return (one, other) if side == 0 else (other, one)

    async def start(self, names: tuple[str, str]) -> None:
        """Start a game; players of the house are made first, in a thread."""
        if len(self.games) + self._arranged >= self.limits.games:
            raise InvalidInput("Too many games are under way; try again later.")
        accounts = [self.accounts[n.lower()] for n in names if n not in self.house]
        if any(account.playing or account.arranging for account in accounts):
            raise InvalidInput("Somebody is in a game already.")
        for account in accounts:
            account.arranging = True
        self._arranged += 1
        try:
            board, players = await asyncio.to_thread(self._made, names)
        finally:
            self._arranged -= 1
            for account in accounts:
                account.arranging = False
        if any(account.line is None for account in accounts):
            raise InvalidInput("Somebody has left.")
        self._last += 1
        game = Game(self._last, names, Table(board, longest=self.limits.longest))
        self.games[game.number] = game
        if self.keep:
            self.played.append(game)
        log.info("game %d: %s against %s", game.number, *names)
        self._sit_down(game, players)

    def _made(self, names: tuple[str, str]) -> tuple[BoardGame, dict[int, Player]]:
        board = board_game(BOARD)
        specs = {side: self.house[n] for side, n in enumerate(names) if n in self.house}
        return board, {side: make_player(spec, board) for side, spec in specs.items()}

    def _sit_down(self, game: Game, players: Mapping[int, Player]) -> None:
        seats = []
        for side, name in enumerate(game.names):
            if side not in players:
                account = self.accounts[name.lower()]
                account.challenges.clear()
                account.seat = Seat(game.table, side, game.number, game.names, account.send)
                seats.append(account.seat)
        game.table.watchers.append(lambda: self._finished(game))
        for seat in seats:
            seat.greet()
        for side, player in players.items():
            line = LocalCommunicator(game.table, side, game.names[1 - side])
            rng = np.random.default_rng(int(self._rng.integers(2**31)))
            game.house = asyncio.create_task(self._play(game, side, player, line, rng))

    async def _play(
        self, game: Game, side: int, player: Player, line: LocalCommunicator,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        """Let a player of the house play; one that fails loses."""
        try:
            await sit(player, line, rng, seconds=self._seconds)
        except Resigned:
            game.table.resign(side)
        except Exception as error:  # noqa: BLE001 - whatever a player does, the game has a result
            log.warning("game %d: %s fails: %s", game.number, game.names[side], crash_words(error))
            game.table.fail(side, crash_words(error))
        finally:
            await line.close()

    def _finished(self, game: Game) -> None:
        if game.table.result is not None and game.number in self.games:
            del self.games[game.number]
            log.info("game %d: %s", game.number, game.table.result.reason)

    def abort(self, account: Account) -> bool:
        """End a game without a result, if nobody has moved; return whether it was done."""
        seat = account.seat
        if seat is None or seat.end or self.games[seat.number].table.so_far().turns:
            return False
        game = self.games.pop(seat.number)
        if game.house is not None:
            game.house.cancel()
        for name in game.names:
            other = self.accounts.get(name.lower())
            if other is not None and other.seat is not None and other.seat.number == game.number:
                other.seat.stop(end_line(game.number, game.names, None, "unfinished"))
        return True

    async def close(self) -> None:
        """Stop the players of the house and the timers."""
        for account in self.accounts.values():
            account.stop_waiting()
        tasks = [game.house for game in self.games.values() if game.house is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
