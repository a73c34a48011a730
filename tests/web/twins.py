"""Two games that sound the same to one side though the other's pieces stand elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ipomdp.game import BoardGame
from ipomdp.seats.hearing import Hearing
from ipomdp.seats.table import Table


class Try(NamedTuple):
    """A try of either side."""

    side: int
    action: int


Tries = tuple[Try, ...]


def twins(
    game: BoardGame, side: int, half_moves: int, seed: int, must_hear: tuple[str, ...] = ()
) -> tuple[Tries, Tries]:
    """Return the tries of two games of so many half-moves in which a side does and hears the same.

    They end with the other's pieces on different squares, and the other was refused different
    tries on the way. The side was refused something itself, and heard the words that it must.
    """
    rng = np.random.default_rng(seed)
    for _ in range(2000):
        first = _random_game(game, half_moves, rng)
        known = _played(game, first).known(side)
        if not _eventful(game, known, must_hear):
            continue
        for _ in range(60):
            second = _alike(game, side, known, rng)
            if second is not None and _differ(game, side, first, second):
                return first, second
    raise AssertionError("no twins found")


def _eventful(game: BoardGame, known: tuple[Hearing, ...], must_hear: tuple[str, ...]) -> bool:
    heard = " ".join(game.say(hearing.heard) for hearing in known if hearing.heard is not None)
    refused = any(hearing.heard is None for hearing in known)
    return refused and all(words in heard for words in must_hear)


def _differ(game: BoardGame, side: int, *games: Tries) -> bool:
    ends = [_played(game, tries) for tries in games]
    hidden = [[turn.refused for turn in t.so_far().turns if turn.player != side] for t in ends]
    return ends[0].pieces(1 - side) != ends[1].pieces(1 - side) and hidden[0] != hidden[1]


def _played(game: BoardGame, tries: Tries) -> Table:
    table = Table(game)
    for _, action in tries:
        table.attempt(action)
    return table


def _random_game(game: BoardGame, half_moves: int, rng: np.random.Generator) -> Tries:
    """Return random tries up to a number of moves made, in a game that then still goes on.

    Captures by pawns come first where there are some: so that there is something to be heard.
    """
    while True:
        table, tries = Table(game), list[Try]()
        while table.result is None and len(table.so_far().turns) < half_moves:
            mover, open_ = table.mover, table.tries(table.mover)
            takes = [a for a in open_.tolist() if _takes(game.actions[a], table.pieces(mover))]
            choice = rng.choice(takes) if takes and rng.random() < 0.8 else rng.choice(open_)
            tries.append(Try(mover, int(choice)))
            table.attempt(tries[-1].action)
        if table.result is None:
            return tuple(tries)


def _takes(name: str, pieces: object) -> bool:
    """Return whether a try is a pawn's capture."""
    pawn = isinstance(pieces, dict) and pieces.get(name[:2], "").upper() == "P"
    return pawn and name[0] != name[2]


def _alike(
    game: BoardGame, side: int, wanted: tuple[Hearing, ...], rng: np.random.Generator
) -> Tries | None:
    """Return another game with the same tries of a side, the other drawing anew; if it is one.

    A move of the other that sounds different is drawn again, as a refused one is.
    """
    table, tries = Table(game), list[Try]()
    while (known := table.known(side)) != wanted:
        if table.result is not None or known != wanted[: len(known)]:
            return None
        mover, next_ = table.mover, wanted[len(known)]
        if (mover == side) != (next_.action is not None):
            return None
        if mover == side and next_.action is not None:
            choice = next_.action
        else:
            sounding = _sounding(table, mover, next_.heard)
            if not sounding:
                return None
            choice = int(rng.choice(sounding))
        if choice not in table.tries(mover):
            return None
        tries.append(Try(mover, choice))
        table.attempt(choice)
    return tuple(tries)


def _sounding(table: Table, mover: int, heard: int | None) -> list[int]:
    """Return the open tries of the other that are refused, or are announced in one way."""
    game, state = table.game, table.so_far().final
    legal, found = game.legal(np.array([state]), mover)[0], []
    for action in table.tries(mover).tolist():
        act = np.array([action])
        if legal[action]:
            out = game.play(np.array([state]), (act, None) if mover == 0 else (None, act))
            if int(out.heard[0][0]) != heard:
                continue
        found.append(action)
    return found
