"""A decision problem as the solvers see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ipomdp.engine.effort import check
from ipomdp.engine.history import Event, Situation, situation
from ipomdp.engine.layer import Rows
from ipomdp.engine.model import Frame
from ipomdp.engine.particles import Particles
from ipomdp.engine.solve import Solver
from ipomdp.engine.step import Rules
from ipomdp.errors import ParticlesLost
from ipomdp.game import BoolArray, FloatArray, Game, IntArray

MORE = (1, 4, 16)
"""By how much particles are multiplied, one after the other, when they lose sight of the truth."""
NESTED = 16
"""The least that a nested belief keeps when particles are drawn."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A game, what its players know at the start, what i has heard since, and how i thinks."""

    game: Game
    rules: Rules
    views: tuple[Rows, Rows]
    """What either player holds possible at the start."""
    player: int
    """i."""
    frame: Frame
    node: int = 0
    """What i sees at the start, among all that it might have seen."""
    first: BoolArray | None = None
    """The actions that the first mover considers; ``None`` for all."""
    events: tuple[Event, ...] = ()
    refused: tuple[int, ...] = ()
    """i's tries refused in the turn under way."""

    particles: int = 200
    """How many rows i's belief keeps once it has more than ``exact_up_to``."""
    exact_up_to: int = 20_000
    seed: int = 0

    def situation(self, frame: Frame | None = None, *, draw: int = 0) -> Situation:
        """Return where i stands, thinking as it does or as another frame does.

        ``draw`` tells apart repeated drawings of the particles, if there are any.
        """
        thinks = frame or self.frame
        early = self.first is not None and (
            not _finite(thinks) or any(e.action is not None for e in self.events[:1])
        )
        solver = Solver(self.game, self.views, self.rules, first=self.first, unguarded=early)
        for more in MORE:
            particles = Particles(
                count=self.particles * more,
                nested=max(NESTED, self.particles * more // 25),
                exact_up_to=self.exact_up_to,
                generator=np.random.default_rng([self.seed, draw]),
            )
            try:
                return situation(
                    solver, self.player, thinks, self.events, node=self.node,
                    refused=self.refused, particles=particles, guard=check,
                )  # fmt: skip
            except ParticlesLost:
                if more == MORE[-1]:
                    raise
        raise AssertionError("the last attempt returns or raises")


def _finite(frame: Frame) -> bool:
    """Return whether nobody whom a frame imagines plays best responses."""
    return all(
        not isinstance(o, Frame) or (np.isfinite(o.rationality) and _finite(o))
        for o in frame.opponents
    )


def common_prior(
    states: IntArray, weights: FloatArray, seen: tuple[IntArray, IntArray]
) -> tuple[Rows, Rows]:
    """Return both players' views of a common prior; ``seen`` numbers what each of them sees."""
    nothing = np.zeros(states.size, dtype=np.int64)
    logs = np.log(weights)
    one, other = (np.asarray(s, dtype=np.int64) for s in seen)
    return (
        Rows(one, states, nothing, other, logs, nothing),
        Rows(other, states, nothing, one, logs, nothing),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What j believes and does once it has heard something, as i expects it."""

    heard: int
    probability: float
    belief: Mapping[int, float] = field(default_factory=dict)
    """What j then believes, likeliest first; mixed over all that j may know."""
    utilities: FloatArray | None = None
    """j's expected utility of each action, -inf where it is not weighed; ``None`` if it does not
    move."""
    probabilities: FloatArray | None = None
    """How likely each action is j's next try."""
    surprised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What a solver finds."""

    values: FloatArray
    """The worth of i's actions; -inf where one is not considered."""
    belief: Mapping[int, float]
    """What i believes, likeliest first."""
    answers: Mapping[int, tuple[Answer, ...]]
    """For each action of i, what j makes of what may be announced."""
    refused: FloatArray
    """For each action of i, the probability that it is refused."""
    leaks: Mapping[int, float]
    """For each action of i, the bits that the announcement gives j."""
    frames: tuple[float, ...] = (1.0,)
    """How likely i holds each of the frames that j may have."""
    nested: tuple[tuple[float, Mapping[int, float]], ...] = ()
    """What i believes j believes: j's possible beliefs, likeliest first."""
    surprised: bool = False
    """Whether something in the history had no chance under i's model."""
    errors: FloatArray | None = None
    """Standard errors of the values, if they are sampled."""
