"""The rules of movement: what is tried, what is legal, what follows. A board is 13 numbers.

Columns 0-5 are the squares of White's pawns, knights, bishops, rooks, queens and king, as bits,
6-11 Black's; column 12 holds the side to move (bit 0), the rights to castle (bits 1-4: White short,
White long, Black short, Black long) and, from bit 8, one more than the square on which a pawn may
be taken en passant. A move is ``from + 64 * to + 4096 * promotion``, the promotion 1-4 for N, B,
R, Q. Double steps and castling exist on 8x8 alone, as in the small chess games people play.
"""

from __future__ import annotations

import numpy as np

from ipomdp.wild16.bits import (
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    SIZE,
    Bits,
    U,
    bishop_reach,
    bit,
    leaf,
    lowest,
    rook_reach,
)

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
STATUS = 12
WIDTH = 13
MOST_MOVES = 512
"""More than 16 men can have: none has more than 27."""


@leaf
def men(board: Bits, side: int) -> np.uint64:
    """Return all squares of a side's men."""
    at = 6 * side
    return board[at] | board[at + 1] | board[at + 2] | board[at + 3] | board[at + 4] | board[at + 5]


@leaf
def attackers(board: Bits, square: int, by: int, occupied: np.uint64, k: int) -> np.uint64:
    """Return a side's men that attack a square past the occupied ones."""
    at = 6 * by
    found = PAWN_STEPS[k, 1 - by, square] & board[at]
    found |= KNIGHT_STEPS[k, square] & board[at + KNIGHT]
    found |= KING_STEPS[k, square] & board[at + KING]
    diagonal = board[at + BISHOP] | board[at + QUEEN]
    if diagonal:
        found |= bishop_reach(k, square, occupied) & diagonal
    straight = board[at + ROOK] | board[at + QUEEN]
    if straight:
        found |= rook_reach(k, square, occupied) & straight
    return found


@leaf
def exposed(board: Bits, side: int, k: int) -> bool:
    """Return whether a side's king is attacked."""
    king = board[6 * side + KING]
    if not king:
        return True
    occupied = men(board, 0) | men(board, 1)
    return attackers(board, lowest(king), 1 - side, occupied, k) != U(0)


@leaf
def passing(board: Bits) -> np.uint64:
    """Return the square on which a pawn may be taken en passant, as a bit."""
    word = board[STATUS] >> U(8)
    return bit(np.int64(word) - 1) if word else U(0)


@leaf
def _kind_at(board: Bits, side: int, square: np.uint64) -> int:
    """Return what stands on a square (a bit); a pawn where nothing does. Without branches."""
    at, found = 6 * side, 0
    for kind in range(1, 6):
        found += kind * (board[at + kind] & square != U(0))
    return found


@leaf
def apply(board: Bits, move: int, out: Bits, k: int) -> int:
    """Carry out a move that the pieces can make; return 64 * (1 pawn, 2 piece) + where it captures.

    0 where nothing is taken. Whether the own king is left in check is for the caller to see.
    """
    side = np.int64(board[STATUS] & U(1))
    origin, target, promotion = move & 63, (move >> 6) & 63, move >> 12
    start, goal = bit(origin), bit(target)
    for column in range(WIDTH):
        out[column] = board[column]
    own, other = 6 * side, 6 - 6 * side
    kind = _kind_at(board, side, start)
    capture = 0
    status = board[STATUS]
    if goal & men(board, 1 - side):
        taken = _kind_at(board, 1 - side, goal)
        out[other + taken] ^= goal
        capture = (64 if taken == PAWN else 128) + target
    passed = np.int64(status >> U(8)) - 1
    rights = (status >> U(1)) & U(15)
    out[own + kind] ^= start
    fresh = 0
    if kind == PAWN:
        if promotion:
            out[own + promotion] |= goal
        else:
            out[own] |= goal
        if target == passed and capture == 0 and (origin & 7) != (target & 7):
            victim = (origin & 56) | (target & 7)
            out[other] ^= bit(victim)
            capture = 64 + victim
        elif (target - origin) == 16 or (origin - target) == 16:
            middle = (origin + target) >> 1
            if PAWN_STEPS[k, side, middle] & board[other]:
                fresh = middle + 1
    else:
        out[own + kind] |= goal
        if kind == KING and k == 2 and (target - origin == 2 or origin - target == 2):
            rook_from = origin + 3 if target > origin else origin - 4
            rook_to = (origin + target) >> 1
            out[own + ROOK] ^= bit(rook_from) | bit(rook_to)
    if rights:
        touched = start | goal
        if touched & U(0x90):  # e1, h1
            rights &= ~U(1)
        if touched & U(0x11):  # e1, a1
            rights &= ~U(2)
        if touched & U(0x9000000000000000):
            rights &= ~U(4)
        if touched & U(0x1100000000000000):
            rights &= ~U(8)
    out[STATUS] = U(1 - side) | (rights << U(1)) | (U(fresh) << U(8))
    return capture


@leaf
def _put(out: np.ndarray, n: int, origin: int, targets: np.uint64) -> int:
    while targets:
        target = lowest(targets)
        targets &= targets - U(1)
        out[n] = origin | (target << 6)
        n += 1
    return n


@leaf
def _put_pawn(out: np.ndarray, n: int, origin: int, target: int, last: int) -> int:
    move = origin | (target << 6)
    if (target >> 3) == last:
        for promotion in range(QUEEN, PAWN, -1):
            out[n] = move | (promotion << 12)
            n += 1
        return n
    out[n] = move
    return n + 1


@leaf
def _castle(board: Bits, out: np.ndarray, n: int, occupied: np.uint64) -> int:
    """Add castling where the right is left and nothing stands between, attacked or not."""
    side = np.int64(board[STATUS] & U(1))
    home = 4 + 56 * side
    rights = (board[STATUS] >> U(1 + 2 * side)) & U(3)
    if rights & U(1) and not (U(0x60) << U(56 * side)) & occupied:
        out[n] = home | ((home + 2) << 6)
        n += 1
    if rights & U(2) and not (U(0x0E) << U(56 * side)) & occupied:
        out[n] = home | ((home - 2) << 6)
        n += 1
    return n


@leaf
def generate(
    board: Bits, blocking: np.uint64, prey: np.uint64, quiet: bool, out: np.ndarray, k: int
) -> int:
    """List moves past ``blocking`` squares of the other side, pawns taking on ``prey``.

    Unless ``quiet`` moves are wanted too, only captures and promotions.
    """
    side = np.int64(board[STATUS] & U(1))
    own = men(board, side)
    occupied, goals = own | blocking, ~own if quiet else blocking
    at, size, n = 6 * side, SIZE[k], 0
    last = size - 1 if side == 0 else 0
    ahead = 8 if side == 0 else -8
    pawns = board[at]
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - U(1)
        target = origin + ahead
        if not bit(target) & occupied and (quiet or (target >> 3) == last):
            n = _put_pawn(out, n, origin, target, last)
            home = (origin >> 3) == (1 if side == 0 else 6)
            if k == 2 and home and quiet and not bit(target + ahead) & occupied:
                out[n] = origin | ((target + ahead) << 6)
                n += 1
        takes = PAWN_STEPS[k, side, origin] & prey
        while takes:
            target = lowest(takes)
            takes &= takes - U(1)
            n = _put_pawn(out, n, origin, target, last)
    pieces = board[at + KNIGHT]
    while pieces:
        origin = lowest(pieces)
        pieces &= pieces - U(1)
        n = _put(out, n, origin, KNIGHT_STEPS[k, origin] & goals)
    pieces = board[at + BISHOP] | board[at + QUEEN]
    while pieces:
        origin = lowest(pieces)
        pieces &= pieces - U(1)
        n = _put(out, n, origin, bishop_reach(k, origin, occupied) & goals)
    pieces = board[at + ROOK] | board[at + QUEEN]
    while pieces:
        origin = lowest(pieces)
        pieces &= pieces - U(1)
        n = _put(out, n, origin, rook_reach(k, origin, occupied) & goals)
    king = board[at + KING]
    if king:
        origin = lowest(king)
        n = _put(out, n, origin, KING_STEPS[k, origin] & goals)
        if k == 2 and quiet:
            n = _castle(board, out, n, occupied)
    return n


@leaf
def moves_of(board: Bits, out: np.ndarray, k: int) -> int:
    """List what the pieces can do on the true board; the own king may be left in check."""
    side = np.int64(board[STATUS] & U(1))
    other = men(board, 1 - side)
    return generate(board, other, other | passing(board), True, out, k)


@leaf
def captures_of(board: Bits, out: np.ndarray, k: int) -> int:
    """List the captures and promotions; the own king may be left in check."""
    side = np.int64(board[STATUS] & U(1))
    other = men(board, 1 - side)
    return generate(board, other, other | passing(board), False, out, k)


@leaf
def castles(board: Bits, move: int) -> bool:
    """Return whether a move is castling."""
    side = np.int64(board[STATUS] & U(1))
    if not bit(move & 63) & board[6 * side + KING]:
        return False
    step = ((move >> 6) & 63) - (move & 63)
    return step in (2, -2)
