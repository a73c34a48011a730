"""One game of an arena: plain data in, plain data out, and the process that plays such games.

``python -m ipomdp.arena.worker FD`` reads jobs as lines of JSON from stdin and answers each with a
line on stdout. FD is an open file in whose first bytes it keeps the time of the call that a player
is in, for whoever started it to see that it hangs, and in whose turn.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import queue
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module
from typing import Any

import numpy as np

from ipomdp.arena.clock import Clock
from ipomdp.arena.match import GameResult, crash_words, play_game
from ipomdp.arena.openings import opening
from ipomdp.arena.plan import Job
from ipomdp.game import BoardGame
from ipomdp.players.player import Player
from ipomdp.processes import die_with_parent
from ipomdp.records import record
from ipomdp.turn import Turn

WORTH = {"q": 9, "r": 5, "b": 3, "n": 3, "p": 1}
"""The value of the pieces in the 2005 paper, Figure 2."""
PULSE = struct.Struct("dd")
"""When the last call began or ended, by the clock all processes share, and who is in one: 0 or 1,
in the moves off the clock 2 or 3, and -1 for nobody."""
WARM_HALF_MOVES, WARM_SECONDS, WARM_LIMIT = 6, 0.2, 120.0
"""The moves off the clock: how many, the time a player is told, and what a call may take."""
READY = b"ready\n"

_warm: set[tuple[str, str]] = set()
"""The players, by board, whose code has run in this process."""


def play_job(job: Job, calling: Callable[[int | None], object] = lambda _: None) -> dict[str, Any]:
    """Play a game and return its line: the record, and what the arena wants to know beside.

    The board and the players are new, so that a game depends on its seed and not on the games
    before it. ``calling`` is told which player is about to be called, and ``None`` after.
    """
    roster = import_module(job.roster)
    game: BoardGame = roster.board_game(job.board)
    start = opening(game, job.opening)
    if not _warm >= {(job.board, player) for player in job.sides}:
        _warm_up(roster, job, calling)
    players: list[Player] = []
    noted: list[dict[str, float] | None] = []
    try:
        for side in job.sides:
            players.append(roster.make_player(side, game, job.engine))  # noqa: PERF401 - counted below
    except Exception as error:  # noqa: BLE001 - a player that cannot even start has crashed
        loser, words = len(players), crash_words(error)
        lost = GameResult(
            start=start, turns=(), final=start, winner=1 - loser, reason="crash",
            detail=words,
        )  # fmt: skip
        return game_line(job, game, lost, noted)
    white, black = players

    def watch(turn: Turn) -> None:
        noted.append(_notes(players[turn.player]))

    result = play_game(
        game, (white, black), np.random.default_rng(job.seed), start=start, longest=job.longest,
        watch=watch,
        clock=Clock(job.seconds, calling=calling),
    )  # fmt: skip
    return game_line(job, game, result, noted)


def game_line(
    job: Job, game: BoardGame, result: GameResult, noted: list[dict[str, float] | None]
) -> dict[str, Any]:
    """Return a finished game as a line of the arena's file."""
    after = [*(turn.state for turn in result.turns[1:]), result.final][: len(result.turns)]
    more: dict[str, Any] = {"noted": noted} if any(noted) else {}
    white, black = job.sides
    return record(
        game,
        result,
        white=white,
        black=black,
        pairing=list(job.pairing),
        number=job.number,
        seed=job.seed,
        half_moves=len(result.turns),
        seconds={"white": round(result.seconds[0], 6), "black": round(result.seconds[1], 6)},
        material={
            name: [material(game, state, side) for state in after]
            for side, name in enumerate(("white", "black"))
        },
        **more,
    )


def material(game: BoardGame, state: int, player: int) -> int:
    """Return what a player's pieces are worth together."""
    return sum(WORTH.get(letter.lower(), 0) for letter in game.pieces(state, player).values())


def _notes(player: Player) -> dict[str, float] | None:
    """Return the numbers a player wants noted of its turn; those that are none are left out."""
    noted = getattr(player, "noted", None)
    if not isinstance(noted, Mapping):
        return None
    numbers = {str(name): float(value) for name, value in noted.items() if value is not None}
    return {name: value for name, value in numbers.items() if math.isfinite(value)} or None


def _warm_up(
    roster: Any,  # noqa: ANN401 - a module
    job: Job,
    calling: Callable[[int | None], object],
) -> None:
    """Play a few moves off the clock: what is compiled or loaded first costs nobody a game."""
    seconds = None if job.seconds is None else min(job.seconds, WARM_SECONDS)
    try:
        game = roster.board_game(job.board)
        white, black = (roster.make_player(side, game, job.engine) for side in job.sides)
        play_game(
            game, (white, black), np.random.default_rng(job.seed), longest=WARM_HALF_MOVES,
            clock=Clock(
                seconds,
                limit=WARM_LIMIT,
                calling=lambda player: calling(None if player is None else player + 2),
            ),
        )  # fmt: skip
    except Exception:  # noqa: BLE001, S110 - the game itself will show what is wrong
        pass
    _warm.update((job.board, player) for player in job.sides)


def job_text(job: Job) -> bytes:
    """Return a job as a line."""
    return json.dumps(asdict(job)).encode() + b"\n"


def main() -> None:
    """Answer jobs until stdin is closed."""
    die_with_parent()
    pulse = mmap.mmap(int(sys.argv[1]), PULSE.size)
    answers = os.fdopen(os.dup(1), "wb")
    answers.write(READY)
    answers.flush()
    quiet = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):  # whatever a player prints is no answer of ours
        os.dup2(quiet, output)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()

    def calling(player: int | None) -> None:
        PULSE.pack_into(pulse, 0, time.monotonic(), -1 if player is None else player)

    while True:
        fields = json.loads(jobs.get())
        job = Job(**{**fields, "pairing": tuple(fields["pairing"])})
        line = play_job(job, calling)
        answers.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        answers.flush()


def _listen(jobs: queue.SimpleQueue[bytes]) -> None:
    """Hand on what comes; when whoever started us is gone, so are we, in the midst of a game."""
    for line in sys.stdin.buffer:
        jobs.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
