"""What a side did and heard, and players who are told it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ipomdp.players.player import Player
from ipomdp.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """One thing that a side did or heard."""

    action: int | None
    """Its own try; ``None`` where the other has moved."""
    heard: int | None
    """What the referee said; ``None`` where it refused the try."""


def heard_by(side: int, turns: Sequence[Turn], refused: Sequence[int]) -> tuple[Hearing, ...]:
    """Return all that a side did and heard; ``refused`` are its tries in the turn not yet over."""
    told: list[Hearing] = []
    for turn in turns:
        if turn.player == side:
            told += (Hearing(action=action, heard=None) for action in turn.refused)
        told.append(Hearing(action=turn.action if turn.player == side else None, heard=turn.heard))
    return (*told, *(Hearing(action=action, heard=None) for action in refused))


class Listener:
    """A player that is told, whenever asked to, what its side has heard so far."""

    def __init__(self, player: Player, side: int, start: int, rng: np.random.Generator) -> None:
        self.player = player
        self._begin = (side, start, rng)
        self._told = -1

    def catch_up(self, hearings: Sequence[Hearing]) -> None:
        """Tell the player what is new: ``hearings`` is all that its side heard, from the start."""
        if self._told < 0:
            self.player.begin(*self._begin)
            self._told = 0
        for hearing in hearings[self._told :]:
            tell(self.player, hearing)
            self._told += 1


def tell(player: Player, hearing: Hearing) -> None:
    """Tell a player one thing that its side did or heard."""
    if hearing.action is None:
        player.heard(hearing.heard or 0)
    elif hearing.heard is None:
        player.refused(hearing.action)
    else:
        player.moved(hearing.action, hearing.heard)
