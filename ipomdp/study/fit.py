"""The lambda and the level that explain a player's moves best, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ipomdp.engine.model import Frame, nested
from ipomdp.errors import InvalidInput
from ipomdp.game import BoolArray, Utility
from ipomdp.study.likelihood import Decisions, Weighed

DROP = 3.841 / 2
"""A lambda is in the 95% interval if its log-likelihood is at most this below the best: half the
95% point of chi-squared with one degree of freedom."""
FLAT = 1e-6
"""Log-likelihoods closer than this are the same."""
LEAST, MOST = 1e-2, 1e4
"""The search looks at lambdas from 0 to MOST / u where u is the largest difference in utility
between two actions; below LEAST / u play is all but random."""
POINTS = 33
PER_LEVEL = 65
"""About how many lambdas are looked at for each level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """What all frames compared have in common."""

    utility: Utility
    horizon: int = 1
    nested_horizon: int = 1

    def frame(self, level: int, rationality: float) -> Frame:
        """Return the frame of a level; the same lambda holds for those nested in it."""
        own: dict[str, Any] = {"utility": self.utility, "rationality": rationality}
        if level == 0:
            return Frame(**own, horizon=self.horizon)
        inner = nested(level - 1, **own, horizon=self.nested_horizon)
        return Frame(**own, horizon=self.horizon, opponents=(inner,))


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFit:
    """The lambda of one level."""

    level: int = 0
    rationality: float | None
    """The likeliest lambda; inf if the likelihood never falls again, ``None`` if any will do."""
    low: float
    high: float
    """The 95% interval by the profile likelihood; 0 and inf where it has no end."""
    log_likelihood: float
    curve: tuple[tuple[float, float], ...]
    """The log-likelihood of every finite lambda looked at, in order."""

    @property
    def aic(self) -> float:
        """Akaike's criterion, for one parameter."""
        return 2.0 - 2.0 * self.log_likelihood

    def to_dict(self) -> dict[str, Any]:
        """Return the fit as JSON-ready data; infinity is written as "inf"."""
        return {
            "level": self.level,
            "rationality": _plain(self.rationality),
            "interval": [_plain(self.low), _plain(self.high)],
            "log_likelihood": self.log_likelihood,
            "aic": self.aic,
            "curve": [list(point) for point in self.curve],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFit:
    """What some games say about one player."""

    player: str
    turns: int
    """How many moves it made."""
    tries: int
    """How many tries are explained, those refused among them."""
    ignored: int
    """How many more it made although it could know them to be illegal; no model explains those."""
    at_random: float
    """The log-likelihood of play at random, lambda 0."""
    levels: tuple[LevelFit, ...]

    @property
    def best(self) -> LevelFit:
        """The level that explains the moves best; the lowest of those that tie."""
        top = max(fit.log_likelihood for fit in self.levels)
        return next(fit for fit in self.levels if fit.log_likelihood >= top - FLAT)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON-ready data."""
        return {
            "player": self.player,
            "turns": self.turns,
            "tries": self.tries,
            "ignored": self.ignored,
            "random": {"log_likelihood": self.at_random, "aic": -2.0 * self.at_random},
            "best_level": self.best.level,
            "levels": [fit.to_dict() for fit in self.levels],
        }


def fit_player(
    decisions: Decisions,
    thinking: Thinking,
    levels: Sequence[int],
    tick: Callable[[], object] = lambda: None,
) -> PlayerFit:
    """Fit lambda at each level; ``tick`` is called for every lambda looked at."""
    if not decisions.turns:
        raise InvalidInput(f"{decisions.game.players[decisions.player]} makes no move")
    start = {level: decisions.weighed(thinking.frame(level, 0.0)) for level in levels}
    kept = np.logical_and.reduce([decisions.explained(w) for w in start.values()])
    widest = max(_widest(weighed, kept) for weighed in start.values())

    def likelihood_of(level: int) -> Callable[[float], float]:
        def likelihood(rationality: float) -> float:
            weighed = start[level]
            if level > 0 and rationality > 0:  # who models nobody values actions the same at any
                weighed = decisions.weighed(thinking.frame(level, rationality))
            tick()
            return _total(decisions, weighed, rationality, kept)

        return likelihood

    fits = [replace(fit_lambda(likelihood_of(level), widest), level=level) for level in levels]
    return PlayerFit(
        player=decisions.game.players[decisions.player],
        turns=decisions.turns,
        tries=int(decisions.count[kept].sum()),
        ignored=int(decisions.count[~kept].sum()),
        at_random=_total(decisions, start[levels[0]], 0.0, kept),
        levels=tuple(fits),
    )


def fit_lambda(likelihood: Callable[[float], float], widest: float = 1.0) -> LevelFit:
    """Return the likeliest lambda; ``widest`` is the largest difference in utility.

    The search is over x with lambda = c sinh(x): in proportion to lambda near 0, to its logarithm
    far from it. A grid first, because the likelihood of nested models need not have a single peak.
    """
    from scipy.optimize import minimize_scalar

    unit = LEAST / (widest or 1.0)
    found: dict[float, float] = {}

    def at(x: float) -> float:
        if x not in found:
            found[x] = likelihood(unit * math.sinh(x))
        return found[x]

    grid = np.linspace(0.0, math.asinh(MOST / LEAST), POINTS).tolist()
    heights = [at(x) for x in grid]
    limit = likelihood(math.inf)
    flat = max(heights) - min(heights) < FLAT
    if not flat:
        peak = int(np.argmax(heights))
        around = (grid[max(peak - 1, 0)], grid[min(peak + 1, POINTS - 1)])
        minimize_scalar(
            lambda x: -at(float(x)), bounds=around, method="bounded", options={"xatol": 1e-5}
        )
    best = max(limit, *found.values())
    rationality: float | None = unit * math.sinh(max(found, key=lambda x: found[x]))
    if flat and limit <= max(heights) + FLAT:
        rationality = None
    elif max(limit, heights[-1]) >= best - FLAT:
        rationality = math.inf
    elif heights[0] >= best - FLAT:
        rationality = 0.0
    low, high = _interval(at, found, best - DROP)
    return LevelFit(
        rationality=rationality,
        low=unit * math.sinh(low),
        high=math.inf if high == grid[-1] or limit >= best - DROP else unit * math.sinh(high),
        log_likelihood=best,
        curve=tuple((unit * math.sinh(x), found[x]) for x in sorted(found)),
    )


def _interval(
    at: Callable[[float], float], found: dict[float, float], least: float
) -> tuple[float, float]:
    """Return the outermost x whose log-likelihood is ``least``, or the ends of what was looked at.

    Where nothing finite reaches it, that is the upper end.
    """
    from scipy.optimize import brentq

    points = sorted(found)
    inside = [k for k, x in enumerate(points) if found[x] >= least]
    if not inside:
        return points[-1], points[-1]

    def crossing(one: float, other: float) -> float:
        return float(brentq(lambda x: at(float(x)) - least, one, other, xtol=1e-4))

    first, last = inside[0], inside[-1]
    low = points[first] if first == 0 else crossing(points[first - 1], points[first])
    ends = last == len(points) - 1
    return low, points[last] if ends else crossing(points[last], points[last + 1])


def _total(decisions: Decisions, weighed: Weighed, rationality: float, kept: BoolArray) -> float:
    logs = decisions.log_probabilities(weighed, rationality)
    return float((logs * decisions.count)[kept].sum())


def _widest(weighed: Weighed, kept: BoolArray) -> float:
    """Return the largest difference in utility between two open actions."""
    utilities, open_ = weighed.utilities[kept], weighed.open[kept]
    most = np.where(open_, utilities, -np.inf).max(axis=1)
    least = np.where(open_, utilities, np.inf).min(axis=1)
    return float((most - least).max(initial=0.0))


def _plain(number: float | None) -> float | str | None:
    return "inf" if number is not None and math.isinf(number) else number
