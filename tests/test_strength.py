"""Strength of levels, and lambda assumed against true."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.intervals import of_score
from ipomdp.errors import InvalidInput
from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.kriegspiel.board import PLACEMENTS
from ipomdp.players.roster import make_player
from ipomdp.study.rounds import Meeting, Record, Round, play_all
from ipomdp.study.starts import drawn_starts, quiet_starts
from ipomdp.study.strength import Study
from tests.test_cli import refused, run

GAME = Kriegspiel4x4()
SMALL = ("strength", "--games", "2", "--levels", "0-1", "--lambdas", "0.002,0.02")


def study(*rounds: Round) -> Study:
    return Study(
        levels=(0, 1), rationality=0.02, lambdas=(0.002, 0.02), level=1, rounds=tuple(rounds)
    )


def test_starts_are_quiet_for_both_sides() -> None:
    starts = quiet_starts()
    assert starts.size > 500
    for state in starts[::50].tolist():
        GAME.read(GAME.describe(state))  # legal, and not over
        for side in (state, state + PLACEMENTS):
            legal, _, announcement = GAME.moves(np.array([side]))
            words = {GAME.say(int(a)) for a in announcement[legal]}
            assert not any("Capture" in w or "Checkmate" in w for w in words)
            pieces = [GAME.pieces(side, player) for player in (0, 1)]
            assert [len(p) for p in pieces] == [2, 2]


def test_starts_are_drawn_by_the_seed_and_differ() -> None:
    assert drawn_starts(100, 1) == drawn_starts(100, 1) != drawn_starts(100, 2)
    assert drawn_starts(10, 1) == drawn_starts(100, 1)[:10]  # more games add to the same ones
    assert len(set(drawn_starts(100, 1))) == 100


def test_every_meeting_plays_the_same_starts_and_seeds() -> None:
    tasks = list(study().tasks(3, seed=5))
    by_meeting: dict[Meeting, list[tuple[int, int, int]]] = {}
    for task in tasks:
        by_meeting.setdefault(task.meeting, []).append((task.start, task.number, task.seed))
    assert set(by_meeting) == set(study().meetings)
    assert len({tuple(played) for played in by_meeting.values()}) == 1
    for meeting in by_meeting:  # what is written can be played
        for spec in meeting:
            make_player(spec, GAME)


def test_j_is_whom_i_thinks_it_plays() -> None:
    """The opponent one level down has the frame that i's own frame holds inside."""
    i, j = make_player(study().thinker(1), GAME), make_player(study().quantal(0, 0.02), GAME)
    (imagined,) = i.frame.opponents  # type: ignore[attr-defined]
    frame = j.frame  # type: ignore[attr-defined]
    assert (imagined.level, imagined.rationality, imagined.horizon, imagined.utility) == (
        frame.level, frame.rationality, frame.horizon, frame.utility,
    )  # fmt: skip


def test_scores_and_costs_are_what_was_played() -> None:
    plan = study()
    right = Meeting(plan.assuming(0.02), plan.truly(0.02))
    wrong = Meeting(plan.assuming(0.002), plan.truly(0.02))
    done = study(
        Round(right, 0, 0, (1.0, 1.0)), Round(right, 1, 0, (1.0, 0.5)),
        Round(wrong, 0, 0, (1.0, 0.5)), Round(wrong, 1, 0, (0.5, 0.0)),
    )  # fmt: skip
    cell = done.knowing(0.02, 0.02)
    assert cell is not None
    assert (cell.games, cell.ends, cell.score) == (4, (3, 1, 0), 0.875)
    assert cell.interval == of_score(3, 0, 1)
    assert done.knowing(0.02, 0.002) is None
    (cost,) = [cost for cost in done.costs() if cost.steps == -1]
    assert cost.mean == pytest.approx((0.25 + 0.5) / 2)
    assert cost.half == pytest.approx(1.96 * np.std([0.25, 0.5], ddof=1) / np.sqrt(2), rel=1e-3)
    assert [c.steps for c in done.costs()] == [-1]  # nothing is said of what was not played


def test_a_record_gives_back_what_was_added(tmp_path: Path) -> None:
    done = [Round(Meeting("a", "b"), k, 7, (0.5, 1.0)) for k in range(3)]
    record = Record(tmp_path / "r.jsonl")
    for each in done[:2]:
        record.add(each)
    with (tmp_path / "r.jsonl").open("a") as file:
        file.write('{"i": "a", "j":')  # cut short
    again = Record(tmp_path / "r.jsonl")
    assert (again.rounds, again.left_out) == (tuple(done[:2]), 1)
    again.add(done[2])
    assert Record(tmp_path / "r.jsonl").rounds == tuple(done)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"start": "1q1k/4/4/K1Q1 w"}\n')
    with pytest.raises(InvalidInput, match="holds no record of this study"):
        Record(other)
    assert other.read_text() == '{"start": "1q1k/4/4/K1Q1 w"}\n'


def test_the_command_plays_records_and_goes_on(tmp_path: Path) -> None:
    record, picture = str(tmp_path / "s.jsonl"), tmp_path / "s.svg"
    first = run(*SMALL, "--processes", "1", "--record", record, "--json")
    assert first.returncode == 0, first.stderr
    content = json.loads(first.stdout)
    assert {(c["level"], c["opponent"]) for c in content["levels"]} == {
        (k, j) for k in (0, 1) for j in ("random", 0, 1)
    }
    assert len(content["lambdas"]) == 4
    assert all(c["won"] + c["drawn"] + c["lost"] == c["games"] == 2 for c in content["lambdas"])
    lines = Path(record).read_text().splitlines()
    Path(record).write_text("\n".join(lines[:-3]) + "\n")
    again = run(*SMALL, "--processes", "1", "--record", record, "--json", "--out", str(picture))
    assert json.loads(again.stdout) == content
    assert "games played before" in again.stderr
    assert len(Path(record).read_text().splitlines()) == len(lines)
    assert "assumed by i" in picture.read_text()
    table = run(*SMALL, "--record", record)
    assert "whom i thinks it plays" in table.stdout


@pytest.mark.slow
def test_processes_change_nothing() -> None:
    tasks = list(study().tasks(2, seed=1))[:8]
    alone, together = (sorted(play_all(tasks, n)) for n in (1, 2))
    assert alone == together


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    record = tmp_path / "s.jsonl"
    command = [sys.executable, "-m", "ipomdp", "strength", "--record", str(record), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (record.exists() and record.stat().st_size):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    games = sum(c["games"] for c in json.loads(out)["levels"])
    assert 0 < games < 1200


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "3"], "--games: expected an even number"),
        (["--games", "0"], "--games: expected"),
        (["--levels", "0-9"], "--levels: expected levels up to 3"),
        (["--levels", "x"], "--levels: expected"),
        (["--lambda", "0.1,0.2"], "--lambda: expected one number"),
        (["--lambdas", "low"], "--lambdas: expected"),
        (["--lambdas", "0.001:0.1:40"], "--lambdas: expected 12 values at most, not 40"),
        (["--level", "0"], "--level: expected"),
        (["--horizon", "3"], "--horizon: expected"),
        (["--seed", "-1"], "--seed: expected"),
        (["--processes", "0"], "--processes: expected"),
        (["--out", "s.txt"], "--out: s.txt: unknown ending"),
        (["--record", "nowhere/s.jsonl"], "--record: nowhere/s.jsonl: cannot be written"),
    ],
)
def test_bad_options_are_named(options: list[str], words: str) -> None:
    assert words in refused("strength", *options)
