"""The referee's game on four by four squares: a king and a queen against a king and a queen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

SIZE = 4
FILES = "abcd"
SQUARES = tuple(FILES[n % SIZE] + str(n // SIZE + 1) for n in range(SIZE * SIZE))
ACTIONS = tuple(piece + square for piece in "KQ" for square in SQUARES)
"""The thirty-two actions: king or queen to any of the sixteen squares."""
NUMBER = {action: number for number, action in enumerate(ACTIONS)}
COLOURS = "wb"
WHITE, BLACK = 0, 1
CENTRE = frozenset(SQUARES.index(name) for name in ("b2", "b3", "c2", "c3"))


@dataclass(frozen=True, eq=False)
class Position:
    """Where the four pieces stand and whose move it is; one object per position, see ``place``."""

    kings: tuple[int, int]
    queens: tuple[int | None, int | None]
    """``None`` for a queen that was captured."""
    mover: int

    @cached_property
    def moves(self) -> dict[int, Outcome]:
        """Every legal action, by number, with what it leads to."""
        return {move: _outcome(self, move) for move in self.legal}

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, by number; none once no queen is left, for the game is over."""
        if self.bare:
            return ()
        return tuple(move for move in range(len(ACTIONS)) if _legal(self, move))

    @cached_property
    def tries(self) -> frozenset[int]:
        """The actions that the mover's own two pieces allow if no enemy stood in the way."""
        return frozenset(move for move in range(len(ACTIONS)) if _reaches(self, move, set()))

    @cached_property
    def bare(self) -> bool:
        """Whether no queen is left."""
        return self.queens == (None, None)

    @property
    def over(self) -> bool:
        """Whether the game has ended here: mate, stalemate, or bare kings."""
        return not self.legal

    def attacked(self, player: int) -> bool:
        """Whether the queen of the other attacks the king of ``player``."""
        queen, shield = self.queens[1 - player], self.queens[player]
        between = {self.kings[1 - player]} if shield is None else {self.kings[1 - player], shield}
        return queen is not None and _queen_sees(queen, self.kings[player], between)

    def __str__(self) -> str:
        board = {self.kings[WHITE]: "K", self.kings[BLACK]: "k"}
        board |= {q: name for q, name in zip(self.queens, "Qq", strict=True) if q is not None}
        rows = []
        for rank in reversed(range(SIZE)):
            row = "".join(board.get(rank * SIZE + file, ".") for file in range(SIZE))
            for gap in range(SIZE, 0, -1):
                row = row.replace("." * gap, str(gap))
            rows.append(row)
        return "/".join(rows) + " " + COLOURS[self.mover]


class Outcome(NamedTuple):
    """What a legal move leads to and what the referee says about it."""

    position: Position
    announcement: str


@cache
def place(kings: tuple[int, int], queens: tuple[int | None, int | None], mover: int) -> Position:
    """The one ``Position`` object with these pieces."""
    return Position(kings, queens, mover)


def parse(text: str) -> Position:
    """Read a position such as ``1q1k/4/4/K1Q1 w``."""
    try:
        board, side = text.split()
        mover = COLOURS.index(side)
    except ValueError:
        raise ValueError(f"{text!r}: expected four rows, a space, and w or b") from None
    rows = board.split("/")
    if len(rows) != SIZE:
        raise ValueError(f"{text!r}: expected {SIZE} rows, found {len(rows)}")
    found: dict[str, int] = {}
    for rank, row in zip(reversed(range(SIZE)), rows, strict=True):
        cells = "".join("." * int(sign) if sign.isdigit() else sign for sign in row)
        if len(cells) != SIZE:
            raise ValueError(f"{text!r}: row {row!r} does not fill {SIZE} squares")
        for file, sign in enumerate(cells):
            if sign == ".":
                continue
            if sign not in "KQkq" or sign in found:
                raise ValueError(f"{text!r}: unexpected or second {sign!r}")
            found[sign] = rank * SIZE + file
    if not {"K", "k"} <= found.keys():
        raise ValueError(f"{text!r}: each side needs a king")
    position = place((found["K"], found["k"]), (found.get("Q"), found.get("q")), mover)
    if _distance(*position.kings) <= 1 or position.attacked(1 - mover):
        raise ValueError(f"{text!r}: the side that has just moved left its king in check")
    return position


def _distance(one: int, two: int) -> int:
    """King steps between two squares."""
    return max(abs(one % SIZE - two % SIZE), abs(one // SIZE - two // SIZE))


def _queen_sees(origin: int, target: int, blockers: set[int]) -> bool:
    """Whether a queen moves from ``origin`` to ``target`` with nothing of ``blockers`` between."""
    across, up = target % SIZE - origin % SIZE, target // SIZE - origin // SIZE
    steps = max(abs(across), abs(up))
    if steps == 0 or {abs(across), abs(up)} - {0, steps}:
        return False
    step = across // steps + SIZE * (up // steps)
    return not any(origin + step * n in blockers for n in range(1, steps))


def _reaches(position: Position, move: int, blockers: set[int]) -> bool:
    """Whether the piece moves so, its own other piece and ``blockers`` being in the way."""
    king, queen = position.kings[position.mover], position.queens[position.mover]
    is_queen, target = divmod(move, SIZE * SIZE)
    if is_queen:
        if queen is None or target == king:
            return False
        return _queen_sees(queen, target, blockers | {king})
    return target != queen and _distance(king, target) == 1


def _after(position: Position, move: int) -> Position:
    """The position once the piece stands on its target, a piece taken there removed."""
    mover = position.mover
    is_queen, target = divmod(move, SIZE * SIZE)
    kings, queens = list(position.kings), list(position.queens)
    (queens if is_queen else kings)[mover] = target
    if queens[1 - mover] == target:
        queens[1 - mover] = None
    return place((kings[0], kings[1]), (queens[0], queens[1]), 1 - mover)


def _legal(position: Position, move: int) -> bool:
    """Whether the rules of chess allow the move."""
    mover, target = position.mover, move % (SIZE * SIZE)
    king, queen = position.kings[1 - mover], position.queens[1 - mover]
    blockers = {king} if queen is None else {king, queen}
    if target == king or not _reaches(position, move, blockers):
        return False
    after = _after(position, move)
    return _distance(*after.kings) > 1 and not after.attacked(mover)


def _check_line(queen: int, king: int) -> str:
    """The line of a check, its diagonals measured through the square of the king."""
    across, up = queen % SIZE - king % SIZE, queen // SIZE - king // SIZE
    if across == 0:
        return "File"
    if up == 0:
        return "Rank"
    file, rank = king % SIZE, king // SIZE
    rising, falling = SIZE - abs(file - rank), SIZE - abs(file + rank - SIZE + 1)
    on_longer = rising > falling if across == up else falling > rising
    return "Long Diagonal" if on_longer else "Short Diagonal"


def _outcome(position: Position, move: int) -> Outcome:
    """Carry out a legal move and put the announcement in words."""
    mover, after = position.mover, _after(position, move)
    said = []
    if after.queens[1 - mover] != position.queens[1 - mover]:
        said.append("Capture in " + SQUARES[move % (SIZE * SIZE)])
    queen, check = after.queens[mover], after.attacked(1 - mover)
    if check and queen is not None:
        said.append("Check by " + _check_line(queen, after.kings[1 - mover]))
    if after.bare:
        said.append("Draw")
    elif not after.legal:
        said.append("Checkmate" if check else "Stalemate")
    return Outcome(after, ", ".join(said) or "Silent")
