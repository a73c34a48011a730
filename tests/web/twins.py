"""Two games that sound the same to one side though the other's pieces stand elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ipomdp.game import BoardGame
from ipomdp.seats.table import Table


class Try(NamedTuple):
    """A try of either side."""

    side: int
    action: int


def twins(
    game: BoardGame, side: int, half_moves: int, seed: int
) -> tuple[tuple[Try, ...], tuple[Try, ...]]:
    """Return the tries of two games of so many half-moves in which a side does and hears the same.

    They end with the other's pieces on different squares, and differ in what the other was refused.
    """
    rng = np.random.default_rng(seed)
    for _ in range(200):
        first = _random_game(game, half_moves, rng)
        for _ in range(50):
            second = _alike(game, side, first, rng)
            if second is None:
                continue
            ends = [_played(game, tries) for tries in (first, second)]
            if ends[0].pieces(1 - side) != ends[1].pieces(1 - side):
                return first, second
    raise AssertionError("no twins found")


def _played(game: BoardGame, tries: tuple[Try, ...]) -> Table:
    table = Table(game)
    for _, action in tries:
        table.attempt(action)
    return table


def _random_game(game: BoardGame, half_moves: int, rng: np.random.Generator) -> tuple[Try, ...]:
    """Return random tries up to a number of moves made, in a game that then still goes on."""
    while True:
        table, tries = Table(game), []
        while table.result is None and len(table.so_far().turns) < half_moves:
            mover = table.mover
            tries.append(Try(mover, int(rng.choice(table.tries(mover)))))
            table.attempt(tries[-1].action)
        if table.result is None:
            return tuple(tries)


def _alike(
    game: BoardGame, side: int, model: tuple[Try, ...], rng: np.random.Generator
) -> tuple[Try, ...] | None:
    """Return another game with the same tries of a side, the other drawing anew; if it is one."""
    table, tries = Table(game), []
    wanted = _played(game, model).known(side)
    while (known := table.known(side)) != wanted:
        if table.result is not None or known != wanted[: len(known)]:
            return None
        mover, next_ = table.mover, wanted[len(known)]
        if (mover == side) != (next_.action is not None):
            return None
        choice = next_.action if mover == side else int(rng.choice(table.tries(mover)))
        if choice is None or choice not in table.tries(mover):
            return None
        tries.append(Try(mover, choice))
        table.attempt(choice)
    return tuple(tries)
