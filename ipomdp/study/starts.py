"""Fair positions of 4x4 Kriegspiel to start games from."""

from __future__ import annotations

from functools import cache

import numpy as np

from ipomdp.game import BoolArray, IntArray
from ipomdp.kriegspiel.board import CAPTURED, PLACEMENTS, squares
from ipomdp.kriegspiel.referee import CHECKMATE, tables


@cache
def quiet_starts() -> IntArray:
    """Return every quiet position with White to move.

    Both sides have their queen, and whichever were to move is not in check, can take no queen and
    cannot mate at once.
    """
    white = np.arange(PLACEMENTS)
    quiet: IntArray = white[_calm(white) & _calm(white + PLACEMENTS)]
    quiet.flags.writeable = False
    return quiet


def drawn_starts(count: int, seed: int) -> list[int]:
    """Return some of them, all different as long as there are enough; the same for a seed."""
    states = np.random.default_rng(seed).permutation(quiet_starts())
    return [int(states[k % states.size]) for k in range(count)]


def _calm(states: IntArray) -> BoolArray:
    """Return where the side to move is not in check and nothing is at stake at once."""
    rules = tables()
    legal, successor = rules.moves.legal[states], rules.moves.successor[states]
    at_stake = legal & (_a_queen_is_gone(successor) | (rules.ending[successor] == CHECKMATE))
    playing = rules.valid[states] & (rules.ending[states] == 0) & ~rules.in_check[states]
    calm: BoolArray = playing & ~at_stake.any(axis=1) & ~_a_queen_is_gone(states)
    return calm


def _a_queen_is_gone(states: IntArray) -> BoolArray:
    *_, white_queen, black_queen = squares(states)
    gone: BoolArray = (white_queen == CAPTURED) | (black_queen == CAPTURED)
    return gone
