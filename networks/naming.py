"""Names that every network format accepts: letters, digits and underscores only."""

from __future__ import annotations

import re

from ipomdp.kriegspiel.board import CAPTURED, LETTERS, SQUARES, Position

GONE = "captured"


def square_name(square: int) -> str:
    """Return ``a1`` ... ``d4``, or ``captured``."""
    return GONE if square == CAPTURED else SQUARES[square]


def state_name(state: int) -> str:
    """Return a position as ``Ka1Qc1_kd4qb4``: White's pieces in capitals, then Black's."""
    placed = zip(LETTERS, Position.of(state)[:4], strict=True)
    words = [letter + SQUARES[square] if square != CAPTURED else "" for letter, square in placed]
    white_king, black_king, white_queen, black_queen = words
    return f"{white_king}{white_queen}_{black_king}{black_queen}"


def announcement_name(words: str) -> str:
    """Return ``Check by File`` as ``Check_by_File``."""
    return plain_name(words)


def plain_name(words: str) -> str:
    """Return words as one name, whatever stands between them an underscore."""
    return re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_")
