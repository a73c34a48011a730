"""The array engine against the plain-Python oracle: levels, tries, horizons, histories, frames."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from ipomdp import Scenario, analyze
from ipomdp.engine.expect import solve_by_arrays
from ipomdp.kriegspiel import Kriegspiel4x4, Weights
from ipomdp.kriegspiel.scenario import Entry, Mind, Placed
from tests import oracle
from tests.positions import playable, sample

GAME = Kriegspiel4x4()
READINGS = [("paper", "mover"), ("retry", "mover"), ("retry", "both")]
RATIONALITIES = [0.0, 0.02, 1.0, math.inf]
HORIZONS = [(level, own, nested) for level in range(4) for own, nested in [(1, 1), (2, 1), (1, 2)]]
DEEP = [h for h in HORIZONS if h[0] + h[1] + 2 * h[2] <= 5 or h[1:] == (1, 1)]
"""What the oracle answers in seconds."""
History = tuple[tuple[Entry, ...], list[oracle.Own | oracle.Other]]


def found(scenario: Scenario) -> dict[str, float]:
    """Return the worth of every action the engine weighs, also of those sure to be refused."""
    place = scenario.problem.situation()
    horizon = place.frame.horizon
    worth = place.solver.values(place.player, place.frame, place.step, horizon)[place.turn]
    return {GAME.actions[a]: float(worth[a]) for a in np.flatnonzero(worth > -np.inf)}


def settings(reading: tuple[str, str], rationality: float) -> dict[str, Any]:
    tries, heard_by = reading
    return {"tries": tries, "illegal_heard_by": heard_by, "rationality": rationality}


def played(rng: np.random.Generator, plies: int, reading: tuple[str, str]) -> tuple[str, History]:
    """Return a start and a history of random legal moves, some after refusals, seen from i.

    The oracle advises whoever moves first, so the number of plies is even.
    """
    while True:
        start = state = int(rng.choice(playable()))
        i = (GAME.turn(start) + plies) % 2
        entries: list[Entry] = []
        theirs: list[oracle.Own | oracle.Other] = []
        for _ in range(plies):
            legal, successor, announcement = (table[0] for table in GAME.moves(np.array([state])))
            side = GAME.turn(state)
            action = int(rng.choice(np.flatnonzero(legal)))
            open_ = np.flatnonzero(GAME.tries(np.array([state]), side)[0] & ~legal)
            count = min(open_.size, int(rng.integers(0, 3))) if reading[0] == "retry" else 0
            refused = tuple(GAME.actions[a] for a in rng.choice(open_, count, replace=False))
            heard, move = GAME.say(int(announcement[action])), GAME.actions[action]
            audible = count if reading[1] == "both" and side != i else 0
            if side == i:
                entries.append(
                    Entry(by=GAME.players[side], refused=refused, move=move, heard=heard)
                )
                theirs.append(oracle.Own(refused, move, heard))
            else:
                entries.append(Entry(by=GAME.players[side], heard=heard, refusals=audible))
                theirs.append(oracle.Other(heard, audible))
            state = int(successor[action])
            if GAME.over(np.array([state]))[0]:
                break
        else:
            return GAME.describe(start), (tuple(entries), theirs)


@pytest.mark.parametrize("reading", READINGS, ids="-".join)
@pytest.mark.parametrize("rationality", RATIONALITIES)
@pytest.mark.parametrize(("level", "own", "nested"), DEEP)
def test_known_positions(
    level: int, own: int, nested: int, rationality: float, reading: tuple[str, str]
) -> None:
    (fen,) = sample(1, seed=100 * level + 10 * own + nested + int(10 * min(rationality, 9)))
    shared = settings(reading, rationality)
    slow = oracle.Oracle(horizon=own, nested_horizon=nested, **shared)
    scenario = Scenario(
        name="x", fen=fen, level=level, horizon=own, opponent_horizon=nested, **shared
    )
    expected = slow.expected_utilities(fen, level)
    analysis = analyze(scenario)
    assert {m.move: m.expected_utility for m in analysis.moves} == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("reading", READINGS, ids="-".join)
@pytest.mark.parametrize("rationality", [0.0, 0.02, math.inf])
@pytest.mark.parametrize(("level", "plies"), [(0, 4), (1, 2), (1, 4), (2, 2), (3, 2)])
def test_histories(level: int, plies: int, rationality: float, reading: tuple[str, str]) -> None:
    rng = np.random.default_rng([level, plies, int(100 * min(rationality, 9)), len(reading[1])])
    shared = settings(reading, rationality)
    for _ in range(2):
        fen, (entries, theirs) = played(rng, plies, reading)
        slow = oracle.Oracle(**shared)
        scenario = Scenario(name="x", fen=fen, level=level, history=entries, **shared)
        expected = slow.expected_utilities(fen, level, theirs)
        assert found(scenario) == pytest.approx(expected, abs=1e-7)
        solution = solve_by_arrays(scenario.problem)
        belief = {GAME.describe(s): p for s, p in solution.belief.items()}
        wanted = slow.belief(fen, level, theirs)
        for position in belief.keys() | wanted.keys():
            assert belief.get(position, 0) == pytest.approx(wanted.get(position, 0), abs=1e-9)
        assert solution.surprised == slow.surprised(fen, level, theirs)
        if level > 0:
            assert _merged(
                (p, {GAME.describe(s): q for s, q in b.items()}) for p, b in solution.nested
            ) == _merged(slow.nested_belief(fen, level, theirs))


def _merged(nested: Any) -> dict[tuple[tuple[str, float], ...], float]:  # noqa: ANN401
    """Return the probability of each distinct belief of j, rounded for comparison."""
    sums: dict[tuple[tuple[str, float], ...], float] = {}
    for probability, belief in nested:
        key = tuple(sorted((s, round(p, 6)) for s, p in belief.items() if p > 1e-6))
        sums[key] = sums.get(key, 0.0) + probability
    return {key: round(p, 6) for key, p in sums.items() if p > 1e-5}


@pytest.mark.parametrize("reading", READINGS, ids="-".join)
@pytest.mark.parametrize("rationality", [0.02, math.inf])
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("sights", list(itertools.product(["own", "all"], repeat=2)), ids="-".join)
def test_priors(
    sights: tuple[str, str], level: int, rationality: float, reading: tuple[str, str]
) -> None:
    white, black = sights
    fens = ("1q1k/4/4/K1Q1 w", "3k/1q2/4/K1Q1 w", "1q1k/4/4/KQ2 w")
    if white == "own":
        fens = (*fens[:2], "2qk/4/4/K1Q1 w") if level == 1 else fens
    chances = (0.5, 0.3, 0.2)
    sees = fens[0]
    shared = settings(reading, rationality)
    look: dict[str, Any] = {"white": white, "black": black, "sees": sees}
    prior = oracle.Prior(positions=tuple(zip(fens, chances, strict=True)), **look)
    scenario = Scenario(
        name="x", level=level, white=white, black=black, sees=sees,
        prior=tuple(
            Placed(fen=f, probability=p) for f, p in zip(fens, chances, strict=True)
        ),
        **shared,
    )  # fmt: skip
    expected = oracle.Oracle(**shared).expected_utilities(prior, level)
    values = {m.move: m.expected_utility for m in analyze(scenario).moves}
    assert values == pytest.approx(expected, abs=1e-8)


FRAMES = (
    Mind(weight=0.5, level=0, rationality=0.004),
    Mind(weight=0.3, level=1, rationality=0.05, weights=Weights(checkmate=10_000, draw=0)),
    Mind(weight=0.2, policy="random"),
)


@pytest.mark.parametrize("reading", READINGS, ids="-".join)
@pytest.mark.parametrize("plies", [0, 2, 4])
def test_several_frames(plies: int, reading: tuple[str, str]) -> None:
    opponents = tuple(
        oracle.Opponent(
            weight=mind.weight,
            level=None if mind.policy == "random" else mind.level,
            rationality=mind.rationality,
            weights=oracle.Weights(checkmate=mind.weights.checkmate, draw=mind.weights.draw),
        )
        for mind in FRAMES
    )
    rng = np.random.default_rng(plies)
    tries, heard_by = reading
    for _ in range(3):
        fen, (entries, theirs) = played(rng, plies, reading)
        slow = oracle.Oracle(tries=tries, illegal_heard_by=heard_by, frames=opponents)  # type: ignore[arg-type]
        scenario = Scenario(
            name="x", fen=fen, level=2, frames=FRAMES, history=entries, tries=tries,
            illegal_heard_by=heard_by,
        )  # fmt: skip
        expected = slow.expected_utilities(fen, None, theirs)
        values = found(scenario)
        assert {m: values[m] for m in expected} == pytest.approx(expected, abs=1e-7)
        weights = solve_by_arrays(scenario.problem).frames
        assert weights == pytest.approx(slow.frame_weights(fen, theirs), abs=1e-9)
