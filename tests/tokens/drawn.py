"""Positions drawn at random with a move that gives check, and scenes made of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

from ipomdp.tokens.scene import Men, Scene
from ipomdp.wild16.words import hears, move_of
from tests.tokens.brute import Message, announced

WEIGHTS = {chess.PAWN: 5, chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 2, chess.QUEEN: 2}


def drawn(
    rng: random.Random, *, check: bool = True
) -> Iterator[tuple[chess.Board, chess.Move, Message]]:
    """Yield positions and moves that give check or not, those told of more liked better."""
    while True:
        board = chess.Board(None)
        white, black, *squares = rng.sample(chess.SQUARES, rng.randint(8, 20))
        board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        for square in squares:
            kind = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            colour = rng.choice((chess.WHITE, chess.BLACK))
            if kind != chess.PAWN or 0 < square >> 3 < 7:
                board.set_piece_at(square, chess.Piece(kind, colour))
        board.turn = rng.choice((chess.WHITE, chess.BLACK))
        if not board.is_valid():
            continue
        told = [
            (m, announced(board, m)) for m in board.legal_moves if board.gives_check(m) == check
        ]
        rich = [(m, t) for m, t in told if t.taken or t.tries or len(t.lines) > 1]
        if told:
            move, message = rng.choice(rich if rich and rng.random() < 0.8 else told)
            yield board, move, message


def alone(board: chess.Board, colour: bool) -> chess.Board:
    """Return a board with the men of one side, the same side to move."""
    own = board.copy(stack=False)
    for square in chess.SquareSet(board.occupied_co[not colour]):
        own.remove_piece_at(square)
    return own


def men(board: chess.Board, colour: bool) -> Men:
    """Return the men of a side as sets of squares."""
    return tuple(board.pieces_mask(kind, colour) for kind in chess.PIECE_TYPES)


def scene(board: chess.Board, move: chess.Move, message: Message, colour: bool) -> Scene:
    """Return a move as one side knows it."""
    after = board.copy(stack=False)
    after.push(move)
    return Scene(
        k=2, side=int(colour == chess.BLACK), before=men(board, colour), now=men(after, colour),
        move=move_of(move.uci()) if board.turn == colour else None, said=hears(str(message)),
        passing=-1 if board.ep_square is None else board.ep_square,
    )  # fmt: skip
