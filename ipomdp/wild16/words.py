"""Moves, positions and announcements of wild 16 as people write them."""

from __future__ import annotations

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown
from ipomdp.wild16.bits import PAWN_STEPS, SIZES, Bits
from ipomdp.wild16.moves import STATUS, WIDTH
from ipomdp.wild16.referee import CAPTURED, CHECK, ENDING, SECOND_CHECK, SQUARE

LETTERS = "PNBRQKpnbrqk"
LINES = ("", "File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")
ENDINGS = ("", "Checkmate", "Stalemate", "Draw")
TAKEN = ("", "Pawn", "Piece")
PROMOTIONS = " nbrq"
CASTLING = "KQkq"


def square_name(square: int) -> str:
    """Return ``e4`` for 28."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def square_of(name: str) -> int:
    """Return 28 for ``e4``."""
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


def move_name(move: int) -> str:
    """Return ``e2e4`` or ``e7e8q``."""
    promotion = PROMOTIONS[move >> 12].strip()
    return square_name(move & 63) + square_name((move >> 6) & 63) + promotion


def move_of(name: str) -> int:
    """Return the move behind ``e2e4`` or ``e7e8q``."""
    promotion = PROMOTIONS.index(name[4:]) if name[4:] else 0
    return square_of(name[:2]) | square_of(name[2:4]) << 6 | promotion << 12


def say(said: int) -> str:
    """Return an announcement in words; ``Illegal`` for a refusal."""
    if said < 0:
        return "Illegal"
    parts = []
    if taken := TAKEN[(said >> CAPTURED) & 3]:
        parts.append(f"{taken} captured in {square_name((said >> SQUARE) & 63)}")
    lines = (LINES[(said >> field) & 7] for field in (CHECK, SECOND_CHECK))
    parts += [f"Check by {line}" for line in lines if line]
    if ending := ENDINGS[(said >> ENDING) & 3]:
        parts.append(ending)
    if tries := said & 31:
        parts.append(f"{tries} pawn {'try' if tries == 1 else 'tries'}")
    return ", ".join(parts) or "Silent"


def hears(words: str) -> int:
    """Return the announcement behind its words."""
    try:
        said = _heard(words)
    except ValueError:
        said = -1
    ordered = (said >> SECOND_CHECK) & 7 == 0 or (said >> CHECK) & 7 <= (said >> SECOND_CHECK) & 7
    if said < 0 or say(said) != words or not ordered:
        raise ValueError(f"not an announcement: {words!r}")
    return said


def _heard(words: str) -> int:
    """Return the fields that the parts of an announcement name, whatever their order."""
    said, checked = 0, CHECK
    for part in words.split(", "):
        first, _, rest = part.partition(" ")
        if first in TAKEN[1:] and rest.startswith("captured in "):
            said |= TAKEN.index(first) << CAPTURED | square_of(rest[-2:]) << SQUARE
        elif part.startswith("Check by "):
            said |= LINES.index(part.removeprefix("Check by ")) << checked
            checked = SECOND_CHECK
        elif part in ENDINGS[1:]:
            said |= ENDINGS.index(part) << ENDING
        elif rest in ("pawn try", "pawn tries"):
            said |= int(first)
        elif part != "Silent":
            raise ValueError(part)
    return said


def fen_of(board: Bits, k: int) -> str:
    """Return a board as the first four fields of FEN."""
    size, squares = SIZES[k], ["."] * 64
    for letter, standing in zip(LETTERS, board.tolist(), strict=False):
        left = standing
        while left:
            low = left & -left
            squares[low.bit_length() - 1] = letter
            left ^= low
    rows = ["".join(squares[8 * rank : 8 * rank + size]) for rank in reversed(range(size))]
    placed = "/".join(rows)
    for empty in range(size, 0, -1):
        placed = placed.replace("." * empty, str(empty))
    status = int(board[STATUS])
    rights = "".join(c for j, c in enumerate(CASTLING) if status >> (1 + j) & 1)
    passing = square_name((status >> 8) - 1) if status >> 8 else "-"
    return f"{placed} {'wb'[status & 1]} {rights or '-'} {passing}"


def board_of(text: str, k: int) -> Bits:
    """Read ranks, the side to move and, where they are given, the castling and passing of FEN."""
    size = SIZES[k]
    fields = text.split()
    ranks = fields[0].split("/") if fields else []
    if len(fields) < 2 or fields[1] not in ("w", "b") or len(ranks) != size:
        raise InvalidInput(
            f"{shown(text)} is not a position; expected {size} ranks and the side to move"
        )
    board = [0] * WIDTH
    for rank, row in zip(reversed(range(size)), ranks, strict=True):
        try:
            _place(board, row, rank, size)
        except InvalidInput as error:
            raise InvalidInput(f"{shown(text)} {error}") from None
    board[STATUS] = "wb".index(fields[1])
    for letter in fields[2].strip("-") if len(fields) > 2 else "":
        if letter not in CASTLING:
            raise InvalidInput(f"{shown(text)} has castling rights {shown(fields[2])}")
        if _at_home(board, letter, k):
            board[STATUS] |= 2 << CASTLING.index(letter)
    if len(fields) > 3 and fields[3] != "-":
        passing = _passing(board, fields[3], size)
        if passing is None:
            raise InvalidInput(f"{shown(text)} has no pawn to take in passing on {fields[3]}")
        side = board[STATUS] & 1
        if int(PAWN_STEPS[k, 1 - side, passing]) & board[6 * side]:  # a pawn stands ready for it
            board[STATUS] |= (passing + 1) << 8
    return np.array(board, dtype=np.uint64)


def _place(board: list[int], row: str, rank: int, size: int) -> None:
    """Put the pieces of one written rank on their squares."""
    file = 0
    for letter in row:
        if letter in "12345678":
            file += int(letter)
        elif letter in LETTERS and file < size:
            board[LETTERS.index(letter)] |= 1 << (8 * rank + file)
            file += 1
        else:
            raise InvalidInput(f"has {shown(letter)} on rank {rank + 1}")
    if file != size:
        raise InvalidInput(f"describes {file} squares on rank {rank + 1}; expected {size}")


def _at_home(board: list[int], letter: str, k: int) -> bool:
    """Return whether king and rook still stand where castling starts."""
    side, long = CASTLING.index(letter) // 2, letter in "Qq"
    king, rook = 4 + 56 * side, (0 if long else 7) + 56 * side
    placed = board[6 * side + 5] >> king & board[6 * side + 3] >> rook & 1
    return SIZES[k] == 8 and bool(placed)


def _passing(board: list[int], name: str, size: int) -> int | None:
    """Return the square passed by a pawn that has just made a double step."""
    side = board[STATUS] & 1  # who may take
    if size != 8 or len(name) != 2 or name[0] not in "abcdefgh" or name[1] != "63"[side]:
        return None
    square = square_of(name)
    ahead = -8 if side == 0 else 8  # where the pawn went on to
    occupied = sum(board[:STATUS])
    free = not (occupied >> square | occupied >> (square - ahead)) & 1
    return square if free and board[6 - 6 * side] >> (square + ahead) & 1 else None
