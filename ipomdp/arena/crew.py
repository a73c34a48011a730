"""Processes of this machine that play the games of an arena, whatever happens to one of them."""

from __future__ import annotations

import selectors
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple, Self

from ipomdp.arena.forfeit import forfeited
from ipomdp.arena.plan import Job
from ipomdp.arena.process import MARGIN, GameProcess
from ipomdp.errors import IpomdpError

LOOK_EVERY = 0.5
"""Seconds between two looks at whether a process hangs."""
ATTEMPTS = 2
"""How often a game is started whose process dies or hangs."""
STARTS = 3
"""How often in a row a process may fail to start."""


class Failure(NamedTuple):
    """Why a game has no end."""

    player: int | None
    """In whose call it was."""
    hung: bool
    words: str


class Crew:
    """So many processes, kept from one call to the next."""

    def __init__(self, processes: int, *, margin: float = MARGIN) -> None:
        self._size, self._margin = processes, margin
        self.crew: list[GameProcess] = []
        self._selector = selectors.DefaultSelector()
        self._failed_starts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop all processes; the games they are in are lost."""
        for process in list(self.crew):
            self._dismiss(process)
        self._selector.close()

    def play(self, jobs: Iterable[Job]) -> Iterator[list[bytes]]:
        """Return the lines of the games, as many as have come in at a time."""
        waiting, failures = deque(jobs), dict[Job, list[Failure]]()
        while waiting or any(process.job for process in self.crew):
            self._hand_out(waiting)
            lines = []
            for process in self._told():
                line = process.read()
                if line is None:
                    lines += self._failed(process, waiting, failures, hung=False)
                elif line:
                    self._failed_starts, process.job = 0, None
                    lines.append(line)
            for process in list(self.crew):
                if process.hangs():
                    lines += self._failed(process, waiting, failures, hung=True)
            if lines:
                self._hand_out(waiting)  # they play on while the lines are written
                yield lines

    def _hand_out(self, waiting: deque[Job]) -> None:
        """Give everybody who is free a game."""
        busy = sum(process.job is not None for process in self.crew)
        while len(self.crew) < min(self._size, busy + len(waiting)):
            process = GameProcess(margin=self._margin)
            self.crew.append(process)
            self._selector.register(process.fileno(), selectors.EVENT_READ, process)
        for process in self.crew:
            if waiting and process.job is None:
                process.begin(waiting.popleft())

    def _told(self) -> list[GameProcess]:
        """Return the processes that have something to tell, after waiting a moment for one."""
        return [key.data for key, _ in self._selector.select(LOOK_EVERY)]

    def _failed(
        self,
        process: GameProcess,
        waiting: deque[Job],
        failures: dict[Job, list[Failure]],
        *,
        hung: bool,
    ) -> list[bytes]:
        """Let a game be tried again, or return its line if it has been often enough."""
        job, player, started = process.job, process.player(), process.ready
        words = self._dismiss(process)
        if not started:
            self._failed_starts += 1
            if self._failed_starts == STARTS:
                how = "hangs" if hung else f"ends with {words}"
                raise IpomdpError(f"the process that plays games does not start: it {how}")
        if job is None:
            return []
        if not started:
            waiting.appendleft(job)
            return []
        told = failures.setdefault(job, [])
        told.append(Failure(player, hung, words))
        if len(told) < ATTEMPTS:
            waiting.appendleft(job)
            return []
        players = {failure.player for failure in told}
        loser = player if len(players) == 1 else None
        return [forfeited(job, loser, hung=hung, words=words)]

    def _dismiss(self, process: GameProcess) -> str:
        with suppress(KeyError):
            self._selector.unregister(process.fileno())
        self.crew.remove(process)
        return process.stop()
