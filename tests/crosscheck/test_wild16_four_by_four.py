"""4x4 with a king and a queen each by both referees: all positions, and the exact engine on top."""

from __future__ import annotations

import numpy as np
import pytest

from ipomdp.engine.expect import action_values
from ipomdp.engine.history import situation
from ipomdp.engine.model import nested
from ipomdp.engine.step import Rules
from ipomdp.game import Actions, BoolArray, FloatArray, Game, IntArray, Outcomes, Utility
from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4, Weights
from ipomdp.kriegspiel.board import CAPTURED, squares
from ipomdp.kriegspiel.referee import tables
from ipomdp.study.likelihood import known_start
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.game import Wild16, _endings
from ipomdp.wild16.moves import KING, QUEEN, STATUS, WIDTH, exposed
from ipomdp.wild16.referee import judge
from ipomdp.wild16.words import say

TABLES, BITS = Kriegspiel4x4(), Wild16("4x4-queens")
CENTRE = sum(1 << s for s in (9, 10, 17, 18))
"""b2, c2, b3, c3."""


def boards_of(states: IntArray) -> Bits:
    """Return the positions of the tables as boards."""
    found = np.zeros((len(states), WIDTH), dtype=np.uint64)
    columns = (KING, 6 + KING, QUEEN, 6 + QUEEN)
    for column, square in zip(columns, squares(states), strict=True):
        bit = np.left_shift(np.uint64(1), (square // 4 * 8 + square % 4).astype(np.uint64))
        found[:, column] = np.where(square == CAPTURED, np.uint64(0), bit)
    found[:, STATUS] = [TABLES.turn(int(state)) for state in states]
    return found


def words(said: int) -> str:
    return say(said).replace("Piece captured", "Capture")


def compare(states: IntArray) -> None:
    rules, boards = tables(), boards_of(states)
    judged = judge(boards, BITS.k)
    target = (judged.move >> 6) & 63
    kings = boards[judged.case, np.where(boards[judged.case, STATUS] == 0, KING, 6 + KING)]
    queen = (kings >> (judged.move & 63).astype(np.uint64)) & np.uint64(1) == 0
    action = 16 * queen + (target >> 3) * 4 + (target & 7)
    legal, successor, heard = TABLES.moves(states)
    tried = np.zeros_like(legal)
    tried[judged.case, action] = True
    for side in (0, 1):
        mine = np.array([TABLES.turn(int(state)) == side for state in states])
        assert np.array_equal(tried[mine], TABLES.tries(states[mine], side))
    assert np.array_equal(judged.legal, legal[judged.case, action])
    assert legal.sum() == judged.legal.sum()
    codes, which = np.unique(judged.said, return_inverse=True)
    named = np.array([-1 if code < 0 else TABLES.hears(words(int(code))) for code in codes])
    assert np.array_equal(named[which], heard[judged.case, action])
    after = successor[judged.case, action][judged.legal]
    assert np.array_equal(judged.board[judged.legal], boards_of(after))
    endings = np.zeros(len(states), dtype=np.int64)
    _endings(boards, BITS.k, endings)
    assert np.array_equal(endings, rules.ending[states])


def test_a_sample_of_positions() -> None:
    valid = np.flatnonzero(tables().valid)
    compare(np.random.default_rng(0).choice(valid, 2_000, replace=False))


@pytest.mark.slow
def test_every_position() -> None:
    compare(np.flatnonzero(tables().valid))


class PaperWorth:
    """Equation 2 of the paper on boards: 36 for a central king, 980 a queen, 50 a check."""

    def final(self, states: IntArray, player: int) -> FloatArray:
        """Return the worth of each state to the player."""
        worth = np.array([self._white(board) for board in BITS.boards(states)])
        return worth if player == 0 else -worth

    def reward(self, states: IntArray, actions: IntArray, player: int) -> None:
        """Return nothing: only the position that is reached counts."""

    def _white(self, board: Bits) -> float:
        central, queens = (
            [bool(int(board[6 * side + kind]) & mask) for side in (0, 1)]
            for kind, mask in ((KING, CENTRE), (QUEEN, -1))
        )
        checked = [bool(exposed(board, side, BITS.k)) for side in (0, 1)]
        parts = ((36, central), (980, queens), (50, checked[::-1]))
        return float(sum(weight * (own - other) for weight, (own, other) in parts))


class PieceAndSquare:
    """The bitboards under the names of the tables, ``Qd1``: the engine takes 32 actions at most."""

    players, public, actions, alone = BITS.players, True, TABLES.actions, BITS.alone
    acts, over, say, describe = BITS.acts, BITS.over, BITS.say, BITS.describe

    def _of(self, states: IntArray) -> IntArray:
        """Return the move behind each name, -1 for none: (n, 32)."""
        found = np.full((len(states), len(self.actions)), -1)
        for row, state in enumerate(states):
            for square, letter in BITS.pieces(int(state), BITS.turn(int(state))).items():
                for a, name in enumerate(self.actions):
                    move = square + name[1:]
                    if name[0] == letter.upper() and move in BITS.actions:
                        found[row, a] = BITS.actions.index(move)
        return found

    def _mask(self, states: IntArray, mask: BoolArray) -> BoolArray:
        moves = self._of(states)
        named: BoolArray = np.take_along_axis(mask, moves.clip(0), axis=1) & (moves >= 0)
        return named

    def legal(self, states: IntArray, player: int) -> BoolArray:
        """Return the legal moves."""
        return self._mask(states, BITS.legal(states, player))

    def tries(self, states: IntArray, player: int) -> BoolArray:
        """Return the tries."""
        return self._mask(states, BITS.tries(states, player))

    def imagined(self, states: IntArray, player: int) -> FloatArray:
        """Return the uniform distribution over the legal moves."""
        legal = self.legal(states, player)
        chance: FloatArray = legal / legal.sum(axis=1, keepdims=True)
        return chance

    def play(self, states: IntArray, actions: Actions) -> Outcomes:
        """Return what the referee makes of legal moves."""
        moves = self._of(states)
        one, other = (a if a is None else moves[np.arange(len(states)), a] for a in actions)
        return BITS.play(states, (one, other))


def values(game: Game, start: int, utility: Utility, level: int, rules: Rules) -> dict[str, float]:
    """Return what each action of Figure 1 is worth, by its name."""
    frame = nested(level, utility=utility, rationality=0.02)
    place = situation(known_start(game, start, rules), 0, frame)
    worth = zip(game.actions, action_values(place).tolist(), strict=True)
    return {name: value for name, value in worth if value > -np.inf}


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("retry", [False, True], ids=["paper", "retry"])
def test_the_exact_engine_finds_the_same_values_in_figure_1(level: int, retry: bool) -> None:
    rules = Rules(retry=retry)
    expected = values(TABLES, TABLES.start, Evaluation(Weights()), level, rules)
    found = values(PieceAndSquare(), BITS.start, PaperWorth(), level, rules)
    assert found == pytest.approx(expected, abs=1e-9)
