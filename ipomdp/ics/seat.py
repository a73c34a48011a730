"""A seat of one who has logged in: it turns what the side heard into what the server sends."""

from __future__ import annotations

from collections.abc import Callable

from ipomdp.ics import units
from ipomdp.ics.heard import listed
from ipomdp.ics.units import Unit
from ipomdp.ics.view import own_board
from ipomdp.ics.words import ILLEGAL, end_line, spoken, start_line
from ipomdp.seats.hearing import Hearing
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.table import Table

_ENDS = {"agreed": units.DRAW, "resigned": units.RESIGN, "time": units.FORFEIT}


class Seat:
    """One side of a game on the server.

    It asks the table for what its side heard, for an offer and for the result, and writes from
    these alone.
    """

    def __init__(
        self, table: Table, side: int, number: int, names: tuple[str, str],
        send: Callable[[Unit], None],
    ) -> None:  # fmt: skip
        self.side, self.number, self.names = side, number, names
        self.knows = Knowledge(table.game, side, table.start)
        self.end = ""
        """The line that ended the game."""
        self._table, self._send = table, send
        self._offered: int | None = None
        table.watchers.append(self._look)

    @property
    def own(self) -> str:
        """The name of whoever sits here."""
        return self.names[self.side]

    @property
    def other(self) -> str:
        """The name of whoever sits across the board."""
        return self.names[1 - self.side]

    def greet(self, *, again: bool = False) -> None:
        """Say that a game starts, or goes on."""
        white, black = self.names
        lines = [f"Creating: {white} (++++) {black} (++++) unrated wild/16 0 0"] * (not again)
        start = start_line(self.number, self.names, again=again)
        self._tell(units.ACCEPTED, *lines, start, self.board())

    def board(self) -> str:
        """Return the board, as the side may see it."""
        return own_board(self.knows, self.number, self.names)

    def listed(self) -> list[str]:
        """Return all that the side did and heard, and how the game ended if it has."""
        heard = listed(self.number, self.knows.game, self.knows.hearings)
        return [*heard, self.end] if self.end else heard

    def stop(self, end: str) -> None:
        """End a game that has no result."""
        self.end = end
        self._tell(units.OTHER, end)

    def _look(self) -> None:
        """Pass on what is new to the side."""
        table = self._table
        new = table.known(self.side)[len(self.knows.hearings) :]
        ended = table.result is not None and not self.end
        if table.result is not None and ended:
            result = table.result
            self.end = end_line(self.number, self.names, result.winner, result.reason)
        for n, hearing in enumerate(new, start=1):
            self._heard(hearing, last=ended and n == len(new))
        if table.offered != self._offered:
            self._offered = table.offered
            if self._offered is not None:
                mine = self._offered == self.side
                self._tell(
                    units.DRAW, "Draw request sent." if mine else f"{self.other} offers you a draw."
                )
        if ended and not new and table.result is not None:
            self._tell(_ENDS.get(table.result.reason, units.OTHER), self.end)

    def _heard(self, hearing: Hearing, *, last: bool) -> None:
        knows = self.knows
        knows.add(hearing)
        if hearing.heard is None and hearing.action is not None:
            name = knows.game.actions[hearing.action]
            self._tell(units.MOVE, f"{ILLEGAL} ({name}).", self.board())
            return
        whose = f"{('White', 'Black')[knows.mover]}'s move"
        lines = [*spoken(hearing.heard or 0), self.end if last else whose]
        lines.insert(len(lines) - last, self.board())
        self._tell(units.MOVE, *lines)

    def _tell(self, number: int, *lines: str) -> None:
        self._send(Unit(number, self.own, "\n".join(lines)))
