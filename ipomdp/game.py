"""The one door between the engine and a game.

States, actions and announcements are integers, and every method takes an array of states: a game
that keeps its answers in tables stays fast behind the protocol. Player 0 moves first in the names
(White), player 1 second (Black).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.integer]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

ILLEGAL = -1
"""The announcement of a refused try."""


class Moves(NamedTuple):
    """What every action does in each of n states: three arrays of shape (n, actions)."""

    legal: BoolArray
    """Whether the referee executes it."""
    successor: IntArray
    """The state after it; the same state where it is refused."""
    announcement: IntArray
    """What both players hear; ``ILLEGAL`` where it is refused."""


class Game(Protocol):
    """Two players who move in turn, each hearing announcements instead of seeing the state."""

    @property
    def players(self) -> tuple[str, str]:
        """The players' names."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions, the same for both players."""

    def turn(self, state: int) -> int:
        """Return the player to move."""

    def moves(self, states: IntArray) -> Moves:
        """Return what every action does in each state."""

    def over(self, states: IntArray) -> BoolArray:
        """Return where the game has ended."""

    def say(self, announcement: int) -> str:
        """Return the referee's words."""

    def describe(self, state: int) -> str:
        """Return the state in the notation users write."""


class Utility(Protocol):
    """What states are worth to a player; part of a frame, because players may differ in it."""

    def __call__(self, states: IntArray, player: int) -> FloatArray:
        """Return the worth of each state, in the shape of ``states``."""
