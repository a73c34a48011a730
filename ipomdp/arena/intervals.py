"""95% intervals of what is counted in games."""

from __future__ import annotations

import math
from collections.abc import Callable

Z = 1.959963984540054
"""The standard normal deviation that leaves 2.5% above it."""

Interval = tuple[float, float]


def wilson(count: int, games: int) -> Interval:
    """Return the interval of a share of games (Wilson 1927)."""
    share, spread = count / games, Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return (max(0.0, middle - half), min(1.0, middle + half))


def of_score(won: int, lost: int, drawn: int) -> Interval:
    """Return the interval of the mean score: a win is 1, a draw 1/2, a loss 0.

    All means that the score test does not reject, the variance being the likeliest one under each
    of them: the interval of Tango (1998) for the difference won - lost, which draws leave alone.
    Without draws it is Wilson's; it has a width even where all games end alike.
    """
    games = won + lost + drawn

    def excess(difference: float) -> float:
        """Return by how many standard deviations more was won than a true difference explains."""
        gap = won - lost - games * difference
        linear = -won - lost + (2 * games - won + lost) * difference
        constant = -lost * difference * (1 - difference)
        lost_share = (math.sqrt(linear**2 - 8 * games * constant) - linear) / (4 * games)
        variance = games * (2 * lost_share + difference * (1 - difference))
        return math.copysign(math.inf, gap) if variance <= 0 else gap / math.sqrt(variance)

    found = (won - lost) / games
    low = -1.0 if won == 0 == drawn else _crossing(lambda x: excess(x) > Z, -1.0, found)
    high = 1.0 if lost == 0 == drawn else _crossing(lambda x: excess(x) >= -Z, found, 1.0)
    return ((1 + low) / 2, (1 + high) / 2)


def _crossing(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return where something that holds at the low end ceases to."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2
