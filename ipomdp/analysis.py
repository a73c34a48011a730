"""From a scenario to i's decision: `analyze`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ipomdp.belief import entropy
from ipomdp.errors import InvalidInput
from ipomdp.game import BoolArray, FloatArray, Game, IntArray
from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.model import Frame, at_start
from ipomdp.report import Analysis, Believed, Hearing, MoveReport, Reply
from ipomdp.scenario import Scenario
from ipomdp.solve import Solver

SOLVERS = ("arrays", "pgmpy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A scenario as the solvers see it: a game, a known state, i's frame, the moves considered."""

    game: Game
    state: int
    player: int
    frame: Frame
    considered: BoolArray

    @property
    def observer(self) -> Frame:
        """The frame of j; where i models nobody, that of a listener who models nobody either."""
        return self.frame.opponent or Frame(
            utility=self.frame.utility, rationality=self.frame.rationality
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JAfter:
    """What j believes and does after an announcement."""

    belief: Mapping[int, float]
    utilities: FloatArray | None = None
    """j's expected utility of each action; ``None`` where j does not move."""
    probabilities: FloatArray | None = None
    surprised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What a solver finds: the worth of i's actions and j after each announcement."""

    values: FloatArray
    before: FloatArray
    """j's belief once i has moved, before it hears anything, as probabilities of states."""
    after: Mapping[int, JAfter] = field(default_factory=dict)


def analyze(scenario: Scenario, *, solver: str = "arrays") -> Analysis:
    """Return i's moves ranked by expected utility, with the reasoning about j behind them."""
    problem = pose(scenario)
    solve = _solver(solver)
    start = time.perf_counter()
    solution = solve(problem)
    seconds = time.perf_counter() - start
    game = problem.game
    order = _best_first(solution.values)
    return Analysis(
        scenario=scenario.name,
        position=scenario.fen,
        to_move=game.players[problem.player],
        level=scenario.level,
        horizon=1,
        rationality=scenario.rationality,
        opponent=scenario.policy,
        tries=scenario.tries,
        solver=solver,
        seconds=seconds,
        belief=(Believed(scenario.fen, 1.0),),
        moves=tuple(_report(problem, solution, a) for a in order if problem.considered[a]),
    )


def pose(scenario: Scenario) -> Problem:
    """Return the scenario as a problem for a solver."""
    game = Kriegspiel4x4()
    state = game.read(scenario.fen)
    considered = game.moves(np.array([state])).legal[0]
    if scenario.candidates is not None:
        considered = np.isin(game.actions, scenario.candidates)
    return Problem(
        game=game,
        state=state,
        player=game.turn(state),
        frame=scenario.frame(),
        considered=considered,
    )


def successor_of(scenario: Scenario, move: str) -> str:
    """Return the position after a legal move, as users write it."""
    problem = pose(scenario)
    moves = problem.game.moves(np.array([problem.state]))
    return problem.game.describe(int(moves.successor[0, problem.game.actions.index(move)]))


def solve_by_arrays(problem: Problem) -> Solution:
    """Solve with the array engine."""
    game, frame = problem.game, problem.frame
    solver = Solver(game, problem.considered)
    agent = at_start(problem.state, problem.player, frame)
    observer = at_start(problem.state, 1 - problem.player, problem.observer)
    if agent.belief.others is not None:
        (observer,) = agent.belief.others
    moves = game.moves(agent.belief.states)
    after = {}
    for announcement in sorted(set(moves.announcement[0, problem.considered].tolist())):
        j = solver.hear(observer, announcement)
        replies = frame.level > 0 and not game.over(j.belief.states).any()
        after[announcement] = JAfter(
            belief=j.belief.marginal(),
            utilities=solver.values(j) if replies else None,
            probabilities=solver.response(j) if replies else None,
            surprised=j.surprised,
        )
    before = np.array(list(solver.expected(observer).marginal().values()))
    return Solution(values=solver.values(agent), before=before, after=after)


def _solver(name: str) -> Callable[[Problem], Solution]:
    if name not in SOLVERS:
        raise InvalidInput(f"--solver: expected {' or '.join(SOLVERS)}, not {name!r}")
    if name == "arrays":
        return solve_by_arrays
    from networks.solve import solve_by_pgmpy  # pgmpy takes a second to import

    return solve_by_pgmpy


def _report(problem: Problem, solution: Solution, action: int) -> MoveReport:
    game = problem.game
    announcement = int(game.moves(np.array([problem.state])).announcement[0, action])
    j = solution.after[announcement]
    return MoveReport(
        move=game.actions[action],
        expected_utility=float(solution.values[action]),
        leak_bits=entropy(solution.before) - entropy(np.array(list(j.belief.values()))),
        announcements=(
            Hearing(
                text=game.say(announcement),
                probability=1.0,
                belief=tuple(Believed(game.describe(s), p) for s, p in j.belief.items()),
                replies=_replies(game, j),
                surprise=j.surprised,
            ),
        ),
    )


def _replies(game: Game, j: JAfter) -> tuple[Reply, ...]:
    if j.utilities is None or j.probabilities is None:
        return ()
    order = _best_first(j.probabilities, j.utilities)
    return tuple(
        Reply(game.actions[a], float(j.utilities[a]), float(j.probabilities[a])) for a in order
    )


def _best_first(*keys: FloatArray) -> IntArray:
    """Return the order of falling keys; what differs by rounding alone keeps the game's order."""
    order: IntArray = np.lexsort([-key.round(9) for key in reversed(keys)])
    return order
