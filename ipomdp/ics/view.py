"""The board as one side may see it: it follows from what the side knows, and from nothing else."""

from __future__ import annotations

from ipomdp.ics.style12 import MINE, NO_MOVE, THEIRS, Board12, encode, ranks_of
from ipomdp.seats.knowledge import Knowledge
from ipomdp.wild16.referee import CAPTURED, SQUARE
from ipomdp.wild16.words import square_name

WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}


def own_board(knows: Knowledge, number: int, names: tuple[str, str]) -> str:
    """Return the line of style 12 that shows a side its own pieces.

    What the line could say of the other is the same whatever the other did: its castling and its
    strength, a double step, how long ago a pawn moved or a piece was taken, its move, and clocks.
    """
    side, ply = knows.side, sum(hearing.heard is not None for hearing in knows.hearings)
    castling = [False] * 4
    castling[2 * side : 2 * side + 2] = own_castling(knows)
    strength = [0, 0]
    strength[side] = sum(WORTH[letter.upper()] for letter in knows.pieces.values())
    long_move, move = own_move(knows)
    return encode(
        Board12(
            ranks=ranks_of(knows.pieces), turn=knows.mover, number=number, names=names,
            castling=(castling[0], castling[1], castling[2], castling[3]),
            relation=MINE if knows.mover == side else THEIRS, move_number=ply // 2 + 1,
            strength=(strength[0], strength[1]), long_move=long_move, move=move, flip=side == 1,
        )
    )  # fmt: skip


def own_castling(knows: Knowledge) -> tuple[bool, bool]:
    """Return whether neither the king nor the rook has moved or been taken: short, long."""
    rank = "18"[knows.side]
    gone = set()
    for hearing in knows.hearings:
        if hearing.heard is None:
            continue
        if hearing.action is not None:
            gone.add(knows.game.actions[hearing.action][:2])
        elif (hearing.heard >> CAPTURED) & 3:
            gone.add(square_name((hearing.heard >> SQUARE) & 63))
    return tuple(not gone & {f"e{rank}", f"{file}{rank}"} for file in "ha")  # type: ignore[return-value]


def own_move(knows: Knowledge) -> tuple[str, str]:
    """Return the last move, long and short, if it was an own one."""
    last = knows.last
    if last is None or last.action is None:
        return NO_MOVE, NO_MOVE
    name = knows.game.actions[last.action]
    origin, target, promotion = name[:2], name[2:4], name[4:].upper()
    if promotion:
        return f"P/{origin}-{target}={promotion}", f"{origin}{target}={promotion}"
    letter = knows.pieces[target].upper()
    if letter == "K" and abs(ord(origin[0]) - ord(target[0])) == 2:
        return ("o-o", "O-O") if target[0] == "g" else ("o-o-o", "O-O-O")
    return f"{letter}/{origin}-{target}", f"{origin}{target}"
