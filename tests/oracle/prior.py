"""What is commonly known at the start, and what each player sees of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Literal

from tests.oracle.frame import Frame
from tests.oracle.node import Element, Node
from tests.oracle.rules import WHITE, Position, parse

Look = Position | tuple[int, int | None]
"""What a player sees at the start: the position, or the squares of its own king and queen."""


@dataclass(frozen=True)
class Prior:
    """A common prior over positions, for players who see them wholly or see their own pieces.

    A known position is a prior of that position alone.
    """

    positions: tuple[tuple[str, float], ...]
    """Positions, all with the same side to move, and their probabilities (or weights)."""
    white: Literal["own", "all"] = "own"
    black: Literal["own", "all"] = "own"
    sees: str | None = None
    """A position of the list: what i sees is what it would see there; needed if that differs."""


class Start:
    """The players' first nodes, one for each frame and each thing that can be seen."""

    def __init__(self, prior: Prior) -> None:
        parsed = [(parse(fen), weight) for fen, weight in prior.positions]
        self.positions = dict(parsed)
        """The weights of the positions."""
        for position, weight in parsed:
            if position.over:
                raise ValueError(f"{str(position)!r}: the game is over")
            if not weight > 0:
                raise ValueError(f"{str(position)!r}: a weight is positive, not {weight}")
        if not parsed or len(self.positions) < len(parsed):
            raise ValueError("a prior lists at least one position, and each once")
        if len({position.mover for position in self.positions}) > 1:
            raise ValueError("the same side is to move in all positions of a prior")
        self._sight = (prior.white, prior.black)
        self.adviser = parsed[0][0].mover
        self.seen = self._seen(prior.sees)
        self._roots: dict[tuple[Frame, int, Look], Node] = {}

    def look(self, position: Position, player: int) -> Look:
        """What ``position`` looks like to ``player``."""
        if self._sight[player] == "all":
            return position
        return position.kings[player], position.queens[player]

    def root(self, frame: Frame, player: int, look: Look) -> Node:
        """What ``player`` knows that thinks as ``frame`` does and sees ``look``."""
        key = (frame, player, look)
        if key not in self._roots:
            like = [p for p in self.positions if self.look(p, player) == look]
            total = sum(self.positions[p] for p in like)
            start = tuple(
                Element(
                    place,
                    position,
                    which,
                    self._other(other, 1 - player, position),
                    log(self.positions[position] / total) + log(probability),
                )
                for place, position in enumerate(like)
                for which, (probability, other) in enumerate(frame.others)
            )
            self._roots[key] = Node(player, frame, tuple(like), start=start)
        return self._roots[key]

    def _other(self, frame: Frame | None, player: int, position: Position) -> Node | None:
        """What the other, if it thinks at all, knows when ``position`` is the true one."""
        return None if frame is None else self.root(frame, player, self.look(position, player))

    def _seen(self, sees: str | None) -> Look:
        """What i sees."""
        if sees is not None:
            position = parse(sees)
            if position not in self.positions:
                raise ValueError(f"{sees!r} is not among the positions of the prior")
            return self.look(position, self.adviser)
        looks = {self.look(position, self.adviser) for position in self.positions}
        if len(looks) > 1:
            player = "white" if self.adviser == WHITE else "black"
            raise ValueError(f"the prior must say what {player} sees: {len(looks)} things differ")
        return looks.pop()
