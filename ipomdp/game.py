"""The one door between the engine and a game.

States, actions and what is heard are integers, and every method takes arrays: a game that keeps
its answers in tables stays fast behind the protocol. Players are numbered 0 and 1. In a step one of
them acts, or both do; then each hears something, the same or not, with certainty or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.integer]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

Actions = tuple[IntArray | None, IntArray | None]
"""What each player does, for n cases at once; ``None`` for a player who does not act."""


class Outcomes(NamedTuple):
    """What may follow from n cases of play, as parallel arrays."""

    case: IntArray
    """Which of the n cases this is an outcome of; a certain outcome has its case alone."""
    successor: IntArray
    """The state after it."""
    heard: tuple[IntArray, IntArray]
    """What each player hears, as numbers below 2**21."""
    log_probability: FloatArray
    """How likely the outcome is in its case."""

    def take(self, which: BoolArray) -> Outcomes:
        """Return some of the outcomes."""
        one, other = self.heard
        return Outcomes(
            self.case[which], self.successor[which], (one[which], other[which]),
            self.log_probability[which],
        )  # fmt: skip


class Game(Protocol):
    """Two players who act in turn or at once and hear something instead of seeing the state."""

    @property
    def players(self) -> tuple[str, str]:
        """The players' names."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions, the same for both players."""

    @property
    def public(self) -> bool:
        """Whether both players always hear the same."""

    def acts(self, state: int) -> tuple[bool, bool]:
        """Return who acts in a state."""

    def legal(self, states: IntArray, player: int) -> BoolArray:
        """Return which actions of the player are carried out in each state: (n, actions)."""

    def tries(self, states: IntArray, player: int) -> BoolArray:
        """Return which actions a player who sees its own part alone might try: (n, actions)."""

    def imagined(self, states: IntArray, player: int) -> FloatArray:
        """Return how a player acts in the eyes of one who models nobody: (n, actions)."""

    def alone(self, heard: IntArray) -> IntArray:
        """Return what a player who models nobody makes of what it hears; of that, the same."""

    def play(self, states: IntArray, actions: Actions) -> Outcomes:
        """Return what follows from legal actions in n states."""

    def over(self, states: IntArray) -> BoolArray:
        """Return where the game has ended."""

    def say(self, heard: int) -> str:
        """Return what is heard, in words."""

    def describe(self, state: int) -> str:
        """Return the state in the notation users write."""


class Utility(Protocol):
    """What happens is worth to a player; part of a frame, because players may differ in it."""

    def final(self, states: IntArray, player: int) -> FloatArray:
        """Return the worth of stopping in each state."""

    def reward(self, states: IntArray, actions: IntArray, player: int) -> FloatArray | None:
        """Return what the player gains at once by its action; ``None`` where nothing ever is."""


class BoardGame(Game, Protocol):
    """A game on a board, with what playing whole games of it needs beside the engine's protocol.

    Both players always hear the same of a move that is made; a refusal is heard by the mover alone.
    """

    @property
    def name(self) -> str:
        """The name that users type: ``4x4``, ``8x8``."""

    @property
    def size(self) -> int:
        """How many files and ranks the board has."""

    @property
    def start(self) -> int:
        """The state in which a game starts unless another is asked for; both players know it."""

    def read(self, text: str) -> int:
        """Return the state behind a written position; one that cannot be played is an error."""

    def turn(self, state: int) -> int:
        """Return the player to move."""

    def winner(self, state: int) -> int | None:
        """Return who has won; ``None`` for a draw, or while the game goes on."""

    def pieces(self, state: int, player: int) -> Mapping[str, str]:
        """Return where a player's pieces stand: ``{"a1": "K"}``, capitals for White's."""

    def hears(self, words: str) -> int:
        """Return the number of what is heard, from its words; the inverse of ``say``."""
