"""Scores, intervals, means by move, and their picture."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from ipomdp.arena.finished import Finished, read_line
from ipomdp.arena.intervals import Interval, of_score, wilson
from ipomdp.arena.standings import by_player, curve, standings, tally
from ipomdp.show.arena_plots import arena_chart
from tests.arena.playing import plan_of, played

GAMES = 30


def test_the_interval_of_the_score_is_tangos() -> None:
    """Fagerland, Lydersen and Laake (2014), hyper-responsiveness: 1 and 7 of 21 discordant."""
    low, high = of_score(1, 7, 13)
    assert (2 * low - 1, 2 * high - 1) == pytest.approx((-0.517, -0.026), abs=5e-4)


def test_the_interval_of_a_share_is_wilsons() -> None:
    """Newcombe (1998), Statistics in Medicine 17, 857: 81 of 263 and 15 of 148."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


@pytest.mark.parametrize(("won", "lost"), [(10, 5), (1, 0), (20, 0), (0, 7), (300, 299)])
def test_without_draws_the_two_agree(won: int, lost: int) -> None:
    assert of_score(won, lost, 0) == pytest.approx(wilson(won, won + lost), abs=1e-9)


@pytest.mark.parametrize("counts", [(3, 1, 9), (0, 0, 20), (20, 0, 0), (0, 0, 1), (1, 0, 99)])
def test_the_interval_holds_the_score_and_turns_with_the_players(
    counts: tuple[int, int, int],
) -> None:
    won, lost, drawn = counts
    low, high = of_score(won, lost, drawn)
    assert 0 <= low <= (won + drawn / 2) / sum(counts) <= high <= 1
    assert low < high
    assert of_score(lost, won, drawn) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@pytest.fixture(scope="module")
def every_interval() -> dict[tuple[int, int], Interval]:
    return {
        (won, lost): of_score(won, lost, GAMES - won - lost)
        for won in range(GAMES + 1)
        for lost in range(GAMES + 1 - won)
    }


@pytest.mark.parametrize(
    "chances", [(0.39, 0.004), (0.65, 0.01), (0.13, 0.11), (0.5, 0.5), (0.1, 0.05), (0.98, 0.01)]
)
def test_95_in_100_intervals_hold_the_true_score(
    every_interval: dict[tuple[int, int], Interval], chances: tuple[float, float]
) -> None:
    """Every outcome of 30 games, weighed by its probability; the 2005 paper's among the truths."""
    win, loss = chances
    draw = max(0.0, 1 - win - loss)
    covered = sum(
        math.comb(GAMES, won)
        * math.comb(GAMES - won, lost)
        * (win**won * loss**lost * draw ** (GAMES - won - lost))
        for (won, lost), (low, high) in every_interval.items()
        if low <= win + draw / 2 <= high
    )
    assert 0.93 < covered < 0.98


def finished(number: int, score: float | None, reason: str, length: int = 2) -> Finished:
    return Finished(
        pairing=("a", "b"), number=number, score=score, reason=reason, detail="",
        half_moves=length, moves=(length - length // 2, length // 2), seconds=(1.0, 3.0),
        material=((9,) * length, (9, 3, 0)[:length]), noted=(({"share": 0.5},), ()),
    )  # fmt: skip


def test_a_pairing_told_from_its_games() -> None:
    games = [
        finished(1, 1.0, "checkmate", 3),
        finished(2, 0.5, "length"),
        finished(3, 0.0, "crash"),
        finished(4, None, "unfinished", 0),
    ]
    plan = plan_of("a", "b", "c")
    kept = {(game.pairing, game.number): game for game in games}
    result, empty, _ = standings(plan, kept)
    assert result.tally == tally([1.0, 0.5, 0.0, None])
    assert (result.tally.games, result.tally.score, result.tally.unfinished) == (3, 0.5, 1)
    assert result.half_moves == pytest.approx(7 / 3)
    assert result.seconds_per_move == pytest.approx((4 / 4, 12 / 3))
    assert result.material_at_end == pytest.approx((9.0, 2.0))
    assert result.material[1].games == (3, 3, 1)
    assert result.material[1].mean == pytest.approx((9.0, 3.0, 0.0))
    assert result.ends == {"checkmate": 1, "length": 1, "crash of a": 1, "unfinished": 1}
    assert (empty.tally.games, empty.tally.score, empty.half_moves) == (0, None, None)
    assert by_player(plan, kept)["b"].score == 0.5


def test_means_are_over_those_who_got_so_far() -> None:
    found = curve([[1, 2], [3, None, 7], []])
    assert found.games == (2, 1, 1)
    assert found.mean == (2.0, 2.0, 7.0)


def test_the_picture_has_a_panel_for_what_is_noted(tmp_path: Path) -> None:
    plan = plan_of("noting", "random", "nap:0")
    kept = {}
    for line in played(plan, 2):
        game = read_line(line, plan)
        kept[game.pairing, game.number] = game
    arena_chart(standings(plan, kept), "4x4, $1", tmp_path / "arena.svg")
    text = (tmp_path / "arena.svg").read_text()
    assert len(re.findall(r">material<", text)) == 3
    assert len(re.findall(r">boards that fit the last observation alone \(%\)<", text)) == 2


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_an_arena_without_games_can_be_drawn(tmp_path: Path, ending: str) -> None:
    picture = tmp_path / f"arena.{ending}"
    arena_chart(standings(plan_of("a", "b"), {}), "4x4", picture)
    assert picture.stat().st_size > 500
