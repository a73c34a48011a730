"""The rules of 8x8 against python-chess, and the number of games of a few moves (perft).

The positions and their counts are those of https://www.chessprogramming.org/Perft_Results.
"""

from __future__ import annotations

from collections import Counter

import chess
import numpy as np
import pytest

from ipomdp.wild16.bits import Bits
from ipomdp.wild16.game import Wild16
from ipomdp.wild16.referee import ENDING, judge
from ipomdp.wild16.words import board_of, fen_of, move_name, say
from tests.random_games import positions

GAME = Wild16("8x8")
PERFT = {
    "start": (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        (20, 400, 8_902, 197_281, 4_865_609),
    ),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        (48, 2_039, 97_862, 4_085_603),
    ),
    "position 3": (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        (14, 191, 2_812, 43_238, 674_624),
    ),
    "position 4": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        (6, 264, 9_467, 422_333),
    ),
    "position 5": (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        (44, 1_486, 62_379, 2_103_487),
    ),
    "position 6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        (46, 2_079, 89_890, 3_894_594),
    ),
}


def perft(boards: Bits, depth: int) -> int:
    """Return how many games of so many moves start on boards, through the referee."""
    judged = judge(boards, GAME.k)
    if depth == 1:
        return int(judged.legal.sum())
    after = judged.board[judged.legal]
    parts = np.array_split(after, 1 + len(after) // 20_000)
    return sum(perft(part, depth - 1) for part in parts)


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    fen, counts = PERFT[name]
    board = board_of(fen, GAME.k)[None]
    assert [perft(board, depth) for depth in (1, 2, 3)] == [*counts[:3]]


@pytest.mark.slow
@pytest.mark.parametrize("name", PERFT)
def test_perft_deeper(name: str) -> None:
    fen, counts = PERFT[name]
    assert perft(board_of(fen, GAME.k)[None], len(counts)) == counts[-1]


def compare(boards: Bits) -> Counter[str]:
    """Compare what every legal move leads to; return how often what was said of one."""
    judged, heard = judge(boards, GAME.k), Counter[str]()
    starts = np.searchsorted(judged.case, np.arange(len(boards) + 1))
    for b, row in enumerate(boards):
        fen = fen_of(row, GAME.k)
        board = chess.Board(f"{fen} 0 1")
        some = [j for j in range(starts[b], starts[b + 1]) if judged.legal[j]]
        ours = {move_name(int(judged.move[j])): j for j in some}
        assert ours.keys() == {move.uci() for move in board.legal_moves}, fen
        for name, j in ours.items():
            move = chess.Move.from_uci(name)
            taken = board.piece_type_at(move.to_square)
            passing = board.is_en_passant(move)
            where = chess.square(
                chess.square_file(move.to_square), chess.square_rank(move.from_square)
            )
            board.push(move)
            assert fen_of(judged.board[j], GAME.k) == _four_fields(board), (fen, name)
            said = say(int(judged.said[j]))
            capture = "Pawn" if passing or taken == chess.PAWN else "Piece" if taken else ""
            square = chess.square_name(where if passing else move.to_square)
            assert said.startswith(f"{capture} captured in {square}") == bool(capture), said
            assert ("captured" in said) == bool(capture)
            assert ("Check by" in said) == board.is_check()
            ending = (
                1 if board.is_checkmate() else 2 if board.is_stalemate()
                else 3 if board.is_insufficient_material() else 0
            )  # fmt: skip
            assert (int(judged.said[j]) >> ENDING) & 3 == ending, (fen, name)
            heard[("on", "Checkmate", "Stalemate", "Draw")[ending]] += 1
            heard["check"] += "Check by" in said
            heard["en passant"] += passing
            board.pop()
    return heard


def _four_fields(board: chess.Board) -> str:
    """Return FEN that names a capture en passant only where a pawn stands ready for it."""
    return " ".join(board.fen(en_passant="xfen").split()[:4])


def test_positions_of_random_games() -> None:
    compare(positions(GAME, seed=1, games=3))


@pytest.mark.slow
def test_positions_of_many_random_games() -> None:
    heard = compare(positions(GAME, seed=0, games=40)[::2])
    assert all(heard[what] for what in ("Checkmate", "Stalemate", "Draw", "check", "en passant"))
