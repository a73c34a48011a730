"""The player that moves at random."""

from __future__ import annotations

import numpy as np

from ipomdp.game import IntArray
from ipomdp.players.player import Player


class RandomPlayer(Player):
    """Uniform over the tries open to it, until one is legal."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Start a game."""
        self._rng = rng

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:  # noqa: ARG002
        """Return any of the tries."""
        return int(self._rng.choice(tries))

    def refused(self, action: int) -> None:
        """Take no notice."""

    def moved(self, action: int, heard: int) -> None:
        """Take no notice."""

    def heard(self, heard: int) -> None:
        """Take no notice."""
