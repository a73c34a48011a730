"""The clock of a game: how long each player's calls take, and whether one takes too long."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SLACK_SECONDS, SLACK_FACTOR = 1.0, 2.0
"""A player is too slow when a call takes longer than SLACK_FACTOR x its time + SLACK_SECONDS: the
machine may be busy with something else for a moment."""


class TooSlow(Exception):
    """A player has exceeded its time."""


def allowed(seconds: float) -> float:
    """Return how long a call may take where a player has so many seconds."""
    return SLACK_FACTOR * seconds + SLACK_SECONDS


class Clock:
    """Measures both players; without ``seconds`` or another ``limit`` none of them is too slow."""

    def __init__(
        self,
        seconds: float | None = None,
        *,
        limit: float | None = None,
        calling: Callable[[int | None], object] = lambda _: None,
    ) -> None:
        self.seconds = seconds
        self._limit = allowed(seconds) if seconds is not None and limit is None else limit
        self._calling = calling
        self.used = [0.0, 0.0]
        """Seconds of each player, in all calls but ``begin``."""

    @contextmanager
    def begins(self, player: int) -> Iterator[None]:
        """Let a player begin: its preparations are not limited, and not part of its time."""
        self._calling(player)
        try:
            yield
        finally:
            self._calling(None)

    @contextmanager
    def runs(self, player: int) -> Iterator[None]:
        """Measure a call; ``TooSlow`` if it takes too long, at once while it is in Python code."""
        begun = time.perf_counter()
        self._calling(player)
        try:
            with _alarm(self._limit, self._words()):
                yield
        finally:
            self._calling(None)
            spent = time.perf_counter() - begun
            self.used[player] += spent
        if self._limit is not None and spent > self._limit:
            raise TooSlow(self._words())

    def _words(self) -> str:
        if self._limit is None:
            return ""
        given = "" if self.seconds is None else f", with {self.seconds:g} s allowed"
        return f"a call took longer than {self._limit:g} s{given}"


@contextmanager
def _alarm(limit: float | None, words: str) -> Iterator[None]:
    """Raise ``TooSlow`` after so many seconds, where signals reach: in the main thread."""

    def late(_: int, __: FrameType | None) -> None:
        raise TooSlow(words)

    if limit is None:
        yield
        return
    try:
        before = signal.signal(signal.SIGALRM, late)
    except ValueError:  # not the main thread: noticed when the player is done
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
