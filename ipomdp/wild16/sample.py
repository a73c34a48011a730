"""Boards drawn at random that fit what one side knows: the generators of the 2005 paper.

``histories`` searches depth first for a game that fits everything heard (its section 4.2);
``placements`` puts the other's men anywhere that fits the last thing heard.
"""

from __future__ import annotations

import numpy as np

from ipomdp.game import IntArray
from ipomdp.wild16.bits import Bits, U, bit, kernel
from ipomdp.wild16.legal import attempt, legal_moves, pawn_tries
from ipomdp.wild16.moves import KING, MOST_MOVES, STATUS, WIDTH, apply, exposed, men
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
def fits(board: Bits, side: int, said: int, refused: IntArray, scratch: Bits, k: int) -> bool:
    """Return whether a board fits the last thing heard and the refusals since."""
    if exposed(board, 1 - side, k):
        return False
    if (checks(board, k) >> CHECK) != (said >> CHECK) & 63:
        return False
    if pawn_tries(board, scratch, k) != said & 31:
        return False
    fit = True
    for j in range(refused.size):
        fit = fit and attempt(board, refused[j], scratch, k) < 0
    return fit


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
        if placed and board[other + KING] and fits(board, side, said, refused, scratch, k):
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
