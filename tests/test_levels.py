"""Grids over levels and lambda: the numbers, the picture, what is typed, and an interruption."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ipomdp import InvalidInput, Scenario, analyze
from ipomdp.study import levels as levels_module
from ipomdp.study.course import Course, course
from ipomdp.study.levels import Cell, Sweep, cells
from ipomdp.study.ranges import levels_in, rationalities_in
from tests.bundled import kriegspiel
from tests.test_cli import refused, run

FIGURE_1 = "1q1k/4/4/K1Q1 w"
HISTORY = """
[position]
fen = "1q1k/4/4/K1Q1 w"
[rules]
tries = "retry"
[[history]]
by = "white"
move = "Qd1"
heard = "Check by File"
[[history]]
by = "black"
heard = "Silent"
"""


@pytest.mark.parametrize(
    ("tries", "horizon", "opponent_horizon"),
    [("paper", 1, 1), ("paper", 2, 1), ("paper", 1, 2), ("retry", 1, 1), ("retry", 2, 1)],
)
def test_one_solver_for_all_levels_finds_what_an_analysis_finds(
    tries: str, horizon: int, opponent_horizon: int
) -> None:
    scenario = Scenario(
        name="x", fen=FIGURE_1, tries=tries, horizon=horizon, opponent_horizon=opponent_horizon
    )
    for cell in cells(scenario, range(3), [0.004]):
        analysis = analyze(scenario.with_options(level=cell.level))
        assert cell.best == analysis.best
        for report in analysis.moves:
            assert cell.value(report.move) == pytest.approx(report.expected_utility, abs=1e-9)


@pytest.mark.parametrize("name", ["figure-1", "figure-1-random", "mate-over-queen"])
@pytest.mark.parametrize("rationality", [0.0, 0.02, math.inf])
def test_replies_are_those_of_an_analysis(name: str, rationality: float) -> None:
    scenario = kriegspiel(name)
    for cell in cells(scenario, [1, 2], [rationality]):
        report = analyze(scenario.with_options(level=cell.level, rationality=rationality))
        heard = report.move(cell.after).announcements
        for reply in heard[0].replies if scenario.policy == "model" else ():
            assert cell.reply(reply.move) == pytest.approx(reply.probability, abs=1e-9)
        if heard[0].replies:
            assert sum(share for _, share in cell.replies) == pytest.approx(1.0)
        else:
            assert cell.replies == ()


def test_a_history_is_followed_at_every_level(tmp_path: Path) -> None:
    file = tmp_path / "later.toml"
    file.write_text(HISTORY)
    scenario = kriegspiel(file)
    for cell in cells(scenario, [0, 1, 2], [0.004, 0.02]):
        changed = scenario.with_options(level=cell.level, rationality=cell.rationality)
        assert dict(cell.moves) == pytest.approx(
            {r.move: r.expected_utility for r in analyze(changed).moves}
        )


def cell(level: int, *values: float) -> Cell:
    moves = tuple((f"m{k}", value) for k, value in enumerate(values))
    return Cell(level=level, rationality=1.0, moves=moves, after="m0", replies=())


def settling(*values: float) -> Course | None:
    return course([cell(k, value) for k, value in enumerate(values, start=1)])


def test_the_course_of_levels() -> None:
    assert settling(1, 2) is None
    assert course([cell(1, 1), cell(3, 2), cell(4, 2)]) is None
    for values, period, words in (
        ((9, 5, 4, 4.5), 1, "settle"),
        ((9, 0, 100, 0, 101, 1), 2, "cycles of 2 levels"),
        ((5, 0, 0, 100, 100, 0, 1, 99, 100), 4, "cycles of 4 levels"),
        ((0, 400, 600, 700, 750), 0, "fade: 400, 200, 100, 50"),
        ((0, 100, 300, 600), 0, "neither settle nor come back"),
    ):
        found = settling(*values)
        assert found is not None
        assert (found.period, words in found.words) == (period, True), found.words


def test_figure_1_goes_round() -> None:
    """The paper's reading, horizon 1: at lambda 0.02 every fourth level is much the same."""
    scenario = kriegspiel("figure-1-all-moves")
    run_ = tuple(cells(scenario, range(1, 9), [0.02]))
    assert [c.best for c in run_] == ["Qd1", "Qd1", "Qd2", "Qd2", "Qb2", "Qb2", "Qd2", "Qd2"]
    found = course(run_)
    assert found is not None
    assert found.period == 4
    settled = course(tuple(cells(scenario, range(1, 7), [0.001])))
    assert settled is not None
    assert settled.period == 1


@pytest.mark.parametrize(
    ("text", "levels"),
    [("0-4", (0, 1, 2, 3, 4)), ("2", (2,)), ("0,2,5", (0, 2, 5)), ("5,0-2,1", (0, 1, 2, 5))],
)
def test_levels_as_typed(text: str, levels: tuple[int, ...]) -> None:
    assert levels_in(text) == levels


@pytest.mark.parametrize("text", ["", "-1", "4-0", "0-65", "1.5", "a", "0,,2", " 1", "1-2-3", "²"])
def test_bad_levels(text: str) -> None:
    with pytest.raises(InvalidInput, match="expected levels from 0 to 64"):
        levels_in(text)


def test_lambdas_as_typed() -> None:
    assert rationalities_in("0.001:0.1:3") == pytest.approx((0.001, 0.01, 0.1))
    assert rationalities_in("0.02") == (0.02,)
    assert rationalities_in("inf,0,0.02,0.02") == (0.0, 0.02, math.inf)
    assert len(rationalities_in("0.001:0.1:20")) == 20


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected a range"), ("x", "expected a range"), ("-1", "expected a range"),
        ("nan", "expected a range"), ("1e999", "expected a range"), ("1,", "expected a range"),
        ("1:2", "expected a range"), ("1:2:3:4", "expected a range"), ("a:2:3", "expected a range"),
        ("0:1:5", "a low end above 0"), ("2:1:5", "a low end above 0"),
        ("1:inf:5", "a low end above 0"), ("1:2:1", "a count from 2"), ("1:2:x", "a count from 2"),
        ("1:2:201", "a count from 2"),
    ],
)  # fmt: skip
def test_bad_lambdas(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        rationalities_in(text)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--levels", "4-0"), "--levels: expected levels"),
        (("--rationality", "1:2"), "--rationality: expected a range"),
        (("--horizon", "0"), "--horizon: expected a number of decisions"),
        (("--opponent-horizon", "x"), "--opponent-horizon: expected a number of decisions"),
        (("--tries", "x"), '--tries: expected "paper"'),
        (("--opponent", "x"), '--opponent: expected "model"'),
        (("--out", "x.txt"), "--out: x.txt: unknown ending"),
        (("--csv", "x.txt"), "--csv: x.txt: unknown ending; expected .csv"),
        (("--csv", ""), "--csv: an empty name"),
    ],
)
def test_bad_options(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("levels", "figure-1", *arguments)


def test_frames_of_j_leave_nothing_to_vary(tmp_path: Path) -> None:
    file = tmp_path / "frames.toml"
    file.write_text(f'[position]\nfen = "{FIGURE_1}"\n[[opponent.frames]]\nlevel = 1\n')
    assert "opponent.frames" in refused("levels", str(file))


def test_the_command_prints_draws_and_writes(tmp_path: Path) -> None:
    grid = ("levels", "figure-1", "--levels", "0-2", "--rationality", "0.004,0.02")
    picture, table = str(tmp_path / "x.svg"), str(tmp_path / "x.csv")
    result = run(*grid, "--out", picture, "--csv", table)
    assert result.returncode == 0
    assert result.stderr == f"wrote {picture}\nwrote {table}\n"
    assert "Qd1 35.11" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    for words in ("What each move is worth to i", "The best move", "What j replies", ">tie<"):
        assert words in (tmp_path / "x.svg").read_text()
    with (tmp_path / "x.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 3 * 8
    assert float(rows[8]["expected_utility"]) == pytest.approx(35.11, abs=0.005)
    content = json.loads(run(*grid, "--json").stdout)
    assert content["complete"] is True
    assert [c["best"] for c in content["cells"]] == ["Qd1"] * 6


def test_the_table_is_spaced_and_the_verdict_names_its_lambda() -> None:
    grid = ("--levels", "0-3", "--rationality", "0.001,0.004")
    lines = run("levels", "figure-1", *grid).stdout.splitlines()
    title = lines.index("Expected utilities at lambda 0.004")
    assert lines[title - 2 : title] == ["* ties with others", ""]
    assert any(line.startswith("At lambda 0.004, up to level 3 the") for line in lines)
    few = run("levels", "figure-1", "--levels", "0-2").stdout
    assert "At lambda" not in few


STOPPED = """
import itertools, sys
import ipomdp.study.levels as levels
whole = levels.cells
def cells(*what, **how):
    yield from itertools.islice(whole(*what, **how), 3)
    raise KeyboardInterrupt
levels.cells = cells
sys.argv = ["ipomdp", *sys.argv[1:]]
from ipomdp.commands.main import main
main()
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_keeps_what_is_done(tmp_path: Path, form: str) -> None:
    picture, table = tmp_path / "x.png", tmp_path / "x.csv"
    command = [
        sys.executable, "-c", STOPPED, "levels", "figure-1", "--rationality", "0.004,0.02,0.1",
        "--levels", "1-2", "--out", str(picture), "--csv", str(table),
        *(["--json"] if form == "json" else []),
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 130, result.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert len(table.read_text().splitlines()) == 1 + 3 * 8
    if form == "json":
        content = json.loads(result.stdout)
        assert (content["complete"], len(content["cells"])) == (False, 3)
    else:
        assert "Interrupted: 3 of 6 cells are done." in result.stdout
        rows = [line.split()[0] for line in result.stdout.splitlines() if line.startswith(" 0")]
        assert rows == ["0.004", "0.02"]


def test_nothing_done_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> Iterator[Cell]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(levels_module, "cells", none)
    sweep = Sweep(scenario=kriegspiel("figure-1"), levels=(1,), rationalities=(0.02, 0.003))
    assert (sweep.complete, sweep.moves, sweep.reference) == (False, (), 0.003)


def test_the_reference_is_the_scenario_s_lambda_or_the_nearest() -> None:
    scenario = kriegspiel("figure-1")
    for grid, nearest in (((0.001, 0.004, 0.02), 0.004), ((0.001, 0.01), 0.01), ((0.0, 1.0), 1.0)):
        sweep = Sweep(scenario=scenario, levels=(1,), rationalities=grid)
        assert sweep.reference == nearest
