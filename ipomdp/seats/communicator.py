"""The line between a seat and whoever referees: tries go out, events come in.

A seat that is played over a ``Communicator`` need not know where its referee is: in this process
(``seats.local``) or on an Internet Chess Server (``ics.client``).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from ipomdp.game import BoardGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """A game has begun, or is found under way: what the side did and heard follows."""

    game: BoardGame
    side: int
    start: int
    """A state of the game that both sides know."""
    other: str = ""
    """Who sits across the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An own try was illegal."""

    action: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """An own try was made, and what the referee said of it."""

    action: int
    heard: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the referee said of the other's move."""

    heard: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOffered:
    """A draw was offered, by the other or by oneself."""

    by_other: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The game is over."""

    winner: int | None
    reason: str
    """As in ``GameResult``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Something that is not of the game: the line was lost, or somebody said something."""

    words: str


Event = Began | Refused | Moved | Heard | DrawOffered | Ended | Told


class Communicator(Protocol):
    """One seat's line to a referee."""

    def events(self) -> AsyncIterator[Event]:
        """Return what happens, from the beginning; after ``Ended`` another game may begin."""

    async def attempt(self, action: int) -> None:
        """Try a move; whether it was made comes as an event."""

    async def resign(self) -> None:
        """Give up."""

    async def draw(self) -> None:
        """Offer a draw, or accept the other's offer."""

    async def close(self) -> None:
        """Hang up; ``events`` ends."""
