"""What a side knows for certain, and the boards drawn at random to fit what it knows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.game import STARTS, Wild16
from ipomdp.wild16.moves import PAWN, STATUS
from ipomdp.wild16.neighbours import neighbours
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import CAPTURED, ENDING, SQUARE
from ipomdp.wild16.sample import histories, placements
from ipomdp.wild16.words import fen_of
from tests.consistent import Consistent, assert_fits, in_bytes
from tests.random_games import Turn, turns

GAMES = {name: Wild16(name) for name in STARTS}


def counted(board: Bits, side: int) -> list[int]:
    return [int(men).bit_count() for men in board[6 * side : 6 * side + 6]]


def known(
    game: Wild16, seed: int, most: int = 400, refusals: int = 2
) -> Iterator[tuple[OwnSide, Bits, Turn]]:
    """Play a random game; at each turn return what the mover knows, and the truth.

    Some of the mover's tries have just been refused.
    """
    rng = np.random.default_rng(seed)
    start = game.boards(np.array([game.start]))[0]
    sides = [OwnSide(start, side, game.k) for side in (0, 1)]
    for turn in turns(game, rng, most=most):
        mover = int(turn.board[STATUS]) & 1
        illegal = turn.judged.move[~turn.judged.legal]
        for move in rng.permutation(illegal)[: rng.integers(refusals + 1)].tolist():
            sides[mover].refuse(move)
        yield sides[mover], turn.board, turn
        said = int(turn.judged.said[turn.chosen])
        sides[mover].move(int(turn.judged.move[turn.chosen]), said)
        sides[1 - mover].hear(said)


@pytest.mark.parametrize("name", STARTS)
def test_a_side_knows_its_own_men_and_how_many_the_other_has(name: str) -> None:
    """Castling, captures en passant, promotions, rooks taken at home and the rights they had."""
    game, seen = GAMES[name], set[str]()
    for seed in range(25):
        for own, truth, turn in known(game, seed):
            side = own.side
            columns = slice(6 * side, 6 * side + 6)
            assert np.array_equal(own.board[columns], truth[columns])
            assert int(own.board[STATUS]) & 1 == side
            rights = 6 << 2 * side
            assert int(own.board[STATUS]) & rights == int(truth[STATUS]) & rights
            assert not own.board[6 - 6 * side : 12 - 6 * side].any()
            theirs = counted(truth, 1 - side)
            assert own.men_left[:6].sum() - own.men_left[6] == sum(theirs)
            assert own.men_left[PAWN] >= theirs[PAWN]  # more only where one was promoted
            move, said = int(turn.judged.move[turn.chosen]), int(turn.judged.said[turn.chosen])
            pawn = int(truth[6 * side]) >> (move & 63) & 1
            king = int(truth[6 * side + 5]) >> (move & 63) & 1
            seen |= {"promotion"} if move >> 12 else set()
            seen |= {"castling"} if king and abs((move >> 6 & 63) - (move & 63)) == 2 else set()
            if pawn and said >> CAPTURED & 3 and (said >> SQUARE) != move >> 6 & 63:
                seen.add("en passant")
    assert name != "8x8" or seen >= {"promotion", "castling", "en passant"}


def test_a_rook_taken_at_home_cannot_castle() -> None:
    game = GAMES["8x8"]
    board = game.boards(np.array([game.read("4k3/8/8/8/8/8/5n2/R3K2R b KQ -")]))[0]
    own = OwnSide(board, 0, game.k)
    own.hear(2 << CAPTURED | 7 << SQUARE)
    assert fen_of(own.board, game.k).split()[0] == "8/8/8/8/8/8/8/R3K3"
    assert int(own.board[STATUS]) == 2 << 1  # the long way is left


@pytest.mark.parametrize("name", STARTS)
def test_placements_fit_the_last_thing_heard(name: str) -> None:
    game, rng, found = GAMES[name], np.random.default_rng(0), 0
    for seed in range(15):
        for n, (own, truth, _) in enumerate(known(game, seed, most=80)):
            if n % 5 != 3 or not own.events:
                continue
            refused = np.array(own.refused, dtype=np.int64)
            drawn = placements(own.board, own.men_left, own.said, refused, 4, 2000, game.k, rng)
            columns = slice(6 * own.side, 6 * own.side + 6)
            total = sum(counted(truth, 1 - own.side))
            where = own.said >> SQUARE
            for board in drawn:
                assert np.array_equal(board[columns], truth[columns])
                assert sum(counted(board, 1 - own.side)) == total
                assert_fits(board, game, own.said, own.refused)
                if own.said >> CAPTURED & 3:
                    others = np.bitwise_or.reduce(board[6 - 6 * own.side : 12 - 6 * own.side])
                    assert int(others) >> where & 1, "nobody stands where a man was lost"
            found += drawn.shape[0]
    assert found > 20


def test_placements_differ_and_cover_what_is_possible() -> None:
    """Two men on 4x4: every pair of squares that fits comes up."""
    game = GAMES["4x4-queens"]
    start = game.boards(np.array([game.start]))[0]
    own, nothing = OwnSide(start, 0, game.k), np.empty(0, dtype=np.int64)
    rng = np.random.default_rng(1)
    drawn = placements(own.board, own.men_left, 0, nothing, 20_000, 100_000, game.k, rng)
    expected = set()
    for king in range(16):
        for queen in range(16):
            board = np.array(own.board)
            squares = [8 * (at // 4) + at % 4 for at in (king, queen)]
            mine = int(np.bitwise_or.reduce(own.board[:6]))
            if king == queen or any(mine >> square & 1 for square in squares):
                continue
            board[11], board[10] = (np.uint64(1 << square) for square in squares)
            try:
                assert_fits(board, game, 0, [])
            except AssertionError:
                continue
            expected.add(board.tobytes())
    assert in_bytes(drawn) == expected
    assert len(expected) > 20


@pytest.mark.parametrize(("name", "most"), [("4x4-queens", 10), ("4x4-pawns", 10), ("8x8", 7)])
def test_histories_fit_everything_heard(name: str, most: int) -> None:
    """Each board is among all that the referee allows; with enough effort all of them are found."""
    game, rng, compared = GAMES[name], np.random.default_rng(0), 0
    for seed in range(4):
        possible = [Consistent(game, side, game.start) for side in (0, 1)]
        told = [0, 0]
        for own, truth, turn in known(game, seed, most=most):
            mine = possible[own.side]
            for kind, move, _ in own.events[told[own.side] :]:
                if kind == 2:
                    mine.refused(int(game.action_of[move]))
            there = mine.boards()
            assert truth.tobytes() in there
            found = histories(own.start, own.past(), 300, 200_000, game.k, rng)
            assert found.shape[0]
            assert in_bytes(found) <= there
            if len(there) < 20:
                assert in_bytes(found) == there
                compared += len(there) > 1
            said = int(turn.judged.said[turn.chosen])
            action = int(game.action_of[turn.judged.move[turn.chosen]])
            mine.moved(action, said)
            if not said >> ENDING & 3:
                possible[1 - own.side].heard(said)
            told[own.side] = len(own.events) + 1
            told[1 - own.side] = told[1 - own.side] + 1
    assert compared > 2 or name == "8x8"


def test_a_past_that_cannot_be_has_no_history() -> None:
    game = GAMES["4x4-queens"]
    own = OwnSide(game.boards(np.array([game.start]))[0], 0, game.k)
    legal = game.moves[np.flatnonzero(game.legal(np.array([game.start]), 0)[0])]
    own.refuse(int(legal[0]))
    rng = np.random.default_rng(0)
    assert not histories(own.start, own.past(), 10, 1000, game.k, rng).shape[0]


@pytest.mark.parametrize("name", STARTS)
def test_neighbours_fit(name: str) -> None:
    """A man stands elsewhere, and what was heard and refused is still explained."""
    game, rng, found = GAMES[name], np.random.default_rng(0), 0
    for seed in range(30):
        for n, (own, truth, _) in enumerate(known(game, seed, most=60)):
            if n % 6 != 3 or not own.events:
                continue
            refused = np.array(own.refused, dtype=np.int64)
            lost = own.said >> SQUARE if own.said >> CAPTURED & 3 else -1
            boards, parents = neighbours(
                truth[None], own.board, own.side, own.said, refused, 6, 600, game.k, rng, lost=lost
            )
            columns = slice(6 * own.side, 6 * own.side + 6)
            for board in boards:
                assert np.array_equal(board[columns], truth[columns])
                assert counted(board, 1 - own.side) == counted(truth, 1 - own.side)
                assert_fits(board, game, own.said, own.refused)
            assert not parents.any()
            found += len(in_bytes(boards) - in_bytes(truth[None]))
    assert found > 20


@pytest.mark.parametrize("name", STARTS)
def test_neighbours_after_an_own_capture_have_a_man_less(name: str) -> None:
    game, rng, found = GAMES[name], np.random.default_rng(0), 0
    for seed in range(30):
        for own, truth, turn in known(game, seed, most=60, refusals=0):
            said, move = int(turn.judged.said[turn.chosen]), int(turn.judged.move[turn.chosen])
            pieces = counted(truth, 1 - own.side)
            if said >> CAPTURED & 3 and not said >> ENDING & 3:
                then = OwnSide(truth, own.side, game.k)
                then.move(move, said)
                board = np.array(then.board)
                board[STATUS] ^= np.uint64(1)
                taken = (said >> CAPTURED & 3) << 6 | said >> SQUARE
                nothing = np.empty(0, dtype=np.int64)
                boards, _ = neighbours(
                    truth[None], board, own.side, said, nothing, 3, 600, game.k, rng, taken=taken
                )
                for like in boards:
                    assert sum(counted(like, 1 - own.side)) == sum(pieces) - 1
                    assert_fits(like, game, said, [])
                found += boards.shape[0]
    assert found > 10


@pytest.mark.parametrize("seed", range(20))
def test_the_4x4_game_is_translated_move_by_move(seed: int) -> None:
    """Both games hear the same words and stand on the same boards, over whole random games."""
    four, queens, rng = Kriegspiel4x4(), GAMES["4x4-queens"], np.random.default_rng(seed)
    bridge = Bridge(four)
    state = four.start
    twin = queens.read(four.describe(state))
    for _ in range(60):
        side, here, there = four.turn(state), np.array([state]), np.array([twin])
        board = bridge.board(state)
        assert np.array_equal(board, queens.boards(there)[0])
        tries = np.flatnonzero(four.tries(here, side)[0])
        moves = [bridge.move(int(action), board, side) for action in tries]
        assert [bridge.action(move, board, side) for move in moves] == tries.tolist()
        open_ = queens.moves[np.flatnonzero(queens.tries(there, side)[0])]
        assert sorted(moves) == sorted(open_.tolist())
        legal = four.legal(here, side)[0][tries]
        allowed = queens.legal(there, side)[0][queens.action_of[np.array(moves)]]
        assert np.array_equal(legal, allowed)
        pick = int(rng.choice(np.flatnonzero(legal)))
        one, other = np.array([tries[pick]]), np.array([queens.action_of[moves[pick]]])
        ours = four.play(here, (one, None) if side == 0 else (None, one))
        theirs = queens.play(there, (other, None) if side == 0 else (None, other))
        assert bridge.said(int(ours.heard[0][0])) == int(theirs.heard[0][0])
        state, twin = int(ours.successor[0]), int(theirs.successor[0])
        if four.over(np.array([state]))[0]:
            assert queens.over(np.array([twin]))[0]
            return
