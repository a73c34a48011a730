"""What a player that models nobody gives away: the other as one who listens and models nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ipomdp.engine.history import Event, Situation, situation
from ipomdp.engine.model import Frame
from ipomdp.engine.particles import Particles
from ipomdp.engine.solve import Solver
from ipomdp.engine.step import Rules
from ipomdp.errors import ImpossibleObservation, ParticlesLost
from ipomdp.game import BoardGame
from ipomdp.players.possible import Possible
from ipomdp.study.likelihood import known_start

LOST = (ImpossibleObservation, ParticlesLost, LookupError)
"""What the engine raises where a belief does not explain what has happened."""
COUNT, NESTED, EXACT_UP_TO = 100, 16, 1000
"""How many rows are kept where there are more than so many, and how many in a nested belief."""


class Watched:
    """Where a player would stand if the other listened; follows the game only when asked.

    All it draws comes from a generator of its own: what is found depends on what happened alone.
    """

    def __init__(self, game: BoardGame, side: int, start: int, frame: Frame, rules: Rules) -> None:
        self._game, self._side, self._frame, self._rules = game, side, frame, rules
        self._particles = Particles(COUNT, NESTED, EXACT_UP_TO, np.random.default_rng(0))
        self._possible = Possible(side, start)
        self._followed = 0
        self._place = replace(
            situation(known_start(game, start, rules), side, frame), particles=self._particles
        )

    def after(self, events: Sequence[Event], refused: tuple[int, ...]) -> Situation:
        """Return where it stands after all that happened, and what was refused since."""
        for event in events[self._followed :]:
            self._possible.after(event)
            try:
                self._place = self._place.after(event)
            except LOST:
                self._place = self._anew(self._possible)
            self._followed += 1
        if not refused:
            return self._place
        place = self._place.refusing(refused)
        try:
            _ = place.turn
        except LOST:
            left = Possible(self._side, int(self._possible.states[0]))
            left.states, left.heard = self._possible.states, self._possible.heard
            for action in refused:
                left.refused(action)
            return self._anew(left)
        return place

    def _anew(self, possible: Possible) -> Situation:
        """Return where it stands believing whatever the rules leave possible."""
        views, node = possible.views()
        solver = Solver(self._game, views, self._rules)
        return situation(solver, self._side, self._frame, node=node, particles=self._particles)
