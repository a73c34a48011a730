"""What a seat knows: everything here follows from the start and from what its side did and heard.

Whoever shows a person a game under way has this and not the table, so nothing else can be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.game import BoardGame, IntArray
from ipomdp.seats.hearing import Hearing

if TYPE_CHECKING:
    from ipomdp.wild16.own import OwnSide

ENDINGS = frozenset(("Checkmate", "Stalemate", "Draw"))
"""Words with which the referee ends a game."""


class Knowledge:
    """One side's knowledge of a game, kept up to date with what it does and hears."""

    def __init__(self, game: BoardGame, side: int, start: int) -> None:
        from ipomdp.wild16.bridge import Bridge  # numba: a page is shown before a game needs it
        from ipomdp.wild16.game import men_on
        from ipomdp.wild16.own import OwnSide

        self.game, self.side, self.start = game, side, start
        self._men_on = men_on
        self.hearings: tuple[Hearing, ...] = ()
        """All that the side did and heard."""
        self.mover = game.turn(start)
        """The side to move; after the end, the side that would be."""
        self.over = False
        """Whether the referee has ended the game."""
        self._bridge = Bridge(game)
        self._own = OwnSide(self._bridge.board(start), side, self._bridge.k)
        self._first = np.flatnonzero(game.tries(np.array([start]), side)[0])

    def add(self, hearing: Hearing) -> None:
        """Note something that the side did or heard."""
        own, bridge = self._own, self._bridge
        self.hearings = (*self.hearings, hearing)
        if hearing.action is not None:
            move = bridge.move(hearing.action, own.board, self.side)
        if hearing.heard is None:
            own.refuse(move)
            return
        if hearing.action is not None:
            own.move(move, bridge.said(hearing.heard))
        else:
            own.hear(bridge.said(hearing.heard))
        self.mover = 1 - self.mover
        self.over = not ENDINGS.isdisjoint(self.game.say(hearing.heard).split(", "))

    @property
    def mine(self) -> bool:
        """Whether it is the side's turn."""
        return self.mover == self.side and not self.over

    @property
    def own(self) -> OwnSide:
        """The same knowledge as the kernels write it; not to be changed."""
        return self._own

    @property
    def pieces(self) -> Mapping[str, str]:
        """Where the own pieces stand: ``{"a1": "K"}``."""
        return self._men_on(self._own.board, self.side)

    @property
    def refused(self) -> tuple[int, ...]:
        """The own tries refused in the turn under way."""
        found: list[int] = []
        for hearing in reversed(self.hearings):
            if hearing.heard is not None or hearing.action is None:
                break
            found.append(hearing.action)
        return tuple(reversed(found))

    @property
    def tries(self) -> IntArray:
        """The tries open in the side's turn, those refused left out; rising."""
        own = self._own
        if self.hearings and any(hearing.heard is not None for hearing in self.hearings):
            moves = own.tries()
            open_ = np.array(
                sorted(self._bridge.action(int(move), own.board, self.side) for move in moves)
            )
        else:  # both know the start, and so which captures by pawns there are
            open_ = self._first
        return open_[~np.isin(open_, self.refused)]

    @property
    def last(self) -> Hearing | None:
        """The last thing heard of a move that was made, own or the other's."""
        return next((h for h in reversed(self.hearings) if h.heard is not None), None)
