"""Arenas of random players on the small board, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ipomdp.arena.crew import Crew
from ipomdp.arena.finished import Finished
from ipomdp.arena.folder import GAMES
from ipomdp.arena.plan import Plan
from ipomdp.arena.run import run
from tests.arena.players import ROSTER

Line = dict[str, Any]


def plan_of(*players: str, seconds: float | None = 0.05, longest: int = 20) -> Plan:
    return Plan(players=players, board="4x4", seconds=seconds, longest=longest)


def untimed(line: bytes | str) -> Line:
    """Return a game without what differs from run to run."""
    content: Line = json.loads(line)
    del content["seconds"]
    return content


def in_order(lines: list[bytes]) -> list[Line]:
    return sorted(map(untimed, lines), key=lambda line: (line["pairing"], line["number"]))


def played(plan: Plan, games: int, processes: int = 1, margin: float = 30.0) -> list[bytes]:
    """Return the lines of games between the players that fail."""
    with Crew(processes, margin=margin) as crew:
        return [line for lines in crew.play(plan.jobs(games, ROSTER)) for line in lines]


def kept(
    folder: Path, plan: Plan, games: int, processes: int = 1
) -> tuple[list[Finished], list[str]]:
    """Return the games of a folder once all are played, and what was complained about."""
    complaints: list[str] = []
    with Crew(processes) as crew:
        told = run(plan, games, folder, crew.play, complain=complaints.append, roster=ROSTER)
        finished = [game for some in told for game in some]
    return finished, complaints


def lines_of(folder: Path) -> list[bytes]:
    return (folder / GAMES).read_bytes().splitlines()
