"""The fields of a scenario file, and what each may hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ipomdp.quoting import shown

POLICIES = ("model", "random")
TRIES = ("paper",)
DEEPEST = 64
"""The highest level accepted: beyond it a number is a slip of the hand."""
HEAVIEST = 1e9
"""The largest weight accepted; utilities then neither overflow nor drown each other's digits."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the file: the attribute it fills and the check its value must pass."""

    attribute: str
    check: Callable[[object], bool]
    expected: str

    def problem(self, value: object) -> str | None:
        """Return what is wrong with a value, or ``None``."""
        return None if self.check(value) else f"expected {self.expected}, not {shown(value)}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> float:
    """Return a number as a float; NaN, which passes no check, for all else and for one too big."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def _is_weight(value: object) -> bool:
    return abs(_number(value)) <= HEAVIEST


def _is_rationality(value: object) -> bool:
    return 0 <= _number(value) <= 1e308 or value == math.inf


def _is_level(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= DEEPEST


def _is_move_list(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(isinstance(m, str) for m in value)
    )


def _one_of(*names: str) -> tuple[Callable[[object], bool], str]:
    return names.__contains__, " or ".join(f'"{name}"' for name in names)


def _weight(name: str) -> Field:
    return Field(name, _is_weight, "a number between -1e9 and 1e9")


FIELDS: dict[str, Field] = {
    "title": Field("title", _is_text, "text"),
    "description": Field("description", _is_text, "text"),
    "position.fen": Field("fen", _is_text, 'a position like "1q1k/4/4/K1Q1 w"'),
    "agent.level": Field("level", _is_level, f"a natural number (0, 1, 2, ...) up to {DEEPEST}"),
    "agent.candidates": Field(
        "candidates", _is_move_list, 'a list of one or more moves like ["Qd1", "Qd2"]'
    ),
    "opponent.policy": Field("policy", *_one_of(*POLICIES)),
    "opponent.rationality": Field(
        "rationality", _is_rationality, "a number from 0 to 1e308, or inf"
    ),
    "rules.tries": Field("tries", *_one_of(*TRIES)),
    "utility.king_centrality": _weight("king_centrality"),
    "utility.queen_presence": _weight("queen_presence"),
    "utility.check": _weight("check"),
    "utility.checkmate": _weight("checkmate"),
    "utility.draw": _weight("draw"),
}
OPTIONS = [f.attribute for path, f in FIELDS.items() if not path.startswith("utility.")]
"""What may be changed in a scenario, by the names of its attributes."""
