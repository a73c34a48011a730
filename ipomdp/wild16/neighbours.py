"""Boards like some others that fit what one side knows now: where particles are few, these join."""

from __future__ import annotations

import numpy as np

from ipomdp.game import IntArray
from ipomdp.wild16.bits import (
    KING_STEPS,
    KNIGHT_STEPS,
    Bits,
    U,
    bishop_reach,
    bit,
    count,
    kernel,
    lowest,
    rook_reach,
)
from ipomdp.wild16.moves import KING, STATUS, WIDTH, men
from ipomdp.wild16.sample import below, fits


@kernel
def _near(board: Bits, side: int, square: int, pawn: int, fixed: int) -> int:
    """Return where the side's man nearest to a square stands, kings apart; -1 for none.

    ``pawn`` is 1 for pawns alone, 0 for pieces alone, -1 for both.
    """
    best, found = 99, -1
    for kind in range(KING):
        if pawn >= 0 and (kind == 0) != (pawn == 1):
            continue
        left = board[6 * side + kind]
        while left:
            at = lowest(left)
            left &= left - U(1)
            apart = max(abs((at & 7) - (square & 7)), abs((at >> 3) - (square >> 3)))
            if at != fixed and apart < best:
                best, found = apart, at
    return found


@kernel
def _put_at(board: Bits, side: int, origin: int, target: int) -> None:
    """Move a man without any rule; -1 takes it off the board."""
    for kind in range(6):
        if board[6 * side + kind] & bit(origin):
            board[6 * side + kind] ^= bit(origin)
            if target >= 0:
                board[6 * side + kind] |= bit(target)
            if kind >= 3:
                board[STATUS] &= ~(U(6) << U(2 * side))
            return


@kernel
def _free_near(board: Bits, square: int, k: int, rng: np.random.Generator) -> int:
    """Return a free square near one, not on the first or last rank."""
    occupied, size = men(board, 0) | men(board, 1), (4, 6, 8)[k]
    for reach in range(1, 8):
        for _ in range(8):
            x = (square & 7) + below(2 * reach + 1, rng) - reach
            y = (square >> 3) + below(2 * reach + 1, rng) - reach
            if 0 <= x < size and 0 < y < size - 1 and not bit(8 * y + x) & occupied:
                return 8 * y + x
    return -1


@kernel
def _tweak(board: Bits, side: int, fixed: int, k: int, rng: np.random.Generator) -> None:
    """Let one man of a side stand where it might have gone instead, or not gone yet."""
    total = count(men(board, side))
    pick = below(total, rng)
    left, size = men(board, side), (4, 6, 8)[k]
    for _ in range(pick):
        left &= left - U(1)
    origin = lowest(left)
    if origin == fixed:
        return
    occupied = men(board, 0) | men(board, 1)
    targets = U(0)
    if board[6 * side] & bit(origin):
        for step in (8, -8):
            rank = (origin + step) >> 3
            if 0 < rank < size - 1:
                targets |= bit(origin + step)
    elif board[6 * side + 1] & bit(origin):
        targets = KNIGHT_STEPS[k, origin]
    elif board[6 * side + KING] & bit(origin):
        targets = KING_STEPS[k, origin]
    else:
        if not board[6 * side + 3] & bit(origin):
            targets |= bishop_reach(k, origin, occupied)
        if not board[6 * side + 2] & bit(origin):
            targets |= rook_reach(k, origin, occupied)
    targets &= ~occupied
    if targets:
        for _ in range(below(count(targets), rng)):
            targets &= targets - U(1)
        _put_at(board, side, origin, lowest(targets))


@kernel
def _neighbours(
    parents: Bits, own: Bits, side: int, lost: int, taken: int, said: int, refused: IntArray,
    found: Bits, origin: IntArray, effort: int, k: int, rng: np.random.Generator,
) -> int:  # fmt: skip
    """Fill ``found`` with boards like the parents that fit; return how many."""
    n, other = 0, 1 - side
    board, scratch = np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    turn = np.int64(own[STATUS] & U(1))
    for _ in range(effort):
        if n == found.shape[0]:
            break
        parent = below(parents.shape[0], rng)
        board[:] = parents[parent]
        board[6 * side : 6 * side + 6] = own[6 * side : 6 * side + 6]
        board[STATUS] = own[STATUS] | (board[STATUS] & (U(6) << U(2 * other)))
        if taken >= 0:
            victim = _near(board, other, taken & 63, 1 if taken >> 6 == 1 else 0, -1)
            if victim < 0:
                continue
            _put_at(board, other, victim, -1)
        clash = men(board, side) & men(board, other)
        while clash:
            square = lowest(clash)
            clash &= clash - U(1)
            free = _free_near(board, square, k, rng)
            if free >= 0:
                _put_at(board, other, square, free)
        if lost >= 0 and not men(board, other) & bit(lost):
            _put_at(board, other, _near(board, other, lost, -1, -1), lost)
        for _ in range(1 + below(3, rng)):
            _tweak(board, other, lost, k, rng)
        if men(board, side) & men(board, other) or not board[6 * other + KING]:
            continue
        if fits(board, turn, said, refused, scratch, k):
            found[n, :], origin[n] = board, parent
            n += 1
    return n


def neighbours(
    parents: Bits, own: Bits, side: int, said: int, refused: IntArray, most: int, effort: int,
    k: int, rng: np.random.Generator, *, lost: int = -1, taken: int = -1,
) -> tuple[Bits, IntArray]:  # fmt: skip
    """Return boards like some others that fit what a side knows now, and which each is like.

    Its own men stand as on ``own``; the other's may stand a move away from where they did. ``lost``
    is the square where the other has just captured, ``taken`` 64 * (1 pawn, 2 piece) + the square
    of one's own capture; ``said`` is about the side to move on ``own``.
    """
    found, origin = np.empty((most, WIDTH), np.uint64), np.empty(most, np.int64)
    n = _neighbours(parents, own, side, lost, taken, said, refused, found, origin, effort, k, rng)
    return found[:n], origin[:n]
