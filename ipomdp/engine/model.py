"""Frames: how a player thinks, apart from what it has heard."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from ipomdp.game import Utility


class Blind(Enum):
    """A player without beliefs, as another may imagine it."""

    IMAGINED = "imagined"
    """How a player who models nobody takes the other to act; the game says how that is."""
    RANDOM = "random"
    """Uniform over its actions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """How a player thinks, apart from what it has heard.

    ``opponents`` are the frames it holds possible across the board, with their prior ``weights``.
    By default it models no one: level 0. A model is a frame with a belief, a node of a layer.
    """

    utility: Utility
    rationality: float
    """lambda: 0 plays at random, inf plays a best response."""
    opponents: tuple[Frame | Blind, ...] = (Blind.IMAGINED,)
    weights: tuple[float, ...] = (1.0,)
    horizon: int = 1
    """How many own decisions it plans."""
    shrinking: bool = False
    """Whether the horizon is a fixed end, one decision nearer with every step."""
    discount: float = 1.0

    def __post_init__(self) -> None:
        if math.isnan(self.rationality) or self.rationality < 0:
            raise ValueError(f"rationality must be a number >= 0 or inf, not {self.rationality}")
        if self.horizon < 1:
            raise ValueError(f"a horizon is at least 1, not {self.horizon}")
        if len(self.opponents) != len(self.weights) or not min(self.weights) > 0:
            raise ValueError("a frame needs a weight above zero for each of its opponents")

    @property
    def level(self) -> int:
        """How many players deep the modelling goes; facing a random player is level 1."""
        if self.opponents == (Blind.IMAGINED,):
            return 0
        return 1 + max(o.level if isinstance(o, Frame) else 0 for o in self.opponents)

    def planned(self, step: int) -> int:
        """Return how many decisions it plans after a number of steps."""
        return max(1, self.horizon - step) if self.shrinking else self.horizon


def nested(level: int, *, utility: Utility, rationality: float, horizon: int = 1) -> Frame:
    """Return a frame of the given level whose nested frames all share utility, lambda, horizon."""
    frame = Frame(utility=utility, rationality=rationality, horizon=horizon)
    for _ in range(level):
        frame = Frame(utility=utility, rationality=rationality, horizon=horizon, opponents=(frame,))
    return frame
