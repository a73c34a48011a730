"""Alpha-beta with quiescence: what a position is worth if everybody saw everything."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ipomdp.game import FloatArray, IntArray
from ipomdp.wild16.bits import Bits, U, kernel, leaf
from ipomdp.wild16.evaluate import MATE, WORTH, evaluate
from ipomdp.wild16.legal import legal_moves, may_castle, too_few
from ipomdp.wild16.moves import (
    MOST_MOVES,
    STATUS,
    WIDTH,
    apply,
    captures_of,
    castles,
    exposed,
    moves_of,
)

DEEPEST = 24
"""Plies for which there is room."""
HOPE = 150
"""A capture is not looked at if, with this much on top, it would still not reach alpha."""
QUIET = 6
"""Captures in a row that quiescence looks at."""


@leaf
def _prize(board: Bits, move: int) -> int:
    """Return how promising a move looks: what it takes, less what takes it."""
    side = np.int64(board[STATUS] & U(1))
    goal, start = U(1) << U((move >> 6) & 63), U(1) << U(move & 63)
    worth = -1
    for kind in range(5):
        if board[6 - 6 * side + kind] & goal:
            worth = 10 * WORTH[kind]
    if worth > 0:
        for kind in range(5):
            if board[6 * side + kind] & start:
                worth -= WORTH[kind]
    if move >> 12 == 4:
        worth = max(worth, 0) + 8000
    return worth


@leaf
def _best_next(moves: IntArray, prizes: IntArray, j: int, n: int) -> int:
    """Bring the most promising of the moves from j on to the front and return it."""
    best = j
    for other in range(j + 1, n):
        if prizes[other] > prizes[best]:
            best = other
    moves[j], moves[best] = moves[best], moves[j]
    prizes[j], prizes[best] = prizes[best], prizes[j]
    return moves[j]


ALPHA, BETA, BEST, COUNT, NEXT, TRIED = range(6)
"""What a node remembers."""


@leaf
def search(
    root: Bits, depth: int, nodes: IntArray, moves: IntArray, prizes: IntArray, boards: Bits, k: int
) -> int:
    """Return the value to the side to move; below depth 0 only captures and promotions count.

    A loop over a stack of nodes: numba does not keep functions that call themselves on disk.
    """
    for column in range(WIDTH):
        boards[0, column] = root[column]
    nodes[0, ALPHA], nodes[0, BETA] = -2 * MATE, 2 * MATE
    ply, entering, value = 0, True, 0
    while True:
        board, node, left = boards[ply], nodes[ply], depth - ply
        side = np.int64(board[STATUS] & U(1))
        done = False
        if entering:
            entering = False
            node[TRIED], node[NEXT], node[BEST] = 0, 0, -2 * MATE
            if left <= 0:
                value = evaluate(board, k)
                done = value >= node[BETA] or left <= -QUIET or ply >= DEEPEST - 2
                node[BEST], node[ALPHA] = value, max(node[ALPHA], value)
            elif too_few(board):
                value, done = 0, True
            if not done:
                mine = moves[ply]
                n = moves_of(board, mine, k) if left > 0 else captures_of(board, mine, k)
                node[COUNT] = n
                for j in range(n):
                    prizes[ply, j] = _prize(board, mine[j])
        else:  # value is what the node below returned
            value = -value
            if value > node[BEST]:
                node[BEST], node[ALPHA] = value, max(node[ALPHA], value)
                if node[ALPHA] >= node[BETA]:
                    node[NEXT] = node[COUNT]
        while not done and not entering:
            if node[NEXT] == node[COUNT]:
                done, value = True, node[BEST]
                if left > 0 and node[TRIED] == 0:
                    value = ply - MATE if exposed(board, side, k) else 0
                break
            move = _best_next(moves[ply], prizes[ply], node[NEXT], node[COUNT])
            prize = prizes[ply, node[NEXT]]
            node[NEXT] += 1
            if left <= 0 and node[BEST] + prize // 10 + HOPE <= node[ALPHA]:
                node[NEXT] = node[COUNT]  # nor can what is left, which takes less
                continue
            if left > 0 and k == 2 and castles(board, move) and not may_castle(board, move, k):
                continue
            apply(board, move, boards[ply + 1], k)
            if exposed(boards[ply + 1], side, k):
                continue
            node[TRIED] += 1
            nodes[ply + 1, ALPHA], nodes[ply + 1, BETA] = -node[BETA], -node[ALPHA]
            ply += 1
            entering = True
        if done:
            if ply == 0:
                return value
            ply -= 1


class Valued(NamedTuple):
    """The legal moves of n boards and what they are worth to the mover, as parallel arrays."""

    case: IntArray
    move: IntArray
    value: FloatArray


@kernel
def _value_moves(
    boards: Bits, depth: int, k: int, case: IntArray, move: IntArray, value: FloatArray
) -> int:
    moves, prizes = np.empty((2, DEEPEST, MOST_MOVES), np.int64)
    rows, nodes = np.empty((DEEPEST, WIDTH), np.uint64), np.empty((DEEPEST, 6), np.int64)
    mine, n = np.empty(MOST_MOVES, np.int64), 0
    after, scratch = np.empty((2, WIDTH), np.uint64)
    for b in range(boards.shape[0]):
        count = legal_moves(boards[b], mine, scratch, k)
        if n + count > case.size:
            return -1
        for j in range(count):
            apply(boards[b], mine[j], after, k)
            case[n], move[n] = b, mine[j]
            value[n] = -search(after, depth, nodes, moves, prizes, rows, k)
            n += 1
    return n


def value_moves(boards: Bits, depth: int, k: int) -> Valued:
    """Return the value of every legal move on every board, searched so many plies deep after it."""
    most = 32 + 48 * boards.shape[0]
    while True:
        case, move = np.empty(most, np.int64), np.empty(most, np.int64)
        value = np.empty(most, np.float64)
        n = _value_moves(boards, depth, k, case, move, value)
        if n >= 0:
            return Valued(case[:n], move[:n], value[:n])
        most *= 4
