"""A game between a person and a player, apart from how the person is asked and shown things.

Whoever talks to the person asks for ``tries`` while ``mine``, calls ``attempt`` with one of them,
and ``reply`` when it is the opponent's turn, until there is a ``result``. The person may be shown
``pieces``, ``tries``, ``refused`` and ``known`` at any time; everything else after the end alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ipomdp.arena.match import GameResult, Resigned, crash_words
from ipomdp.game import BoardGame, IntArray
from ipomdp.players.player import Player
from ipomdp.seats.hearing import Hearing, Listener
from ipomdp.seats.table import LONGEST, Table


class Session:
    """A game in which one side is a person."""

    def __init__(
        self,
        game: BoardGame,
        side: int,
        opponent: Player,
        rng: np.random.Generator,
        *,
        seconds: float | None = None,
        so_far: GameResult | None = None,
        longest: int = LONGEST,
    ) -> None:
        """Start a game, or go on with an unfinished one, with the person as a side (0 is White).

        The opponent is asked to think for so many seconds a try; it is not held to them.
        """
        self._table = Table(game, so_far=so_far, longest=longest)
        self.game, self.side, self.seconds = game, side, seconds
        self.start = self._table.start
        self._opponent = Listener(opponent, 1 - side, self.start, rng)

    @property
    def result(self) -> GameResult | None:
        """How the game ended."""
        return self._table.result

    @property
    def mine(self) -> bool:
        """Whether it is the person's turn."""
        return self.result is None and self._table.mover == self.side

    @property
    def pieces(self) -> Mapping[str, str]:
        """The person's own pieces."""
        return self._table.pieces(self.side)

    @property
    def tries(self) -> IntArray:
        """The tries open to the person in its turn, those refused left out."""
        return self._table.tries(self.side)

    @property
    def refused(self) -> tuple[int, ...]:
        """The person's tries that were refused in this turn."""
        return self._table.refused(self.side) if self.mine else ()

    @property
    def known(self) -> tuple[Hearing, ...]:
        """All that the person did and heard."""
        return self._table.known(self.side)

    def attempt(self, action: int) -> int | None:
        """Make one of the person's tries; return what the referee says, ``None`` if it refuses."""
        return self._table.attempt(int(action))

    def reply(self) -> int | None:
        """Let the opponent move; return what the referee says, ``None`` if it gave up or failed."""
        table, other = self._table, 1 - self.side
        try:
            while True:
                self._opponent.catch_up(table.known(other))
                action = self._opponent.player.propose(table.tries(other), self.seconds)
                if (heard := table.attempt(int(action))) is not None:
                    return heard
        except Resigned:
            table.resign(other)
        except Exception as error:  # noqa: BLE001 - whatever a player does, the game has a result
            table.fail(other, crash_words(error))
        return None

    def resign(self) -> None:
        """Let the person give up."""
        self._table.resign(self.side)

    def so_far(self) -> GameResult:
        """Return the whole game, both sides of it, finished or not."""
        return self._table.so_far()
