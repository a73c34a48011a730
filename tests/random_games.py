"""Random whole games of wild 16 that come to an end, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ipomdp.game import BoolArray, IntArray
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.game import Wild16
from ipomdp.wild16.moves import KING, STATUS
from ipomdp.wild16.referee import CAPTURED, CHECK, ENDING, Judged, judge
from ipomdp.wild16.words import move_name, say


class Turn(NamedTuple):
    """A position of a game, what the referee makes of every try there, and what is played."""

    board: Bits
    judged: Judged
    chosen: int
    """Which of the tries is played."""

    @property
    def tries(self) -> dict[str, str]:
        """What is said of each try, by its name; ``Illegal`` of those refused."""
        moves, said = self.judged.move.tolist(), self.judged.said.tolist()
        return {move_name(m): say(s) for m, s in zip(moves, said, strict=True)}

    @property
    def move(self) -> str:
        """The name of what is played."""
        return move_name(int(self.judged.move[self.chosen]))


def turns(
    game: Wild16, rng: np.random.Generator, most: int = 400, start: int | None = None
) -> Iterator[Turn]:
    """Play a game at random, with a liking for captures, promotions, checks and endings."""
    board = game.boards(np.array([game.start if start is None else start]))
    for _ in range(most):
        judged = judge(board, game.k)
        legal = np.flatnonzero(judged.legal)
        said, move = judged.said[legal], judged.move[legal]
        moods = (
            ((said >> ENDING) & 3 > 0, 0.7),
            (move >> 12 > 0, 0.8),
            (_special(board[0], move), 0.5),
            ((said >> CAPTURED) & 3 > 0, 0.4),
            ((said >> CHECK) & 7 > 0, 0.2),
        )
        for liked, how_much in moods:
            if liked.any() and rng.random() < how_much:
                legal = legal[liked]
                break
        chosen = int(rng.choice(legal))
        yield Turn(board[0], judged, chosen)
        if (int(judged.said[chosen]) >> ENDING) & 3:
            return
        board = judged.board[[chosen]]


def _special(board: Bits, move: IntArray) -> BoolArray:
    """Return which legal moves are castling or captures en passant."""
    side = int(board[STATUS]) & 1
    origin, target = move & 63, (move >> 6) & 63
    king = int(board[6 * side + KING]).bit_length() - 1
    pawn = int(board[6 * side]) >> origin.astype(object) & 1
    castling = (origin == king) & (abs(target - origin) == 2)
    passing = pawn.astype(bool) & (target == (int(board[STATUS]) >> 8) - 1)
    found: BoolArray = castling | (passing & ((target - origin) % 8 != 0))
    return found


def positions(game: Wild16, seed: int, games: int, most: int = 400) -> Bits:
    """Return the boards of random games."""
    rng = np.random.default_rng(seed)
    return np.array([turn.board for _ in range(games) for turn in turns(game, rng, most)])
