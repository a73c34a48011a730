"""The referee's table: one game under way, both sides of it, whoever sits there."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from ipomdp.arena.match import GameResult, Turn, ending
from ipomdp.game import BoardGame, IntArray
from ipomdp.seats.hearing import Hearing, heard_by

LONGEST = 400
"""Half-moves after which a game is drawn."""
UNFINISHED = "unfinished"
"""The reason of a result that is none yet."""


class Table:
    """A game: it refuses or carries out tries, and knows how the game ended.

    A side may be shown ``pieces``, ``tries``, ``refused`` and ``known`` of its own at any time;
    everything else after the end alone.
    """

    def __init__(
        self,
        game: BoardGame,
        *,
        start: int | None = None,
        so_far: GameResult | None = None,
        longest: int = LONGEST,
    ) -> None:
        """Start a game, or go on with an unfinished one."""
        self.game, self.longest = game, longest
        self.start = game.start if start is None else start
        self._state, self._turns, self._refused = self.start, list[Turn](), list[int]()
        if so_far is not None:
            self.start, self._state = so_far.start, so_far.final
            self._turns, self._refused = list(so_far.turns), list(so_far.refused)
        self.result: GameResult | None = None
        """How the game ended."""
        self.offered: int | None = None
        """Who has offered a draw that is neither accepted nor lapsed."""
        self.watchers: list[Callable[[], object]] = []
        """Called after everything that happens."""
        self._clock = time.perf_counter()

    @property
    def mover(self) -> int:
        """The side to move; after the end, the side that would be."""
        return self.game.turn(self._state)

    def pieces(self, side: int) -> Mapping[str, str]:
        """Return where a side's own pieces stand."""
        return self.game.pieces(self._state, side)

    def tries(self, side: int) -> IntArray:
        """Return the tries open to a side in its turn, those refused left out."""
        open_ = np.flatnonzero(self.game.tries(np.array([self._state]), side)[0])
        return open_[~np.isin(open_, self._refused)]

    def refused(self, side: int) -> tuple[int, ...]:
        """Return a side's tries that were refused in its turn under way."""
        return tuple(self._refused) if self.mover == side else ()

    def known(self, side: int) -> tuple[Hearing, ...]:
        """Return all that a side did and heard."""
        return heard_by(side, self._turns, self.refused(side))

    def so_far(self) -> GameResult:
        """Return the whole game, both sides of it, finished or not."""
        return self.result or self._whole(None, UNFINISHED)

    def attempt(self, action: int) -> int | None:
        """Carry out a try of the side to move; return what is said, ``None`` if it is refused."""
        mover, here = self.mover, np.array([self._state])
        if self.result is not None:
            raise ValueError("the game is over")
        if action not in self.tries(mover):
            known = 0 <= action < len(self.game.actions)
            name = self.game.actions[action] if known else str(action)
            raise ValueError(f"{name} is not among the open tries")
        if not self.game.legal(here, mover)[0, action]:
            self._refused.append(action)
            self._tell()
            return None
        act, now = np.array([action]), time.perf_counter()
        out = self.game.play(here, (act, None) if mover == 0 else (None, act))
        heard, spent = int(out.heard[0][0]), now - self._clock
        self._turns.append(Turn(mover, self._state, action, heard, tuple(self._refused), spent))
        self._refused.clear()
        self._state, self._clock = int(out.successor[0]), now
        if self.offered == 1 - mover:  # whoever moves on has declined
            self.offered = None
        if self.game.over(np.array([self._state]))[0]:
            self._finish(self.game.winner(self._state), ending(self.game, self._state, heard))
        elif len(self._turns) >= self.longest:
            self._finish(None, "length")
        self._tell()
        return heard

    def resign(self, side: int) -> None:
        """Let a side give up."""
        self._end(1 - side, "resigned")

    def draw(self, side: int) -> None:
        """Let a side offer a draw, or accept the other's offer."""
        if self.result is not None:
            return
        if self.offered == 1 - side:
            self._end(None, "agreed")
        elif self.offered is None:
            self.offered = side
            self._tell()

    def fail(self, side: int, words: str) -> None:
        """End the game because whoever plays a side cannot go on."""
        self._end(1 - side, "crash", words)

    def _end(self, winner: int | None, reason: str, detail: str = "") -> None:
        if self.result is None:
            self._finish(winner, reason, detail)
            self._tell()

    def _finish(self, winner: int | None, reason: str, detail: str = "") -> None:
        self.result, self.offered = self._whole(winner, reason, detail), None

    def _whole(self, winner: int | None, reason: str, detail: str = "") -> GameResult:
        return GameResult(
            start=self.start, turns=tuple(self._turns), final=self._state, winner=winner,
            reason=reason, detail=detail, refused=tuple(self._refused),
        )  # fmt: skip

    def _tell(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()
