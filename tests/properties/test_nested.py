"""What holds at every level, from any position."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ipomdp import Event, ImpossibleObservation, Scenario, Situation, Solver, analyze
from ipomdp.engine.history import situation
from ipomdp.engine.model import nested
from ipomdp.engine.problem import common_prior
from ipomdp.engine.step import Rules
from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4, Position, Weights
from tests.positions import playable, swapped, swapped_move

POSITIONS = [str(Position.of(int(state))) for state in playable()]
GAME = Kriegspiel4x4()
UTILITY = Evaluation(Weights())
fens, levels = st.sampled_from(POSITIONS), st.integers(0, 3)
rationalities = st.sampled_from([0.0, 0.004, 0.02, 1.0])


readings = st.sampled_from(["paper", "retry"])


@settings(max_examples=80, deadline=None)
@given(fens, levels, rationalities, readings)
def test_swapping_colours_and_turning_the_board_swaps_the_answer(
    fen: str, level: int, rationality: float, tries: str
) -> None:
    one, other = (
        analyze(Scenario(name="x", fen=f, level=level, rationality=rationality, tries=tries))
        for f in (fen, swapped(fen))
    )
    for report in one.moves:
        mirrored = other.move(swapped_move(report.move))
        assert report.expected_utility == pytest.approx(mirrored.expected_utility, abs=1e-8)
        assert report.leak_bits == pytest.approx(mirrored.leak_bits, abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(fens, levels, st.sampled_from([0.0, 0.004, 0.02]), readings)  # larger ones underflow
def test_replies_are_distributions_and_the_truth_is_believed(
    fen: str, level: int, rationality: float, tries: str
) -> None:
    analysis = analyze(
        Scenario(name="any", fen=fen, level=level, rationality=rationality, tries=tries)
    )
    moves = GAME.moves(np.array([GAME.read(fen)]))
    for report in analysis.moves:
        truth = GAME.describe(int(moves.successor[0, GAME.actions.index(report.move)]))
        (hearing,) = report.announcements
        assert truth in {b.position for b in hearing.belief}
        assert sum(b.probability for b in hearing.belief) == pytest.approx(1.0)
        if hearing.replies:
            assert sum(r.probability for r in hearing.replies) == pytest.approx(1.0)
            likely = sorted(hearing.replies, key=lambda r: r.expected_utility)
            steps = itertools.pairwise(likely)
            assert all(a.probability <= b.probability + 1e-9 for a, b in steps)


def played(state: int, player: int, seed: int) -> tuple[tuple[Event, ...], int]:
    """Return what a player knows of up to five legal moves drawn at random, and where they lead."""
    rng, events = np.random.default_rng(seed), []
    for _ in range(5):
        moves = GAME.moves(np.array([state]))
        if GAME.over(np.array([state]))[0]:
            break
        action = int(rng.choice(np.flatnonzero(moves.legal[0])))
        mine = GAME.turn(state) == player
        heard = int(moves.announcement[0, action])
        successor = int(moves.successor[0, action])
        if GAME.over(np.array([successor]))[0]:
            break
        events.append(Event(heard=heard, action=action if mine else None))
        state = successor
    return tuple(events), state


def stand(
    fen: str, player: int, level: int, events: tuple[Event, ...], *, retry: bool
) -> Situation:
    state, one = GAME.read(fen), np.zeros(1, dtype=np.int64)
    solver = Solver(
        GAME, common_prior(np.array([state]), np.ones(1), (one, one)), Rules(retry=retry)
    )
    frame = nested(level, utility=UTILITY, rationality=0.004)
    return situation(solver, player, frame, events)


@settings(max_examples=40, deadline=None)
@given(fens, st.integers(0, 2), st.integers(0, 1), st.booleans(), st.integers(0, 2**32 - 1))
def test_the_true_position_never_leaves_the_belief(
    fen: str, level: int, player: int, retry: bool, seed: int
) -> None:
    events, state = played(GAME.read(fen), player, seed)
    layer = stand(fen, player, level, events, retry=retry).layer
    assert layer.nodes == 1
    assert state in layer.marginal(0)
    assert sum(layer.marginal(0).values()) == pytest.approx(1.0)


@settings(max_examples=40, deadline=None)
@given(fens)
def test_level_0_filtering_is_conditioning_the_joint(fen: str) -> None:
    moves = GAME.moves(np.array([GAME.read(fen)]))
    legal = [a for a in np.flatnonzero(moves.legal[0]) if not GAME.over(moves.successor[0, [a]])[0]]
    if not legal:
        return
    heard = int(moves.announcement[0, legal[0]])
    same = [int(moves.successor[0, a]) for a in legal if moves.announcement[0, a] == heard]
    place = stand(fen, 1 - GAME.turn(GAME.read(fen)), 0, (Event(heard=heard),), retry=False)
    assert place.layer.marginal(0) == pytest.approx(
        {s: same.count(s) / len(same) for s in set(same)}
    )


def test_impossible_evidence_names_the_announcement_the_belief_and_what_could_be_heard() -> None:
    says = r"'Capture in d4' cannot.*Check by File.*believed in 1q1k/4/4/K1Q1 w"
    words = next(code for code in range(400) if GAME.say(code) == "Capture in d4")
    with pytest.raises(ImpossibleObservation, match=says) as error:
        stand("1q1k/4/4/K1Q1 w", 1, 0, (Event(heard=words),), retry=False)
    assert error.value.entry == 0
