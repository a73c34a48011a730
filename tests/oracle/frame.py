"""How players think, apart from what they have heard."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.rules import Position
from tests.oracle.utility import Weights, utility


@dataclass(frozen=True)
class Opponent:
    """One way of thinking that i holds possible for j; the levels below think the same way."""

    weight: float = 1.0
    """How much i believes in it at the start, relative to the others."""
    level: int | None = 0
    """``None`` for an opponent that picks among its actions at random."""
    rationality: float = 0.004
    weights: Weights = field(default_factory=Weights)
    horizon: int = 1

    def __post_init__(self) -> None:
        if not self.weight > 0:
            raise ValueError(f"the weight of an opponent is positive, not {self.weight}")
        if self.level is not None and self.level < 0:
            raise ValueError(f"the level of an opponent is at least 0, not {self.level}")
        check(self.rationality, self.horizon)


@dataclass(frozen=True, eq=False)
class Frame:
    """A way of thinking; each is held by one thinker alone, so what is cached with it is safe."""

    level: int
    rationality: float
    horizon: int
    weights: Weights
    others: tuple[tuple[float, Frame | None], ...] = ((1.0, None),)
    """The frames it holds possible for the other, with probabilities; ``None`` thinks nothing."""
    _utilities: dict[tuple[Position, int], float] = field(default_factory=dict)

    def utility(self, position: Position, player: int) -> float:
        """What ``position`` is worth to ``player``, if that is whose frame this is."""
        key = (position, player)
        if key not in self._utilities:
            self._utilities[key] = utility(position, player, self.weights)
        return self._utilities[key]


def check(rationality: float, *horizons: int) -> None:
    """Refuse what no player can be."""
    if min(horizons) < 1:
        raise ValueError(f"horizons are at least 1, not {' and '.join(map(str, horizons))}")
    if not rationality >= 0:
        raise ValueError(f"rationality is at least 0, not {rationality}")


def nested(level: int, rationality: float, horizon: int, weights: Weights) -> Frame:
    """Build a frame that imagines the same one level down, and so on to level 0."""
    if level == 0:
        return Frame(0, rationality, horizon, weights)
    other = nested(level - 1, rationality, horizon, weights)
    return Frame(level, rationality, horizon, weights, ((1.0, other),))


def facing(opponents: tuple[Opponent, ...], level: int, horizon: int, weights: Weights) -> Frame:
    """Build the frame of i, who picks the best and holds all of ``opponents`` possible."""
    total = sum(o.weight for o in opponents)
    others = tuple(
        (o.weight / total, None)
        if o.level is None
        else (o.weight / total, nested(o.level, o.rationality, o.horizon, o.weights))
        for o in opponents
    )
    return Frame(level, float("inf"), horizon, weights, others)
