"""From a scenario to i's decision: `analyze`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from ipomdp.engine.effort import check
from ipomdp.engine.expect import solve_by_arrays
from ipomdp.engine.problem import Answer, Problem, Solution
from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.game import FloatArray, IntArray
from ipomdp.report import Analysis, Believed, Hearing, MoveReport, NestedBelief, Reply
from ipomdp.scenario import AnyScenario, kriegspiel_only

SOLVERS = ("arrays", "pgmpy")


def analyze(scenario: AnyScenario, *, solver: str = "arrays") -> Analysis:
    """Return i's moves ranked by expected utility, with the reasoning about j behind them."""
    problem = scenario.problem
    solve = _solver(solver)
    if solver == "pgmpy":
        kriegspiel_only(scenario, "solver pgmpy")
    start = time.perf_counter()
    try:
        solution = solve(problem)
    except ImpossibleObservation as error:
        raise InvalidInput(scenario.impossible(error)) from None
    seconds = time.perf_counter() - start
    order = [int(a) for a in _best_first(solution.values) if solution.values[a] > -np.inf]
    return Analysis(
        scenario=scenario.name,
        position=scenario.position,
        to_move=problem.game.players[problem.player],
        level=scenario.level,
        horizon=scenario.horizon,
        rationality=scenario.rationality,
        opponent=scenario.policy,
        tries=scenario.tries,
        solver=solver,
        seconds=seconds,
        belief=_believed(problem, solution.belief),
        moves=tuple(_move(problem, solution, action) for action in order),
        frames=solution.frames,
        nested=tuple(
            NestedBelief(probability, _believed(problem, belief))
            for probability, belief in solution.nested
        ),
        surprise=solution.surprised,
        particles=None if solution.errors is None else problem.particles,
    )


def warning(scenario: AnyScenario) -> str | None:
    """Return a word of warning if the analysis will take long; refuse what cannot finish."""
    try:
        return check(scenario.problem.situation())
    except ImpossibleObservation as error:
        raise InvalidInput(scenario.impossible(error)) from None


def _solver(name: str) -> Callable[[Problem], Solution]:
    if name not in SOLVERS:
        raise InvalidInput(f"solver: expected {' or '.join(SOLVERS)}, not {name!r}")
    if name == "arrays":
        return solve_by_arrays
    from networks.solve import solve_by_pgmpy  # pgmpy takes a second to import

    return solve_by_pgmpy


def _believed(problem: Problem, belief: Mapping[int, float]) -> tuple[Believed, ...]:
    return tuple(Believed(problem.game.describe(s), p) for s, p in belief.items())


def _move(problem: Problem, solution: Solution, action: int) -> MoveReport:
    refused = float(solution.refused[action])
    hearings = [
        Hearing(
            text=problem.game.say(answer.heard),
            probability=answer.probability * (1.0 - refused),
            belief=_believed(problem, answer.belief),
            replies=_replies(problem, answer),
            surprise=answer.surprised,
        )
        for answer in solution.answers.get(action, ())
    ]
    if refused > 0:
        hearings.append(Hearing(text="Illegal", probability=refused, belief=(), replies=()))
    return MoveReport(
        move=problem.game.actions[action],
        expected_utility=float(solution.values[action]),
        leak_bits=float(solution.leaks.get(action, 0.0)),
        announcements=tuple(sorted(hearings, key=lambda hearing: -hearing.probability)),
        standard_error=None if solution.errors is None else float(solution.errors[action]),
    )


def _replies(problem: Problem, answer: Answer) -> tuple[Reply, ...]:
    if answer.utilities is None or answer.probabilities is None:
        return ()
    order = _best_first(answer.probabilities, answer.utilities)
    return tuple(
        Reply(problem.game.actions[a], float(answer.utilities[a]), float(answer.probabilities[a]))
        for a in order
        if answer.utilities[a] > -np.inf
    )


def _best_first(*keys: FloatArray) -> IntArray:
    """Return the order of falling keys; what differs by rounding alone keeps the game's order."""
    order: IntArray = np.lexsort([-key.round(9) for key in reversed(keys)])
    return order
