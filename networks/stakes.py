"""What actions are worth to one player, under either reading of tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ipomdp.game import FloatArray, IntArray, Utility
from ipomdp.kriegspiel import Kriegspiel4x4


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
        return every[self.game.tries(states, self.player).any(axis=0)] if self.retry else every

    def worth(self, states: IntArray, actions: IntArray, refusals: Refusals) -> FloatArray:
        """Return the utility right after each action, and what a refused one is worth."""
        legal, successor, _ = self.game.moves(states)
        after = self.utility.final(successor[:, actions], self.player)
        return np.where(legal[:, actions], after, self.refused(states, actions, refusals))

    def refused(self, states: IntArray, actions: IntArray, refusals: Refusals) -> FloatArray:
        """Return what illegal actions are worth; NaN for one that its player never tries."""
        here = self.utility.final(states, self.player)[:, None]
        unchanged = self.game.over(states)[:, None] | (not self.retry)
        worth = np.where(unchanged, here, np.nan) + np.zeros(actions.size)
        row = {int(state): n for n, state in enumerate(states)}
        column = {int(action): k for k, action in enumerate(actions)}
        for (state, action), refusal in refusals.items():
            if state in row:
                worth[row[state], column[action]] = refusal.worth
        return worth
