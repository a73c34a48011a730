"""Players and processes that fail: each game has a result, and the next one is played."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ipomdp.errors import IpomdpError
from tests.arena.playing import Line, in_order, plan_of, played


def two_games(player: str, margin: float = 30.0) -> list[Line]:
    """Return the games of a player that fails: with White, and with Black."""
    lines = played(plan_of(player, "random"), 2, margin=margin)
    games = in_order(lines)
    assert [game["white"] for game in games] == [player, "random"]
    return games


@pytest.mark.parametrize(
    ("player", "reason", "detail"),
    [
        ("crash", "crash", "ValueError: [/lost] my pieces"),
        ("cheat", "crash", "ValueError: -1 is not among the tries open to it"),
        ("quit", "crash", "SystemExit: 3"),
        ("unmakeable", "crash", "RuntimeError: no memory"),
        ("resign", "resigned", None),
        ("sleep", "time", "a call took longer than 1.1 s, with 0.05 s allowed"),
    ],
)
def test_a_player_that_fails_loses_with_the_reason(
    player: str, reason: str, detail: str | None
) -> None:
    for game, result in zip(two_games(player), ("0-1", "1-0"), strict=True):
        assert (game["result"], game["reason"], game.get("detail")) == (result, reason, detail)
        assert game["half_moves"] == len(game["moves"]) <= 1


@pytest.mark.parametrize(
    ("player", "reason", "detail"),
    [
        ("die", "crash", "its process died (SIGKILL), each time the game was tried"),
        ("hang", "time", "its process hung and was stopped, each time the game was tried"),
    ],
)
def test_a_player_that_takes_its_process_along_loses(player: str, reason: str, detail: str) -> None:
    games = two_games(player, margin=-1.5)  # hangs after 0.7 s
    for game, result in zip(games, ("0-1", "1-0"), strict=True):
        assert (game["result"], game["reason"]) == (result, reason)
        assert game["detail"].startswith(detail)
        assert game["moves"] == []


def test_a_process_that_dies_once_costs_nothing(tmp_path: Path) -> None:
    player = f"die-once:{tmp_path / 'died'}"
    games = in_order(played(plan_of(player, "random"), 4, processes=2))
    assert (tmp_path / "died").exists()
    assert games == in_order(played(plan_of(player, "random"), 4))
    assert not {game["reason"] for game in games} & {"crash", "unfinished"}


def test_a_death_in_no_players_call_is_nobodys_loss() -> None:
    plan = replace(plan_of("random", "nap:0"), board="deadly")
    (game,) = map(json.loads, played(plan, 1))
    assert (game["result"], game["reason"]) == ("*", "unfinished")
    assert "died (SIGKILL)" in game["detail"]


def test_what_a_player_prints_is_no_answer() -> None:
    shouted, silent = (played(plan_of(name, "random"), 2) for name in ("shout", "nap:0"))
    ends = {game["reason"] for game in in_order(shouted)}
    assert ends <= {"draw", "stalemate", "checkmate", "length"}
    assert len(shouted) == len(silent) == 2


def test_a_process_that_cannot_start_is_said_and_stops_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(IpomdpError, match="does not start: it ends with code 1"):
        played(plan_of("random", "random"), 1)


@pytest.mark.parametrize("player", ["nap:0.2", "hang"])
def test_processes_end_with_whoever_started_them(tmp_path: Path, player: str) -> None:
    script = tmp_path / "start.py"
    script.write_text(
        "from ipomdp.arena.crew import Crew\n"
        "from tests.arena.playing import ROSTER, plan_of\n"
        "crew = Crew(2)\n"
        f"plan = plan_of('random', {player!r})\n"
        "for lines in crew.play([plan_of('random', 'random').job(('random', 'random'), 1, ROSTER),"
        " *plan.jobs(1000, ROSTER)]):\n"
        "    print(*[process.pid for process in crew.crew], flush=True)\n"
    )
    root = str(Path(__file__).parent.parent.parent)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    ) as parent:
        assert parent.stdout is not None
        children = [int(pid) for pid in parent.stdout.readline().split()]
        time.sleep(0.5)  # they are in the midst of a game
        assert len(children) == 2 and all(map(running, children))
        parent.send_signal(signal.SIGKILL)
    for _ in range(100):
        if not any(map(running, children)):
            return
        time.sleep(0.05)
    pytest.fail("a process plays on")


def running(pid: int) -> bool:
    """Return whether a process is there and no zombie that nobody has asked about."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False
