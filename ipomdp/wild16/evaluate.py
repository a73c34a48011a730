"""What a position is worth to the side to move, in hundredths of a pawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ipomdp.wild16.bits import SIZES, Bits, U, count, leaf, lowest
from ipomdp.wild16.moves import KING, STATUS

WORTH = np.array([100, 320, 330, 500, 900, 0])
"""Pawn, knight, bishop, rook, queen, king."""
MATE = 10_000
FEW = 1400
"""A side with fewer pieces than this, pawns apart, cannot hurt the other king much."""


def _places() -> NDArray[np.int64]:
    """Return what a square adds to each of White's men: (size, endgame or not, kind, square).

    Men belong in the centre, pawns forward, the king at home while there are many pieces and in the
    centre when there are few.
    """
    table = np.zeros((len(SIZES), 2, 6, 64), dtype=np.int64)
    for k, size in enumerate(SIZES):
        for square in range(64):
            file, rank = square & 7, square >> 3
            if file >= size or rank >= size:
                continue
            half = (size - 1) / 2
            off = max(abs(file - half), abs(rank - half))  # 0.5 in the centre
            central = (half - off) / max(half - 0.5, 1.0)  # 1 in the centre, 0 on the edge
            advance = (rank - 1) / (size - 2)  # 0 at home, 1 on the last rank
            for late in (0, 1):
                middle = abs(file - half) < size / 4  # pawns on the wings guard the king at home
                pawn = 70 * advance**2 if late else 25 * advance * (1 if middle else -0.4)
                king = 40 * central if late else -35 * min(rank, 2) - 15 * central
                table[k, late, :, square] = np.rint(
                    [pawn, 30 * central - 10, 20 * central - 5, 6 * central, 8 * central, king]
                )
    return table


PLACES = _places()
MIRROR = np.array(
    [
        [(size - 1 - (square >> 3)) * 8 + (square & 7) if square >> 3 < size else 0
         for square in range(64)]
        for size in SIZES
    ]
)  # fmt: skip
"""(size, square): the square across the board, where Black's men see White's table."""


@leaf
def pieces_worth(board: Bits, side: int) -> int:
    """Return the worth of a side's pieces without its pawns."""
    total = 0
    for kind in range(1, 5):
        total += WORTH[kind] * count(board[6 * side + kind])
    return total


@leaf
def _side_worth(board: Bits, side: int, late: int, k: int) -> int:
    total = 0
    for kind in range(6):
        left = board[6 * side + kind]
        while left:
            square = lowest(left)
            left &= left - U(1)
            total += WORTH[kind] + PLACES[k, late, kind, MIRROR[k, square] if side else square]
    return total


@leaf
def _driven(board: Bits, side: int, k: int) -> int:
    """Return the worth of having driven the other's bare king to the edge, the own king near."""
    size = (4, 6, 8)[k]
    king, own = lowest(board[6 - 6 * side + KING]), lowest(board[6 * side + KING])
    x, y = king & 7, king >> 3
    edge = min(x, size - 1 - x, y, size - 1 - y)
    corner = min(x, size - 1 - x) + min(y, size - 1 - y)
    apart = max(abs(x - (own & 7)), abs(y - (own >> 3)))
    return 40 * (size // 2 - edge) + 15 * (size - corner) + 20 * (size - apart)


@leaf
def evaluate(board: Bits, k: int) -> int:
    """Return what a position is worth to the side to move, nothing searched."""
    side = np.int64(board[STATUS] & U(1))
    pieces, others = pieces_worth(board, side), pieces_worth(board, 1 - side)
    value = _side_worth(board, side, 1 if others < FEW else 0, k)
    value -= _side_worth(board, 1 - side, 1 if pieces < FEW else 0, k)
    if others == 0 and pieces >= 500:
        value += _driven(board, side, k)
    elif pieces == 0 and others >= 500:
        value -= _driven(board, 1 - side, k)
    return value
