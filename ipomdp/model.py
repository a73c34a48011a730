"""Frames and models: how a player thinks, and what it believes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ipomdp.belief import Belief
from ipomdp.game import Utility


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """How a player thinks, apart from what it has heard.

    ``opponent`` is the frame it imagines across the board; ``None`` makes it
    level 0, a player that models no one.
    """

    utility: Utility
    rationality: float
    """lambda: 0 plays at random, inf plays a best response."""
    opponent: Frame | None = None

    def __post_init__(self) -> None:
        if math.isnan(self.rationality) or self.rationality < 0:
            raise ValueError(f"rationality must be a number >= 0 or inf, not {self.rationality}")

    @property
    def level(self) -> int:
        """How many players deep the modelling goes."""
        return 0 if self.opponent is None else 1 + self.opponent.level


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A frame with a belief.

    Two models are the same only if they are the same object: the solver makes one for each thing
    a player can have heard.
    """

    player: int
    frame: Frame
    belief: Belief
    ply: int = 0
    """How many moves have been made since the start."""
    surprised: bool = False
    """Whether what it last heard had probability zero under its own model of the other."""


def at_start(state: int, player: int, frame: Frame) -> Model:
    """Return the model of a player to whom the state is known, as it is to everyone it models."""
    opponent = frame.opponent
    others = None if opponent is None else (at_start(state, 1 - player, opponent),)
    return Model(player, frame, Belief(np.array([state]), np.zeros(1), others))


def nested(levels: int, *, utility: Utility, rationality: float) -> Frame:
    """Return a frame of the given level whose nested frames all share utility and lambda."""
    frame = Frame(utility=utility, rationality=rationality)
    for _ in range(levels):
        frame = Frame(utility=utility, rationality=rationality, opponent=frame)
    return frame
