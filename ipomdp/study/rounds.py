"""Games for a study of strength: the same starts and seeds for everyone, in some processes."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ipomdp.arena.match import play_game
from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.files import writing
from ipomdp.players.roster import board_game, make_player

LONGEST = 100
"""Half-moves after which a game is drawn."""


class Meeting(NamedTuple):
    """Who plays whom, as players are written; the scores are i's."""

    i: str
    j: str


@dataclass(frozen=True, slots=True)
class Task:
    """A meeting from one start, once with either colour."""

    meeting: Meeting
    start: int
    number: int
    """Which of the starts it is; with the seed it tells what players draw."""
    seed: int

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What tells it from all others."""
        return (*self.meeting, self.number, self.seed)

    def play(self) -> Round:
        """Play both games."""
        game = board_game("4x4")
        scores: list[float] = []
        for side in (0, 1):
            i, j = (make_player(spec, game) for spec in self.meeting)
            result = play_game(
                game, (i, j) if side == 0 else (j, i),
                np.random.default_rng([self.seed, self.number, side]),
                start=self.start, longest=LONGEST,
            )  # fmt: skip
            if result.reason == "crash":
                raise IpomdpError(f"{self.meeting.i} against {self.meeting.j}: {result.detail}")
            scores.append(0.5 if result.winner is None else float(result.winner == side))
        return Round(self.meeting, self.number, self.seed, (scores[0], scores[1]))


class Round(NamedTuple):
    """A task done."""

    meeting: Meeting
    number: int
    seed: int
    scores: tuple[float, float]
    """i's score with White, and with Black."""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """The key of its task."""
        return (*self.meeting, self.number, self.seed)


def play_all(tasks: Sequence[Task], processes: int) -> Iterator[Round]:
    """Play everything; rounds come as they are done."""
    if processes == 1 or len(tasks) < 2:
        for task in tasks:
            yield task.play()
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # a fresh interpreter each: a copy of this one would copy the locks of the progress bar
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _deaf)
    try:
        for future in as_completed([pool.submit(task.play) for task in tasks]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _deaf() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Record:
    """A file to which every round is added at once, so that a run cut short goes on from there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with writing(path):
            text = path.read_text(errors="replace") if path.exists() else ""
        found = [_read(line) for line in text.splitlines() if line.strip()]
        self.rounds = tuple(done for done in found if done is not None)
        """What is in it already."""
        self.left_out = found.count(None)
        """How many of its lines cannot be read, as one cut short."""
        if found and not self.rounds:
            raise InvalidInput(f"{path}: holds no record of this study; expected a new file")
        self._before = "\n" if text and not text.endswith("\n") else ""

    def add(self, done: Round) -> None:
        """Write a round."""
        content = {
            "i": done.meeting.i, "j": done.meeting.j, "number": done.number, "seed": done.seed,
            "scores": done.scores,
        }  # fmt: skip
        with writing(self.path), self.path.open("a") as file:
            file.write(f"{self._before}{json.dumps(content)}\n")
        self._before = ""


def _read(line: str) -> Round | None:
    try:
        match json.loads(line):
            case {
                "i": str(i), "j": str(j), "number": int(number), "seed": int(seed),
                "scores": [float(white), float(black)],
            } if {white, black} <= {0.0, 0.5, 1.0}:  # fmt: skip
                return Round(Meeting(i, j), number, seed, (white, black))
    except ValueError:
        pass
    return None
