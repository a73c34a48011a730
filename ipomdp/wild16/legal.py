"""What is legal and what may be tried: moves that leave the own king safe.

Checks and pins are found once for a board (``guard``); they tell for nearly every move.
"""

from __future__ import annotations

import numpy as np

from ipomdp.wild16.bits import (
    BETWEEN,
    DIAGONALS,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    STRAIGHTS,
    Bits,
    U,
    bishop_reach,
    bit,
    count,
    leaf,
    lowest,
    rook_reach,
)
from ipomdp.wild16.moves import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    STATUS,
    apply,
    attackers,
    castles,
    exposed,
    generate,
    men,
    moves_of,
    passing,
)


@leaf
def guard(board: Bits, side: int, k: int) -> tuple[np.uint64, np.uint64]:
    """Return who gives check to a side's king, and which of its men are pinned to it.

    What leaves the king safe is told by these two for nearly all moves. Without a king all is lost.
    """
    if not board[6 * side + KING]:
        return ~U(0), U(0)
    king, at = lowest(board[6 * side + KING]), 6 - 6 * side
    own = men(board, side)
    occupied = own | men(board, 1 - side)
    checkers = PAWN_STEPS[k, side, king] & board[at]
    checkers |= KNIGHT_STEPS[k, king] & board[at + KNIGHT]
    checkers |= KING_STEPS[k, king] & board[at + KING]
    far = STRAIGHTS[k, king] & (board[at + ROOK] | board[at + QUEEN])
    far |= DIAGONALS[k, king] & (board[at + BISHOP] | board[at + QUEEN])
    pinned = U(0)
    while far:
        square = lowest(far)
        far &= far - U(1)
        gap = BETWEEN[king, square] & occupied
        if not gap:
            checkers |= bit(square)
        elif not gap & (gap - U(1)):
            pinned |= gap & own
    return checkers, pinned


@leaf
def _guarded(
    board: Bits, move: int, checkers: np.uint64, pinned: np.uint64, scratch: Bits, k: int
) -> bool:
    """Return whether a move that the pieces can make leaves the own king safe, the guard known."""
    side = np.int64(board[STATUS] & U(1))
    origin, target = move & 63, (move >> 6) & 63
    start, goal, own_king = bit(origin), bit(target), board[6 * side + KING]
    if start & own_king:
        occupied = (men(board, 0) | men(board, 1)) ^ own_king
        return not attackers(board, target, 1 - side, occupied, k)
    if start & board[6 * side] and goal & passing(board):  # two men leave a line at once
        apply(board, move, scratch, k)
        return not exposed(scratch, side, k)
    if not checkers | (pinned & start):
        return True
    if checkers & (checkers - U(1)):
        return False
    king = lowest(own_king)
    if checkers and not goal & (checkers | BETWEEN[king, lowest(checkers)]):
        return False
    return not pinned & start or bool(
        (goal & BETWEEN[king, origin]) | (start & BETWEEN[king, target])
    )


@leaf
def may_castle(board: Bits, move: int, k: int) -> bool:
    """Return whether the king castles neither out of check nor across an attacked square."""
    side = np.int64(board[STATUS] & U(1))
    origin, target = move & 63, (move >> 6) & 63
    occupied = men(board, 0) | men(board, 1)
    for square in (origin, (origin + target) >> 1):
        if attackers(board, square, 1 - side, occupied, k):
            return False
    return True


@leaf
def legal_moves(board: Bits, out: np.ndarray, scratch: Bits, k: int) -> int:
    """List the legal moves."""
    n, kept = moves_of(board, out, k), 0
    checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
    for j in range(n):
        move = out[j]
        if k == 2 and castles(board, move) and not may_castle(board, move, k):
            continue
        if _guarded(board, move, checkers, pinned, scratch, k):
            out[kept] = move
            kept += 1
    return kept


@leaf
def _any_safe(
    board: Bits,
    origin: int,
    targets: np.uint64,
    checkers: np.uint64,
    pinned: np.uint64,
    scratch: Bits,
    k: int,
) -> bool:
    while targets:
        target = lowest(targets)
        targets &= targets - U(1)
        if _guarded(board, origin | (target << 6), checkers, pinned, scratch, k):
            return True
    return False


@leaf
def can_move(board: Bits, scratch: Bits, k: int) -> bool:
    """Return whether there is a legal move."""
    checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
    return guarded_can_move(board, checkers, pinned, scratch, k)


@leaf
def guarded_can_move(
    board: Bits, checkers: np.uint64, pinned: np.uint64, scratch: Bits, k: int
) -> bool:
    """Do the same, the guard known; castling is never the only move.

    Piece by piece, because the first one looked at nearly always can.
    """
    side = np.int64(board[STATUS] & U(1))
    own, other = men(board, side), men(board, 1 - side)
    occupied, prey = own | other, other | passing(board)
    at, ahead = 6 * side, 8 if side == 0 else -8
    if not checkers:
        free = board[at] & ~pinned
        if (free << U(8) if side == 0 else free >> U(8)) & ~occupied:
            return True
    for kind in (KNIGHT, PAWN, KING, BISHOP, ROOK, QUEEN):
        left = board[at + kind]
        while left:
            origin = lowest(left)
            left &= left - U(1)
            if kind == PAWN:
                targets = PAWN_STEPS[k, side, origin] & prey
                push = bit(origin + ahead)
                if not push & occupied:
                    targets |= push
                    far = origin + 2 * ahead
                    if k == 2 and (origin >> 3) == (1 if side == 0 else 6):
                        targets |= bit(far) & ~occupied
            elif kind == KNIGHT:
                targets = KNIGHT_STEPS[k, origin]
            elif kind == KING:
                targets = KING_STEPS[k, origin]
            else:
                targets = U(0)
                if kind != ROOK:
                    targets |= bishop_reach(k, origin, occupied)
                if kind != BISHOP:
                    targets |= rook_reach(k, origin, occupied)
            if _any_safe(board, origin, targets & ~own, checkers, pinned, scratch, k):
                return True
    return False


@leaf
def guarded_pawn_tries(
    board: Bits, checkers: np.uint64, pinned: np.uint64, scratch: Bits, k: int
) -> int:
    """Return how many captures by pawns are legal, as pairs of squares, the guard known."""
    side = np.int64(board[STATUS] & U(1))
    prey, found = men(board, 1 - side), 0
    pawns, step = board[6 * side], passing(board)
    left, right = pawns & ~U(0x0101010101010101), pawns & ~U(0x8080808080808080)
    if side == 0:
        left, right = left << U(7), right << U(9)
    else:
        left, right = left >> U(9), right >> U(7)
    if not (left | right) & (prey | step):
        return 0
    if not checkers | (pinned & pawns) | step:
        return count(left & prey) + count(right & prey)
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - U(1)
        takes = PAWN_STEPS[k, side, origin] & (prey | step)
        while takes:
            target = lowest(takes)
            takes &= takes - U(1)
            if _guarded(board, origin | (target << 6), checkers, pinned, scratch, k):
                found += 1
    return found


@leaf
def pawn_tries(board: Bits, scratch: Bits, k: int) -> int:
    """Return how many captures by pawns are legal, as pairs of squares."""
    checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
    return guarded_pawn_tries(board, checkers, pinned, scratch, k)


@leaf
def tries_of(board: Bits, out: np.ndarray, scratch: Bits, k: int) -> int:
    """List what the side to move may try: what its own men allow if no enemy stood in the way.

    Captures by pawns are among them unless the referee has just said that there are none.
    """
    side = np.int64(board[STATUS] & U(1))
    prey = U(0)
    if pawn_tries(board, scratch, k):
        prey = ~men(board, side)
    return generate(board, U(0), prey, True, out, k)


@leaf
def attempt(board: Bits, move: int, out: Bits, k: int) -> int:
    """Carry out a try if it is legal; return its capture as ``apply`` does, -1 if it is refused."""
    checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
    return guarded_attempt(board, move, checkers, pinned, out, k)


@leaf
def guarded_attempt(
    board: Bits, move: int, checkers: np.uint64, pinned: np.uint64, out: Bits, k: int
) -> int:
    """Do the same, the guard known."""
    side = np.int64(board[STATUS] & U(1))
    origin, target = move & 63, (move >> 6) & 63
    other = men(board, 1 - side)
    occupied = men(board, side) | other
    if BETWEEN[origin, target] & occupied:
        return -1
    if bit(origin) & board[6 * side]:
        if (origin & 7) == (target & 7):
            if bit(target) & occupied:
                return -1
        elif not bit(target) & (other | passing(board)):
            return -1
    elif k == 2 and castles(board, move):
        corner = bit(target - 1) if target < origin else U(0)  # b1 or b8 must be free too
        if (bit(target) | corner) & occupied or not may_castle(board, move, k):
            return -1
    if not _guarded(board, move, checkers, pinned, out, k):
        return -1
    return apply(board, move, out, k)


@leaf
def too_few(board: Bits) -> bool:
    """Return whether neither side has the men to mate, as python-chess defines it."""
    heavy = board[0] | board[3] | board[4] | board[6] | board[9] | board[10]
    if heavy:
        return False
    knights, bishops = count(board[1] | board[7]), board[2] | board[8]
    if knights:
        return knights == 1 and not bishops
    light = U(0x55AA55AA55AA55AA)
    return not bishops & light or not bishops & ~light
