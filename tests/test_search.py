"""The search that values boards, against plain searches and positions with known answers."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from ipomdp.wild16 import search as searching
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.evaluate import MATE, WORTH, evaluate
from ipomdp.wild16.game import STARTS, Wild16
from ipomdp.wild16.moves import MOST_MOVES, STATUS, WIDTH
from ipomdp.wild16.referee import CHECKMATE, ENDING, judge
from ipomdp.wild16.search import DEEPEST, QUIET, search, value_moves
from ipomdp.wild16.words import board_of, fen_of, move_name
from tests.random_games import positions
from tests.test_wild16 import flipped

GAMES = {name: Wild16(name) for name in STARTS}
EIGHT = GAMES["8x8"]


def found(board: Bits, depth: int, k: int, *, compiled: bool = True) -> int:
    """Return what the search finds; not compiled, its settings can be changed."""
    moves, prizes = np.empty((2, DEEPEST, MOST_MOVES), np.int64)
    rows, nodes = np.empty((DEEPEST, WIDTH), np.uint64), np.empty((DEEPEST, 6), np.int64)
    function = search if compiled else search.py_func  # type: ignore[attr-defined]
    return int(function(board, depth, nodes, moves, prizes, rows, k))


def valued(fen: str, depth: int, k: int = EIGHT.k) -> dict[str, float]:
    """Return the value of each legal move of a position."""
    moves = value_moves(board_of(fen, k)[None], depth, k)
    return dict(zip(map(move_name, moves.move.tolist()), moves.value.tolist(), strict=True))


def static(board: chess.Board) -> int:
    """Return what we think of a position of python-chess, nothing searched."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    sides = (board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK])
    row = [kind & side for side in sides for kind in kinds]
    return int(evaluate(np.array([*row, 0 if board.turn else 1], dtype=np.uint64), EIGHT.k))


def plain(board: chess.Board, left: int, ply: int, alpha: int, beta: int) -> int:
    """Return the value of a position by a textbook search over python-chess.

    Below depth 0 a side may stop, or go on with captures and promotions, so many in a row.
    """
    if left > 0:
        moves = list(board.legal_moves)
        if board.is_insufficient_material():
            return 0
        if not moves:
            return ply - MATE if board.is_check() else 0
        best = -2 * MATE
    else:
        best = static(board)
        if left == -QUIET or best >= beta:
            return best
        moves = [m for m in board.legal_moves if board.is_capture(m) or m.promotion]
    for move in moves:
        board.push(move)
        value = -plain(board, left - 1, ply + 1, -beta, -max(alpha, best))
        board.pop()
        best = max(best, value)
        if best >= beta:
            break
    return best


@pytest.mark.parametrize(("depth", "every"), [(0, 3), (1, 8), (2, 60)])
def test_it_is_alpha_beta_with_quiescence(
    depth: int, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once no capture is given up as hopeless, which a textbook search does not do."""
    boards = positions(EIGHT, seed=8, games=8)[::every]
    monkeypatch.setattr(searching, "HOPE", 100 * MATE)
    for board in boards:
        fen = fen_of(board, EIGHT.k)
        expected = plain(chess.Board(f"{fen} 0 1"), depth, 0, -2 * MATE, 2 * MATE)
        assert found(board, depth, EIGHT.k, compiled=False) == expected, fen


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_giving_up_hopeless_captures_costs_little(
    name: str, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is compiled is what is written, and close to what a full search finds."""
    game, hope = GAMES[name], searching.HOPE
    boards = positions(game, seed=9, games=20)[::7][: 120 // (depth + 1)]
    ours = [found(board, depth, game.k) for board in boards]
    assert ours == [found(board, depth, game.k, compiled=False) for board in boards]
    monkeypatch.setattr(searching, "HOPE", 100 * MATE)
    full = [found(board, depth, game.k, compiled=False) for board in boards]
    assert np.abs(np.array(ours) - full).max() <= hope


@pytest.mark.parametrize("name", STARTS)
def test_colours_may_be_exchanged(name: str) -> None:
    game = GAMES[name]
    boards = positions(game, seed=10, games=4)
    turned = flipped(boards, game.size)
    for board, other in zip(boards, turned, strict=True):
        assert evaluate(board, game.k) == evaluate(other, game.k), fen_of(board, game.k)
    for depth in (0, 1, 2):
        for board, other in zip(boards[::17], turned[::17], strict=True):
            one = found(board, depth, game.k), found(other, depth, game.k)
            assert one[0] == pytest.approx(one[1], abs=searching.HOPE), fen_of(board, game.k)


@pytest.mark.parametrize("name", STARTS)
def test_what_one_side_gains_the_other_loses(name: str) -> None:
    game = GAMES[name]
    for board in positions(game, seed=11, games=3):
        other = np.array(board)
        other[STATUS] ^= np.uint64(1)
        assert evaluate(other, game.k) == -evaluate(board, game.k)


@pytest.mark.parametrize(
    ("fen", "move", "k"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - -", "a1a8", 2),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b - -", "a8a1", 2),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -", "h5f7", 2),
        ("7k/R7/8/8/8/8/8/1R2K3 w - -", "b1b8", 2),
        ("3k/Q3/2K1/4 w", "a3d3", 0),
    ],
)
def test_mate_in_one_is_found(fen: str, move: str, k: int) -> None:
    judged = judge(board_of(fen, k)[None], k)
    mates = {move_name(m) for m in judged.move[(judged.said >> ENDING) & 3 == CHECKMATE].tolist()}
    assert move in mates
    for depth in (1, 2):
        values = valued(fen, depth, k)
        assert {name for name, value in values.items() if value == MATE} == mates
        assert max(values.values()) == MATE


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("7k/8/8/8/8/8/R7/1R2K3 w - -", "a2a7"),  # the ladder
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - -", "a1a6"),  # Morphy
    ],
)
def test_mate_in_two_is_found_at_depth_three(fen: str, move: str) -> None:
    values = valued(fen, 3)
    assert values[move] == MATE - 2
    assert max(values.values()) == MATE - 2
    assert abs(valued(fen, 0)[move]) < MATE - 100


def test_a_hanging_man_is_worth_itself() -> None:
    """The queen may be taken by a pawn: all moves that leave her there lose her."""
    fen = "rnbqkbnr/pppp1ppp/8/4p3/3Q4/8/PPPPPPPP/RNB1KBNR w KQkq -"
    for depth in (0, 1, 2):
        values = valued(fen, depth)
        assert values["d4e5"] - values["a2a3"] == pytest.approx(WORTH[4] + WORTH[0], abs=150)


def test_a_guarded_man_is_not_taken_by_a_dearer_one() -> None:
    values = valued("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - -", 0)
    assert values["d2d6"] < values["d2d5"] - 500


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_draws_are_worth_nothing(depth: int) -> None:
    assert valued("k7/8/2K5/8/8/8/1Q6/8 w - -", depth)["b2b6"] == 0  # stalemate
    assert valued("k7/8/1p6/K7/8/8/8/8 w - -", depth)["a5b6"] == 0  # bare kings
    assert valued("3k/1p2/K3/4 w", depth, 0)["a2b3"] == 0


def test_there_is_room_for_boards_with_very_many_moves() -> None:
    """218 moves on each board are more than is allowed for at first."""
    fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -"
    boards = np.repeat(board_of(fen, EIGHT.k)[None], 4, axis=0)
    values = value_moves(boards, 0, EIGHT.k)
    assert np.bincount(values.case).tolist() == [218] * 4
