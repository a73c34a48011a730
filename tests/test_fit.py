"""Lambda and level from recorded games."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ipomdp.engine.step import Rules
from ipomdp.kriegspiel import Kriegspiel4x4, Weights
from ipomdp.kriegspiel.evaluation import evaluation
from ipomdp.records import read_record
from ipomdp.study.fit import Thinking, fit_lambda, fit_player
from ipomdp.study.likelihood import Decisions, Play
from ipomdp.study.simulate import Simulator
from tests.oracle import Oracle

GAME = Kriegspiel4x4()
FEN = "1q1k/4/4/K1Q1 w"
THINKING = Thinking(utility=evaluation(Weights()))
READINGS = {
    "paper": Rules(),
    "retry": Rules(retry=True),
    "audible": Rules(retry=True, audible=True),
}


def games(
    rules: Rules, level: int, rationality: float, count: int, plies: int, seed: int = 1
) -> list[Play]:
    frames = (THINKING.frame(level, rationality), THINKING.frame(level, rationality))
    simulator, rng = Simulator(GAME, GAME.read(FEN), rules, frames), np.random.default_rng(seed)
    return [simulator.play(plies, rng) for _ in range(count)]


def game(*moves: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {"start": FEN, "tries": "retry", "moves": list(moves), **fields}


QD1 = {"by": "white", "move": "Qd1", "heard": "Check by File"}
QD2 = {"by": "white", "move": "Qd2", "heard": "Check by File"}
KC4 = {"by": "black", "refused": ["Kc3"], "move": "Kc4", "heard": "Silent"}


def play_of(content: dict[str, Any]) -> Play:
    read = read_record(content)
    return Play(read.result.start, read.rules, read.result.turns)


def likelihood(content: dict[str, Any], player: int, level: int, rationality: float) -> float:
    decisions = Decisions(GAME, [play_of(content)], player)
    weighed = decisions.weighed(THINKING.frame(level, rationality))
    assert decisions.explained(weighed).all()
    return float((decisions.log_probabilities(weighed, rationality) * decisions.count).sum())


# The likelihood of a game.


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_first_move_and_a_reply_by_the_oracle(level: int) -> None:
    oracle = Oracle(tries="retry", rationality=0.01)
    values = oracle.expected_utilities(FEN, level)
    total = sum(math.exp(0.01 * value) for value in values.values())
    first = 0.01 * values["Qd2"] - math.log(total)
    content = game(QD2, {**KC4, "refused": []})
    assert likelihood(content, 0, level, 0.01) == pytest.approx(first, abs=1e-9)
    _, reply = oracle.replies(FEN, level + 1, "Qd2")["Kc4"]
    assert likelihood(content, 1, level, 0.01) == pytest.approx(math.log(reply), abs=1e-9)


@pytest.mark.parametrize("level", [0, 1])
def test_tries_refused_by_the_oracle(level: int) -> None:
    """All ways to a move, by the refusals before it, add up to the oracle's chance of it.

    Kc3 is refused because the queen is on d2, which then is known; nothing else is informative.
    """
    made = Oracle(tries="retry", rationality=0.004).replies_made(FEN, level + 1, "Qd2")
    ways = [likelihood(game(QD2, {**KC4, "refused": r}), 1, level, 0.004) for r in ([], ["Kc3"])]
    assert math.exp(ways[0]) + math.exp(ways[1]) == pytest.approx(made["Kc4"], abs=1e-9)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_reply_in_the_papers_reading_by_the_oracle(level: int) -> None:
    """A move was made, so the response is over the moves legal in the true position."""
    oracle = Oracle(tries="paper", rationality=0.004)
    made = oracle.replies_made(FEN, level + 1, "Qd1")
    content = game(QD1, {"by": "black", "move": "Kc4"}, tries="paper")
    assert likelihood(content, 1, level, 0.004) == pytest.approx(math.log(made["Kc4"]), abs=1e-9)


def test_what_is_known_to_be_illegal_is_counted_and_left_out() -> None:
    """The queen on b4 cannot go to a1 whatever White did; hearing of it changes nothing else."""
    for rules in ({}, {"illegal_heard_by": "both"}):
        then = {"by": "white", "move": "Qd1"}
        plain = game(QD2, KC4, then, **rules)
        odd = game(QD2, {**KC4, "refused": ["Qa1", "Kc3"]}, then, **rules)
        fits = [
            fit_player(Decisions(GAME, [play_of(c)], 1), THINKING, [0, 1]) for c in (plain, odd)
        ]
        assert [(f.tries, f.ignored) for f in fits] == [(2, 0), (2, 1)]
        for level in (0, 1):  # White hears more refusals than its model explains
            odd_play = Decisions(GAME, [play_of(odd)], 0)
            assert odd_play.weighed(THINKING.frame(level, 0.01)).utilities.shape == (2, 32)


# What comes back.


@pytest.mark.parametrize("reading", READINGS)
def test_the_lambda_that_played_is_in_the_interval(reading: str) -> None:
    """Nineteen times in twenty; two misses in twelve are still likely enough."""
    fits = [
        fit_player(Decisions(GAME, plays, player), THINKING, [1]).best
        for plays in (games(READINGS[reading], 1, 0.01, 30, 3, seed) for seed in range(6))
        for player in (0, 1)
    ]
    assert sum(fit.low < 0.01 < fit.high for fit in fits) >= 10
    assert np.median([fit.high / fit.low for fit in fits]) < 3
    for fit in fits:
        assert fit.rationality is not None
        assert fit.low < fit.rationality < fit.high


@pytest.mark.parametrize("level", [0, 1, 2])
def test_levels_are_told_apart(level: int) -> None:
    plays = games(READINGS["retry"], level, 0.02, 30, 3)
    for player in (0, 1):
        fit = fit_player(Decisions(GAME, plays, player), THINKING, [0, 1, 2])
        assert fit.best.level == level
        others = [other.aic for other in fit.levels if other.level != level]
        assert min(others) > fit.best.aic + 4


@pytest.mark.parametrize("reading", READINGS)
def test_best_responses_have_no_upper_end_and_random_play_no_lower_one(reading: str) -> None:
    plays = games(READINGS[reading], 1, math.inf, 10, 2)
    best = fit_player(Decisions(GAME, plays, 0), THINKING, [1]).best
    assert best.rationality == best.high == math.inf
    assert best.low > 0.01
    plays = games(READINGS[reading], 1, 0.0, 20, 2)
    random = fit_player(Decisions(GAME, plays, 0), THINKING, [1])
    assert random.best.low == 0
    assert random.best.high < 0.02
    assert random.at_random == random.best.curve[0][1]


@pytest.mark.parametrize(
    ("curve", "expected"),
    [
        (lambda _: -3.0, (None, 0.0, math.inf)),
        (lambda x: -x if x < math.inf else -math.inf, (0.0, 0.0, 1.9205)),
        (lambda x: -1 / x if x else -math.inf, (math.inf, 1 / 1.9205, math.inf)),
        (
            lambda x: -10 * math.log(x) ** 2 if 0 < x < math.inf else -math.inf,
            (1.0, math.exp(-math.sqrt(0.19205)), math.exp(math.sqrt(0.19205))),
        ),
        (lambda x: 0.0 if x == math.inf else -5.0, (math.inf, 1e4, math.inf)),
    ],
    ids=["flat", "falling", "rising", "peak", "best-response-alone"],
)
def test_the_search_on_known_curves(
    curve: Any,  # noqa: ANN401
    expected: tuple[float | None, float, float],
) -> None:
    fit = fit_lambda(lambda x: max(curve(x), -1e9))
    assert (fit.rationality is None) == (expected[0] is None)
    for found, wanted in zip((fit.rationality, fit.low, fit.high), expected, strict=True):
        assert wanted is None or found == pytest.approx(wanted, rel=1e-3)


# The command line.


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ipomdp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "fit.md").read_text()
    (tmp_path / "out").mkdir()
    blocks = re.findall(r"```bash\n(.*?)```", page, flags=re.DOTALL)
    for line in "".join(blocks).splitlines():
        if line.startswith("ipomdp"):
            result = run(*shlex.split(line)[1:], cwd=tmp_path)
            assert result.returncode == 0, result.stderr
    (shown,) = re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)
    assert len(read_record(json.loads(shown)).result.turns) == 2


def test_simulate_then_fit(tmp_path: Path) -> None:
    made = run(
        "simulate", "--games", "12", "--plies", "2", "--white-rationality", "inf", "--out",
        "g.jsonl", cwd=tmp_path,
    )  # fmt: skip
    assert (made.returncode, made.stderr) == (0, "wrote g.jsonl\n12 games, 24 moves\n")
    with (tmp_path / "g.jsonl").open("a") as file:
        file.write("{")
    found = run("fit", "g.jsonl", "--levels", "0,1", "--out", "f.svg", cwd=tmp_path)
    assert found.returncode == 0
    bad, wrote = found.stderr.splitlines()
    assert bad.startswith("ipomdp: left out: g.jsonl, line 13: not valid JSON")
    assert wrote == "wrote f.svg"
    assert "White: 12 moves in 12 games, 12 tries" in found.stdout
    assert "at least" in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80
    result = run("fit", "g.jsonl", "--levels", "1", "--player", "black", "--json", cwd=tmp_path)
    content = json.loads(result.stdout)
    assert content["games"] == 12
    assert content["players"][0]["levels"][0]["interval"][0] < 0.02


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fit", "none.jsonl"), "none.jsonl: no such file"),
        (("fit", "empty.jsonl"), "empty.jsonl: empty"),
        (("fit", "bad.jsonl"), "bad.jsonl, line 1: not valid JSON"),
        (("fit", "one.json", "--player", "red"), "--player: expected white, black, both"),
        (("fit", "one.json", "--player", "black"), "--player: black makes no move"),
        (("fit", "one.json", "--levels", "2-1"), "--levels: expected levels up to 64"),
        (("fit", "one.json", "--scenario", "none"), "--scenario: none: neither"),
        (
            ("fit", "one.json", "--plies", "0"),
            "--plies: expected a number above 0, up to 1000000, not 0",
        ),
        (
            ("simulate", "--out", "g.jsonl", "--games", "-1"),
            "--games: expected a number above 0, up to 100000, not -1",
        ),
        (
            ("simulate", "--out", "g.jsonl", "--games", "x"),
            '--games: expected a number above 0, up to 100000, not "x"',
        ),
        (
            ("simulate", "--out", "g.jsonl", "--plies", "1001"),
            "--plies: expected a number above 0, up to 1000, not 1001",
        ),
        (
            ("simulate", "--out", "g.jsonl", "--seed", "-1"),
            "--seed: expected a number from 0 to 2147483647, not -1",
        ),
        (("simulate", "--out", "g.jsonl", "--white-level", "x"), "--white-level: expected a nat"),
        (("simulate", "--out", "g.txt"), "--out: g.txt: unknown ending"),
        (("simulate", "--out", "g.jsonl", "--start", "x"), '--start: "x" is not a position'),
        (("simulate", "--out", "g.jsonl", "--black-level", "99"), "--black-level: expected"),
        (("simulate", "--out", "g.jsonl", "--white-rationality", "nan"), "--white-rationality: "),
    ],
)
def test_what_cannot_be_used_is_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "bad.jsonl").write_text("{\n[]\n")
    (tmp_path / "one.json").write_text(json.dumps(game(QD1)))
    result = run(*arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"ipomdp: {words}")


def test_a_player_is_fitted_by_its_name_on_either_side(tmp_path: Path) -> None:
    one = {**game(QD1), "white": "anna", "black": "bert"}
    other = {**game(QD2, KC4), "white": "bert", "black": "anna"}
    (tmp_path / "g.jsonl").write_text(json.dumps(one) + "\n" + json.dumps(other) + "\n")
    mixed = run("fit", "g.jsonl", "--levels", "0", "--json", cwd=tmp_path)
    assert "white is 2 different players (anna, bert)" in mixed.stderr
    alone = run("fit", "g.jsonl", "--levels", "0", "--player", "anna", "--json", cwd=tmp_path)
    assert not alone.stderr
    players = json.loads(alone.stdout)["players"]
    assert [(p["player"], p["turns"]) for p in players] == [("white", 1), ("black", 1)]
    nobody = run("fit", "g.jsonl", "--player", "carl", cwd=tmp_path)
    assert nobody.returncode == 2
    assert "a player's name: anna, bert" in nobody.stderr
