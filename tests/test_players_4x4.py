"""The I-POMDP player of 4x4 Kriegspiel in whole games."""

from __future__ import annotations

import numpy as np
import pytest

from ipomdp import InvalidInput, Scenario, analyze
from ipomdp.arena.intervals import of_score
from ipomdp.arena.match import GameResult, Turn, play_game
from ipomdp.game import IntArray
from ipomdp.kriegspiel.scenario import Entry
from ipomdp.players.exact import PLAY, ExactPlayer
from ipomdp.players.player import Player
from ipomdp.players.possible import Possible
from ipomdp.players.roster import board_game, make_player
from ipomdp.study.starts import drawn_starts

GAME = board_game("4x4")
STARTS = drawn_starts(40, seed=3)


def player(spec: str) -> ExactPlayer:
    made = make_player(spec, GAME)
    assert isinstance(made, ExactPlayer)
    return made


def game_of(one: Player, other: Player, number: int) -> GameResult:
    """Return a game in which the first player is White in every other one."""
    result = play_game(
        GAME, (one, other) if number % 2 == 0 else (other, one), np.random.default_rng(number),
        start=STARTS[number // 2], longest=100,
    )  # fmt: skip
    assert result.reason not in ("crash", "time"), result.detail
    return result


def after(turn: Turn) -> int:
    act = np.array([turn.action])
    out = GAME.play(np.array([turn.state]), (act, None) if turn.player == 0 else (None, act))
    return int(out.successor[0])


class Watched(ExactPlayer):
    """Checks what it believes against the truth, which a test tells it."""

    truth = -1
    checked = 0

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Check, then propose."""
        assert self.truth in self._possible.states
        positions = self.positions()
        assert set(positions) <= set(self._possible.states.tolist())
        if not self.sampled and not self.restarts:
            assert self.truth in positions
            self.checked += 1
        assert sum(positions.values()) == pytest.approx(1)
        kings = [p for (_, letter), p in self.belief().items() if letter in "Kk"]
        assert sum(kings) == pytest.approx(1)
        return super().propose(tries, seconds)

    def follow(self, turn: Turn) -> None:
        """Be told the truth after a turn."""
        self.truth = after(turn)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_truth_is_believed_until_particles_are_drawn(level: int) -> None:
    other = make_player("random", GAME)
    checked = 0
    for number in range(12):
        me = Watched(GAME, level=level, horizon=1)
        me.truth = STARTS[number // 2]
        result = play_game(
            GAME, (me, other) if number % 2 == 0 else (other, me), np.random.default_rng(number),
            start=me.truth, longest=60, watch=me.follow,
        )  # fmt: skip
        assert result.reason not in ("crash", "time"), result.detail
        assert me.restarts == 0
        checked += me.checked
    assert checked > 40


def test_level_0_believes_whatever_is_possible() -> None:
    rng = np.random.default_rng(5)
    me, other = player("ipomdp:level=0,play=0"), make_player("random", GAME)
    seen = []

    def compare(_: Turn) -> None:
        if not GAME.over(me._possible.states[:1])[0]:
            assert set(me.positions()) == set(me._possible.states.tolist())
            seen.append(len(me.positions()))

    for start in STARTS:
        result = play_game(GAME, (me, other), rng, start=start, longest=40, watch=compare)
        assert result.reason != "crash", result.detail
    assert max(seen) > 9


def test_the_same_seed_plays_the_same_game() -> None:
    spec = "ipomdp:level=1,horizon=1,particles=3,exact-up-to=5,play=0.01"
    one, again = (game_of(player(spec), make_player("random", GAME), 4) for _ in range(2))
    assert one == again
    me = player(spec)
    game_of(me, make_player("random", GAME), 5)
    assert game_of(me, make_player("random", GAME), 4) == one  # it may begin anew
    assert any(game_of(player(spec), me, number) != one for number in (6, 8))


@pytest.mark.parametrize("level", [1, 2])
def test_a_belief_that_loses_the_truth_is_begun_anew(level: int) -> None:
    spec = f"ipomdp:level={level},horizon=1,particles=1,exact-up-to=0"
    restarts = 0
    for number in range(24):
        me = player(spec)
        game_of(me, make_player("random", GAME), number)
        restarts += me.restarts
    assert restarts > 0


@pytest.mark.parametrize(("level", "horizon"), [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)])
def test_advice_is_what_an_analysis_of_the_same_history_finds(level: int, horizon: int) -> None:
    """The history is a game at random, with refusals, and one more in the turn under way."""
    rng, state = np.random.default_rng(11), GAME.start
    me = player(f"ipomdp:level={level},horizon={horizon},exact-up-to=100000,lambda=0.01")
    me.begin(0, state, rng)
    history: list[Entry] = []
    compared = 0
    for _ in range(5):
        mover, here = GAME.turn(state), np.array([state])
        legal = GAME.legal(here, mover)[0]
        tries = np.flatnonzero(GAME.tries(here, mover)[0])
        wrong = tries[~legal[tries]][:1]
        if mover == 0:
            for refused in wrong.tolist():
                me.refused(refused)
            pending = Entry(by="white", refused=tuple(GAME.actions[a] for a in wrong))
            scenario = Scenario(
                name="a game", fen=GAME.describe(GAME.start), level=level, horizon=horizon,
                tries="retry", rationality=0.01, weights=PLAY,
                history=(*history, pending) if wrong.size else tuple(history),
            )  # fmt: skip
            me._planned = horizon  # however large the belief
            advice = me.advice(np.setdiff1d(tries, wrong))
            analysis = analyze(scenario)
            assert {GAME.actions[a.action] for a in advice} == {m.move for m in analysis.moves}
            for given in advice:
                found = analysis.move(GAME.actions[given.action])
                assert given.value == pytest.approx(found.expected_utility, abs=1e-6)
                refusal = [a.probability for a in found.announcements if a.text == "Illegal"]
                assert given.legal == pytest.approx(1 - sum(refusal), abs=1e-9)
            assert [a.value for a in advice] == sorted((a.value for a in advice), reverse=True)
            compared += len(advice)
        action = int(rng.choice(np.flatnonzero(legal)))
        act = np.array([action])
        out = GAME.play(here, (act, None) if mover == 0 else (None, act))
        heard, state = int(out.heard[0][0]), int(out.successor[0])
        words = GAME.say(heard)
        if mover == 0:
            me.moved(action, heard)
            names = tuple(GAME.actions[a] for a in wrong)
            history.append(Entry(by="white", move=GAME.actions[action], heard=words, refused=names))
        else:
            me.heard(heard)
            history.append(Entry(by="black", heard=words))
        if GAME.over(np.array([state]))[0]:
            break
    assert compared > 10
    assert not me.restarts


def test_what_is_possible_is_told_by_the_rules_alone() -> None:
    left = Possible(0, GAME.read("1q1k/4/4/K1Q1 w"))
    with pytest.raises(Exception, match="nothing that the rules allow"):
        left.refused(GAME.actions.index("Qd1"))  # it is legal in the only position


def test_short_of_time_it_plans_less_and_keeps_less() -> None:
    me = player("ipomdp:level=1,horizon=2")
    me.begin(0, GAME.start, np.random.default_rng(0))
    tries = np.flatnonzero(GAME.tries(np.array([GAME.start]), 0)[0])
    assert me._affordable(None) == me._affordable(1.0) == 2
    me._pace[2] = 100.0
    assert me._affordable(1.0) == 1
    me.propose(tries, 1e-9)
    assert me._planned == 1
    assert me._share == 0.5


def test_it_may_play_quantally() -> None:
    firsts = set()
    tries = np.flatnonzero(GAME.tries(np.array([GAME.start]), 0)[0])
    me = player("ipomdp:level=1,horizon=1,play=0.0001")
    for seed in range(40):
        me.begin(0, GAME.start, np.random.default_rng(seed))
        firsts.add(me.propose(tries))
    assert len(firsts) > 5


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("ipomdp:levl=1", "did you mean level? There are level, lambda, play"),
        ("ipomdp:depth=1", 'unknown setting "depth"; there are level, lambda, play'),
        ("ipomdp:level=9", "level: expected a level from 0 to 3, not 9"),
        ("ipomdp:level=1.5", "level: expected a level from 0 to 3, not 1.5"),
        ("ipomdp:lambda=high", 'lambda: expected a number from 0 to 1e308, or inf, not "high"'),
        ("ipomdp:lambda=1e999", "lambda: expected a number"),
        ("ipomdp:level=1,level=2", "level is given twice"),
        ("ipomdp:level", 'expected level=..., not "level"'),
        ("ipomdp:", "expected level=..."),
        ("random:level=1", "random has no settings"),
        ("ipomd", 'unknown player "ipomd"; expected random'),
    ],
)
def test_a_wrong_setting_is_named(spec: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_player(spec, GAME)
    assert words in str(caught.value)


def score(one: str, other: str, games: int) -> tuple[float, float]:
    """Return the 95% interval of the first player's score."""
    won = lost = 0
    for number in range(games):
        result = game_of(player(one), make_player(other, GAME), number)
        won += result.winner == number % 2
        lost += result.winner == 1 - number % 2
    return of_score(won, lost, games - won - lost)


@pytest.mark.slow
def test_level_1_beats_random() -> None:
    assert score("ipomdp:level=1", "random", 40)[0] > 0.5


@pytest.mark.slow
def test_level_2_beats_the_level_1_it_thinks_it_plays() -> None:
    who = "ipomdp:level=1,lambda=0.02,play=0.02,horizon=1"
    assert score("ipomdp:level=2,lambda=0.02,horizon=1", who, 70)[0] > 0.5
