"""A roster of players that fail in every way, for processes that cannot be patched."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from ipomdp.arena.match import Resigned
from ipomdp.game import BoardGame, IntArray
from ipomdp.players import roster
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.player import Player

ROSTER = __name__
_begun: set[str] = set()
"""Who has played in this process: the first game is off the clock."""


class Failing(RandomPlayer):
    """Moves at random, but does something else first."""

    def __init__(self, game: BoardGame, spec: str) -> None:
        super().__init__(game)
        self.does, _, self.with_what = spec.partition(":")
        self.warm = False

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start, and remember whether these are the moves off the clock."""
        super().begin(side, state, rng)
        self.warm = self.does not in _begun
        _begun.add(self.does)

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Fail."""
        self._fail()
        return -1 if self.does == "cheat" else super().propose(tries, seconds)

    def _fail(self) -> None:
        match self.does:
            case "crash":
                raise ValueError("[/lost]\nmy pieces")
            case "resign":
                raise Resigned
            case "quit":
                sys.exit(3)
            case "sleep" if not self.warm:
                time.sleep(60)
            case "hang" if not self.warm:
                all(itertools.repeat(True))  # native code that no signal interrupts
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "die-once" if not Path(self.with_what).exists():
                Path(self.with_what).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            case "shout":
                print("hello")  # noqa: T201
                os.write(1, b"1-0\n")
            case "nap":
                time.sleep(float(self.with_what))


class Noting(RandomPlayer):
    """Notes a share that grows by a tenth with each of its turns."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start."""
        super().begin(side, state, rng)
        self.turns = 0
        self.noted: dict[str, float] = {}

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Move at random."""
        self.noted = {"last_observation_share": self.turns / 10, "lost": float("nan")}
        return super().propose(tries, seconds)

    def moved(self, action: int, heard: int) -> None:  # noqa: ARG002
        """Count."""
        self.turns += 1


def board_game(name: str) -> BoardGame:
    """Return a board, or die where games are played: outside of any player's call."""
    if name == "deadly" and Path(sys.argv[0]).name == "worker.py":
        os.kill(os.getpid(), signal.SIGKILL)
    return roster.board_game("4x4")


def make_player(spec: str, game: BoardGame, engine: str | None = None) -> Player:  # noqa: ARG001
    """Return a player that fails as it is called; ``random`` does not."""
    if spec == "unmakeable":
        raise RuntimeError("no memory")
    return Noting(game) if spec == "noting" else Failing(game, spec)
