"""The oracle where it must agree with itself or with a sum done by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.oracle import (
    ACTIONS,
    ImpossibleObservation,
    Opponent,
    Oracle,
    Other,
    Own,
    Prior,
    Weights,
    parse,
)

FEN = "1q1k/4/4/K1Q1 w"
QB1 = Own((), "Qb1", "Silent")
QB2 = Own((), "Qb2", "Check by Long Diagonal")
TAKEN = Other("Capture in b2, Check by Long Diagonal")
# White Ka1 Qc1 in all; Black as in the figure, with its queen on a4, and with its king on d3.
LIKE = (FEN, "q2k/4/4/K1Q1 w", "1q2/3k/4/K1Q1 w")
HIDDEN = Prior(tuple(zip(LIKE, (0.5, 0.3, 0.2), strict=True)), "own", "own")
UNSURE = (Opponent(0.4, None), Opponent(0.6, 0), Opponent(1.0, 0, math.inf))

History = tuple[Own | Other, ...]
HISTORIES: tuple[History, ...] = ((), (QB1,), (QB1, Other("Silent")))
READINGS: dict[str, dict[str, Any]] = {
    "paper": {},
    "retry": {"tries": "retry"},
    "ahead": {"horizon": 2, "rationality": math.inf},
    "audible": {
        "tries": "retry",
        "illegal_heard_by": "both",
        "candidates": ["Qd1", "Qb2", "Ka2"],
    },
}


def readings(*names: str) -> pytest.MarkDecorator:
    chosen = [pytest.param(READINGS[name], id=name) for name in names or READINGS]
    return pytest.mark.parametrize("settings", chosen)


@readings()
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_prior_of_one_position_is_the_known_position(
    level: int, settings: dict[str, Any]
) -> None:
    alone = Prior(((FEN, 1.0),), "own", "all")
    oracle = Oracle(**settings)
    assert oracle.expected_utilities(alone, level) == oracle.expected_utilities(FEN, level)
    history: History = (Own((), "Qd1", "Check by File"), Other("Silent"))
    assert oracle.belief(alone, level, history) == oracle.belief(FEN, level, history)
    assert oracle.surprised(alone, level, history) == oracle.surprised(FEN, level, history)


@readings("paper", "retry")
@pytest.mark.parametrize("level", [0, 1, 2])
def test_who_sees_everything_faces_each_position_as_if_known(
    level: int, settings: dict[str, Any]
) -> None:
    """So over what i may see, values are the prior's mixture of the known positions' values."""
    oracle = Oracle(**settings)
    mixed = known = 0.0
    for fen, weight in HIDDEN.positions:
        seen = Prior(HIDDEN.positions, "all", "all", sees=fen)
        assert oracle.belief(seen, level) == {fen: 1.0}
        mixed += weight * oracle.expected_utilities(seen, level)["Qa3"]
        known += weight * oracle.expected_utilities(fen, level)["Qa3"]
    assert mixed == pytest.approx(known, abs=1e-9)


def test_an_opponent_who_sees_everything_makes_a_mixture_of_known_positions() -> None:
    """Level 0 asks nothing about what i knew, so i averages over the positions."""
    oracle = Oracle()
    found = oracle.expected_utilities(Prior(HIDDEN.positions, "own", "all"), 1)
    legal = {ACTIONS[m] for fen in LIKE for m in parse(fen).moves}
    assert found.keys() == legal
    everywhere = set.intersection(*({ACTIONS[m] for m in parse(fen).moves} for fen in LIKE))
    assert "Qa3" in everywhere
    for move in everywhere:
        mixture = sum(p * oracle.expected_utilities(f, 1)[move] for f, p in HIDDEN.positions)
        assert found[move] == pytest.approx(mixture, abs=1e-9)


def test_what_j_believes_of_a_start_it_does_not_see() -> None:
    """Two places of the white queen look alike to j; after White's move j has four at most."""
    start = Prior(((FEN, 0.75), ("1q1k/4/4/KQ2 w", 0.25)), "own", "own", sees=FEN)
    oracle = Oracle()
    assert oracle.belief(start, 1) == {FEN: 1.0}
    ((probability, believed),) = oracle.nested_belief(start, 1)
    assert probability == pytest.approx(1.0)
    assert believed == pytest.approx(dict(start.positions))
    expected: dict[str, float] = {}
    for fen, weight in start.positions:
        moves = parse(fen).moves.values()
        for after, said in moves:
            if said == "Check by File":
                expected[str(after)] = expected.get(str(after), 0.0) + weight / len(moves)
    total = sum(expected.values())
    history = [Own((), "Qd1", "Check by File")]
    ((_, believed),) = oracle.nested_belief(start, 1, history)
    assert believed == pytest.approx({fen: p / total for fen, p in expected.items()})
    assert oracle.opponent_belief(start, 1, "Qd1") == believed


@readings("paper", "retry", "ahead")
@pytest.mark.parametrize("level", [0, 1])
def test_equal_frames_are_one(level: int, settings: dict[str, Any]) -> None:
    one = Oracle(**settings)
    rationality = settings.get("rationality", 0.004)
    twins = (Opponent(1.0, level, rationality), Opponent(3.0, level, rationality))
    two = Oracle(**settings, frames=twins)
    for start in (FEN, HIDDEN):
        for history in HISTORIES:
            values = one.expected_utilities(start, level + 1, history)
            assert two.expected_utilities(start, level + 1, history) == pytest.approx(values)
            believed = one.belief(start, level + 1, history)
            assert two.belief(start, None, history) == pytest.approx(believed)
            assert two.frame_weights(start, history) == pytest.approx((0.25, 0.75))


def test_a_random_frame_is_the_random_opponent() -> None:
    for tries in ("paper", "retry"):
        old = Oracle(tries=tries, opponent="random")
        new = Oracle(tries=tries, frames=(Opponent(level=None),))
        assert new.expected_utilities(HIDDEN) == old.expected_utilities(HIDDEN, 1)


def test_values_are_the_frames_mixture() -> None:
    """With one decision to make nothing is learnt on the way, so values average over frames."""
    mixed = Oracle(frames=UNSURE).expected_utilities(HIDDEN)
    apart = [Oracle(frames=(frame,)).expected_utilities(HIDDEN) for frame in UNSURE]
    for move, value in mixed.items():
        expected = sum(f.weight * values[move] for f, values in zip(UNSURE, apart, strict=True))
        assert value == pytest.approx(expected / 2.0, abs=1e-9)


def test_frame_weights_by_hand() -> None:
    """After Qb2, with Qc3 not considered, j may take (1030 to it), or Qc3, Kc4, Kd3 (0 each)."""
    considered = ["Qd1", "Qd2", "Qb2", "Qb1", "Qc2", "Qa3", "Qc4", "Ka2"]
    oracle = Oracle(candidates=considered, frames=UNSURE)
    assert oracle.frame_weights(FEN) == pytest.approx((0.2, 0.3, 0.5))
    assert oracle.frame_weights(FEN, [QB2]) == pytest.approx((0.2, 0.3, 0.5))
    takes = math.exp(0.004 * 1030)
    joint = (0.2 / 4, 0.3 * takes / (takes + 3), 0.5)
    expected = tuple(p / sum(joint) for p in joint)
    assert oracle.frame_weights(FEN, [QB2, TAKEN]) == pytest.approx(expected, abs=1e-9)
    joint = (0.2 * 3 / 4, 0.3 * 3 / (takes + 3), 0.0)
    expected = tuple(p / sum(joint) for p in joint)
    assert oracle.frame_weights(FEN, [QB2, Other("Silent")]) == pytest.approx(expected, abs=1e-9)


def test_a_surprise_is_one_to_every_frame() -> None:
    considered = ["Qd1", "Qd2", "Qb2"]
    history = (QB2, Other("Silent"))
    best = Opponent(3.0, 0, math.inf)
    sure = Oracle(
        candidates=considered, frames=(best, Opponent(1.0, 0, math.inf, Weights(check=0.0)))
    )
    assert sure.surprised(FEN, None, history)
    assert sure.frame_weights(FEN, history) == pytest.approx((0.75, 0.25))
    open_minded = Oracle(candidates=considered, frames=(best, Opponent(1.0, None)))
    assert not open_minded.surprised(FEN, None, history)
    assert open_minded.frame_weights(FEN, history) == pytest.approx((0.0, 1.0))


@readings("paper", "retry")
def test_nested_beliefs_sum_to_one(settings: dict[str, Any]) -> None:
    oracle = Oracle(**settings, frames=(Opponent(0.5, 0), Opponent(0.5, 1)))
    for history in HISTORIES:
        nodes = oracle.nested_belief(HIDDEN, 2, history)
        chances = [probability for probability, _ in nodes]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1.0)
        for _, believed in nodes:
            assert sum(believed.values()) == pytest.approx(1.0)


def test_who_does_not_think_has_no_belief() -> None:
    nodes = Oracle(frames=UNSURE).nested_belief(FEN, None, [QB2])
    assert [probability for probability, _ in nodes] == pytest.approx([0.5, 0.3])
    assert Oracle().nested_belief(FEN, 0, [QB2]) == []


def test_a_mover_whose_candidates_are_refused_moves_all_the_same() -> None:
    """Qb2 gives check (50) in one position; in the other only Kb2 (36), Kb1 and Qa3 are legal."""
    start = Prior(((FEN, 0.5), (LIKE[1], 0.5)))
    found = Oracle(tries="retry", candidates=["Qb2"]).expected_utilities(start, 0)
    assert found == pytest.approx({"Qb2": 0.5 * 50 + 0.5 * 36})


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (Prior(()), "at least one position"),
        (Prior(((FEN, 0.5), (FEN, 0.5))), "each once"),
        (Prior(((FEN, 0.0),)), "positive"),
        (Prior(((FEN, 0.5), ("1q1k/4/4/K1Q1 b", 0.5))), "same side"),
        (Prior(((FEN, 0.5), ("1q1k/4/4/KQ2 w", 0.5))), "what white sees"),
        (Prior(((FEN, 1.0),), sees="1q1k/4/4/KQ2 w"), "not among"),
    ],
)
def test_a_prior_must_make_sense(prior: Prior, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle().expected_utilities(prior, 1)


def test_what_was_never_possible_is_an_error() -> None:
    with pytest.raises(ImpossibleObservation):
        Oracle().belief(HIDDEN, 1, [Own((), "Qd1", "Capture in d1")])
    with pytest.raises(ValueError, match="level 1, not 2"):
        Oracle(frames=UNSURE).expected_utilities(FEN, 2)
