"""What a position is worth: the 2007 paper's equation 2, and two terms of our own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ipomdp.game import FloatArray, IntArray
from ipomdp.kriegspiel.board import CAPTURED, PLACEMENTS, squares
from ipomdp.kriegspiel.geometry import CENTRE
from ipomdp.kriegspiel.referee import CHECKMATE, DRAW, STALEMATE, tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the evaluation; the defaults are the paper's."""

    king_centrality: float = 36.0
    """A king on b2, b3, c2 or c3."""
    queen_presence: float = 980.0
    """A queen on the board."""
    check: float = 50.0
    """The other king in check."""
    checkmate: float = 0.0
    """Added for the winner, subtracted for the loser."""
    draw: float | None = None
    """The worth of a drawn game to both, in place of the formula; ``None`` keeps the formula."""


class Evaluation:
    """The utility of every state to each player, as one table."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        rules = tables()
        states = np.arange(2 * PLACEMENTS)
        white_king, black_king, white_queen, black_queen = squares(states)
        checker = np.where(states < PLACEMENTS, -1, 1)  # the side not to move, seen from White
        white = float(weights.king_centrality) * (
            CENTRE[white_king].astype(np.int8) - CENTRE[black_king].astype(np.int8)
        )
        white += float(weights.queen_presence) * (
            (white_queen != CAPTURED).astype(np.int8) - (black_queen != CAPTURED).astype(np.int8)
        )
        white += float(weights.check) * (checker * rules.in_check)
        white += float(weights.checkmate) * (checker * (rules.ending == CHECKMATE))
        self.table: FloatArray = np.stack([white, -white])
        if weights.draw is not None:
            self.table[:, np.isin(rules.ending, (DRAW, STALEMATE))] = weights.draw
        self.table.flags.writeable = False

    def final(self, states: IntArray, player: int) -> FloatArray:
        """Return the worth of each state to the player."""
        worth: FloatArray = self.table[player][states]
        return worth

    def reward(self, states: IntArray, actions: IntArray, player: int) -> None:  # noqa: ARG002
        """Return nothing: only the position that is reached counts."""
        return


@lru_cache(maxsize=16)
def evaluation(weights: Weights) -> Evaluation:
    """Return the evaluation by some weights, the same object for the same weights."""
    return Evaluation(weights)
