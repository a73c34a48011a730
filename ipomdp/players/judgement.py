"""Moves judged by a chess engine instead of the built-in search."""

from __future__ import annotations

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.quoting import shown
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.evaluate import MATE
from ipomdp.wild16.referee import CHECKMATE, ENDING, judge
from ipomdp.wild16.search import Valued
from ipomdp.wild16.uci import UciEngine


def check_engine(command: str, game: BoardGame) -> None:
    """Refuse what is no engine, and a board that no engine plays on, before anything starts."""
    if game.name != "8x8":
        raise InvalidInput(f"{shown(command)}: engines play on 8x8 alone, not on {game.name}")
    UciEngine(command).close()


class EngineJudgement:
    """What every legal move on some boards is worth, as a UCI engine sees the position after it."""

    def __init__(self, command: str, depth: int) -> None:
        self._engine = UciEngine(command, depth=max(depth, 1))  # at 0 engines think for ever

    def __call__(self, boards: Bits, k: int) -> Valued:
        """Value the moves; where one ends the game, its value is ours."""
        judged = judge(boards, k)
        legal = judged.legal
        ending = (judged.said[legal] >> ENDING) & 3
        value = np.where(ending == CHECKMATE, float(MATE), 0.0)
        value[ending == 0] = -self._engine.evaluate(judged.board[legal][ending == 0], k)
        return Valued(judged.case[legal], judged.move[legal], value)
