"""The cloud of placements of our men that the other holds possible, and the maps read off it."""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray
from ipomdp.wild16.bits import Bits, U, bit, kernel, leaf, lowest
from ipomdp.wild16.evaluate import MIRROR, PLACES, WORTH
from ipomdp.wild16.minds import ATTACKED, OCCUPIED, VALUE, kind_of, softmax
from ipomdp.wild16.moves import (
    KING,
    MOST_MOVES,
    PAWN,
    STATUS,
    WIDTH,
    apply,
    attackers,
    generate,
    men,
)
from ipomdp.wild16.referee import CAPTURED, SQUARE


@leaf
def inclination(board: Bits, side: int, move: int, taking: bool, k: int) -> float:
    """Return how good a hidden move seems: where it leads; what takes is rather a lesser man."""
    origin, target = move & 63, (move >> 6) & 63
    kind = kind_of(board, side, origin)
    one, two = (MIRROR[k, origin], MIRROR[k, target]) if side else (origin, target)
    gain = PLACES[k, 0, kind, two] - PLACES[k, 0, kind, one]
    return gain - (WORTH[kind] / 10.0 if taking else 0.0)


@kernel
def imagine(
    cloud: Bits, said: int, level: int, rationality: float, k: int, rng: np.random.Generator
) -> int:
    """Move on every placement of the cloud by a hidden move that was announced so.

    Those that cannot explain it are left out; return how many stay, in front. At level 0 all such
    moves are as likely, from level 1 on those to better places are likelier.
    """
    moves, chances = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.float64)
    after, kept = np.empty(WIDTH, np.uint64), 0
    square = (said >> SQUARE) & 63 if (said >> CAPTURED) & 3 else -1
    for b in range(cloud.shape[0]):
        side = np.int64(cloud[b, STATUS] & U(1))
        blocking = bit(square) if square >= 0 else U(0)
        n, fit = generate(cloud[b], blocking, blocking, True, moves, k), 0
        for j in range(n):
            if square < 0 or (moves[j] >> 6) & 63 == square:
                origin, target = moves[j] & 63, (moves[j] >> 6) & 63
                pawn = cloud[b, 6 * side + PAWN] & bit(origin)
                if square >= 0 and pawn and (origin & 7) == (target & 7):
                    continue
                moves[fit] = moves[j]
                chances[fit] = 0.0
                if level > 0:
                    chances[fit] = rationality * inclination(
                        cloud[b], side, moves[j], square >= 0, k
                    )
                fit += 1
        if not fit:
            continue
        softmax(chances, fit)
        draw, pick = rng.random(), 0
        while pick < fit - 1 and draw > chances[pick]:
            draw -= chances[pick]
            pick += 1
        apply(cloud[b], moves[pick], after, k)
        cloud[kept, :] = after
        cloud[kept, STATUS] = (after[STATUS] & ~U(0xFF01)) | U(side)
        kept += 1
    return kept


@leaf
def lose(cloud: Bits, side: int, square: int, pawn: bool) -> int:
    """Take a man that the other captured off every placement that has one; return how many stay."""
    kept = 0
    for b in range(cloud.shape[0]):
        kind = kind_of(cloud[b], side, square)
        if kind < 0 or (kind == PAWN) != pawn:
            continue
        for column in range(WIDTH):
            cloud[kept, column] = cloud[b, column]
        cloud[kept, 6 * side + kind] &= ~bit(square)
        kept += 1
    return kept


@leaf
def draw_maps(cloud: Bits, side: int, k: int, maps: FloatArray) -> None:
    """Fill in the maps of a cloud of a side's placements."""
    maps[:] = 0.0
    share = 1.0 / max(cloud.shape[0], 1)
    for b in range(cloud.shape[0]):
        occupied = men(cloud[b], side)
        for kind in range(KING):
            left = cloud[b, 6 * side + kind]
            while left:
                square = lowest(left)
                left &= left - U(1)
                maps[OCCUPIED, square] += share
                maps[VALUE, square] += share * WORTH[kind]
        for square in range(64):
            if attackers(cloud[b], square, side, occupied, k):
                maps[ATTACKED, square] += share
