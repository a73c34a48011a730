"""Many games: the same ones however they are played, none lost, and what they show."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ipomdp.arena.folder import GAMES, SETTINGS, appending, open_folder, read_games, read_plan
from ipomdp.arena.plan import Plan, game_seed
from ipomdp.arena.worker import play_job
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.records import read_record
from tests.arena.players import ROSTER
from tests.arena.playing import in_order, kept, lines_of, plan_of, played
from tests.test_cli import refused, run

GAME = (*("arena", "random", "random", "--board", "4x4"), "--out")


def test_seeds_and_colours_are_fixed() -> None:
    plan = Plan(players=("a", "b", "c"), board="4x4")
    assert plan.pairings == (("a", "b"), ("a", "c"), ("b", "c"))
    assert replace(plan, pairs="first").pairings == (("a", "b"), ("a", "c"))
    jobs = list(plan.jobs(3))
    assert len({job.seed for job in jobs}) == 9
    assert [job.sides for job in jobs if job.pairing == ("b", "c")] == [
        ("b", "c"), ("c", "b"), ("b", "c"),
    ]  # fmt: skip
    fewer = Plan(players=("b", "c"), board="4x4")
    assert list(fewer.jobs(3)) == [job for job in jobs if job.pairing == ("b", "c")]
    assert game_seed(0, ("random", "hs"), 1) == 155367354580350  # of every run there ever was


@pytest.mark.parametrize(
    ("players", "pairs"), [(("a", "a", "b"), "all"), (("a", "b", "b"), "first"), (("a",), "all")]
)
def test_games_that_would_be_the_same_twice_are_refused(
    players: tuple[str, ...], pairs: str
) -> None:
    with pytest.raises(InvalidInput, match=r"stands there twice|two players or more"):
        Plan(players=players, board="4x4", pairs=pairs).check()


def test_the_same_games_however_they_are_played() -> None:
    plan = plan_of("random", "nap:0", "noting")
    here = [json.dumps(play_job(job)).encode() for job in plan.jobs(4, ROSTER)]
    assert in_order(here) == in_order(played(plan, 4)) == in_order(played(plan, 4, processes=3))


def test_a_line_is_a_record_with_what_the_arena_wants_to_know() -> None:
    plan = plan_of("noting", "random", longest=12)
    for line in map(json.loads, played(plan, 4)):
        whole = read_record(line)
        assert len(whole.result.turns) == line["half_moves"]
        assert whole.result.reason == line["reason"]
        own = SIDES.index("white" if line["white"] == "noting" else "black")
        for k, note in enumerate(line["noted"]):
            mine = k % 2 == own
            assert note == ({"last_observation_share": k // 2 / 10} if mine else None)
        for side, values in line["material"].items():
            assert len(values) == line["half_moves"]
            assert set(values) <= {9, 0}
            for before, after, move in zip([9, *values], values, line["moves"], strict=False):
                taken = move["by"] != side and "Capture" in move["heard"]
                assert after == (0 if taken else before)
        assert set(line["seconds"]) == {"white", "black"}


def test_a_second_run_goes_on_and_changes_nothing(tmp_path: Path) -> None:
    plan, folder = plan_of("random", "nap:0"), tmp_path / "games"
    first, _ = kept(folder, plan, 3)
    before = (folder / GAMES).read_bytes()
    second, complaints = kept(folder, plan, 5, processes=2)
    assert (len(first), len(second), complaints) == (3, 5, [])
    assert (folder / GAMES).read_bytes().startswith(before)
    assert in_order(lines_of(folder)) == in_order(played(plan, 5))


def test_a_broken_file_is_reported_and_its_games_played_again(tmp_path: Path) -> None:
    plan = plan_of("random", "nap:0")
    kept(tmp_path, plan, 6)
    lines = lines_of(tmp_path)
    whole = in_order(lines)
    other = lines[4].replace(b'"seed": ', b'"seed": 9')
    damaged = [lines[0], b"\xff{", lines[2], lines[2], other, lines[5][:200]]
    (tmp_path / GAMES).write_bytes(b"\n".join(damaged))
    games, complaints = kept(tmp_path, plan, 6)
    file = tmp_path / GAMES
    assert [text.partition(": ")[2].split(": ")[0] for text in complaints] == [
        f"{file}, line {k}" for k in (2, 4, 5, 6)
    ]
    assert "stands there already" in complaints[1] and "seed: expected" in complaints[2]
    assert sorted(game.number for game in games) == [1, 2, 3, 4, 5, 6]
    good = [line for line in lines_of(tmp_path) if line not in damaged[1:2] + damaged[3:]]
    assert in_order([lines[2], *good]) == whole  # it stood there twice
    again, complaints = kept(tmp_path, plan, 6)
    assert len(again) == 6 and len(complaints) == 4  # what is broken stays where it was


CHANGES: list[dict[str, Any]] = [
    {"players": ("random", "other")},
    {"seconds": None},
    {"seconds": 2.0},
    {"board": "8x8"},
    {"seed": 1},
    {"longest": 7},
    {"pairs": "first"},
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_folder_of_other_settings_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    plan = plan_of("random", "nap:0")
    open_folder(tmp_path, plan)
    open_folder(tmp_path, plan)
    assert read_plan(tmp_path) == plan
    (name,) = change
    with pytest.raises(InvalidInput, match=f"other settings: {name} .* there, .* here"):
        open_folder(tmp_path, replace(plan, **change))


def test_two_arenas_do_not_write_into_one_folder(tmp_path: Path) -> None:
    open_folder(tmp_path, plan_of("random", "random"))
    with (
        appending(tmp_path),
        pytest.raises(InvalidInput, match="another arena"),
        appending(tmp_path),
    ):
        pass


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"players": ["a"]}', '{"players": 3}'])
def test_broken_settings_are_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / SETTINGS).write_text(content)
    assert f"{SETTINGS}: broken; expected" in refused("standings", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("random", "nobody"), 'PLAYERS: unknown player "nobody"'),
        (("random", "random:level=1"), "PLAYERS: "),
        (("random",), "PLAYERS: expected two players or more"),
        (("random", "random", "--board", "5x5"), "--board: "),
        (("random", "random", "--games", "0"), "--games: expected a number above 0"),
        (("random", "random", "--seconds", "0"), "--seconds: expected a number above 0"),
        (("random", "random", "--seconds", "inf"), "--seconds: expected a number above 0"),
        (("random", "random", "--seed", "-1"), "--seed: expected a number"),
        (("random", "random", "--longest", "x"), "--longest: expected a number"),
        (("random", "random", "--pairs", "two"), "--pairs: expected all or first"),
        (("random", "random", "--processes", "0"), "--processes: expected a number"),
        (("random", "random", "--picture", "x.txt"), "--picture: x.txt: unknown ending"),
        (("random", "random", "--scheduler", "nowhere"), "--scheduler: expected an address like"),
        (("random", "random", "--scheduler", "tcp://127.0.0.1:1"), "no scheduler answers at"),
    ],
)
def test_bad_input_is_one_line_before_anything_starts(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    out = tmp_path / "out"
    assert words in refused("arena", *arguments, "--out", str(out))
    assert not out.exists()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "--out: " in refused(*GAME, str(tmp_path / "file" / "games"))
    assert "no arena.json" in refused("standings", str(tmp_path))


def test_the_table_the_json_and_the_picture(tmp_path: Path) -> None:
    out, picture = tmp_path / "out", tmp_path / "arena.svg"
    result = run(*GAME, str(out), "--games", "12", "--picture", str(picture))
    assert (result.returncode, result.stderr) == (0, f"wrote {picture}\n")
    content = json.loads(run("standings", str(out), "--json").stdout)
    (pairing,) = content["pairings"]
    assert pairing["games"] == 12 == pairing["won"] + pairing["lost"] + pairing["drawn"]
    assert sum(pairing["ends"].values()) == 12
    assert f"{pairing['score']:.3f}" in result.stdout
    text = picture.read_text()
    assert f"won {pairing['won_share']:.1%}" in text
    again = run("standings", str(out))
    assert again.stdout == result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_cut_short_resumes_and_ends_as_if_it_had_not_been(
    tmp_path: Path, how: signal.Signals
) -> None:
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    command = [sys.executable, "-m", "ipomdp", *GAME, str(cut), "--games", "3000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as arena:
        while not (cut / GAMES).exists() or len(lines_of(cut)) < 20:
            assert arena.poll() is None
            time.sleep(0.01)
        arena.send_signal(how)
        stdout, stderr = arena.communicate()
    before = (cut / GAMES).read_bytes()
    count = before.count(b"\n")
    assert 20 <= count < 3000
    if how == signal.SIGINT:
        assert arena.returncode == 130
        assert stderr.decode() == (
            f"ipomdp: interrupted after {count} of 3000 games; the same command goes on\n"
        )
        assert f"; {count} games\n" in stdout.decode()
    games = str(count + 30)
    for folder in (cut, whole):
        assert run(*GAME, str(folder), "--games", games).returncode == 0
    assert (cut / GAMES).read_bytes().startswith(before)
    assert in_order(lines_of(cut)) == in_order(lines_of(whole))


def test_however_a_line_is_cut_what_is_left_is_no_game(tmp_path: Path) -> None:
    plan = plan_of("random", "nap:0", longest=4)
    kept(tmp_path, plan, 1)
    (line,) = lines_of(tmp_path)
    for end in range(1, len(line), 7):
        (tmp_path / GAMES).write_bytes(line[:end])
        complaints: list[str] = []
        assert not read_games(tmp_path, plan, complaints.append)
        assert len(complaints) == 1


def test_each_pair_of_games_on_4x4_has_a_start_of_its_own() -> None:
    """Games k and k + 1 start alike, with the colours the other way round; others differ."""
    plan = Plan(players=("random", "ipomdp:level=0"), board="4x4", seed=3)
    starts = [play_job(job)["start"] for job in plan.jobs(6)]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 3
    assert play_job(Plan(players=("random", "random"), board="6x6").job(("random",) * 2, 1))[
        "start"
    ].startswith("rnqknr")
