"""Boards drawn at random that fit what one side knows: the generators of the 2005 paper.

``histories`` searches depth first for a game that fits everything heard (its section 4.2);
``placements`` puts the other's men anywhere that fits the last thing heard.
"""

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
from ipomdp.wild16.moves import (
    KING,
    MOST_MOVES,
    STATUS,
    WIDTH,
    apply,
    attempt,
    exposed,
    legal_moves,
    men,
    pawn_tries,
)
from ipomdp.wild16.referee import CAPTURED, CHECK, SQUARE, checks, said_so

OWN, OTHER, REFUSED = 0, 1, 2
"""What an event is: an own move, one of the other, an own try refused."""
Events = IntArray
"""(n, 3): what it is, the move (of one's own), what was said."""


@kernel
def below(most: int, rng: np.random.Generator) -> int:
    """Draw a number from 0 to ``most`` - 1."""
    return int(rng.random() * most) % most


@kernel
def _shuffle(moves: IntArray, n: int, rng: np.random.Generator) -> None:
    for j in range(n - 1, 0, -1):
        other = below(j + 1, rng)
        moves[j], moves[other] = moves[other], moves[j]


@kernel
def _histories(
    start: Bits, events: IntArray, most: int, effort: int, found: Bits, k: int,
    rng: np.random.Generator,
) -> int:  # fmt: skip
    """Search depth first; after each history that fits, start again. Return how many fit.

    ``effort`` bounds the moves looked at in all.
    """
    depth = events.shape[0]
    boards = np.empty((depth + 1, WIDTH), np.uint64)
    moves = np.empty((depth, MOST_MOVES), np.int64)
    left = np.zeros(depth, np.int64)
    scratch, n, spent = np.empty(WIDTH, np.uint64), 0, 0
    while n < most:
        boards[0, :] = start
        at, fresh = 0, True
        while 0 <= at < depth:
            kind, move, said = events[at]
            if kind == OTHER:
                if fresh:
                    left[at] = legal_moves(boards[at], moves[at], scratch, k)
                    _shuffle(moves[at], left[at], rng)
                fresh = False
                while left[at] > 0 and not fresh:
                    left[at] -= 1
                    spent += 1
                    capture = apply(boards[at], moves[at, left[at]], boards[at + 1], k)
                    fresh = said_so(boards[at + 1], capture, said, scratch, k)
                if spent > effort:
                    return n
            elif fresh:
                capture = attempt(boards[at], move, boards[at + 1], k)
                spent += 1
                if kind == REFUSED:
                    boards[at + 1, :] = boards[at]
                    fresh = capture < 0
                else:
                    fresh = capture >= 0 and said_so(boards[at + 1], capture, said, scratch, k)
            at += 1 if fresh else -1
        if at < 0:
            return n
        found[n, :] = boards[depth]
        n += 1
        if depth == 0:
            return n
    return n


def histories(
    start: Bits, events: Events, most: int, effort: int, k: int, rng: np.random.Generator
) -> Bits:
    """Return up to ``most`` boards at the end of random games that fit all events."""
    found = np.empty((most, WIDTH), np.uint64)
    return found[: _histories(start, events, most, effort, found, k, rng)]


@kernel
def _fits(board: Bits, side: int, said: int, refused: IntArray, scratch: Bits, k: int) -> bool:
    """Return whether a board fits the last thing heard and the refusals since."""
    if exposed(board, 1 - side, k):
        return False
    if (checks(board, k) >> CHECK) != (said >> CHECK) & 63:
        return False
    if pawn_tries(board, scratch, k) != said & 31:
        return False
    fits = True
    for j in range(refused.size):
        fits = fits and attempt(board, refused[j], scratch, k) < 0
    return fits


@kernel
def _placements(
    own: Bits, men_left: IntArray, said: int, refused: IntArray, most: int, effort: int,
    found: Bits, squares: IntArray, k: int, rng: np.random.Generator,
) -> int:  # fmt: skip
    side = np.int64(own[STATUS] & U(1))
    other, n = 6 - 6 * side, 0
    size = (4, 6, 8)[k]
    mine, scratch, board = men(own, side), np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    where = (said >> SQUARE) & 63 if (said >> CAPTURED) & 3 else -1
    if where >= 0 and bit(where) & mine:
        where = -1
    deck = np.empty(64, np.int64)
    for _ in range(effort):
        if n == most:
            break
        board[:] = own
        taken = mine
        held = 0
        for kind in range(6):  # which of the other's men are left, one after the other
            for _ in range(men_left[kind]):
                deck[held] = kind
                held += 1
        pieces = held - men_left[0] - 1
        lost = men_left[6]  # pieces captured, nobody knows which
        promoted = max(lost - pieces, 0)
        for j in range(lost - promoted):
            pick = men_left[0] + below(pieces - j, rng)
            deck[pick] = deck[men_left[0] + pieces - 1 - j]
            deck[men_left[0] + pieces - 1 - j] = -1
        for j in range(min(promoted, men_left[0])):
            deck[j] = -1
        _shuffle(deck, held, rng)
        placed = True
        for j in range(held):
            kind = deck[j]
            if kind < 0:
                continue
            square = where
            for _ in range(40):
                ends = square >> 3 in (0, size - 1)
                if square >= 0 and not bit(square) & taken and not (kind == 0 and ends):
                    break
                square = squares[below(squares.size, rng)]
            else:
                square = -1
            if square < 0:
                placed = False
                break
            board[other + kind] |= bit(square)
            taken |= bit(square)
        if placed and board[other + KING] and _fits(board, side, said, refused, scratch, k):
            found[n, :] = board
            n += 1
    return n


def placements(
    own: Bits, men_left: IntArray, said: int, refused: IntArray, most: int, effort: int, k: int,
    rng: np.random.Generator,
) -> Bits:  # fmt: skip
    """Return up to ``most`` boards whose other men stand anywhere that fits the last thing heard.

    ``own`` is the board with one's own men alone, ``men_left`` how many pawns, knights, ... and
    kings the other had less the pawns captured, and last how many of its pieces are captured.
    """
    size = (4, 6, 8)[k]
    squares = np.array([8 * rank + file for rank in range(size) for file in range(size)])
    found = np.empty((most, WIDTH), np.uint64)
    n = _placements(own, men_left, said, refused, most, effort, found, squares, k, rng)
    return found[:n]


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
        if _fits(board, turn, said, refused, scratch, k):
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
