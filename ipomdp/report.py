"""Decisions as plain data: what `analyze` returns, prints and writes as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown

TIE = 1e-9
"""Utilities, or probabilities, closer than this are one and the same."""


@dataclass(frozen=True, slots=True)
class Believed:
    """A position and how likely it is held to be."""

    position: str
    probability: float


@dataclass(frozen=True, slots=True)
class Reply:
    """An action of j: its expected utility to j and the probability that j takes it."""

    move: str
    expected_utility: float
    probability: float


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the referee may say after a move, and what that makes j believe and do."""

    text: str
    probability: float
    belief: tuple[Believed, ...]
    """What j then believes, likeliest first."""
    replies: tuple[Reply, ...]
    """j's actions, likeliest first; none where the game is over or i models nobody."""
    surprise: bool = False
    """Whether j's own model of i gave this announcement no chance."""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One of i's moves: its worth and what it gives away."""

    move: str
    expected_utility: float
    leak_bits: float
    """Bits about where i's pieces stand that the announcement gives j."""
    announcements: tuple[Hearing, ...]
    """What may be heard, likeliest first; "Illegal" by i alone, unless the rules differ."""
    standard_error: float | None = None
    """Of the expected utility, if it is sampled."""


@dataclass(frozen=True, slots=True)
class NestedBelief:
    """Something that i holds possible that j believes, and how likely."""

    probability: float
    belief: tuple[Believed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """i's decision: its moves, best first, and the reasoning about j behind them."""

    scenario: str
    position: str
    to_move: str
    level: int
    horizon: int
    rationality: float
    opponent: str
    """How j is taken to play: ``model`` or ``random``."""
    tries: str
    solver: str
    seconds: float
    """The time of solving alone."""
    belief: tuple[Believed, ...]
    """What i believes."""
    moves: tuple[MoveReport, ...]
    frames: tuple[float, ...] = (1.0,)
    """How likely i holds each of the frames that j may have."""
    nested: tuple[NestedBelief, ...] = ()
    """What i believes j believes, likeliest first."""
    surprise: bool = False
    """Whether something i heard had no chance under its model of j."""
    particles: int | None = None
    """How many particles the belief kept; ``None`` where it is exact."""

    @property
    def best(self) -> str:
        """The move with the highest expected utility; the first of those that tie."""
        return self.moves[0].move

    @property
    def ties(self) -> tuple[str, ...]:
        """The other moves that are as good as the best, but for rounding."""
        highest = self.moves[0].expected_utility
        return tuple(m.move for m in self.moves[1:] if highest - m.expected_utility <= TIE)

    def move(self, name: str) -> MoveReport:
        """Return the report on one of i's moves."""
        for report in self.moves:
            if report.move == name:
                return report
        considered = ", ".join(report.move for report in self.moves)
        raise InvalidInput(f"{shown(name)} is not among the moves considered: {considered}")

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as JSON-ready data; an infinite lambda is written as "inf"."""
        return {
            "scenario": self.scenario,
            "position": self.position,
            "to_move": self.to_move,
            "level": self.level,
            "horizon": self.horizon,
            "rationality": "inf" if math.isinf(self.rationality) else self.rationality,
            "opponent": self.opponent,
            "tries": self.tries,
            "solver": self.solver,
            "seconds": self.seconds,
            "best": self.best,
            "ties": list(self.ties),
            "belief": _beliefs(self.belief),
            "frames": list(self.frames),
            "nested_beliefs": [
                {"probability": n.probability, "belief": _beliefs(n.belief)} for n in self.nested
            ],
            "surprise": self.surprise,
            "particles": self.particles,
            "moves": [_move(report) for report in self.moves],
        }


def _beliefs(belief: tuple[Believed, ...]) -> list[dict[str, Any]]:
    return [{"position": b.position, "probability": b.probability} for b in belief]


def _move(report: MoveReport) -> dict[str, Any]:
    sampled = {"standard_error": report.standard_error} if report.standard_error is not None else {}
    return {
        "move": report.move,
        "expected_utility": report.expected_utility,
        **sampled,
        "leak_bits": report.leak_bits,
        "announcements": [
            {
                "text": hearing.text,
                "probability": hearing.probability,
                "belief": _beliefs(hearing.belief),
                "surprise": hearing.surprise,
                "replies": [
                    {
                        "move": reply.move,
                        "expected_utility": reply.expected_utility,
                        "probability": reply.probability,
                    }
                    for reply in hearing.replies
                ],
            }
            for hearing in report.announcements
        ],
    }
