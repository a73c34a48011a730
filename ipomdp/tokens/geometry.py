"""Lines and steps as plain numbers, for reasoning about one board at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from ipomdp.wild16 import bits
from ipomdp.wild16.moves import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from ipomdp.wild16.referee import FILE, KNIGHT_CHECK, LONG, RANK, SHORT

BETWEEN: list[list[int]] = bits.BETWEEN.tolist()
KNIGHT_STEPS: list[list[int]] = bits.KNIGHT_STEPS.tolist()
KING_STEPS: list[list[int]] = bits.KING_STEPS.tolist()
PAWN_STEPS: list[list[list[int]]] = bits.PAWN_STEPS.tolist()
RAYS: list[list[list[int]]] = bits.RAYS.tolist()
STRAIGHTS: list[list[int]] = bits.STRAIGHTS.tolist()
DIAGONALS: list[list[int]] = bits.DIAGONALS.tolist()
BOARD = tuple(sum((1 << size) - 1 << 8 * rank for rank in range(size)) for size in bits.SIZES)
"""All squares of each size of board."""
SLIDES = {
    BISHOP: frozenset((LONG, SHORT)),
    ROOK: frozenset((FILE, RANK)),
    QUEEN: frozenset((FILE, RANK, LONG, SHORT)),
}
"""The lines along which a piece slides."""
PIECES = (KNIGHT, BISHOP, ROOK, QUEEN)


def squares(mask: int) -> Iterator[int]:
    """List the squares of a set, rising."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@cache
def lines(k: int) -> list[list[int]]:
    """Return the line of a check for each king and attacker; 0 where there is none."""
    table = [[0] * 64 for _ in range(64)]
    rising_is_long = np.asarray(bits.RISING_IS_LONG)[k].tolist()
    for king in range(64):
        for square in squares(STRAIGHTS[k][king]):
            table[king][square] = FILE if (square - king) % 8 == 0 else RANK
        for square in squares(DIAGONALS[k][king]):
            rising = ((square & 7) > (king & 7)) == (square > king)
            table[king][square] = LONG if rising == rising_is_long[king] else SHORT
        for square in squares(KNIGHT_STEPS[k][king]):
            table[king][square] = KNIGHT_CHECK
    return table


def beyond(k: int, king: int, square: int) -> list[int]:
    """List the squares past a square on its line from a king, the nearest first."""
    for direction in range(8):
        ray = RAYS[k][direction]
        if ray[king] >> square & 1:
            return sorted(squares(ray[square]), key=lambda far: abs(far - square))
    return []


def reach(k: int, kind: int, square: int) -> int:
    """Return where a piece (no pawn) steps on an empty board."""
    if kind == KNIGHT:
        return KNIGHT_STEPS[k][square]
    if kind == KING:
        return KING_STEPS[k][square]
    found = STRAIGHTS[k][square] if kind != BISHOP else 0
    return found | (DIAGONALS[k][square] if kind != ROOK else 0)


def attacks(k: int, side: int, kind: int, square: int, goal: int) -> bool:
    """Return whether a man of a side attacks a square on an empty board."""
    steps = PAWN_STEPS[k][side][square] if kind == PAWN else reach(k, kind, square)
    return bool(steps >> goal & 1)


def harmless(k: int, side: int, kind: int, square: int, goal: int, blocking: int) -> bool:
    """Return whether a man does not attack a square, what is or might be between them in mind."""
    if not attacks(k, side, kind, square, goal):
        return True
    return kind in SLIDES and bool(BETWEEN[square][goal] & blocking)
