"""The engine against the plain-Python oracle, which shares no code with it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ipomdp import Scenario, analyze
from ipomdp.kriegspiel import Kriegspiel4x4, Weights
from tests import oracle
from tests.positions import playable, sample

PLAY = {"checkmate": 10_000.0, "draw": 0.0}


@pytest.mark.parametrize("weights", [{}, PLAY], ids=["paper", "play"])
@pytest.mark.parametrize("rationality", [0.0, 0.004, 0.05, math.inf])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_values_replies_and_beliefs(
    level: int, rationality: float, weights: dict[str, float]
) -> None:
    slow = oracle.Oracle(rationality=rationality, weights=oracle.Weights(**weights))
    for fen in sample(12, seed=level):
        scenario = Scenario(
            name="sample", fen=fen, level=level, rationality=rationality, weights=Weights(**weights)
        )
        analysis = analyze(scenario)
        values = slow.expected_utilities(fen, level)
        assert {report.move for report in analysis.moves} == set(values)
        for report in analysis.moves:
            assert report.expected_utility == pytest.approx(values[report.move], abs=1e-8)
            (hearing,) = report.announcements
            if not hearing.replies:
                continue
            replies = slow.replies(fen, level, report.move)
            for reply in hearing.replies:
                value, probability = replies[reply.move]
                assert reply.expected_utility == pytest.approx(value, abs=1e-8)
                assert reply.probability == pytest.approx(probability, abs=1e-9)
            believed = {b.position: b.probability for b in hearing.belief}
            expected = slow.opponent_belief(fen, level, report.move)
            for position in believed.keys() | expected.keys():
                assert believed.get(position, 0.0) == pytest.approx(
                    expected.get(position, 0.0), abs=1e-9
                )


@pytest.mark.slow
def test_every_rule_in_every_position() -> None:
    """Legality, successor, announcement and utility of every action, in every playable state."""
    game = Kriegspiel4x4()
    states = playable()
    legal, successor, announcement = game.moves(states)
    for k, state in enumerate(states):
        position = oracle.parse(game.describe(int(state)))
        moves = {oracle.ACTIONS[a]: outcome for a, outcome in position.moves.items()}
        ours = [game.actions[a] for a in np.flatnonzero(legal[k])]
        assert set(ours) == set(moves), str(position)
        for move in ours:
            action = game.actions.index(move)
            assert game.say(announcement[k, action]) == moves[move].announcement
            assert game.describe(successor[k, action]) == str(moves[move].position)
