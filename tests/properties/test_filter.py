"""The exact filter against enumeration of everything that could have happened."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ipomdp import Scenario
from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.kriegspiel.scenario import Entry
from tests import oracle
from tests.crosscheck.test_engine import played

GAME = Kriegspiel4x4()
readings = st.sampled_from([("paper", "mover"), ("retry", "mover")])


def believed(scenario: Scenario) -> dict[str, float]:
    belief = scenario.problem.situation().layer.marginal(0)
    return {GAME.describe(state): chance for state, chance in belief.items()}


def enumerated(fen: str, entries: tuple[Entry, ...]) -> dict[str, float]:
    """Return where every way of playing leads that sounds the same, hidden moves being uniform."""
    ways: Counter[oracle.Position] = Counter({oracle.parse(fen): 1.0})
    for entry in entries:
        onward: Counter[oracle.Position] = Counter()
        for position, weight in ways.items():
            moves = {oracle.ACTIONS[a]: outcome for a, outcome in position.moves.items()}
            if entry.move is None:
                options, share = list(moves), 1.0 / len(moves)
            else:
                tried = any(move in moves for move in entry.refused)
                options, share = [] if tried else [entry.move], 1.0
            for move in options:
                if move in moves and moves[move].announcement == entry.heard:
                    onward[moves[move].position] += weight * share  # type: ignore[assignment]
        ways = onward
    total = sum(ways.values())
    return {str(position): weight / total for position, weight in ways.items()}


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 4, 6]), readings)
def test_level_0_is_the_joint_conditioned(seed: int, plies: int, reading: tuple[str, str]) -> None:
    fen, (entries, _) = played(np.random.default_rng(seed), plies, reading)
    scenario = Scenario(name="x", fen=fen, level=0, history=entries, tries=reading[0])
    assert believed(scenario) == pytest.approx(enumerated(fen, entries), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.sampled_from([0.0, 0.004, 0.02]), readings)
def test_at_any_level_a_hidden_move_is_weighed_by_the_model(
    seed: int, level: int, rationality: float, reading: tuple[str, str]
) -> None:
    """After one move of each, the joint is j's modelled move in the known position."""
    fen, (entries, _) = played(np.random.default_rng(seed), 2, reading)
    first, reply = entries
    slow = oracle.Oracle(tries=reading[0], rationality=rationality)  # type: ignore[arg-type]
    made = slow.replies_made(fen, level, first.move or "")
    after = oracle.parse(fen).moves[oracle.ACTIONS.index(first.move or "")].position
    joint = {
        str(after.moves[oracle.ACTIONS.index(move)].position): chance
        for move, chance in made.items()
        if after.moves[oracle.ACTIONS.index(move)].announcement == reply.heard
    }
    scenario = Scenario(
        name="x", fen=fen, level=level, history=entries, tries=reading[0], rationality=rationality
    )
    total = sum(joint.values())
    expected = {position: chance / total for position, chance in joint.items()}
    assert believed(scenario) == pytest.approx(expected, abs=1e-9)
