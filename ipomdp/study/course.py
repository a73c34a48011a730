"""What happens to i's utilities as its level grows: do they settle, or go round?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ipomdp.study.levels import Cell

CLOSE = 1.0
"""Utilities that change by less are as good as settled: 1 is a fiftieth of a check."""
LONGEST = 4
"""The longest cycle looked for: it takes twice as many levels to see one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """i's utilities along consecutive levels at one lambda, level 0 apart."""

    last: int
    """The highest level."""
    changes: tuple[float, ...]
    """From each level to the next, the largest change of the utility of any move."""
    period: int
    """After how many levels all utilities come back; 1 if they settle, 0 if neither is seen."""
    drift: float
    """By how much the utility of some move then still differs, at most."""

    @property
    def swing(self) -> float:
        """The largest change from one level to the next within the last cycle."""
        return max(self.changes[-max(self.period, 1) :])

    @property
    def fading(self) -> bool:
        """Whether every change of late is smaller than the one before."""
        late = self.changes[-LONGEST:]
        return len(late) == LONGEST and all(a > b for a, b in pairwise(late))

    @property
    def words(self) -> str:
        """Say it in a sentence."""
        if self.period == 1:
            return (
                f"The utilities settle: one more level changes none by more than {self.drift:.2f} "
                f"at level {self.last}."
            )
        if self.period:
            return (
                f"The utilities go round in cycles of {self.period} levels: from one level to the "
                f"next some move's still changes by {self.swing:.1f}, but what it was "
                f"{self.period} levels before comes back to within {self.drift:.1f}."
            )
        if self.fading:
            late = ", ".join(f"{change:.0f}" for change in self.changes[-LONGEST:])
            return (
                "The utilities have not settled, but their changes from level to level fade: "
                f"{late} at most, up to level {self.last}."
            )
        return (
            f"Up to level {self.last} the utilities neither settle nor come back: the last level "
            f"changes some move's by {self.changes[-1]:.1f}."
        )


def course(run: Sequence[Cell]) -> Course | None:
    """Return what happens along consecutive levels; ``None`` where they are too few to say.

    A cycle has the shortest period, of 2 to 4 levels, over which utilities differ by less than a
    third of what they change by from level to level, at the last two levels.
    """
    run = [cell for cell in run if cell.level > 0]
    if len(run) < 3 or any(after.level - before.level != 1 for before, after in pairwise(run)):
        return None
    changes = tuple(_change(before, after) for before, after in pairwise(run))
    period, drift = 0, changes[-1]
    if changes[-1] < CLOSE:
        period = 1
    else:
        for cycle in range(2, LONGEST + 1):
            if len(run) >= 2 * cycle:
                drift = max(_change(run[-k - cycle], run[-k]) for k in (1, 2))
                if drift < max(changes[-cycle:]) / 3:
                    period = cycle
                    break
    return Course(last=run[-1].level, changes=changes, period=period, drift=drift)


def _change(before: Cell, after: Cell) -> float:
    return max(abs(after.value(move) - value) for move, value in before.moves)
