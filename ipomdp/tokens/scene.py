"""The last move as one side knows it: its own men before and after, and what was said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ipomdp.seats.knowledge import Knowledge
from ipomdp.tokens.geometry import BETWEEN, PIECES
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.moves import KING, PAWN, ROOK, STATUS
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import CAPTURED, CHECK, SECOND_CHECK, SQUARE
from ipomdp.wild16.sample import OTHER, OWN, REFUSED

Men = tuple[int, ...]
"""The squares of pawns, knights, bishops, rooks, queens and king, as bits."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One move and its announcement, seen from one side."""

    k: int
    side: int
    before: Men
    """The own men before the move."""
    now: Men
    move: int | None
    """The own move; ``None`` if the other has moved."""
    said: int
    passing: int = -1
    """Where the other could take a pawn of ours en passant, before its move."""
    kinds: frozenset[int] = frozenset(range(6))
    """What the other may have."""

    @cached_property
    def stood(self) -> int:
        """The squares of the own men before the move."""
        return union(self.before)

    @cached_property
    def stands(self) -> int:
        """The squares of the own men now."""
        return union(self.now)

    @cached_property
    def king(self) -> int:
        """Where the own king stands."""
        return self.now[KING].bit_length() - 1

    @cached_property
    def checks(self) -> tuple[int, ...]:
        """The lines of the checks announced."""
        found = ((self.said >> field) & 7 for field in (CHECK, SECOND_CHECK))
        return tuple(line for line in found if line)

    @property
    def tries(self) -> int:
        """How many pawn tries were announced."""
        return self.said & 31

    @property
    def taken(self) -> int:
        """What was captured: 0 nothing, 1 a pawn, 2 a piece."""
        return (self.said >> CAPTURED) & 3

    @property
    def where(self) -> int:
        """Where something was captured."""
        return (self.said >> SQUARE) & 63

    @property
    def other(self) -> int:
        """The other side."""
        return 1 - self.side


def union(men: Men) -> int:
    """Return all squares of some men."""
    return men[0] | men[1] | men[2] | men[3] | men[4] | men[5]


def moved(men: Men, move: int) -> Men:
    """Return a side's men after a move of its own."""
    origin, target, promotion = move & 63, (move >> 6) & 63, move >> 12
    found = list(men)
    kind = next(kind for kind in range(6) if men[kind] >> origin & 1)
    found[kind] ^= 1 << origin
    found[promotion or kind] |= 1 << target
    if castling(men, move):
        corner, inside = rook_squares(move)
        found[ROOK] ^= 1 << corner | 1 << inside
    return tuple(found)


def castling(men: Men, move: int) -> bool:
    """Return whether a move is castling."""
    origin, target = move & 63, (move >> 6) & 63
    return bool(men[KING] >> origin & 1) and target - origin in (2, -2)


def rook_squares(move: int) -> tuple[int, int]:
    """Return where the rook of castling comes from and goes to."""
    origin, target = move & 63, (move >> 6) & 63
    return (origin + 3 if target > origin else origin - 4), (origin + target) >> 1


def explored(move: int) -> int:
    """Return the squares that an own move has passed or reached."""
    origin, target = move & 63, (move >> 6) & 63
    return BETWEEN[origin][target] | 1 << target


def passed(men: Men, move: int, k: int) -> int:
    """Return the square that a double step passes, -1 for any other move."""
    origin, target = move & 63, (move >> 6) & 63
    double = k == 2 and men[PAWN] >> origin & 1 and abs(target - origin) == 16
    return (origin + target) >> 1 if double else -1


class Replay:
    """Everything a side did and heard, gone through once: the last scene, and recent captures."""

    def __init__(self, knowledge: Knowledge) -> None:
        own = knowledge.own
        self.k, self.side = own.k, own.side
        self.scene: Scene | None = None
        """The last move made; ``None`` before the first."""
        self.captures: dict[int, tuple[int, bool]] = {}
        """Where the other captured and nobody has looked since: how many moves of the other ago,
        and whether it may have been en passant."""
        kinds = kinds_of(own)
        men = men_of(own.start, own.side)
        status = int(own.start[STATUS])
        passing = (status >> 8) - 1 if status & 1 != own.side else -1
        for event, move, said in own.events:
            if event == REFUSED:
                continue
            before = men
            if event == OWN:
                men = moved(men, move)
                passing = passed(before, move, own.k)
                self._look(explored(move))
            elif event == OTHER:
                men = self._hear(men, said, passing)
            self.scene = Scene(
                k=own.k, side=own.side, before=before, now=men, said=said, kinds=kinds,
                move=move if event == OWN else None, passing=passing if event == OTHER else -1,
            )  # fmt: skip

    def _look(self, seen: int) -> None:
        self.captures = {c: age for c, age in self.captures.items() if not seen >> c & 1}

    def _hear(self, men: Men, said: int, passing: int) -> Men:
        """Note a move of the other: captures age, and a new one may be heard of."""
        self.captures = {c: (age + 1, maybe) for c, (age, maybe) in self.captures.items()}
        if not (said >> CAPTURED) & 3:
            return men
        where = (said >> SQUARE) & 63
        en_passant = (said >> CAPTURED) & 3 == 1 and passing >= 0 and abs(passing - where) == 8
        for square in (where, passing) if en_passant else (where,):
            self.captures[square] = (0, en_passant)
        return tuple(standing & ~(1 << where) for standing in men)


def kinds_of(own: OwnSide) -> frozenset[int]:
    """Return the kinds of men that the other may have, by what it began with."""
    theirs = men_of(own.start, 1 - own.side)
    began = {kind for kind in range(6) if theirs[kind]}
    return frozenset(began | set(PIECES) if PAWN in began else began)


def men_of(board: Bits, side: int) -> Men:
    """Return a side's men on a board."""
    return tuple(int(standing) for standing in board[6 * side : 6 * side + 6])
