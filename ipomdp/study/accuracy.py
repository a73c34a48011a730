"""How far particles are from the exact belief, and what that does to the decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ipomdp.engine.expect import action_values
from ipomdp.engine.problem import Problem
from ipomdp.errors import InvalidInput
from ipomdp.show.plots import plain, save

EXACT_BELOW = 1e-12
"""An error that is rounding alone: there were enough particles for every row of the belief."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The errors of some number of particles, averaged over repeated drawings."""

    particles: int
    distance: float
    """Total variation distance between sampled and exact belief over positions."""
    error: float
    """Root mean square error of the expected utilities of i's moves."""
    agreement: float
    """How often the best move is the exact one."""


def accuracy(
    problem: Problem,
    counts: Sequence[int],
    repeats: int,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Accuracy]:
    """Return the errors against the exact filter for each number of particles."""
    place = replace(problem, exact_up_to=2**31 - 1).situation()
    if len(problem.events) == 0:
        raise InvalidInput("history: missing; without one the belief is known, not filtered")
    exact, belief = action_values(place), place.layer.marginal(0)
    rows = []
    for count in counts:
        drawn = replace(problem, exact_up_to=0, particles=count)
        distances, errors, agreed = [], [], []
        for draw in range(repeats):
            sampled = drawn.situation(draw=draw)
            values, marginal = action_values(sampled), sampled.layer.marginal(0)
            states = belief.keys() | marginal.keys()
            distances.append(
                sum(abs(belief.get(s, 0.0) - marginal.get(s, 0.0)) for s in states) / 2
            )
            both = np.isfinite(exact) & np.isfinite(values)
            errors.append(float(np.mean((values[both] - exact[both]) ** 2)))
            agreed.append(int(values.argmax()) == int(exact.argmax()))
            progress(1)
        rows.append(
            Accuracy(
                count,
                float(np.mean(distances)),
                float(np.sqrt(np.mean(errors))),
                float(np.mean(agreed)),
            )
        )
    return rows


def accuracy_chart(rows: Sequence[Accuracy], title: str, path: Path) -> None:
    """Draw both errors over the number of particles, on logarithmic scales.

    An error of zero has no place on them: such numbers are named in the legend.
    """
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(8.0, 3.4), layout="constrained")
    rows = sorted(rows, key=lambda row: row.particles)
    for axes, points, label in zip(
        canvas.subplots(1, 2),
        ([(r.particles, r.distance) for r in rows], [(r.particles, r.error) for r in rows]),
        ("distance from the exact belief\n(total variation)", "error of expected utilities (RMS)"),
        strict=True,
    ):
        drawn = [(n, error) for n, error in points if error > EXACT_BELOW]
        exact = [n for n, error in points if error <= EXACT_BELOW]
        counts, errors = [n for n, _ in drawn], [error for _, error in drawn]
        name = f"particles{_exact_note(counts, exact)}"
        axes.loglog(counts, errors, "o-", color="#1f4e8c", label=name)
        if drawn:
            slope = [errors[0] * (counts[0] / n) ** 0.5 for n in counts]
            axes.loglog(counts, slope, ":", color="#888888", label="1/sqrt(N)")
        else:  # nothing to scale the axes by
            axes.tick_params(
                which="both", bottom=False, left=False, labelbottom=False, labelleft=False
            )
        axes.set_xlabel("particles")
        axes.set_ylabel(label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    canvas.suptitle(plain(title), fontsize=11)
    save(canvas, path)


def _exact_note(counts: Sequence[int], exact: Sequence[int]) -> str:
    """Return which numbers of particles made no error, given those that made one."""
    if not exact:
        return ""
    if max(counts, default=0) < min(exact):
        return f"\n(exact from {min(exact)} on)"
    return f"\n(exact at {', '.join(map(str, exact))})"
