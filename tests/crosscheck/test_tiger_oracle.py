"""The plain-Python tiger against known numbers, and against itself where it must agree."""

from __future__ import annotations

import math

import pytest

from tests.oracle.tiger import ACTIONS, CREAKS, LEFT, LISTEN, OPEN_LEFT, RIGHT, SIDES, Tiger
from tests.tiger_golden import AGAINST_RANDOM, ALONE


@pytest.mark.parametrize(("horizon", "value"), ALONE)
def test_the_agent_alone(horizon: int, value: float) -> None:
    assert Tiger().value_alone(0.5, horizon) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("horizon", "tiger_left", "difference"), AGAINST_RANDOM)
def test_listening_against_opening_when_the_other_is_random(
    horizon: int, tiger_left: float, difference: float
) -> None:
    values = Tiger(creak_accuracy=1.0).values(tiger_left, horizon)
    assert values[LISTEN] - values[OPEN_LEFT] == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
def test_an_undecided_opponent_changes_nothing_through_horizon_4(horizon: int) -> None:
    tiger = Tiger()
    best = max(tiger.values(0.5, horizon, [(0.5, 1.0)]).values())
    assert best == pytest.approx(tiger.value_alone(0.5, horizon), abs=1e-9)


def test_no_rationality_is_random() -> None:
    thinking = Tiger(rationality=0.0).values(0.3, 3, [(0.2, 1.0), (0.9, 2.0)])
    assert thinking == pytest.approx(Tiger().values(0.3, 3), abs=1e-9)


def test_what_cannot_be_told_apart_by_the_creak_is_not() -> None:
    """A creak at a third says nothing of j's action, and of the tiger the growl says it all."""
    deaf = Tiger(creak_accuracy=1 / 3)
    belief = deaf.believed(0.5, [(0.01, 1.0)])  # j opens the left door
    after = deaf.updated(belief, 1, LISTEN, LEFT, CREAKS[LISTEN])
    assert after == pytest.approx({(LEFT, 0.5): 0.85, (RIGHT, 0.5): 0.15})


def test_the_creak_tells_who_opened() -> None:
    """At 0.01 j opens and is back at one half; at 0.5 it listens and moves by its growl."""
    tiger = Tiger(creak_accuracy=1.0)
    belief = tiger.believed(0.85, [(0.01, 1.0), (0.5, 3.0)])
    opened = tiger.updated(belief, 1, LISTEN, LEFT, CREAKS[OPEN_LEFT])
    assert opened == pytest.approx({(LEFT, 0.5): 0.85, (RIGHT, 0.5): 0.15})
    listened = tiger.updated(belief, 1, LISTEN, LEFT, CREAKS[LISTEN])
    left = 0.85**2 / (0.85**2 + 0.15**2)
    expected = {
        (LEFT, 0.85): left * 0.85,
        (LEFT, 0.15): left * 0.15,
        (RIGHT, 0.85): (1 - left) * 0.15,
        (RIGHT, 0.15): (1 - left) * 0.85,
    }
    assert {(side, round(b or 0, 9)): p for (side, b), p in listened.items()} == pytest.approx(
        expected
    )


@pytest.mark.parametrize("rationality", [0.05, math.inf])
def test_doors_and_beliefs_mirrored_mirror_the_values(rationality: float) -> None:
    tiger = Tiger(rationality=rationality, creak_accuracy=0.8)
    one = tiger.values(0.2, 3, [(0.1, 1.0), (0.6, 2.0)])
    other = tiger.values(0.8, 3, [(0.9, 1.0), (0.4, 2.0)])
    swapped = dict(
        zip(ACTIONS, (other[ACTIONS[0]], other[ACTIONS[2]], other[ACTIONS[1]]), strict=True)
    )
    assert one == pytest.approx(swapped, abs=1e-9)


@pytest.mark.parametrize("action", ACTIONS)
def test_updates_are_distributions(action: str) -> None:
    tiger = Tiger(rationality=0.1)
    belief = tiger.believed(0.3, [(0.2, 1.0), (0.7, 1.0)])
    for growl in SIDES:
        for creak in CREAKS.values():
            after = tiger.updated(belief, 2, action, growl, creak)
            assert sum(after.values()) == pytest.approx(1.0)


def test_an_impossible_growl_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"a growl from the right refutes the belief 1\.0"):
        Tiger(growl_accuracy=1.0).after_growl(1.0, RIGHT)
