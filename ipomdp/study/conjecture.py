"""The 2007 paper's closing conjecture about its Figure 1, settled over every reading.

The paper ends: one more level of modelling "could reveal that White Qb2 move is prefered to Qd1
since Black Queen would not respond with capturing". That is two claims, a preference and a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ipomdp.report import TIE
from ipomdp.scenario import Scenario, kriegspiel_only, load_scenario
from ipomdp.study.course import Course, course
from ipomdp.study.levels import Cell, cells, written

OFFERED, PREFERRED, CAPTURE = "Qb2", "Qd1", "Qb2"
"""White's two moves, and Black's reply that takes the queen offered."""
ALL_MOVES, PAPER_MOVES = "figure-1-all-moves", "figure-1"
"""Scenarios with all nine legal moves considered, and without Qc3, as the paper has it."""
VIEWS = ("Qd1 ahead", "Qb2 ahead", "Qb2 best")
"""What can come of the preference: Qb2 is not better than Qd1, it is, it is the best move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read what the paper leaves open."""

    tries: str
    horizon: int
    all_moves: bool = True
    """Whether Qc3, which sounds like Qb2, is considered too."""

    @property
    def scenario(self) -> Scenario:
        """Figure 1 so read."""
        name = ALL_MOVES if self.all_moves else PAPER_MOVES
        base = kriegspiel_only(load_scenario(name), name)
        return base.with_options(tries=self.tries, horizon=self.horizon)

    @property
    def words(self) -> str:
        """The reading in words."""
        considered = "" if self.all_moves else ", Qc3 not considered"
        return f"tries: {self.tries}, horizon {self.horizon}{considered}"

    def levels(self, wanted: Sequence[int] | None) -> tuple[int, ...]:
        """Return the levels wanted; by default up to 6, or 5 where one more takes minutes."""
        if wanted is not None:
            return tuple(wanted)
        return tuple(range(1, 6 if (self.tries, self.horizon) == ("retry", 2) else 7))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Both halves of the conjecture in one cell."""

    reading: Reading
    level: int
    rationality: float
    best: str
    offered: float
    """What Qb2 is worth to White."""
    preferred: float
    """What Qd1 is worth to White."""
    capture: float
    """How likely Black takes on b2: by its only try under ``paper``, finally under ``retry``."""

    @property
    def view(self) -> str:
        """What comes of the preference."""
        if self.best == OFFERED:
            return VIEWS[2]
        return VIEWS[1] if self.offered > self.preferred + TIE else VIEWS[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The conjecture over all readings, levels and lambdas, finished or not."""

    levels: tuple[int, ...] | None
    rationalities: tuple[float, ...]
    verdicts: tuple[Verdict, ...]

    def of(self, reading: Reading) -> tuple[Verdict, ...]:
        """Return the verdicts of one reading."""
        return tuple(verdict for verdict in self.verdicts if verdict.reading == reading)

    def at(self, reading: Reading, level: int, rationality: float) -> Verdict | None:
        """Return one verdict, if it has been computed."""
        for verdict in self.of(reading):
            if (verdict.level, verdict.rationality) == (level, rationality):
                return verdict
        return None

    @property
    def complete(self) -> bool:
        """Whether every cell has been computed."""
        cells = sum(len(reading.levels(self.levels)) for reading in readings())
        return len(self.verdicts) == cells * len(self.rationalities)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-ready data."""
        return {
            "complete": self.complete,
            "verdicts": [
                {
                    "tries": v.reading.tries,
                    "horizon": v.reading.horizon,
                    "qc3_considered": v.reading.all_moves,
                    "level": v.level,
                    "rationality": written(v.rationality),
                    "best": v.best,
                    "qb2": v.offered,
                    "qd1": v.preferred,
                    "capture": v.capture,
                    "view": v.view,
                }
                for v in self.verdicts
            ],
        }


def readings() -> tuple[Reading, ...]:
    """Return the readings, the slowest last."""
    kinds = (("paper", True), ("paper", False), ("retry", True))
    return tuple(
        Reading(tries=tries, horizon=horizon, all_moves=every)
        for tries, every in kinds
        for horizon in (1, 2)
    )


def settle(levels: Sequence[int] | None, rationalities: Sequence[float]) -> Iterator[Verdict]:
    """Compute the verdicts one by one."""
    for reading in readings():
        wanted = reading.levels(levels)
        for cell in cells(reading.scenario, wanted, rationalities, after=OFFERED):
            yield verdict_of(reading, cell)


def verdict_of(reading: Reading, cell: Cell) -> Verdict:
    """Return both halves of the conjecture in one cell, whose replies are those to Qb2."""
    return Verdict(
        reading=reading,
        level=cell.level,
        rationality=cell.rationality,
        best=cell.best,
        offered=cell.value(OFFERED),
        preferred=cell.value(PREFERRED),
        capture=cell.reply(CAPTURE),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What more and more levels do to one reading at one lambda."""

    reading: Reading
    rationality: float
    cells: tuple[Cell, ...]
    course: Course


def growth() -> Iterator[Growth]:
    """Follow Figure 1 at horizon 1 as deep as takes seconds, at the paper's lambda and above."""
    for tries, deepest in (("paper", 8), ("retry", 6)):
        reading = Reading(tries=tries, horizon=1)
        for rationality in (0.004, 0.02):
            run = tuple(cells(reading.scenario, range(1, deepest + 1), [rationality]))
            found = course(run)
            if found:
                yield Growth(reading=reading, rationality=rationality, cells=run, course=found)
