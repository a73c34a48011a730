"""Squares, pieces and positions of the 4x4 board, and how people write them.

A position is four variables, the nodes of the paper's Figure 4: the squares of WK, BK, WQ, BQ,
where a queen may also be captured. 16 x 16 x 17 x 17 = 73,984 placements; with the side to move,
147,968 states. A state is the integer ``side * 73,984 + index of the placement``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.game import IntArray
from ipomdp.quoting import shown

SIZE = 4
SQUARES = tuple(file + rank for rank in "1234" for file in "abcd")
CAPTURED = len(SQUARES)
"""The square of a queen that is no longer on the board."""
SHAPE = (16, 16, 17, 17)
PLACEMENTS = 16 * 16 * 17 * 17
PIECES = ("WK", "BK", "WQ", "BQ")
LETTERS = ("K", "k", "Q", "q")
SIDES = ("white", "black")


class Position(NamedTuple):
    """Where the four pieces stand (0 = a1, 15 = d4, 16 = captured) and who moves (0 = White)."""

    white_king: int
    black_king: int
    white_queen: int
    black_queen: int
    side: int

    @property
    def state(self) -> int:
        """The integer by which the tables and the engine know the position."""
        return int(np.ravel_multi_index(self[:4], SHAPE)) + self.side * PLACEMENTS

    @classmethod
    def of(cls, state: int) -> Position:
        """Return the position behind a state."""
        squares = np.unravel_index(state % PLACEMENTS, SHAPE)
        return cls._make([*(int(s) for s in squares), state // PLACEMENTS])

    def __str__(self) -> str:
        """Return the notation users write, ``1q1k/4/4/K1Q1 w``."""
        rows = []
        for rank in reversed(range(SIZE)):
            row = ["."] * SIZE
            for letter, square in zip(LETTERS, self[:4], strict=True):
                if square // SIZE == rank:
                    row[square % SIZE] = letter
            rows.append("".join(row))
        board = "/".join(rows)
        for empty in (4, 3, 2, 1):
            board = board.replace("." * empty, str(empty))
        return f"{board} {'wb'[self.side]}"


def squares(states: IntArray) -> tuple[IntArray, ...]:
    """Return the squares of WK, BK, WQ, BQ in each state."""
    return np.unravel_index(np.asarray(states) % PLACEMENTS, SHAPE)


def parse_position(text: str) -> Position:
    """Read ``1q1k/4/4/K1Q1 w``: ranks from 4 down to 1, then the side to move."""
    parts = text.split(" ")
    if len(parts) != 2 or parts[1] not in ("w", "b"):
        raise InvalidInput(
            f"{shown(text)} is not a position; expected four ranks and the side to move, "
            'like "1q1k/4/4/K1Q1 w"'
        )
    ranks = parts[0].split("/")
    if len(ranks) != SIZE:
        raise InvalidInput(f"{shown(text)} has {len(ranks)} ranks; expected 4, separated by '/'")
    found: dict[str, int] = {}
    for number, rank in zip(reversed(range(SIZE)), ranks, strict=True):
        try:
            _place(rank, number, found)
        except InvalidInput as error:
            raise InvalidInput(f"{shown(text)} {error}") from None
    for king in "Kk":
        if king not in found:
            raise InvalidInput(
                f"{shown(text)} has no {_piece(king)}; expected one king of each colour"
            )
    return Position(
        found["K"], found["k"], found.get("Q", CAPTURED), found.get("q", CAPTURED),
        "wb".index(parts[1]),
    )  # fmt: skip


def _place(rank: str, number: int, found: dict[str, int]) -> None:
    """Put the pieces of one written rank on their squares."""
    column = 0
    for letter in rank:
        if letter in "1234":
            column += int(letter)
            continue
        if letter not in LETTERS:
            raise InvalidInput(
                f"has {shown(letter)} on rank {number + 1}; expected K, Q, k, q or 1-4"
            )
        if letter in found:
            raise InvalidInput(f"has a {_piece(letter)} twice; expected one at most")
        found[letter] = number * SIZE + column
        column += 1
    if column != SIZE:
        raise InvalidInput(f"describes {column} squares on rank {number + 1}; expected 4")


def _piece(letter: str) -> str:
    colour = "white" if letter.isupper() else "black"
    return f"{colour} {'king' if letter in 'Kk' else 'queen'}"
