"""How much work an analysis will be, estimated before it starts.

The work grows with what can be heard, by about the same factor with every move looked ahead. A few
moves of the cheapest kind, level 0, tell the factor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ipomdp.engine.history import Situation
from ipomdp.engine.layer import gather
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.solve import Solver
from ipomdp.errors import InvalidInput

PROBED = 4
"""How many steps are looked at to tell the growth."""
SMALL = 500
"""Rows of a belief from which a few moves ahead are no work."""
SECONDS_A_ROW = 1.5e-5
BYTES_A_ROW = 3000.0
TOO_MUCH = 2e10
"""Bytes beyond which an analysis is refused."""
LONG = 20.0
"""Seconds beyond which an analysis is announced."""


@dataclass(frozen=True)
class Effort:
    """An estimate, right to within a factor of ten or so."""

    rows: float
    """Pairs (state, model of the other) in the largest layer; may be infinite."""

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return self.rows * SECONDS_A_ROW

    @property
    def bytes(self) -> float:
        """How much memory it takes."""
        return self.rows * BYTES_A_ROW


def last_step(frame: Frame | Blind, step: int) -> int:
    """Return the last step that a decision by a frame looks at, where players take turns."""
    if isinstance(frame, Blind):
        return step
    last = step + 2 * (frame.horizon - 1)
    if frame.level == 0:
        return last
    return max(last_step(opponent, last + 1) for opponent in frame.opponents)


def effort(place: Situation) -> Effort:
    """Return the estimate for a decision from where a player stands."""
    solver, player, frame, step = place.solver, place.player, place.frame, place.step
    if all(solver.acts(p, step) for p in (0, 1)):
        return Effort(0.0)  # beliefs merge so well in such games that no estimate is needed
    last, rows = last_step(frame, step), place.layer.rows
    largest = max(layer.rows.node.size for layer in solver.known(step))
    if largest < SMALL and last - step <= PROBED:
        return Effort(float(largest))
    probe = Frame(utility=frame.utility, rationality=0.0)
    nothing = np.zeros(rows.node.size, dtype=np.int64)
    layer, _ = gather(rows._replace(kind=nothing, other=nothing, rank=nothing), 1)
    known = {(player, probe, step): layer}
    alone = Solver(solver.game, solver.views, solver.rules, layers=known)
    sizes = [float(layer.rows.node.size)]
    for ahead in range(step, min(last, step + PROBED)):
        onward = alone.step(player, probe, ahead).layer
        if onward is None:
            break
        sizes.append(float(onward.rows.node.size))
    growth = math.log(max(1.0, sizes[-1] / sizes[-3])) / 2 if len(sizes) > 2 else 0.0
    further = max(0, last - step - PROBED) * growth
    nested = max(1.0, largest / layer.rows.node.size)
    return Effort(math.exp(min(700.0, math.log(sizes[-1] * nested) + further)))


def check(place: Situation) -> str | None:
    """Return a word of warning if a decision takes long; one that cannot be made is an error."""
    estimate = effort(place)
    depth = last_step(place.frame, place.step) - place.step + 1
    if estimate.bytes > TOO_MUCH:
        raise InvalidInput(
            f"agent.level: level {place.frame.level} with horizon {place.frame.horizon} looks "
            f"{depth} moves ahead and would need about {_rounded(estimate.bytes / 1e9)} GB and "
            f"{_duration(estimate.seconds)}; expected a lower level or horizon"
        )
    if estimate.seconds > LONG:
        return (
            f"looking {depth} moves ahead: about {_duration(estimate.seconds)} and "
            f"{_rounded(estimate.bytes / 1e9)} GB"
        )
    return None


def _duration(seconds: float) -> str:
    for unit, size in (("years", 3.2e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{_rounded(seconds / size)} {unit}"
    return f"{_rounded(seconds)} seconds"


def _rounded(number: float) -> str:
    return f"{number:.0f}" if number < 1e6 else f"10^{math.log10(number):.0f}"
