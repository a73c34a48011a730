"""What a guess token is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["piece", "check", "king"]
UNSURE = 0.99
"""The most that is claimed of anything that is not certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A guess at one square, as JVariant draws them: the likelier, the more opaque.

    ``piece``: a man of the other; ``check``: the man that gives check to our king; ``king``: the
    other's king.
    """

    kind: Kind
    square: str
    probability: float
    certain: bool
    """Whether logic proves it; nothing sampled ever does."""


def token(kind: Kind, square: str, probability: float, *, certain: bool) -> Token:
    """Return a token that claims no more than it knows."""
    claimed = 1.0 if certain else min(float(probability), UNSURE)
    return Token(kind=kind, square=square, probability=claimed, certain=certain)
