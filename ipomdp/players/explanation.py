"""Why a try is worth what it is, as plain data: what may be said of it, believed and replied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ipomdp.players.player import Advice

MOST_ANNOUNCEMENTS = 4
"""Announcements that are told, the likeliest; the others are counted."""
MOST_REPLIES = 10
MOST_ANSWERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """How likely a piece of some letter is believed to stand on a square."""

    square: str
    letter: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Likely:
    """How likely an action is."""

    action: int
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A move that the other may finally make."""

    action: int
    probability: float
    answers: tuple[Likely, ...] = ()
    """What the other expects us to answer, likeliest first, if it expects anything of us."""
    attacked: float | None = None
    """How likely the other thinks that we attack the square it goes to, if it thinks of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """Who the other may be, in words."""

    words: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """What may be announced of a try that is made, and what the other then thinks and does."""

    heard: int
    probability: float
    """Of the announcement, given that the try is made."""
    over: bool
    """Whether the game is over."""
    minds: tuple[Mind, ...] = ()
    belief: tuple[Placed, ...] = ()
    """Where the other will believe our pieces to be, likeliest first; mixed over what it may know.

    Empty where the game is over, and where no particle knows what the other makes of it.
    """
    replies: tuple[Reply, ...] = ()
    """Likeliest first, the rest left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What stands behind the worth of one try."""

    advice: Advice
    after_refusal: tuple[Placed, ...]
    """Where we shall believe the other's pieces to be if it is refused, likeliest first."""
    announcements: tuple[Announced, ...]
    """Likeliest first, the rest left out."""
    others: int
    """How many announcements are left out."""


def placed(shares: Mapping[tuple[str, str], float]) -> tuple[Placed, ...]:
    """Return how likely pieces are on squares, likeliest first; ties by letter and square."""
    order = sorted(shares.items(), key=lambda item: (-round(item[1], 9), item[0][1], item[0][0]))
    return tuple(
        Placed(square=square, letter=letter, probability=min(share, 1.0))
        for (square, letter), share in order
        if share > 0
    )


def ranked(shares: Iterable[tuple[int, float]], most: int) -> list[tuple[int, float]]:
    """Return the likeliest few actions; ties by number."""
    order = sorted(shares, key=lambda item: (-round(item[1], 12), item[0]))
    return [(action, share) for action, share in order[:most] if share > 0]
