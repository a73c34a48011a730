"""Who is known to the server: names, the secrets that prove them, and what belongs to them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ipomdp.ics.seat import Seat
from ipomdp.ics.units import Unit


class Connection(Protocol):
    """What an account needs of whoever is logged in to it."""

    def send(self, unit: Unit) -> None:
        """Send something, without waiting for it to arrive."""

    def hang_up(self, words: str) -> None:
        """Say why, and end the connection; nothing it still sends counts."""


class Secret:
    """A password, kept as what proves it."""

    def __init__(self, password: str) -> None:
        self._salt = secrets.token_bytes(16)
        self._digest = self._of(password)

    def _of(self, password: str) -> bytes:
        return hashlib.scrypt(password.encode(), salt=self._salt, n=2**12, r=8, p=1)

    def fits(self, password: str) -> bool:
        """Return whether a password is the one."""
        return hmac.compare_digest(self._of(password), self._digest)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game that somebody wants to play."""

    challenger: str
    colour: int | None
    """The challenger's; ``None`` for either."""


@dataclass(slots=True, eq=False)
class Account:
    """Somebody who has logged in, and stays known while there is a game to come back to."""

    name: str
    secret: Secret | None
    """Nothing for one who gave no password: nobody can come back as them."""
    line: Connection | None = None
    """``None`` for one whose connection is gone."""
    seat: Seat | None = None
    """In the game under way, or in the last one."""
    challenges: dict[str, Challenge] = field(default_factory=dict)
    """By the names of those who made them, in small letters."""
    timer: asyncio.TimerHandle | None = None
    """Runs while a game waits for them to come back."""
    arranging: bool = False
    """Whether a game of theirs is being set up."""

    def send(self, unit: Unit) -> None:
        """Send something, if they are there."""
        if self.line is not None:
            self.line.send(unit)

    @property
    def playing(self) -> bool:
        """Whether their game is under way."""
        return self.seat is not None and not self.seat.end

    def stop_waiting(self) -> None:
        """Stop the timer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def wait(self, seconds: float, then: Callable[[], None]) -> None:
        """Wait for them to come back, no longer than so many seconds."""
        self.stop_waiting()
        self.timer = asyncio.get_running_loop().call_later(seconds, then)
