"""The line of a game whose process died or hung each time it was tried."""

from __future__ import annotations

import json
from importlib import import_module

from ipomdp.arena.match import GameResult
from ipomdp.arena.openings import opening
from ipomdp.arena.plan import Job
from ipomdp.arena.worker import game_line


def forfeited(job: Job, loser: int | None, *, hung: bool, words: str) -> bytes:
    """Return the line of a game that a player loses, or that has no end if nobody is to blame."""
    game = import_module(job.roster).board_game(job.board)
    start = opening(game, job.opening)
    how = "its process hung and was stopped" if hung else f"its process died ({words})"
    reason = "time" if hung else "crash"
    result = GameResult(
        start=start,
        turns=(),
        final=start,
        winner=None if loser is None else 1 - loser,
        reason="unfinished" if loser is None else reason,
        detail=f"{how}, each time the game was tried; its moves are not known",
    )
    return json.dumps(game_line(job, game, result, [])).encode() + b"\n"
