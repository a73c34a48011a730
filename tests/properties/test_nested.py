"""What holds at every level, from any position."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ipomdp import ImpossibleObservation, Scenario, Solver, analyze
from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4, Position, Weights
from ipomdp.model import Model, at_start, nested
from tests.positions import playable, swapped, swapped_move

POSITIONS = [str(Position.of(int(state))) for state in playable()]
GAME = Kriegspiel4x4()
UTILITY = Evaluation(Weights())
fens, levels = st.sampled_from(POSITIONS), st.integers(0, 3)
rationalities = st.sampled_from([0.0, 0.004, 0.02, 1.0])


@settings(max_examples=60, deadline=None)
@given(fens, levels, rationalities)
def test_swapping_colours_and_turning_the_board_swaps_the_answer(
    fen: str, level: int, rationality: float
) -> None:
    one = analyze(Scenario(name="one", fen=fen, level=level, rationality=rationality))
    other = analyze(Scenario(name="other", fen=swapped(fen), level=level, rationality=rationality))
    for report in one.moves:
        mirrored = other.move(swapped_move(report.move))
        assert report.expected_utility == pytest.approx(mirrored.expected_utility, abs=1e-8)
        assert report.leak_bits == pytest.approx(mirrored.leak_bits, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(fens, levels, st.sampled_from([0.0, 0.004, 0.02]))  # larger ones underflow when shown
def test_replies_are_distributions_and_the_truth_is_believed(
    fen: str, level: int, rationality: float
) -> None:
    analysis = analyze(Scenario(name="any", fen=fen, level=level, rationality=rationality))
    moves = GAME.moves(np.array([GAME.read(fen)]))
    for report in analysis.moves:
        truth = GAME.describe(int(moves.successor[0, GAME.actions.index(report.move)]))
        (hearing,) = report.announcements
        assert truth in {b.position for b in hearing.belief}
        assert sum(b.probability for b in hearing.belief) == pytest.approx(1.0)
        if hearing.replies:
            assert sum(r.probability for r in hearing.replies) == pytest.approx(1.0)


def play_out(solver: Solver, model: Model, rng: np.random.Generator, state: int) -> None:
    """Play legal moves at random and check that the waiting player never loses the truth."""
    for _ in range(5):
        if GAME.over(np.array([state]))[0]:
            return
        moves = GAME.moves(np.array([state]))
        action = int(rng.choice(np.flatnonzero(moves.legal[0])))
        heard = int(moves.announcement[0, action])
        mine = GAME.turn(state) == model.player
        model = solver.act(model, action, heard) if mine else solver.hear(model, heard)
        state = int(moves.successor[0, action])
        assert state in model.belief.marginal()
        assert model.belief.weights.sum() == pytest.approx(1.0)


@settings(max_examples=40, deadline=None)
@given(fens, st.integers(0, 2), st.integers(0, 1), st.integers(0, 2**32 - 1))
def test_the_true_position_never_leaves_the_belief(
    fen: str, level: int, player: int, seed: int
) -> None:
    state = GAME.read(fen)
    model = at_start(state, player, nested(level, utility=UTILITY, rationality=0.004))
    play_out(Solver(GAME), model, np.random.default_rng(seed), state)


@settings(max_examples=40, deadline=None)
@given(fens)
def test_level_0_filtering_is_conditioning_the_joint(fen: str) -> None:
    """Two moves by the other and one's own between them, against plain enumeration."""
    state = GAME.read(fen)
    solver, listener = Solver(GAME), 1 - GAME.turn(state)
    moves = GAME.moves(np.array([state]))
    legal = np.flatnonzero(moves.legal[0])
    heard = int(moves.announcement[0, legal[0]])
    same = [int(moves.successor[0, a]) for a in legal if moves.announcement[0, a] == heard]
    start = at_start(state, listener, nested(0, utility=UTILITY, rationality=0.004))
    belief = solver.hear(start, heard).belief.marginal()
    assert belief == pytest.approx({s: same.count(s) / len(same) for s in set(same)})


def test_impossible_evidence_names_the_announcement_and_the_belief() -> None:
    state = GAME.read("1q1k/4/4/K1Q1 w")
    listener = at_start(state, 1, nested(0, utility=UTILITY, rationality=0.004))
    words = next(code for code in range(400) if GAME.say(code) == "Capture in d4")
    with pytest.raises(ImpossibleObservation, match=r"'Capture in d4'.*1q1k/4/4/K1Q1 w"):
        Solver(GAME).hear(listener, words)
