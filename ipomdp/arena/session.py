"""A game between a person and a player, apart from how the person is asked and shown things.

Whoever talks to the person asks for ``tries`` while ``mine``, calls ``attempt`` with one of them,
and ``reply`` when it is the opponent's turn, until there is a ``result``. The person may be shown
``pieces``, ``tries``, ``refused`` and ``known`` at any time; everything else after the end alone.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ipomdp.arena.match import GameResult, Resigned, Turn, crash_words, ending
from ipomdp.game import BoardGame, IntArray
from ipomdp.players.player import Player

LONGEST = 400
"""Half-moves after which a game is drawn."""
UNFINISHED = "unfinished"
"""The reason of a result that is none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """One thing that a side did or heard."""

    action: int | None
    """Its own try; ``None`` where the other has moved."""
    heard: int | None
    """What the referee said; ``None`` where it refused the try."""


def heard_by(side: int, turns: Sequence[Turn], refused: Sequence[int]) -> tuple[Hearing, ...]:
    """Return all that a side did and heard; ``refused`` are its tries in the turn not yet over."""
    told: list[Hearing] = []
    for turn in turns:
        if turn.player == side:
            told += (Hearing(action=action, heard=None) for action in turn.refused)
        told.append(Hearing(action=turn.action if turn.player == side else None, heard=turn.heard))
    return (*told, *(Hearing(action=action, heard=None) for action in refused))


class Listener:
    """A player that is told, whenever asked to, what its side has heard so far."""

    def __init__(self, player: Player, side: int, start: int, rng: np.random.Generator) -> None:
        self.player = player
        self._begin = (side, start, rng)
        self._told = -1

    def catch_up(self, hearings: Sequence[Hearing]) -> None:
        """Tell the player what is new: ``hearings`` is all that its side heard, from the start."""
        if self._told < 0:
            self.player.begin(*self._begin)
            self._told = 0
        for hearing in hearings[self._told :]:
            if hearing.action is None:
                self.player.heard(hearing.heard or 0)
            elif hearing.heard is None:
                self.player.refused(hearing.action)
            else:
                self.player.moved(hearing.action, hearing.heard)
            self._told += 1


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
        self.game, self.side, self.seconds, self.longest = game, side, seconds, longest
        self.start = game.start if so_far is None else so_far.start
        self.result: GameResult | None = None
        """How the game ended."""
        self._state = self.start if so_far is None else so_far.final
        self._turns = [] if so_far is None else list(so_far.turns)
        self._refused = [] if so_far is None else list(so_far.refused)
        self._opponent = Listener(opponent, 1 - side, self.start, rng)
        self._clock = time.perf_counter()

    @property
    def mine(self) -> bool:
        """Whether it is the person's turn."""
        return self.result is None and self.game.turn(self._state) == self.side

    @property
    def pieces(self) -> Mapping[str, str]:
        """The person's own pieces."""
        return self.game.pieces(self._state, self.side)

    @property
    def tries(self) -> IntArray:
        """The tries open to the person in its turn, those refused left out."""
        return self._open(self.side)

    @property
    def refused(self) -> tuple[int, ...]:
        """The person's tries that were refused in this turn."""
        return tuple(self._refused) if self.mine else ()

    @property
    def known(self) -> tuple[Hearing, ...]:
        """All that the person did and heard."""
        return heard_by(self.side, self._turns, self.refused)

    def attempt(self, action: int) -> int | None:
        """Make one of the person's tries; return what the referee says, ``None`` if it refuses."""
        return self._judge(int(action))

    def reply(self) -> int | None:
        """Let the opponent move; return what the referee says, ``None`` if it gave up or failed."""
        other = 1 - self.side
        try:
            while True:
                mine = self._refused if self.game.turn(self._state) == other else ()
                self._opponent.catch_up(heard_by(other, self._turns, mine))
                action = self._opponent.player.propose(self._open(other), self.seconds)
                if (heard := self._judge(int(action))) is not None:
                    return heard
        except Resigned:
            self._finish(self.side, "resigned")
        except Exception as error:  # noqa: BLE001 - whatever a player does, the game has a result
            self._finish(self.side, "crash", crash_words(error))
        return None

    def resign(self) -> None:
        """Let the person give up."""
        self._finish(1 - self.side, "resigned")

    def so_far(self) -> GameResult:
        """Return the whole game, both sides of it, finished or not."""
        return self.result or self._whole(None, UNFINISHED)

    def _open(self, side: int) -> IntArray:
        open_ = np.flatnonzero(self.game.tries(np.array([self._state]), side)[0])
        return open_[~np.isin(open_, self._refused)]

    def _judge(self, action: int) -> int | None:
        """Carry out a try of whoever is to move, or refuse it."""
        mover, here = self.game.turn(self._state), np.array([self._state])
        if action not in self._open(mover):
            known = 0 <= action < len(self.game.actions)
            name = self.game.actions[action] if known else str(action)
            raise ValueError(f"{name} is not among the open tries")
        if not self.game.legal(here, mover)[0, action]:
            self._refused.append(action)
            return None
        act, now = np.array([action]), time.perf_counter()
        out = self.game.play(here, (act, None) if mover == 0 else (None, act))
        heard, spent = int(out.heard[0][0]), now - self._clock
        self._turns.append(Turn(mover, self._state, action, heard, tuple(self._refused), spent))
        self._refused.clear()
        self._state, self._clock = int(out.successor[0]), now
        if self.game.over(np.array([self._state]))[0]:
            self._finish(self.game.winner(self._state), ending(self.game, self._state, heard))
        elif len(self._turns) >= self.longest:
            self._finish(None, "length")
        return heard

    def _finish(self, winner: int | None, reason: str, detail: str = "") -> None:
        self.result = self._whole(winner, reason, detail)

    def _whole(self, winner: int | None, reason: str, detail: str = "") -> GameResult:
        return GameResult(
            start=self.start, turns=tuple(self._turns), final=self._state, winner=winner,
            reason=reason, detail=detail, refused=tuple(self._refused),
        )  # fmt: skip
