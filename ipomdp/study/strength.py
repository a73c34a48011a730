"""How strong levels are against each other, and what knowing the opponent's lambda is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ipomdp.arena.intervals import Interval, Z, of_score
from ipomdp.study.rounds import Meeting, Round, Task
from ipomdp.study.starts import drawn_starts

RANDOM = "random"


@dataclass(frozen=True)
class Cell:
    """The games of one meeting."""

    rounds: tuple[Round, ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * len(self.rounds)

    @cached_property
    def ends(self) -> tuple[int, int, int]:
        """How many games i won, drew and lost."""
        scores = [score for r in self.rounds for score in r.scores]
        return scores.count(1.0), scores.count(0.5), scores.count(0.0)

    @property
    def score(self) -> float:
        """The mean score of i: a win is 1, a draw 1/2."""
        won, drawn, _ = self.ends
        return (won + drawn / 2) / self.games

    @property
    def interval(self) -> Interval:
        """95% of it."""
        won, drawn, lost = self.ends
        return of_score(won, lost, drawn)

    def to_dict(self) -> dict[str, Any]:
        """Return everything."""
        won, drawn, lost = self.ends
        return {
            "i": self.rounds[0].meeting.i, "j": self.rounds[0].meeting.j, "games": self.games,
            "won": won, "drawn": drawn, "lost": lost, "score": self.score,
            "interval": list(self.interval),
        }  # fmt: skip


class Cost(NamedTuple):
    """How much score a wrong lambda costs against those who have another."""

    steps: int
    """How far off it is: places of the grid above the true one, or below it."""
    mean: float
    half: float
    """Half the width of its 95% interval."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What is to be played, and what has been."""

    levels: tuple[int, ...]
    """Of both players, in the first table."""
    rationality: float
    """The lambda that all of them assume, and by which j plays, in the first table."""
    lambdas: tuple[float, ...]
    """Assumed by i and true of j, in the second table."""
    level: int
    """i's in the second table; j's is one less."""
    horizon: int = 1
    """How many decisions everyone plans."""
    rounds: tuple[Round, ...] = ()

    def thinker(self, level: int) -> str:
        """Return i at a level: it plays best responses."""
        return self._written(level, self.rationality)

    def quantal(self, level: int, rationality: float) -> str:
        """Return j at a level, who is just whom i at the next level thinks it plays."""
        return f"{self._written(level, rationality)},play={rationality:g}"

    def _written(self, level: int, rationality: float) -> str:
        return (
            f"ipomdp:level={level},lambda={rationality:g},horizon={self.horizon},"
            f"opponent-horizon={self.horizon}"
        )

    @property
    def opponents(self) -> tuple[str, ...]:
        """The columns of the first table."""
        return (RANDOM, *(self.quantal(level, self.rationality) for level in self.levels))

    def assuming(self, rationality: float) -> str:
        """Return i in the second table."""
        return self._written(self.level, rationality)

    def truly(self, rationality: float) -> str:
        """Return j in the second table."""
        return self.quantal(self.level - 1, rationality)

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """All of them, those in both tables once."""
        first = [Meeting(self.thinker(k), j) for k in self.levels for j in self.opponents]
        second = [
            Meeting(self.assuming(a), self.truly(t)) for a in self.lambdas for t in self.lambdas
        ]
        return tuple(dict.fromkeys(first + second))

    def tasks(self, starts: int, seed: int) -> Iterator[Task]:
        """Return what is to be played, start by start: cut short, it is still balanced."""
        for number, start in enumerate(drawn_starts(starts, seed)):
            for meeting in self.meetings:
                yield Task(meeting, start, number, seed)

    @cached_property
    def _cells(self) -> dict[Meeting, Cell]:
        found: dict[Meeting, list[Round]] = {}
        for done in sorted(self.rounds, key=lambda r: r.number):
            found.setdefault(done.meeting, []).append(done)
        return {meeting: Cell(tuple(rounds)) for meeting, rounds in found.items()}

    def against(self, level: int, opponent: str) -> Cell | None:
        """Return a cell of the first table; ``None`` where nothing has been played."""
        return self._cells.get(Meeting(self.thinker(level), opponent))

    def knowing(self, assumed: float, true: float) -> Cell | None:
        """Return a cell of the second table."""
        return self._cells.get(Meeting(self.assuming(assumed), self.truly(true)))

    def costs(self) -> list[Cost]:
        """Return what being off by some places of the grid costs, over all who are so far away.

        The differences are taken start by start, so that the luck of a start cancels.
        """
        places, found = range(len(self.lambdas)), []
        for steps in range(1 - len(self.lambdas), len(self.lambdas)):
            there = [t for t in places if t + steps in places]
            lost = [self._lost(self.lambdas[t + steps], self.lambdas[t]) for t in there]
            common = set.intersection(*(set(by_start) for by_start in lost))
            means = np.array([np.mean([by[k] for by in lost]) for k in sorted(common)])
            if means.size > 1:
                half = Z * float(means.std(ddof=1)) / math.sqrt(means.size)
                found.append(Cost(steps, float(means.mean()), half))
        return found

    def _lost(self, assumed: float, true: float) -> dict[int, float]:
        """Return the score that a wrong lambda costs, start by start."""
        right, wrong = self.knowing(true, true), self.knowing(assumed, true)
        if right is None or wrong is None:
            return {}
        scores = [{r.number: sum(r.scores) / 2 for r in cell.rounds} for cell in (right, wrong)]
        return {k: scores[0][k] - scores[1][k] for k in scores[0].keys() & scores[1].keys()}

    def to_dict(self) -> dict[str, Any]:
        """Return everything."""
        return {
            "lambda": _plain(self.rationality),
            "horizon": self.horizon,
            "levels": [
                {"level": k, "opponent": opponent, **cell.to_dict()}
                for k in self.levels
                for opponent, j in zip((RANDOM, *self.levels), self.opponents, strict=True)
                if (cell := self.against(k, j))
            ],
            "lambdas": [
                {"level": self.level, "assumed": _plain(a), "true": _plain(t), **cell.to_dict()}
                for a in self.lambdas
                for t in self.lambdas
                if (cell := self.knowing(a, t))
            ],
            "costs": [cost._asdict() for cost in self.costs()],
        }


def _plain(rationality: float) -> float | str:
    """Return a lambda as JSON can hold it."""
    return "inf" if math.isinf(rationality) else rationality
