"""The same by looking at every placement, where the other began with a king and one piece."""

from __future__ import annotations

import numpy as np

from ipomdp.game import BoolArray
from ipomdp.tokens.geometry import BOARD, squares
from ipomdp.tokens.scene import Men, Scene
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.moves import KING, STATUS, WIDTH
from ipomdp.wild16.referee import checking, follow, own_move


def placed(scene: Scene, piece: int | None) -> Bits:
    """Return every board on which the last move may have been made, by the own men before it."""
    stood, at = scene.stood, 6 * scene.other
    room = list(squares(BOARD[scene.k] & ~stood))
    pieces: list[int | None] = [None] if piece is None else [None, *room]
    pairs = [(king, man) for king in room for man in pieces if man != king]
    mover = scene.side if scene.move is not None else scene.other
    boards = np.zeros((len(pairs), WIDTH), np.uint64)
    boards[:, 6 * scene.side : 6 * scene.side + 6] = np.array(scene.before, np.uint64)
    boards[:, STATUS] = mover
    for row, (king, man) in zip(boards, pairs, strict=True):
        row[at + KING] = 1 << king
        if man is not None and piece is not None:
            row[at + piece] |= np.uint64(1 << man)
    safe: BoolArray = checking(boards, 1 - mover, scene.k) == 0
    return boards[safe]


def few_checkers(scene: Scene, piece: int | None) -> set[int]:
    """Return every set of squares, as bits, from which the check announced may be given."""
    after = follow(placed(scene, piece), scene.said, scene.k).board
    return set(checking(after, scene.side, scene.k).tolist()) - {0}


def few_king_squares(scene: Scene, piece: int | None) -> int:
    """Return the squares, as bits, on which the other's king may stand in the check announced."""
    boards = placed(scene, piece)
    _, kept = own_move(boards, scene.move or 0, scene.said, scene.k)
    kings = boards[kept, 6 * scene.other + KING]
    return int(np.bitwise_or.reduce(kings, initial=np.uint64(0)))


def few(theirs: Men) -> bool:
    """Return whether some men are a king and at most one piece."""
    others = [standing for kind, standing in enumerate(theirs) if kind != KING and standing]
    return not theirs[0] and sum(standing.bit_count() for standing in others) <= 1
