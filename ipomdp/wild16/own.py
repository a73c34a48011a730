"""What one side knows for certain: its own men, how many the other has lost, what was heard."""

from __future__ import annotations

import numpy as np

from ipomdp.game import IntArray
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.moves import MOST_MOVES, STATUS, WIDTH, apply, generate
from ipomdp.wild16.referee import CAPTURED, SQUARE
from ipomdp.wild16.sample import OTHER, OWN, REFUSED


class OwnSide:
    """A side's certain knowledge, kept up to date with what it is told."""

    def __init__(self, start: Bits, side: int, k: int) -> None:
        self.start = np.array(start)
        self.side = side
        self.k = k
        self.board: Bits = np.array(start)
        """The own men alone, the own side to move."""
        self.board[6 - 6 * side : 12 - 6 * side] = 0
        self._own_to_move()
        theirs = start[6 - 6 * side : 12 - 6 * side]
        self.men_left: IntArray = np.array([*(int(b).bit_count() for b in theirs), 0])
        """The other's men: pawns to kings at the start less the pawns captured; pieces captured."""
        self.said = 0
        """What was said last of the other's move."""
        self.refused: list[int] = []
        """Own tries refused in the turn under way."""
        self.events: list[tuple[int, int, int]] = []

    def _own_to_move(self) -> None:
        rights = int(self.board[STATUS]) & (6 << 2 * self.side)
        self.board[STATUS] = self.side | rights

    def refuse(self, move: int) -> None:
        """Note that a try was refused."""
        self.refused.append(move)
        self.events.append((REFUSED, move, 0))

    def move(self, move: int, said: int) -> None:
        """Note an own move that was made."""
        after = np.empty(WIDTH, dtype=np.uint64)
        apply(self.board, move, after, self.k)
        self.board = after
        self._own_to_move()
        taken = (said >> CAPTURED) & 3
        if taken == 1:
            self.men_left[0] -= 1
        elif taken == 2:
            self.men_left[6] += 1
        self.refused.clear()
        self.events.append((OWN, move, said))

    def hear(self, said: int) -> None:
        """Note what was said of the other's move."""
        if (said >> CAPTURED) & 3:
            lost = np.uint64(1 << ((said >> SQUARE) & 63))
            own = slice(6 * self.side, 6 * self.side + 6)
            self.board[own] &= ~lost
            corners = {0: 2, 7: 1, 56: 8, 63: 4}  # a rook taken at home cannot castle
            gone = corners.get((said >> SQUARE) & 63, 0)
            self.board[STATUS] &= np.uint64(~(gone << 1) & 0xFFFF)
        self.said = said
        self.events.append((OTHER, 0, said))

    def tries(self) -> IntArray:
        """Return the moves that may be tried: what the own men allow if nobody stood in the way.

        Captures by pawns are among them if the referee has just said that there are some.
        """
        own = np.bitwise_or.reduce(self.board[6 * self.side : 6 * self.side + 6])
        prey = ~own if self.said & 31 else np.uint64(0)
        found = np.empty(MOST_MOVES, np.int64)
        n = generate(self.board, np.uint64(0), prey, True, found, self.k)
        return found[:n]

    def past(self) -> IntArray:
        """Return everything that happened, as ``sample.histories`` takes it."""
        return np.array(self.events, dtype=np.int64).reshape(-1, 3)
