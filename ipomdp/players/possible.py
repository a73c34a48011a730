"""What is possible in 4x4 Kriegspiel by the rules alone, whoever plays and however badly."""

from __future__ import annotations

import numpy as np

from ipomdp.engine.history import Event
from ipomdp.engine.layer import Rows
from ipomdp.engine.problem import common_prior
from ipomdp.errors import ImpossibleObservation
from ipomdp.game import IntArray
from ipomdp.kriegspiel.board import CAPTURED, squares
from ipomdp.kriegspiel.referee import tables


class Possible:
    """Every position that is left by all that one player has done and heard."""

    def __init__(self, player: int, start: int) -> None:
        self.player = player
        self.states: IntArray = np.array([start])
        self.heard: int | None = None
        """The last announcement; ``None`` before the first."""

    def refused(self, action: int) -> None:
        """Leave out the positions in which a try is legal."""
        self._keep(self.states[~tables().moves.legal[self.states, action]])

    def after(self, event: Event) -> None:
        """Go on to the positions that a move leads to: one's own, or any of the other's."""
        legal, successor, announcement = (table[self.states] for table in tables().moves)
        came = legal & (announcement == event.heard)
        if event.action is not None:
            came &= np.arange(came.shape[1]) == event.action
        self._keep(np.unique(successor[came]).astype(np.int64))
        self.heard = event.heard

    def _keep(self, states: IntArray) -> None:
        if not states.size:
            raise ImpossibleObservation("nothing that the rules allow explains what was heard")
        self.states = states

    def views(self) -> tuple[tuple[Rows, Rows], int]:
        """Return a prior for a belief that has lost the truth, and the player's node in it.

        The player holds these positions possible, all alike. The other, wherever it stands, holds
        possible whatever agrees with its own pieces, the last announcement and which queens are
        left, and thinks the same of the player.
        """
        states = self._public()
        seen = tuple(_own_pieces(states, side) for side in (0, 1))
        views = list(
            common_prior(states, np.full(states.size, 1 / states.size), (seen[0], seen[1]))
        )
        mine = views[self.player]
        own = int(mine.node.max()) + 1
        known = mine.take(np.isin(mine.state, self.states))
        known = known._replace(node=np.full(known.node.size, own))
        views[self.player] = Rows(*(np.concatenate(pair) for pair in zip(mine, known, strict=True)))
        return (views[0], views[1]), own

    def _public(self) -> IntArray:
        """Return the positions that agree with what both players know."""
        if self.heard is None:
            return self.states
        legal, successor, announcement = tables().moves
        states = np.unique(successor[legal & (announcement == self.heard)]).astype(np.int64)
        queens, left = squares(states)[2:], squares(self.states[:1])[2:]
        alike = [
            (there == CAPTURED) == (here == CAPTURED)
            for there, here in zip(queens, left, strict=True)
        ]
        kept: IntArray = states[alike[0] & alike[1]]
        return kept


def _own_pieces(states: IntArray, side: int) -> IntArray:
    """Return the number of what a side sees of each position."""
    pieces = squares(states)
    looks = pieces[side] * (CAPTURED + 1) + pieces[2 + side]
    number: IntArray = np.unique(looks, return_inverse=True)[1]
    return number
