"""What the other can tell of our men from an announcement, on a board that we hold possible.

The other knows its own men and holds a cloud of placements of ours possible. On each that fits the
board it has in mind what we may do and what would be said of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ipomdp.game import FloatArray, IntArray
from ipomdp.wild16.bits import Bits, U, bit, kernel, leaf, lowest
from ipomdp.wild16.cloud import inclination
from ipomdp.wild16.legal import attempt, legal_moves, pawn_tries
from ipomdp.wild16.minds import reply_chances, softmax
from ipomdp.wild16.moves import MOST_MOVES, STATUS, WIDTH, apply, exposed, men
from ipomdp.wild16.referee import announce, checks

ROOM = 48
"""Moves of a placement for which there is room at first."""
ODD = U(0x9E3779B97F4A7C15)


@kernel
def announcements(boards: Bits, tries: IntArray, k: int) -> IntArray:
    """Return what would be said of each try on each board; -1 where it is refused."""
    said = np.empty((boards.shape[0], tries.size), np.int64)
    after, scratch = np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    for b in range(boards.shape[0]):
        for t in range(tries.size):
            capture = attempt(boards[b], tries[t], after, k)
            said[b, t] = announce(after, capture, scratch, k) if capture >= 0 else -1
    return said


@leaf
def _placed(board: Bits, placement: Bits, out: Bits) -> bool:
    """Put a placement in the place of the men of the side to move; ``False`` where it cannot be."""
    side = np.int64(board[STATUS] & U(1))
    if men(placement, side) & men(board, 1 - side):
        return False
    for kind in range(6):
        out[6 * side + kind] = placement[6 * side + kind]
        out[6 - 6 * side + kind] = board[6 - 6 * side + kind]
    own = U(6) << U(2 * side)  # the rights to castle
    out[STATUS] = (board[STATUS] & ~own) | (placement[STATUS] & own)
    return True


@leaf
def _mixed(board: Bits, side: int) -> np.uint64:
    """Return a number that tells a side's placements apart."""
    mixed = U(0)
    for kind in range(6):
        mixed = (mixed ^ board[6 * side + kind]) * ODD
        mixed ^= mixed >> U(29)
    return mixed


@kernel
def _foreseen(
    board: Bits, cloud: Bits, shares: FloatArray, level: int, rationality: float, k: int,
    after: Bits, placed: Bits, said: IntArray, chance: FloatArray,
) -> int:  # fmt: skip
    side = np.int64(board[STATUS] & U(1))
    whole, scratch = np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    moves, chances = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.float64)
    check, pawns, total = checks(board, k), pawn_tries(board, scratch, k), 0
    for c in range(cloud.shape[0]):
        if not _placed(board, cloud[c], whole) or exposed(whole, 1 - side, k):
            continue
        if checks(whole, k) != check or pawn_tries(whole, scratch, k) != pawns:
            continue  # something else would have been said of the other's move
        n = legal_moves(whole, moves, scratch, k)
        if not n:
            continue
        if total + n > chance.size:
            return -1
        other = men(whole, 1 - side)
        for j in range(n):
            chances[j] = 0.0
            if level > 0:
                taking = bit((moves[j] >> 6) & 63) & other != U(0)
                chances[j] = rationality * inclination(whole, side, moves[j], taking, k)
        softmax(chances, n)
        for j in range(n):
            capture = apply(whole, moves[j], after[total], k)
            said[total] = announce(after[total], capture, scratch, k)
            placed[total] = _mixed(after[total], side)
            chance[total] = shares[c] * chances[j]
            total += 1
    return total


class Foreseen(NamedTuple):
    """Our moves as the other may think of them, as parallel arrays."""

    after: Bits
    """The board after the move."""
    placed: Bits
    """A number for where our men then stand."""
    said: IntArray
    chance: FloatArray
    """How likely the other thinks it; they sum to one."""


def foreseen(
    board: Bits, cloud: Bits, shares: FloatArray, level: int, rationality: float, k: int
) -> Foreseen:
    """Return what the other, one whose men stand as on a board, thinks that we may do there.

    ``shares`` is how likely it holds each placement of the cloud; one that the board or what was
    said last rules out is left out. To level 0 all our legal moves are as likely, to those above
    by quantal response to where they lead.
    """
    room = ROOM * cloud.shape[0]
    while True:
        after, placed = np.empty((room, WIDTH), np.uint64), np.empty(room, np.uint64)
        said, chance = np.empty(room, np.int64), np.empty(room)
        n = _foreseen(
            board, cloud, shares, level, rationality, k, after, placed, said, chance
        )  # fmt: skip
        if n >= 0:
            break
        room *= 4
    total = chance[:n].sum()
    return Foreseen(after[:n], placed[:n], said[:n], chance[:n] / (total if total > 0 else 1.0))


@leaf
def standing(boards: Bits, weights: FloatArray, side: int, out: FloatArray) -> None:
    """Fill in how likely each kind of a side's men stands on each square: (6, 64)."""
    out[:] = 0.0
    for b in range(boards.shape[0]):
        for kind in range(6):
            left = boards[b, 6 * side + kind]
            while left:
                out[kind, lowest(left)] += weights[b]
                left &= left - U(1)


@kernel
def replied(
    boards: Bits, frames: IntArray, weights: FloatArray, maps: FloatArray, where: IntArray,
    level: int, rationality: float, k: int, out: FloatArray,
) -> None:  # fmt: skip
    """Add how likely the side to move plays each move, over boards weighed, by its frames."""
    moves, chances = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.float64)
    scratch = np.empty(WIDTH, np.uint64)
    for b in range(boards.shape[0]):
        n = legal_moves(boards[b], moves, scratch, k)
        if n:
            reply_chances(
                boards[b], moves, n, frames[b], maps, where[b], level, rationality, chances, k
            )
        for j in range(n):
            out[moves[j]] += weights[b] * chances[j]
