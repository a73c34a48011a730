"""Lines of the 4x4 board as small lookup tables, indexed by squares (0 = a1 ... 15 = d4)."""

from __future__ import annotations

import numpy as np

from ipomdp.game import BoolArray, IntArray
from ipomdp.kriegspiel.board import CAPTURED, SIZE

CHECKS = ("", "File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")
"""The directions the referee names; 0 is no check."""

_square = np.arange(SIZE * SIZE)
_file, _rank = _square % SIZE, _square // SIZE
_dx = _file[None, :] - _file[:, None]  # from the row's square to the column's
_dy = _rank[None, :] - _rank[:, None]


def _diagonal_length(rising: bool) -> IntArray:
    """Return how many squares the rising (or falling) diagonal through each square has."""
    slope = 1 if rising else -1
    same = (_rank - slope * _file)[:, None] == (_rank - slope * _file)[None, :]
    length: IntArray = same.sum(axis=1)
    return length


def _direction() -> IntArray:
    """Return the line from each king's square (row) to each attacker's (column), as CHECKS."""
    rising_is_long = (_diagonal_length(rising=True) > _diagonal_length(rising=False))[:, None]
    rising, falling = _dx == _dy, _dx == -_dy
    table = np.select(
        [_dx == 0, _dy == 0, rising & rising_is_long, falling & ~rising_is_long, rising | falling],
        [1, 2, 3, 3, 4],
        default=0,
    ).astype(np.int8)
    np.fill_diagonal(table, 0)
    return np.pad(table, ((0, 0), (0, 1)))  # a captured queen gives no check


def _between() -> IntArray:
    """Return the bit set of the squares strictly between two squares on one line."""
    table = np.zeros((16, 16), dtype=np.uint16)
    steps = np.maximum(abs(_dx), abs(_dy))
    aligned = (_dx == 0) | (_dy == 0) | (abs(_dx) == abs(_dy))
    for step in range(1, SIZE - 1):
        inside = aligned & (step < steps)
        length = np.maximum(steps, 1)
        square = _square[:, None] + step * (_dy // length * SIZE + _dx // length)
        table |= np.where(inside, 1 << np.where(inside, square, 0), 0).astype(np.uint16)
    return np.pad(table, ((0, 1), (0, 0)))


DIRECTION = _direction()
"""(16, 17): from the checked king's square to the queen's, an index into CHECKS."""
BETWEEN = _between()
"""(17, 16): squares strictly between, as bits."""
BIT = np.append(1 << _square, 0).astype(np.uint16)
"""(17,): a square as a bit; a captured queen stands nowhere."""
NEXT_TO: BoolArray = np.maximum(abs(_dx), abs(_dy)) == 1
"""(16, 16): a king's step."""
CENTRE: BoolArray = np.isin(_square, [5, 6, 9, 10])
"""(16,): b2, c2, b3, c3."""


def attacks(queen: IntArray, target: IntArray, occupied: IntArray) -> BoolArray:
    """Return whether the queen reaches the target past the occupied squares (bits)."""
    aligned = DIRECTION[target, queen] > 0
    clear: BoolArray = (BETWEEN[queen, target] & occupied) == 0
    reached: BoolArray = aligned & clear & (queen != CAPTURED)
    return reached
