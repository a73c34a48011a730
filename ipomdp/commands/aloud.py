"""A player's game on a chess server, told on stderr as it goes."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from ipomdp.commands.options import naming
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.quoting import printable

if TYPE_CHECKING:
    from ipomdp.game import BoardGame
    from ipomdp.ics.login import Wishes
    from ipomdp.players.player import Player
    from ipomdp.seats.communicator import Communicator, Ended, Event


async def play_one(
    player: Player, where: tuple[str, int], board: BoardGame, wishes: Wishes, seconds: float,
    dice: int | None,
) -> None:  # fmt: skip
    """Let a player play one game, and print the result."""
    import numpy as np

    from ipomdp.ics.client import IcsCommunicator
    from ipomdp.seats.sitting import sit

    with naming("--ics"):
        line = await IcsCommunicator.connect(*where, board, wishes)
    aloud = _Aloud(line)
    say("logged in" + (f"; {wishes.match} is challenged" if wishes.match else "; waiting"))
    try:
        ended = await sit(player, aloud, np.random.default_rng(dice), seconds=seconds)
    finally:
        await line.close()
    if ended is None:
        raise InvalidInput(f"--ics: {aloud.last or 'the line was hung up'}")
    print(_result(ended))  # noqa: T201


class _Aloud:
    """A line that says what is told over it, beside the moves."""

    def __init__(self, line: Communicator) -> None:
        self._line = line
        self.last = ""
        self.attempt, self.resign, self.draw = line.attempt, line.resign, line.draw
        self.close = line.close

    async def events(self) -> AsyncIterator[Event]:
        from ipomdp.seats.communicator import Began, Told

        async for event in self._line.events():
            if isinstance(event, Told):
                self.last = event.words
                say(event.words)
            elif isinstance(event, Began):
                say(f"a game as {SIDES[event.side]} against {event.other}")
            yield event


def _result(ended: Ended) -> str:
    if ended.reason == "unfinished":
        return f"* ({ended.reason})"
    score = "1/2-1/2" if ended.winner is None else ("1-0", "0-1")[ended.winner]
    return f"{score} ({ended.reason})"


def log_aloud() -> None:
    """Let the log of the server be read on stderr; the client's is told as it happens."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("ipomdp: %(message)s"))
    log = logging.getLogger("ipomdp.ics")
    log.handlers = [handler]
    log.setLevel(logging.INFO)


def say(words: str) -> None:
    """Say something on stderr, on one line."""
    print(f"ipomdp: {' '.join(printable(words).split())}", file=sys.stderr, flush=True)  # noqa: T201
