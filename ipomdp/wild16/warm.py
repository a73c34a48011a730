"""Everything compiled before a clock starts: the first time takes a while, later it is loaded."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np

from ipomdp.wild16.bits import Bits
from ipomdp.wild16.cloud import draw_maps, imagine, lose
from ipomdp.wild16.listening import announcements, foreseen, replied, standing
from ipomdp.wild16.minds import followed, value_tries
from ipomdp.wild16.moves import WIDTH
from ipomdp.wild16.neighbours import neighbours
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import checking, follow, illegal, own_move
from ipomdp.wild16.sample import histories, placements
from ipomdp.wild16.search import value_moves
from ipomdp.wild16.words import board_of, move_of


@cache
def warm_up() -> None:
    """Call every kernel that players use once."""
    if not any((Path(__file__).parent / "__pycache__").glob("search.*.nbi")):
        words = "ipomdp: compiling the code for boards; this happens once and takes half a minute"
        print(words, file=sys.stderr)  # noqa: T201
    k, rng = 0, np.random.default_rng(0)
    board = board_of("1q1k/4/4/K1Q1 w", k)
    boards = board[None]
    own_move(boards, move_of("a1a2"), 0, k)
    after = follow(boards, 0, k).board
    checking(after, 0, k)
    illegal(after, move_of("d4d3"), k)
    value_moves(after, 1, k)
    own = OwnSide(board, 0, k)
    placements(own.board, own.men_left, 0, np.empty(0, dtype=np.int64), 1, 10, k, rng)
    neighbours(after, own.board, 0, 0, np.empty(0, dtype=np.int64), 1, 1, k, rng)
    own.tries()
    own.move(move_of("a1a2"), 0)
    own.hear(0)
    histories(board, own.past(), 1, 100, k, rng)
    _warm_minds(board, after, k, rng)


def _warm_minds(board: Bits, after: Bits, k: int, rng: np.random.Generator) -> None:
    one, maps = np.zeros(1, dtype=np.int64), np.zeros((3, 64))
    draw_maps(board[None], 0, k, maps)
    value_tries(board[None], one, np.array([move_of("a1a2")]), maps, 1, 0.01, k, np.empty((1, 1)))
    imagine(board[None].copy(), 0, 0, 0.01, k, rng)
    lose(board[None].copy(), 0, 2, False)
    room = np.empty((64, WIDTH), dtype=np.uint64)
    followed(
        after[:1], one, np.ones(1), 0, maps, -1, 0, 0.01, k, np.empty(64, dtype=np.int64), room,
        np.empty(64),
    )  # fmt: skip
    announcements(board[None], np.array([move_of("a1a2")]), k)
    told = foreseen(board, board[None], np.ones(1), 0, 0.01, k)
    standing(told.after, told.chance, 0, np.empty((6, 64)))
    replied(after[:1], one, np.ones(1), maps, one - 1, 0, 0.01, k, np.zeros(1 << 15))
