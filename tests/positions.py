"""Positions for tests: samples drawn with a fixed seed, and the board's symmetries."""

from __future__ import annotations

import numpy as np

from ipomdp.kriegspiel import Position
from ipomdp.kriegspiel.referee import tables


def playable() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return every state in which a game goes on."""
    rules = tables()
    return np.flatnonzero(rules.valid & (rules.ending == 0))


def sample(count: int, seed: int) -> list[str]:
    """Return positions drawn at random, as users write them."""
    drawn = np.random.default_rng(seed).choice(playable(), count, replace=False)
    return [str(Position.of(int(state))) for state in drawn]


def swapped(fen: str) -> str:
    """Return the position turned by half and with the colours exchanged."""
    board, side = fen.split(" ")
    return f"{board[::-1].swapcase()} {'b' if side == 'w' else 'w'}"


def swapped_move(move: str) -> str:
    """Return a move turned by half."""
    return move[0] + "abcd"[3 - "abcd".index(move[1])] + "4321"["1234".index(move[2])]
