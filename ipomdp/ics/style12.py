"""Boards of style 12: one line that starts with ``<12>``, as chess servers send them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

MINE, THEIRS = 1, -1
"""Relations of whoever is sent a board to the game: playing, and who is to move."""
NO_MOVE = "none"

_RANK = re.compile(r"[-pnbrqkPNBRQK]{8}")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_FIELDS = 30
"""With the mark at the start and without the flip and what newer servers add to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board12:
    """A board as a server shows it to one who plays, and what goes with it."""

    ranks: tuple[str, ...]
    """The eighth rank first, ``-`` for an empty square or one whose piece is not shown."""
    turn: int
    """0 where White is to move."""
    castling: tuple[bool, bool, bool, bool]
    """White's short and long, Black's short and long."""
    number: int
    """Of the game."""
    names: tuple[str, str]
    """White's and Black's."""
    relation: int
    move_number: int
    double_step: int = -1
    """The file of a pawn that has just made a double step."""
    irreversible: int = 0
    minutes: int = 0
    increment: int = 0
    strength: tuple[int, int] = (0, 0)
    clocks: tuple[int, int] = (0, 0)
    long_move: str = NO_MOVE
    """``P/e2-e4``."""
    elapsed: str = "(0:00)"
    move: str = NO_MOVE
    flip: bool = False

    @property
    def ply(self) -> int:
        """How many half-moves were made."""
        return 2 * (self.move_number - 1) + self.turn

    @property
    def side(self) -> int | None:
        """The side of whoever is sent the board; ``None`` for one who does not play."""
        if self.relation not in (MINE, THEIRS):
            return None
        return self.turn if self.relation == MINE else 1 - self.turn

    @property
    def pieces(self) -> dict[str, str]:
        """Where the pieces that are shown stand: ``{"e1": "K"}``."""
        return {
            f"{'abcdefgh'[file]}{8 - row}": letter
            for row, rank in enumerate(self.ranks)
            for file, letter in enumerate(rank)
            if letter != "-"
        }


def ranks_of(pieces: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ranks on which pieces stand so."""
    return tuple(
        "".join(pieces.get(f"{file}{rank}", "-") for file in "abcdefgh") for rank in range(8, 0, -1)
    )


def encode(board: Board12) -> str:
    """Return a board as it is sent."""
    fields: tuple[object, ...] = (
        "<12>", *board.ranks, "WB"[board.turn], board.double_step, *map(int, board.castling),
        board.irreversible, board.number, *board.names, board.relation, board.minutes,
        board.increment, *board.strength, *board.clocks, board.move_number, board.long_move,
        board.elapsed, board.move, int(board.flip),
    )  # fmt: skip
    return " ".join(map(str, fields))


def decode(line: str) -> Board12:
    """Return the board that a line shows; anything else is a ``ValueError``."""
    fields = line.split()
    if len(fields) < _FIELDS or fields[0] != "<12>":
        raise ValueError("not a board of style 12")
    ranks, turn = tuple(fields[1:9]), fields[9]
    if not all(map(_RANK.fullmatch, ranks)) or turn not in ("W", "B"):
        raise ValueError("not the ranks of a board")
    double, *castling, irreversible, number = map(_whole, fields[10:17])
    relation, minutes, increment, *material, white, black, move_number = map(_whole, fields[19:27])
    if move_number < 1:
        raise ValueError("not the number of a move")
    return Board12(
        ranks=ranks, turn="WB".index(turn), double_step=double,
        castling=(castling[0] != 0, castling[1] != 0, castling[2] != 0, castling[3] != 0),
        irreversible=irreversible, number=number, names=(fields[17], fields[18]),
        relation=relation, minutes=minutes, increment=increment,
        strength=(material[0], material[1]), clocks=(white, black), move_number=move_number,
        long_move=fields[27], elapsed=fields[28], move=fields[29],
        flip=len(fields) > _FIELDS and fields[30] == "1",
    )  # fmt: skip


def _whole(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"not a number: {text[:20]}")
    return int(text)
