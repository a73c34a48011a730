"""One problem, posed to the networks and to the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4, Weights
from networks import Mind, PaperNetworks, build
from tests import oracle

GAME = Kriegspiel4x4()
FIGURE_1 = "1q1k/4/4/K1Q1 w"


@dataclass(frozen=True)
class Setting:
    """One problem, for the networks and for the oracle."""

    fen: str
    level: int
    tries: str
    rationality: float = 0.004
    policy: str = "model"
    candidates: tuple[str, ...] | None = None
    weights: tuple[tuple[str, float], ...] = ()

    def networks(self) -> PaperNetworks:
        """Return the diagrams."""
        state = GAME.read(self.fen)
        legal, _, _ = GAME.moves(np.array([state]))
        names = self.candidates
        utility = Evaluation(Weights(**dict(self.weights)))
        return build(
            GAME,
            state,
            GAME.turn(state),
            legal[0] if names is None else np.isin(GAME.actions, names),
            utility=utility,
            levels=(Mind(utility, self.rationality),) * self.level,
            policy=self.policy,
            tries=self.tries,
        )

    def oracle(self) -> oracle.Oracle:
        """Return the oracle that plays the same way."""
        settings: Any = {"tries": self.tries, "opponent": self.policy}
        return oracle.Oracle(
            rationality=self.rationality,
            candidates=self.candidates,
            weights=oracle.Weights(**dict(self.weights)),
            **settings,
        )
