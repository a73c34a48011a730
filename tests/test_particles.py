"""The particle filter against the exact one, and estimates of the work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ipomdp import InvalidInput, Scenario, Situation, analyze, load_scenario
from ipomdp.engine.effort import check, effort, last_step
from ipomdp.engine.expect import action_values
from ipomdp.engine.particles import Particles
from ipomdp.study.accuracy import accuracy
from tests.test_cli import refused, run

MIDDLE = load_scenario("middle-game")


def test_particles_converge_to_the_exact_filter() -> None:
    few, some, many = accuracy(MIDDLE.problem, [10, 60, 1000], repeats=8)
    assert few.distance > 2 * some.distance > many.distance
    assert few.error > some.error > many.error
    assert many.distance == pytest.approx(0, abs=1e-12)  # more particles than rows: nothing is cut
    assert many.error == pytest.approx(0, abs=1e-9)


def most_rows(place: Situation, level: int) -> int:
    """Return the rows of the largest belief of a nested level."""
    layers = [layer for (_, f, _), layer in place.solver._layers.items() if f.level == level]
    for layer in layers:
        assert np.add.reduceat(layer.probability, layer.start[:-1]) == pytest.approx(1.0)
    return max(int(np.diff(layer.start).max()) for layer in layers)


def test_nested_beliefs_are_cut_down_too() -> None:
    deeper = MIDDLE.with_options(level=2).problem
    thin = replace(deeper, exact_up_to=0, particles=20).situation()
    exact = replace(deeper, exact_up_to=10**9).situation()
    assert most_rows(thin, 2) <= 20
    assert most_rows(thin, 1) < most_rows(exact, 1)


def test_the_same_seed_draws_the_same_particles() -> None:
    drawn = replace(MIDDLE.problem, exact_up_to=0, particles=30)
    one, again = (action_values(drawn.situation()) for _ in range(2))
    other = action_values(replace(drawn, seed=1).situation())
    assert (one == again).all()
    assert not (one == other).all()


def test_a_sampled_answer_carries_its_standard_error() -> None:
    analysis = analyze(MIDDLE.with_options(exact_up_to=0, particles=40))
    assert analysis.particles == 40
    exact = analyze(MIDDLE)
    assert exact.particles is None
    for report in analysis.moves:
        assert report.standard_error is not None
        off = abs(report.expected_utility - exact.move(report.move).expected_utility)
        assert off < 8 * report.standard_error + 30
    assert analysis.to_dict()["moves"][0]["standard_error"] >= 0
    assert "standard_error" not in exact.to_dict()["moves"][0]


def test_drawing_is_unbiased_in_the_mean() -> None:
    layer = MIDDLE.problem.situation().layer
    mean = np.zeros(layer.rows.node.size)
    rounds = 400
    for seed in range(rounds):
        thin = Particles(20, 20, 0, np.random.default_rng(seed)).thin(layer, None)
        index = {
            key: k for k, key in enumerate(zip(layer.rows.state, layer.rows.other, strict=True))
        }
        places = [index[key] for key in zip(thin.rows.state, thin.rows.other, strict=True)]
        mean[places] += thin.probability / rounds
    assert mean == pytest.approx(layer.probability, abs=0.02)


def test_the_work_is_estimated_before_it_starts() -> None:
    figure = Scenario(name="x", fen="1q1k/4/4/K1Q1 w", level=64)
    assert last_step(figure.frame(), 0) == 64
    with pytest.raises(InvalidInput, match=r"agent.level: level 64 .* looks 65 moves ahead"):
        analyze(figure)
    nine = replace(figure, level=9, tries="retry").problem.situation()
    assert "moves ahead: about" in (check(nine) or "")
    assert check(replace(figure, level=2).problem.situation()) is None
    sizes = [
        effort(replace(figure, level=k, tries="retry").problem.situation()).rows for k in (5, 6, 7)
    ]
    assert sizes == sorted(sizes)
    assert "level 64" in refused("analyze", "figure-1", "--level", "64")


def test_the_command_measures_and_refuses() -> None:
    result = run("particles", "middle-game", "--counts", "5,50", "--repeats", "2")
    assert result.returncode == 0
    assert "best move" in result.stdout
    assert "--counts: expected a number above 0" in refused(
        "particles", "middle-game", "--counts", "5,x"
    )
    assert "--repeats: expected" in refused("particles", "middle-game", "--repeats", "0")
    assert "history: missing" in refused("particles", "figure-1")
