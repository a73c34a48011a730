"""The 2007 paper's conjecture: the numbers that settle it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from ipomdp.show.conjecture_plots import conjecture_chart
from ipomdp.study.conjecture import Reading, Settled, Verdict, readings, settle
from ipomdp.study.levels import Cell, cells
from tests.test_cli import refused, run

PAPER = Reading(tries="paper", horizon=1)
AS_PRINTED = Reading(tries="paper", horizon=1, all_moves=False)
RETRY = Reading(tries="retry", horizon=1)
AHEAD = Reading(tries="retry", horizon=2)


@cache
def settled() -> Settled:
    verdicts = tuple(settle((1, 2, 3), (0.004, 0.02)))
    return Settled(levels=(1, 2, 3), rationalities=(0.004, 0.02), verdicts=verdicts)


def verdict(reading: Reading, level: int, rationality: float = 0.004) -> Verdict:
    found = settled().at(reading, level, rationality)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("reading", "captures", "digits"),
    [(AS_PRINTED, (0.7037, 0.1155), 4), (RETRY, (0.82, 0.65), 2)],
    ids=["paper", "retry"],
)
def test_the_reason(reading: Reading, captures: tuple[float, float], digits: int) -> None:
    found = [verdict(reading, level).capture for level in (1, 2)]
    assert [round(capture, digits) for capture in found] == list(captures)


def test_the_preference_in_the_paper_s_reading() -> None:
    found = verdict(PAPER, 2)
    assert (round(found.preferred, 1), round(found.offered, 1)) == (37.8, -5.4)
    assert (found.view, found.best) == ("Qd1 ahead", "Qd1")


def test_the_preference_five_levels_deep_and_not_seven() -> None:
    run_ = {c.level: c for c in cells(PAPER.scenario, range(1, 9), [0.02])}
    assert [level for level, cell in run_.items() if cell.best == "Qb2"] == [5, 6]
    assert rounded(run_[5], "Qb2", "Qd1") == [15.7, 0.0]


def rounded(cell: Cell, *moves: str) -> list[float]:
    return [round(cell.value(move), 1) for move in moves]


def test_the_preference_under_the_real_rules() -> None:
    one, two = cells(AHEAD.scenario, [1, 2], [0.02])
    assert [round(one.value(move)) for move in ("Ka2", "Qd1", "Qb2")] == [658, 352, 36]
    assert one.best == "Ka2"
    assert (two.best, [round(two.value(move)) for move in ("Qb2", "Qd1")]) == ("Qb2", [36, -20])
    assert verdict(AHEAD, 2, 0.02).view == "Qb2 best"
    careless = verdict(AHEAD, 2)
    assert (careless.best, careless.view) == ("Ka2", "Qb2 ahead")


def test_there_black_does_take() -> None:
    assert verdict(AHEAD, 2, 0.02).capture > 0.999
    for view in ("Qd1 ahead", "Qb2 ahead", "Qb2 best"):
        assert view in {v.view for v in settled().verdicts}


def test_how_far_white_plans_does_not_change_what_black_does() -> None:
    for found in settled().verdicts:
        near = Reading(
            tries=found.reading.tries, horizon=1, all_moves=found.reading.all_moves
        )  # fmt: skip
        same = settled().at(near, found.level, found.rationality)
        assert same is not None
        assert found.capture == pytest.approx(same.capture, abs=1e-12)


def test_the_picture_shows_every_reading(tmp_path: Path) -> None:
    conjecture_chart(settled(), tmp_path / "x.svg")
    text = (tmp_path / "x.svg").read_text()
    for reading in readings():
        assert f"tries: {reading.tries}, horizon {reading.horizon}" in text
    for words in ("Qc3 not considered", "Black takes on b2", "Qb2 best"):
        assert words in text


def test_the_picture_in_the_documentation_is_small() -> None:
    picture = Path(__file__).parent.parent / "docs" / "conjecture.svg"
    assert picture.stat().st_size < 200_000


def test_the_command() -> None:
    grid = ("conjecture", "--levels", "1-2", "--rationality", "0.004,0.02")
    text = run(*grid).stdout
    for words in ("# 1.00", "0.7037", "0.1155", "One more level, from 1 to 2"):
        assert words in text
    assert "<0.0001" in text
    assert "0.0000" not in text
    assert not text.endswith("\n\n")
    assert all(len(line) <= 80 for line in text.splitlines())
    content = json.loads(run(*grid, "--json").stdout)
    assert content["complete"] is True
    assert len(content["verdicts"]) == 6 * 2 * 2


def test_two_decisions_in_the_paper_s_reading() -> None:
    ahead = Reading(tries="paper", horizon=2)
    found = {
        (c.level, c.rationality): c for c in cells(ahead.scenario, range(1, 5), [0.001, 0.01, 0.02])
    }
    best = [where for where, cell in found.items() if cell.best == "Qb2"]
    assert best == [(3, 0.01), (4, 0.01), (3, 0.02)]
    assert rounded(found[3, 0.02], "Qb2", "Qd1") == [76.0, 46.3]
    assert rounded(found[1, 0.001], "Qb2", "Qd1", "Ka2") == [101.3, 94.2, 167.9]


def test_what_levels_are_lacking_for_is_left_out() -> None:
    text = run("conjecture", "--levels", "3", "--rationality", "0.004").stdout
    assert "One more level, from 1 to 2" not in text
    assert not text.endswith("\n\n")


def test_bad_input() -> None:
    for levels in ("0-2", "x", "4-1"):
        said = refused("conjecture", "--levels", levels)
        assert "--levels: expected levels from 1 to 64 like 1-4, 2 or 1,2,5" in said
    assert "--rationality: expected" in refused("conjecture", "--rationality", "x")
    assert "unknown ending" in refused("conjecture", "--out", "x.txt")
