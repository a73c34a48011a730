"""What actions are worth to one player, under either reading of tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.kriegspiel.board import PLACEMENTS, squares
from ipomdp.kriegspiel.geometry import BIT, NEXT_TO, attacks


class Utility(Protocol):
    """What states are worth to a player."""

    def __call__(self, states: IntArray, player: int) -> FloatArray:
        """Return the worth of each state, in the shape of ``states``."""


class Mind(NamedTuple):
    """How a modelled player thinks: its utility, and lambda, how sharply it responds."""

    utility: Utility
    rationality: float


class Refusal(NamedTuple):
    """What a refused try leads to: the turn goes on with one more try refused."""

    name: str
    worth: float
    """V(T + a)."""


Refusals = Mapping[tuple[int, int], Refusal]
"""Where a refusal is believed possible: by state and action."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """One player's side of the game: its utility, and what an illegal action does.

    In the reading ``paper`` it leaves the position as it is and ends the line; in ``retry`` the
    referee refuses it and the player tries again, knowing more.
    """

    game: Kriegspiel4x4
    player: int
    utility: Utility
    retry: bool

    def actions(self, states: IntArray) -> IntArray:
        """Return the actions open to the player in any of the states: all 32, or its tries."""
        every = np.arange(len(self.game.actions))
        return every[tries(states).any(axis=0)] if self.retry else every

    def worth(self, states: IntArray, actions: IntArray, refusals: Refusals) -> FloatArray:
        """Return the utility right after each action, and what a refused one is worth."""
        legal, successor, _ = self.game.moves(states)
        after = self.utility(successor[:, actions], self.player)
        return np.where(legal[:, actions], after, self.refused(states, actions, refusals))

    def refused(self, states: IntArray, actions: IntArray, refusals: Refusals) -> FloatArray:
        """Return what illegal actions are worth; NaN for one that its player never tries."""
        here = self.utility(states, self.player)[:, None]
        unchanged = self.game.over(states)[:, None] | (not self.retry)
        worth = np.where(unchanged, here, np.nan) + np.zeros(actions.size)
        row = {int(state): n for n, state in enumerate(states)}
        column = {int(action): k for k, action in enumerate(actions)}
        for (state, action), refusal in refusals.items():
            if state in row:
                worth[row[state], column[action]] = refusal.worth
        return worth


def tries(states: IntArray) -> BoolArray:
    """Return what the mover's own two pieces allow if no enemy piece stood in the way: (n, 32)."""
    states = np.asarray(states)
    white_king, black_king, white_queen, black_queen = squares(states)
    black = states >= PLACEMENTS
    king = np.where(black, black_king, white_king)[:, None]
    queen = np.where(black, black_queen, white_queen)[:, None]
    target = np.arange(16)[None, :]
    by_king = NEXT_TO[king, target] & (target != queen)
    by_queen = attacks(queen, target, BIT[king]) & (target != king)
    return np.hstack([by_king, by_queen])
