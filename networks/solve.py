"""The whole analysis through pgmpy's inference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ipomdp.analysis import JAfter, Problem, Solution
from ipomdp.errors import InvalidInput
from ipomdp.game import FloatArray
from ipomdp.quantal import quantal_response
from networks.board import board_network
from networks.decision import decision_network
from networks.diagram import Diagram
from networks.opponent import opponent_network
from networks.play import Play


@dataclass(frozen=True, slots=True)
class PaperNetworks:
    """The three diagrams of one problem, and j's response to each announcement."""

    play: Play
    decision: Diagram
    """Figure 2."""
    opponent: Diagram
    """Figure 3."""
    board: Diagram
    """Figure 4: the position after i's move, as j expects it."""
    after: dict[int, JAfter]
    """Figure 3, instantiated to each announcement."""


def build(problem: Problem) -> PaperNetworks:
    """Return the figures; Figure 3's quantal responses become the table of Aj in Figure 2."""
    if problem.frame.level > 1:
        raise InvalidInput(
            f"the pgmpy solver goes up to level 1, not {problem.frame.level}; use --solver arrays"
        )
    game = problem.game
    play = Play.of(game, np.array([problem.state]), np.ones(1), problem.considered)
    opponent = opponent_network(game, play, problem.observer.utility, 1 - problem.player)
    after = {
        int(o): _instantiate(problem, play, opponent, name)
        for o, name in zip(play.announcements, play.announcement_names(game), strict=True)
    }
    decision = decision_network(
        game,
        play,
        problem.frame.utility,
        problem.player,
        _reply_table(problem, after) if problem.frame.level else None,
    )
    return PaperNetworks(play, decision, opponent, _board(play), after)


def solve_by_pgmpy(problem: Problem) -> Solution:
    """Solve by building the diagrams and asking pgmpy."""
    networks = build(problem)
    values = np.full(len(problem.game.actions), -np.inf)
    values[networks.play.actions] = networks.decision.expected_utilities("Ai")
    before = networks.opponent.probability("S1")
    return Solution(values=values, before=before, after=networks.after)


def _instantiate(problem: Problem, play: Play, opponent: Diagram, name: str) -> JAfter:
    """Return Figure 3 given one announcement: j's belief, and its quantal response."""
    evidence = {"Announcement": name}
    likely = opponent.probability("S1", evidence)
    states = play.after[likely > 0]
    belief = dict(zip(states.tolist(), likely[likely > 0].tolist(), strict=True))
    belief = dict(sorted(belief.items(), key=lambda item: -item[1]))
    if problem.frame.level == 0 or problem.game.over(states).any():
        return JAfter(belief=belief)
    utilities = opponent.expected_utilities("Aj", evidence)
    return JAfter(
        belief=belief,
        utilities=utilities,
        probabilities=quantal_response(utilities, problem.observer.rationality),
    )


def _reply_table(problem: Problem, after: dict[int, JAfter]) -> FloatArray:
    """Return P(Aj | announcement); where the game is over j's column is uniform and idle."""
    idle = np.full(len(problem.game.actions), 1.0 / len(problem.game.actions))
    columns = [idle if j.probabilities is None else j.probabilities for j in after.values()]
    return np.stack(columns, axis=1)


def _board(play: Play) -> Diagram:
    hidden = play.weights[:, None] * play.legal / play.legal.sum(axis=1, keepdims=True)
    return board_network(play.successor.ravel(), play.announcement.ravel(), hidden.ravel())
