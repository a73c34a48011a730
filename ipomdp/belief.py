"""Interactive beliefs: distributions over pairs (state, model of the other player)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.game import FloatArray, IntArray

if TYPE_CHECKING:
    from ipomdp.model import Model


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """A weighted list of elements; at level 0 nobody is modelled and ``others`` is ``None``."""

    states: IntArray
    """The state of each element."""
    log_weights: FloatArray
    """The logarithm of each element's weight, up to a constant: what is all but impossible now may
    be all that is left after the next announcement, so nothing may vanish by rounding."""
    others: tuple[Model, ...] | None = None
    """The model of the other player in each element, one level down."""
    weights: FloatArray = field(init=False)
    """The probability of each element; they sum to one."""

    def __post_init__(self) -> None:
        states, logs = np.array(self.states), np.array(self.log_weights, dtype=np.float64)
        if states.ndim != 1 or states.size == 0 or states.shape != logs.shape:
            raise ValueError("a belief needs one weight for each of its states, and a state")
        if self.others is not None and len(self.others) != states.size:
            raise ValueError("a belief needs a model of the other for each of its states")
        if not np.isfinite(logs).all():
            raise ValueError(f"an element of a belief must have a weight above zero, not {logs}")
        logs -= logs.max()
        weights = np.exp(logs)
        weights /= weights.sum()
        states.flags.writeable = logs.flags.writeable = weights.flags.writeable = False
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "log_weights", logs)
        object.__setattr__(self, "weights", weights)

    def marginal(self) -> dict[int, float]:
        """Return the probability of each state, likeliest first, ties by state."""
        sums: dict[int, float] = {}
        for state, weight in sorted(zip(self.states.tolist(), self.weights.tolist(), strict=True)):
            sums[state] = sums.get(state, 0.0) + weight
        return {state: p for state, p in sorted(sums.items(), key=lambda s: -s[1]) if p > 0}

    def entropy(self) -> float:
        """Return the bits missing about the state."""
        return entropy(np.array(list(self.marginal().values())))


def entropy(probabilities: FloatArray) -> float:
    """Return -sum p log2 p."""
    p = probabilities[probabilities > 0]
    return max(0.0, float(-(p * np.log2(p)).sum()))
