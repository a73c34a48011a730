"""The referee of wild 16: what is announced of a move, for many boards and tries at once.

An announcement is a number of bit fields: pawn tries (5 bits), how the game ended (2), the lines of
one check and of a second (3 each), what was captured (2) and on which square (6). 0 is silence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ipomdp.game import BoolArray, IntArray
from ipomdp.wild16.bits import RISING_IS_LONG, Bits, U, leaf, lowest
from ipomdp.wild16.legal import (
    attempt,
    guard,
    guarded_attempt,
    guarded_can_move,
    guarded_pawn_tries,
    legal_moves,
    too_few,
    tries_of,
)
from ipomdp.wild16.moves import KING, MOST_MOVES, STATUS, WIDTH, apply

CHECKMATE, STALEMATE, DRAW = 1, 2, 3
FILE, RANK, LONG, SHORT, KNIGHT_CHECK = 1, 2, 3, 4, 5
ENDING, CHECK, SECOND_CHECK, CAPTURED, SQUARE = 5, 7, 10, 13, 15
"""Where the bit fields start."""


@leaf
def line_of(king: int, attacker: int, k: int) -> int:
    """Return the line of a check, as seen from the king's square."""
    dx, dy = (attacker & 7) - (king & 7), (attacker >> 3) - (king >> 3)
    if dx == 0:
        return FILE
    if dy == 0:
        return RANK
    if dx == dy:
        return LONG if RISING_IS_LONG[k, king] else SHORT
    if dx == -dy:
        return SHORT if RISING_IS_LONG[k, king] else LONG
    return KNIGHT_CHECK


@leaf
def checks(board: Bits, k: int) -> int:
    """Return the bit fields of the check that the side to move is in; 0 for none."""
    checkers, _ = guard(board, np.int64(board[STATUS] & U(1)), k)
    return lines(board, checkers, k)


@leaf
def lines(board: Bits, checkers: np.uint64, k: int) -> int:
    """Return the bit fields of a check by some men; 0 for none."""
    if not checkers:
        return 0
    king = lowest(board[6 * np.int64(board[STATUS] & U(1)) + KING])
    one = line_of(king, lowest(checkers), k)
    checkers &= checkers - U(1)
    if not checkers:
        return one << CHECK
    other = line_of(king, lowest(checkers), k)
    return (min(one, other) << CHECK) | (max(one, other) << SECOND_CHECK)


@leaf
def announce(board: Bits, capture: int, scratch: Bits, k: int) -> int:
    """Return what is said of the move that led to a board and captured so."""
    checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
    said = lines(board, checkers, k)
    if capture:
        said |= ((capture >> 6) << CAPTURED) | ((capture & 63) << SQUARE)
    if not guarded_can_move(board, checkers, pinned, scratch, k):
        return said | ((CHECKMATE if checkers else STALEMATE) << ENDING)
    if too_few(board):
        return said | (DRAW << ENDING)
    return said | guarded_pawn_tries(board, checkers, pinned, scratch, k)


class Judged(NamedTuple):
    """All tries of n boards, as parallel arrays."""

    case: IntArray
    """The board."""
    move: IntArray
    legal: BoolArray
    said: IntArray
    """What is announced; -1 where the try is refused."""
    board: Bits
    """The board after it; means nothing where it is refused."""


def _room() -> tuple[IntArray, Bits]:
    """Return room for the moves of a board, and for a board."""
    return np.empty(MOST_MOVES, np.int64), np.empty(WIDTH, np.uint64)


@leaf
def _count_tries(boards: Bits, k: int, buffer: IntArray, scratch: Bits) -> int:
    total = 0
    for b in range(boards.shape[0]):
        total += tries_of(boards[b], buffer, scratch, k)
    return total


@leaf
def _judge(
    boards: Bits, k: int, buffer: IntArray, scratch: Bits,
    case: IntArray, move: IntArray, legal: BoolArray, said: IntArray, after: Bits,
) -> None:  # fmt: skip
    n = 0
    for b in range(boards.shape[0]):
        board = boards[b]
        checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
        for j in range(tries_of(board, buffer, scratch, k)):
            case[n], move[n] = b, buffer[j]
            capture = guarded_attempt(board, buffer[j], checkers, pinned, after[n], k)
            legal[n] = capture >= 0
            said[n] = announce(after[n], capture, scratch, k) if legal[n] else -1
            n += 1


def judge(boards: Bits, k: int) -> Judged:
    """Return what the referee makes of every try on every board."""
    room = _room()
    total = _count_tries(boards, k, *room)
    judged = Judged(
        np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.bool_),
        np.empty(total, np.int64), np.empty((total, WIDTH), np.uint64),
    )  # fmt: skip
    _judge(boards, k, *room, *judged)
    return judged


class Followed(NamedTuple):
    """Boards after one move each that was announced in one way, as parallel arrays."""

    case: IntArray
    """The board before."""
    move: IntArray
    board: Bits
    options: IntArray
    """For each board before, how many legal moves it had."""


@leaf
def said_so(board: Bits, capture: int, said: int, scratch: Bits, k: int) -> bool:
    """Return whether a move that led to a board and captured so is announced in a way.

    What is cheap is looked at first: most moves that do not fit are told by the capture.
    """
    taken = ((capture >> 6) << CAPTURED) | ((capture & 63) << SQUARE) if capture else 0
    if taken != (said >> CAPTURED) << CAPTURED:
        return False
    checkers, pinned = guard(board, np.int64(board[STATUS] & U(1)), k)
    if lines(board, checkers, k) != said & (((1 << CAPTURED) - 1) ^ ((1 << CHECK) - 1)):
        return False
    ending = (said >> ENDING) & 3
    if ending == 0 and guarded_pawn_tries(board, checkers, pinned, scratch, k) != said & 31:
        return False
    if not guarded_can_move(board, checkers, pinned, scratch, k):
        return ending == (CHECKMATE if checkers else STALEMATE)
    return ending == (DRAW if too_few(board) else 0)


@leaf
def _follow(
    boards: Bits, said: int, k: int, buffer: IntArray, scratch: Bits,
    case: IntArray, move: IntArray, after: Bits, options: IntArray,
) -> int:  # fmt: skip
    n = 0
    for b in range(boards.shape[0]):
        board = boards[b]
        options[b] = legal_moves(board, buffer, scratch, k)
        for j in range(options[b]):
            if n == case.size:
                return -1
            capture = apply(board, buffer[j], after[n], k)
            if said_so(after[n], capture, said, scratch, k):
                case[n], move[n] = b, buffer[j]
                n += 1
    return n


def follow(boards: Bits, said: int, k: int) -> Followed:
    """Return every board that a legal move announced so leads to."""
    most = 64 + 16 * boards.shape[0]
    while True:
        case, move = np.empty(most, np.int64), np.empty(most, np.int64)
        after = np.empty((most, WIDTH), np.uint64)
        options = np.zeros(boards.shape[0], np.int64)
        n = _follow(boards, said, k, *_room(), case, move, after, options)
        if n >= 0:
            return Followed(case[:n], move[:n], after[:n], options)
        most *= 4


@leaf
def _own_move(
    boards: Bits, move: int, said: int, k: int, scratch: Bits, after: Bits, kept: BoolArray
) -> None:
    for b in range(boards.shape[0]):
        capture = attempt(boards[b], move, after[b], k)
        kept[b] = capture >= 0 and said_so(after[b], capture, said, scratch, k)


def own_move(boards: Bits, move: int, said: int, k: int) -> tuple[Bits, BoolArray]:
    """Return the boards after one move, and on which of the boards it is legal and announced so."""
    after, kept = np.empty_like(boards), np.empty(boards.shape[0], np.bool_)
    _own_move(boards, move, said, k, _room()[1], after, kept)
    return after, kept


@leaf
def _checking(boards: Bits, side: int, k: int, found: Bits) -> None:
    for b in range(boards.shape[0]):
        found[b] = guard(boards[b], side, k)[0]


def checking(boards: Bits, side: int, k: int) -> Bits:
    """Return on each board who gives check to a side's king."""
    found = np.zeros(boards.shape[0], np.uint64)
    _checking(boards, side, k, found)
    return found


@leaf
def _illegal(boards: Bits, move: int, k: int, scratch: Bits, refused: BoolArray) -> None:
    for b in range(boards.shape[0]):
        refused[b] = attempt(boards[b], move, scratch, k) < 0


def illegal(boards: Bits, move: int, k: int) -> BoolArray:
    """Return on which boards a try is refused."""
    refused = np.empty(boards.shape[0], np.bool_)
    _illegal(boards, move, k, _room()[1], refused)
    return refused
