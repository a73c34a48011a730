"""Figure 1 at level 1 by three programs, and the board's posterior over all positions.

Every time is the median of repetitions in this run, BLAS pinned to one thread; only ratios mean
anything on a shared machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np
import pyagrum
from threadpoolctl import threadpool_limits

from benchmarks.pyagrum_peer import bayesian_network, expected_utilities, influence_diagram
from ipomdp import load_scenario
from ipomdp.engine.expect import solve_by_arrays
from ipomdp.engine.quantal import quantal_response
from ipomdp.game import FloatArray
from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4
from ipomdp.kriegspiel.board import PLACEMENTS
from ipomdp.kriegspiel.referee import encode, tables
from ipomdp.scenario import kriegspiel_only
from networks import paper_networks
from networks.board import board_network
from networks.decision import decision_network
from networks.opponent import opponent_network
from networks.solve import solve_by_pgmpy
from networks.stakes import Stakes

SECONDS = 2.0
"""How long each program is measured."""


def timed(run: Callable[[], object]) -> float:
    """Return the median time of one run."""
    run()
    times: list[float] = []
    while sum(times) < SECONDS or len(times) < 3:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def analysis_times() -> dict[str, float]:
    """Return the time of the whole analysis: every announcement's Figure 3, then Figure 2."""
    scenario = kriegspiel_only(load_scenario("figure-1"), "this benchmark")
    problem, figures = scenario.problem, paper_networks(scenario)
    opponent, decision = influence_diagram(figures.opponent), influence_diagram(figures.decision)
    announcements = figures.opponent.states("Announcement")

    def by_pyagrum() -> FloatArray:
        for announcement in announcements:
            expected_utilities(opponent, "Aj", {"Announcement": announcement})
        return expected_utilities(decision, "Ai", {})

    def prepared_pgmpy() -> FloatArray:
        for announcement in announcements:
            figures.opponent.expected_utilities("Aj", {"Announcement": announcement})
        return figures.decision.expected_utilities("Ai")

    def built_pyagrum() -> FloatArray:
        game, play, utility = Kriegspiel4x4(), figures.play, Evaluation(scenario.weights)
        i, j = (Stakes(game, p, utility, retry=False) for p in (problem.player, 1 - problem.player))
        actions, uniform = np.arange(len(game.actions)), np.ones(play.actions.size)
        figure_3 = opponent_network(play, uniform / uniform.size, j, actions)
        made = influence_diagram(figure_3)
        responses = [
            quantal_response(
                expected_utilities(made, "Aj", {"Announcement": announcement}),
                scenario.rationality,
            )
            for announcement in announcements
        ]
        replies = np.stack(responses, axis=1)
        figure_2 = decision_network(play, i, actions, replies)
        return expected_utilities(influence_diagram(figure_2), "Ai", {})

    ours = solve_by_arrays(problem).values[figures.play.actions]
    for theirs in (by_pyagrum(), built_pyagrum(), prepared_pgmpy()):
        if not np.allclose(theirs, ours, rtol=0, atol=1e-9):
            raise SystemExit(f"the programs disagree: {ours} and {theirs}")
    return {
        "arrays": timed(lambda: solve_by_arrays(problem)),
        "pgmpy, diagrams built": timed(lambda: solve_by_pgmpy(problem)),
        "pyAgrum LIMID, diagrams built": timed(built_pyagrum),
        "pgmpy, inference alone": timed(prepared_pgmpy),
        "pyAgrum LIMID, inference alone": timed(by_pyagrum),
    }


def posterior_times() -> dict[str, float]:
    """Return the time of P(position | announcement) over the whole board, uniform at first."""
    rules = tables()
    states = np.flatnonzero(rules.valid[PLACEMENTS:]) + PLACEMENTS  # Black hears, White moved
    check = np.where(rules.in_check[states], 1, 0)
    nothing = np.full(states.size, 16)
    heard = encode(nothing, check, rules.ending[states])
    weights = np.full(states.size, 1.0 / states.size)
    diagram = board_network(states, heard, weights)
    evidence = {"Announcement": "Check_by_File"}
    dense_prior, dense_heard = np.zeros(PLACEMENTS), np.zeros(PLACEMENTS, dtype=np.int16)
    dense_prior[states - PLACEMENTS], dense_heard[states - PLACEMENTS] = weights, heard
    code = int(encode(np.array([16]), np.array([1]), np.array([0]))[0])

    def by_arrays() -> FloatArray:
        joint = dense_prior * (dense_heard == code)
        posterior: FloatArray = joint / joint.sum()
        return posterior

    network = bayesian_network(diagram)
    inference = pyagrum.LazyPropagation(network)

    def by_pyagrum() -> FloatArray:
        inference.setEvidence(evidence)
        inference.makeInference()
        table: FloatArray = inference.jointPosterior({"WK", "BK", "WQ", "BQ"}).toarray()
        return table

    def by_pgmpy() -> FloatArray:
        pieces = ["WK", "BK", "WQ", "BQ"]
        factor = diagram._inference.query(pieces, evidence, show_progress=False)  # noqa: SLF001
        table: FloatArray = factor.values
        return table

    expected = np.sort(by_arrays()[by_arrays() > 0])
    for theirs in (by_pgmpy(), by_pyagrum()):
        if not np.allclose(np.sort(theirs[theirs > 0]), expected, rtol=0, atol=1e-12):
            raise SystemExit("the programs disagree on the board's posterior")
    return {"arrays": timed(by_arrays), "pgmpy": timed(by_pgmpy), "pyAgrum": timed(by_pyagrum)}


def show(title: str, times: dict[str, float]) -> None:
    """Print one table; the first row is the unit of the ratios."""
    unit = next(iter(times.values()))
    print(f"\n{title}\n{'':34}{'ms':>10}{'ratio':>10}")
    for name, seconds in times.items():
        print(f"{name:34}{1e3 * seconds:10.3f}{seconds / unit:10.1f}")


def main() -> None:
    """Measure and print."""
    with threadpool_limits(1):
        show("Analysis of Figure 1 at level 1", analysis_times())
        show("Board posterior after an announcement, 73,984 placements", posterior_times())


if __name__ == "__main__":
    main()
