"""The rules against python-chess: the 4x4 board is put into a corner of an 8x8 one.

Every line between two of its squares stays inside it, so legality, captures and checks are the
same; only the squares outside have to be left out.
"""

from __future__ import annotations

import chess
import numpy as np
import pytest

from ipomdp.kriegspiel import Kriegspiel4x4, Position
from ipomdp.kriegspiel.board import CAPTURED
from ipomdp.kriegspiel.referee import tables
from tests.positions import playable

PIECES = [
    chess.Piece(kind, colour)
    for kind in (chess.KING, chess.QUEEN)
    for colour in (chess.WHITE, chess.BLACK)
]


def corner(square: int) -> chess.Square:
    return chess.square(square % 4, square // 4)


def inside(square: chess.Square) -> bool:
    return chess.square_file(square) < 4 and chess.square_rank(square) < 4


def board_of(position: Position) -> chess.Board:
    board = chess.Board(None)
    for piece, square in zip(PIECES, position[:4], strict=True):
        if square != CAPTURED:
            board.set_piece_at(corner(square), piece)
    board.turn = position.side == 0
    return board


def name(board: chess.Board, move: chess.Move) -> str:
    return chess.piece_symbol(board.piece_type_at(move.from_square) or 0).upper() + (
        chess.square_name(move.to_square)
    )


def legal_inside(board: chess.Board) -> list[chess.Move]:
    return [move for move in board.legal_moves if inside(move.to_square)]


def check(states: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    game = Kriegspiel4x4()
    legal, _, announcement = game.moves(states)
    for k, state in enumerate(states):
        position = Position.of(int(state))
        board = board_of(position)
        moves = {name(board, move): move for move in legal_inside(board)}
        assert {game.actions[a] for a in np.flatnonzero(legal[k])} == set(moves), str(position)
        for action, move in moves.items():
            words = game.say(announcement[k, game.actions.index(action)])
            capture = f"Capture in {action[1:]}" in words
            assert capture == board.is_capture(move)
            board.push(move)
            bare = len(board.piece_map()) == 2
            stuck = not legal_inside(board)
            assert ("Check by" in words) == board.is_check()
            assert ("Checkmate" in words) == (board.is_check() and stuck)
            assert ("Stalemate" in words) == (not board.is_check() and stuck and not bare)
            assert ("Draw" in words) == bare
            board.pop()


def test_a_sample_of_positions() -> None:
    check(np.random.default_rng(0).choice(playable(), 300, replace=False))


@pytest.mark.slow
def test_every_position() -> None:
    check(np.flatnonzero(tables().valid))


@pytest.mark.slow
def test_validity_of_every_placement() -> None:
    """A placement is valid when python-chess finds nothing wrong with it."""
    valid = tables().valid
    for state in range(valid.size):
        position = Position.of(state)
        standing = [square for square in position[:4] if square != CAPTURED]
        distinct = len(set(standing)) == len(standing)
        assert valid[state] == (distinct and board_of(position).is_valid()), str(position)
