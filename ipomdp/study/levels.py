"""How a decision changes with i's level and with lambda: a grid of decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ipomdp.engine.history import Situation
from ipomdp.engine.model import Blind, Frame, nested
from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.quoting import shown
from ipomdp.report import TIE
from ipomdp.scenario import Scenario
from ipomdp.study.heard import heard_after
from ipomdp.study.viewpoint import Viewpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """i's decision at one level and one lambda."""

    level: int
    rationality: float
    moves: tuple[tuple[str, float], ...]
    """i's moves with their expected utilities, best first."""
    after: str
    """The move of i after which the replies are."""
    replies: tuple[tuple[str, float], ...]
    """How j's turn then ends, likeliest first: under ``retry`` the move finally made, under
    ``paper`` the only try, legal or not. None where i models nobody or the game is over."""

    @property
    def best(self) -> str:
        """The move with the highest expected utility."""
        return self.moves[0][0]

    @property
    def tied(self) -> bool:
        """Whether other moves are as good as the best, but for rounding."""
        return len(self.moves) > 1 and self.moves[0][1] - self.moves[1][1] <= TIE

    def value(self, move: str) -> float:
        """Return a move's expected utility."""
        return dict(self.moves)[move]

    def reply(self, move: str) -> float:
        """Return how likely j replies so; 0 where it does not reply at all."""
        return dict(self.replies).get(move, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A grid of decisions, finished or not."""

    scenario: Scenario
    levels: tuple[int, ...]
    rationalities: tuple[float, ...]
    cells: tuple[Cell, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every cell has been computed."""
        return len(self.cells) == len(self.levels) * len(self.rationalities)

    @property
    def reference(self) -> float:
        """The lambda of the grid that is nearest to the scenario's, by ratio, where cells are."""
        done = {cell.rationality for cell in self.cells} or set(self.rationalities)
        wanted = _scale(self.scenario.rationality)
        return min(sorted(done), key=lambda rationality: abs(_scale(rationality) - wanted))

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that are best anywhere, those best most often first, then the others."""
        wins = [cell.best for cell in self.cells]
        names = self.cells[0].moves if self.cells else ()
        return tuple(sorted((name for name, _ in names), key=lambda name: -wins.count(name)))

    def at(self, level: int, rationality: float) -> Cell | None:
        """Return a cell, if it has been computed."""
        for cell in self.cells:
            if (cell.level, cell.rationality) == (level, rationality):
                return cell
        return None

    def along(self, rationality: float) -> tuple[Cell, ...]:
        """Return the cells of one lambda, by level."""
        mine = (cell for cell in self.cells if cell.rationality == rationality)
        return tuple(sorted(mine, key=lambda cell: cell.level))

    def to_dict(self) -> dict[str, Any]:
        """Return the grid as JSON-ready data; an infinite lambda is written as "inf"."""
        scenario = self.scenario
        return {
            "scenario": scenario.name,
            "position": scenario.position,
            "tries": scenario.tries,
            "horizon": scenario.horizon,
            "opponent_horizon": scenario.opponent_horizon,
            "opponent": scenario.policy,
            "levels": list(self.levels),
            "rationalities": [written(r) for r in self.rationalities],
            "complete": self.complete,
            "cells": [
                {
                    "level": cell.level,
                    "rationality": written(cell.rationality),
                    "best": cell.best,
                    "utilities": dict(cell.moves),
                    "replies_after": cell.after,
                    "replies": dict(cell.replies),
                }
                for cell in self.cells
            ],
        }

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Return the grid as rows of a table, a row for each cell and move, the header first."""
        yield ("level", "rationality", "rank", "move", "expected_utility")
        for cell in self.cells:
            for rank, (move, value) in enumerate(cell.moves, start=1):
                yield (cell.level, cell.rationality, rank, move, value)


def written(rationality: float) -> float | str:
    """Return lambda as JSON can hold it."""
    return "inf" if math.isinf(rationality) else rationality


def _scale(rationality: float) -> float:
    """Return lambda on a scale of ratios; 0 and inf lie far outside, but not infinitely far."""
    return math.log(min(max(rationality, 1e-300), 1e300))


def cells(
    scenario: Scenario,
    levels: Iterable[int],
    rationalities: Iterable[float],
    *,
    after: str | None = None,
) -> Iterator[Cell]:
    """Compute the cells one by one, all levels of a lambda before the next.

    ``after`` is the move of i to which j's replies are kept; the best of each cell by default.
    """
    if scenario.frames:
        raise InvalidInput(
            f"opponent.frames of {shown(scenario.name)} fix how j thinks; there is no level or "
            "lambda to vary"
        )
    wanted = sorted(set(levels))
    for rationality in rationalities:
        for level, place in _standpoints(scenario, wanted, rationality):
            yield _cell(place, level, rationality, after)


def _standpoints(
    scenario: Scenario, levels: list[int], rationality: float
) -> Iterator[tuple[int, Viewpoint]]:
    """Return where i stands at each level.

    Where nothing has happened yet, one solver serves all levels: frame k's opponent is the very
    frame k - 1, so what the lower frames know and do is worked out once.
    """
    at = scenario.with_options(rationality=rationality)
    problem = at.problem
    alone = problem.views[problem.player].node.max() == 0
    if problem.events or problem.refused or not alone or math.isinf(rationality):
        for level in levels:
            posed = at.with_options(level=level)
            try:
                yield level, Viewpoint.of(posed.problem.situation())
            except ImpossibleObservation as error:
                raise InvalidInput(posed.impossible(error)) from None
        return
    utility, solver = problem.frame.utility, problem.situation().solver
    chain: list[Frame | Blind] = [
        nested(0, utility=utility, rationality=rationality, horizon=at.opponent_horizon)
    ]
    for level in levels:
        while len(chain) < level:
            chain.append(
                Frame(
                    utility=utility, rationality=rationality, opponents=(chain[-1],),
                    horizon=at.opponent_horizon,
                )
            )  # fmt: skip
        faced = Blind.RANDOM if at.policy == "random" else chain[level - 1]
        frame = Frame(
            utility=utility, rationality=rationality, horizon=at.horizon,
            opponents=(faced if level else Blind.IMAGINED,),
        )  # fmt: skip
        yield level, Viewpoint.of(Situation(solver, problem.player, frame, 0))


def _cell(place: Viewpoint, level: int, rationality: float, after: str | None) -> Cell:
    names = place.solver.game.actions
    order = np.argsort(-place.moves.round(9), kind="stable")
    moves = [(names[a], float(place.moves[a])) for a in order if place.moves[a] > -np.inf]
    looked = moves[0][0] if after is None else after
    if looked not in dict(moves):
        listed = ", ".join(name for name, _ in moves)
        raise InvalidInput(f"{shown(looked)} is not among the moves considered: {listed}")
    replies = np.zeros(len(names))
    if level > 0:
        for heard in heard_after(place, names.index(looked)):
            if not heard.over:
                replies += heard.probability * heard.replies
    likeliest = [int(a) for a in np.argsort(-replies.round(12), kind="stable") if replies[a] > 0]
    return Cell(
        level=level,
        rationality=rationality,
        moves=tuple(moves),
        after=looked,
        replies=tuple((names[a], float(replies[a])) for a in likeliest),
    )
