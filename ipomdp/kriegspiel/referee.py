"""The referee: what is legal, what follows and what is announced, for every position at once.

The game is colour-blind but for the names, so one vectorised pass with White as the mover serves
both sides; Black's half of the tables is White's with the colours exchanged.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ipomdp.game import BoolArray, IntArray
from ipomdp.kriegspiel.board import CAPTURED, PLACEMENTS, SHAPE, SQUARES, squares
from ipomdp.kriegspiel.geometry import BIT, CHECKS, DIRECTION, NEXT_TO, attacks

ACTIONS = tuple(piece + square for piece in "KQ" for square in SQUARES)
ILLEGAL = -1
"""The announcement of a refused try."""
ENDINGS = ("", "Checkmate", "Stalemate", "Draw")
PLAYING, CHECKMATE, STALEMATE, DRAW = range(4)


class Moves(NamedTuple):
    """What every action does in each of n states: three arrays of shape (n, actions)."""

    legal: BoolArray
    """Whether the referee executes it."""
    successor: IntArray
    """The state after it; the same state where it is refused."""
    announcement: IntArray
    """What both players hear; ``ILLEGAL`` where it is refused."""


class Tables(NamedTuple):
    """Everything the rules say, indexed by state and, where two-dimensional, by action."""

    valid: BoolArray
    """Whether the position can stand on a board: no two pieces on a square, kings apart, the
    side that just moved not in check."""
    in_check: BoolArray
    """Whether the side to move is in check."""
    ending: IntArray
    """How the game has ended (an index into ENDINGS), 0 while it goes on."""
    moves: Moves
    """Legality, successor and announcement of the 32 actions."""


def encode(capture: IntArray, check: IntArray, ending: IntArray) -> IntArray:
    """Return an announcement's number; ``capture`` is a square or CAPTURED for none."""
    taken = (capture.astype(np.int16) + 1) % (CAPTURED + 1)  # 0 = none, then a1, b1, ...
    code: IntArray = (taken * len(CHECKS) + check) * len(ENDINGS) + ending
    return code


@cache
def announcements() -> tuple[str, ...]:
    """Return the words of every announcement, by number; 0 is ``Silent``."""
    return tuple(
        ", ".join(
            words
            for words in (
                f"Capture in {square}" if square else "",
                f"Check by {check}" if check else "",
                ending,
            )
            if words
        )
        or "Silent"
        for square in ("", *SQUARES)
        for check in CHECKS
        for ending in ENDINGS
    )


@cache
def tables() -> Tables:
    """Return the rules of all 147,968 states, computed once and shared, read-only."""
    placements = np.arange(PLACEMENTS)
    mine, theirs, my_queen, their_queen = (
        axis.astype(np.int8) for axis in np.unravel_index(placements, SHAPE)
    )
    swap = np.ravel_multi_index((theirs, mine, their_queen, my_queen), SHAPE)
    bits = [BIT[piece] for piece in (mine, theirs, my_queen, their_queen)]
    apart = np.bitwise_count(bits[0] | bits[1] | bits[2] | bits[3]) == sum(b != 0 for b in bits)
    gives_check = attacks(my_queen, theirs, bits[0] | bits[3])
    in_check = attacks(their_queen, mine, bits[1] | bits[2])
    valid = apart & ~NEXT_TO[mine, theirs] & ~gives_check

    here = np.flatnonzero(valid)
    columns = tuple(piece[here, None] for piece in (mine, theirs, my_queen, their_queen))
    king, queen = _king_moves(*columns), _queen_moves(*columns)
    legal = np.zeros((PLACEMENTS, len(ACTIONS)), dtype=bool)
    legal[here] = np.hstack([king.legal, queen.legal])

    stuck = ~legal.any(axis=1)
    bare = (my_queen == CAPTURED) & (their_queen == CAPTURED)
    ending = np.select(
        [~valid, bare, stuck & in_check, stuck], [PLAYING, DRAW, CHECKMATE, STALEMATE]
    )
    ending = ending.astype(np.int8)

    placed = np.hstack([king.placement, queen.placement])
    heard = encode(
        np.hstack([king.capture, queen.capture]),
        np.hstack([king.check, queen.check]),
        ending[swap[placed]],  # the other side is then to move
    )
    successor = np.repeat(placements[:, None], len(ACTIONS), axis=1).astype(np.int32)
    successor[here] = np.where(legal[here], placed + PLACEMENTS, here[:, None])
    announcement = np.full(legal.shape, ILLEGAL, dtype=np.int16)
    announcement[here] = np.where(legal[here], heard, ILLEGAL)

    mirrored = successor[swap]
    black = np.where(legal[swap], swap[mirrored % PLACEMENTS], placements[:, None] + PLACEMENTS)
    result = Tables(
        valid=np.concatenate([valid, valid[swap]]),
        in_check=np.concatenate([in_check, in_check[swap]]),
        ending=np.concatenate([ending, ending[swap]]),
        moves=Moves(
            legal=np.concatenate([legal, legal[swap]]),
            successor=np.concatenate([successor, black.astype(np.int32)]),
            announcement=np.concatenate([announcement, announcement[swap]]),
        ),
    )
    for array in (*result[:3], *result.moves):
        array.flags.writeable = False
    return result


def tries(states: IntArray, player: int) -> BoolArray:
    """Return the moves that a player's own pieces allow if no enemy stood in the way: (n, 32)."""
    pieces = squares(states)
    king, queen = pieces[player][:, None], pieces[2 + player][:, None]
    step = NEXT_TO[king, _TARGETS] & (queen != _TARGETS)
    slide = attacks(queen, _TARGETS, BIT[king]) & (king != _TARGETS)
    return np.hstack([step, slide])


class _PieceMoves(NamedTuple):
    legal: BoolArray
    placement: IntArray
    capture: IntArray
    check: IntArray


_TARGETS = np.arange(16, dtype=np.int8)[None, :]


def _king_moves(
    king: IntArray, their_king: IntArray, queen: IntArray, their_queen: IntArray
) -> _PieceMoves:
    """Return the king's 16 moves in n positions; arguments are columns (n, 1)."""
    left = np.where(their_queen == _TARGETS, CAPTURED, their_queen)
    safe = ~attacks(left, _TARGETS, BIT[their_king] | BIT[queen])
    legal = NEXT_TO[king, _TARGETS] & (queen != _TARGETS) & ~NEXT_TO[their_king, _TARGETS] & safe
    opened = attacks(queen, their_king, BIT[_TARGETS] | BIT[left])
    return _PieceMoves(
        legal,
        _placement(_TARGETS, their_king, queen, left),
        np.where(left == their_queen, CAPTURED, _TARGETS),
        np.where(opened, DIRECTION[their_king, queen], 0),
    )


def _queen_moves(
    king: IntArray, their_king: IntArray, queen: IntArray, their_queen: IntArray
) -> _PieceMoves:
    """Return the queen's 16 moves in n positions; arguments are columns (n, 1)."""
    left = np.where(their_queen == _TARGETS, CAPTURED, their_queen)
    others = BIT[king] | BIT[their_king] | BIT[their_queen]
    reach = attacks(queen, _TARGETS, others) & (king != _TARGETS) & (their_king != _TARGETS)
    legal = reach & ~attacks(left, king, BIT[their_king] | BIT[_TARGETS])
    check = attacks(_TARGETS, their_king, BIT[king] | BIT[left])
    return _PieceMoves(
        legal,
        _placement(king, their_king, _TARGETS, left),
        np.where(left == their_queen, CAPTURED, _TARGETS),
        np.where(check, DIRECTION[their_king, _TARGETS], 0),
    )


def _placement(
    king: IntArray, their_king: IntArray, queen: IntArray, their_queen: IntArray
) -> IntArray:
    pieces = np.broadcast_arrays(king, their_king, queen, their_queen)
    return np.ravel_multi_index(tuple(pieces), SHAPE)
