"""Every situation that JVariant's authors describe for their figures 3 to 11.

The squares expected are those that python-chess finds a witness for, and the few that the text of
the paper names.
"""

from __future__ import annotations

from itertools import combinations

import chess
import pytest

from ipomdp.players.roster import board_game
from ipomdp.seats.hearing import Hearing
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.table import Table
from ipomdp.tokens.message import last_message
from ipomdp.tokens.token import Kind, Token
from tests.tokens.brute import Checkers, Message, announced, kings
from tests.tokens.drawn import alone

WHITE, BLACK = 0, 1


def told(fen: str, *moves: str, side: int) -> tuple[str, tuple[Token, ...]]:
    """Play moves from a position; return what was said last, and a side's tokens then."""
    game = board_game("8x8")
    table = Table(game, start=game.read(fen))
    for move in moves:
        assert table.attempt(game.actions.index(move)) is not None
    knows = Knowledge(game, side, table.start)
    for hearing in table.known(side):
        knows.add(hearing)
    assert knows.last is not None
    return game.say(knows.last.heard or 0), last_message(knows)


def on(tokens: tuple[Token, ...], kind: Kind) -> set[str]:
    return {token.square for token in tokens if token.kind == kind}


def certain(tokens: tuple[Token, ...], kind: Kind) -> set[str]:
    return {token.square for token in tokens if token.kind == kind and token.certain}


def named(squares: set[int]) -> set[str]:
    return {chess.square_name(square) for square in squares}


def looked_up(fen: str, move: str) -> tuple[Message, chess.Board, chess.Move]:
    board = chess.Board(f"{fen} 0 1")
    return announced(board, chess.Move.from_uci(move)), board, chess.Move.from_uci(move)


def checkers(fen: str, move: str) -> set[str]:
    """Return the squares of who may give check, by brute force."""
    message, board, _ = looked_up(fen, move)
    own = alone(board, not board.turn)
    groups = Checkers(own, not board.turn, message).groups()
    return named({square for group in groups for square in group})


def king_squares(fen: str, move: str) -> set[str]:
    """Return where the other's king may stand, by brute force."""
    message, board, played = looked_up(fen, move)
    return named(kings(alone(board, board.turn), played, message))


def shares(fen: str, tries: int) -> dict[str, float]:
    """Return in how many of the sets of squares that give so many pawn tries each one is."""
    board = chess.Board(f"{fen} 0 1")
    own = alone(board, not board.turn)
    own.turn = not board.turn
    own.set_piece_at(chess.H8, chess.Piece(chess.KING, board.turn))
    pawns = own.pieces(chess.PAWN, own.turn)
    goals = {s for p in pawns for s in own.attacks(p) if not own.piece_type_at(s)}
    fitting = []
    for size in range(len(goals) + 1):
        for few in combinations(sorted(goals), size):
            filled = own.copy(stack=False)
            for square in few:
                filled.set_piece_at(square, chess.Piece(chess.KNIGHT, board.turn))
            takes = {
                (m.from_square, m.to_square) for m in filled.generate_legal_captures(own.pawns)
            }
            fitting += [few] if len(takes) == tries else []
    found = {s: sum(s in few for few in fitting) / len(fitting) for s in goals}
    return {chess.square_name(s): share for s, share in found.items() if share}


def test_figure_3_two_pawn_tries() -> None:
    """Every square where a pawn may take is as likely as any other."""
    fen = "4k3/7p/3p4/2p1P3/1P6/8/8/6K1 b - -"
    said, tokens = told(fen, "h7h6", side=WHITE)
    assert said == "2 pawn tries"
    assert {kind.kind for kind in tokens} == {"piece"} and not certain(tokens, "piece")
    found = {token.square: token.probability for token in tokens}
    expected = shares(fen, 2)
    assert expected == dict.fromkeys(("a5", "c5", "d6", "f6"), 1 / 2)
    assert {square: found[square] for square in expected} == pytest.approx(expected)
    rare = found.keys() - expected.keys()
    assert rare == {"d5", "f5"}  # a pawn beside ours that has just made a double step
    assert max(found[square] for square in rare) < 0.1


def test_two_pawns_that_attack_one_square_make_two_tries_of_it() -> None:
    fen = "4k3/7p/8/2p5/1P1P4/8/8/6K1 b - -"
    said, tokens = told(fen, "h7h6", side=WHITE)
    assert said == "2 pawn tries"
    found = {token.square: token.probability for token in tokens}
    assert found == pytest.approx(shares(fen, 2))
    said, tokens = told(fen.replace("2p5", "p7"), "h7h6", side=WHITE)
    assert said == "1 pawn try"
    assert on(tokens, "piece") >= {"a5", "e5"}


def test_as_many_pawn_tries_as_squares_are_certain() -> None:
    said, tokens = told("4k3/7p/8/p1p5/1P6/8/8/6K1 b - -", "h7h6", side=WHITE)
    assert said == "2 pawn tries"
    assert certain(tokens, "piece") == on(tokens, "piece") == {"a5", "c5"}


FIGURE_4 = "4k3/7n/8/8/4K3/6P1/2N4P/8 b - -"


@pytest.mark.parametrize("fen", [FIGURE_4, "4k3/7n/8/8/P3K3/3P2P1/2N2P1P/8 b - -"])
def test_figures_4_and_5_knight_check(fen: str) -> None:
    """Nh7-f6: White sees where a knight may be, Black where the king may be."""
    with_pawn = fen.replace("7n", "p6n")
    said, tokens = told(with_pawn, "h7f6", side=WHITE)
    assert said == "Check by Knight"
    assert on(tokens, "check") == checkers(with_pawn, "h7f6")
    assert "f6" in on(tokens, "check") and not certain(tokens, "check")
    _, tokens = told(with_pawn, "h7f6", side=BLACK)
    assert on(tokens, "king") == king_squares(with_pawn, "h7f6")
    assert "e4" in on(tokens, "king")
    assert "g5" not in on(tokens, "king")  # the knight attacked it before


def test_figure_6_left_who_captures_on_the_line_gives_check() -> None:
    """The capture in h5 is on the short diagonal of the king on e8."""
    fen = "4k3/pp6/8/6Bp/8/8/7P/3QK3 w - -"
    said, tokens = told(fen, "d1h5", side=BLACK)
    assert said == "Pawn captured in h5, Check by Short Diagonal"
    assert on(tokens, "check") == certain(tokens, "check") == {"h5"} == checkers(fen, "d1h5")
    assert certain(tokens, "piece") == {"h5"}


def test_figure_6_right_a_bishop_has_uncovered_the_man_on_e1() -> None:
    """Neither rook nor queen can have stood on the file: it would have been check already."""
    fen = "4k3/pp3p2/8/7p/8/8/4B2P/K3R3 w - -"  # the pawn keeps the bishop from giving check too
    said, tokens = told(fen, "e2h5", side=BLACK)
    assert said == "Pawn captured in h5, Check by File"
    assert on(tokens, "check") == certain(tokens, "check") == {"e1"} == checkers(fen, "e2h5")
    assert certain(tokens, "piece") == {"h5"}


def test_figure_7_only_the_man_that_checks_can_be_taken() -> None:
    fen = "4k1r1/7p/8/8/1K6/4P2P/8/8 b - -"
    said, tokens = told(fen, "g8g4", side=WHITE)
    assert said == "Check by Rank, 1 pawn try"
    assert on(tokens, "check") == checkers(fen, "g8g4") == {"d4", "f4", "g4"}
    fen = "4k1r1/7p/8/8/1K6/5P1P/8/8 b - -"
    said, tokens = told(fen, "g8g4", side=WHITE)
    assert said == "Check by Rank, 2 pawn tries"
    assert certain(tokens, "check") == checkers(fen, "g8g4") == {"g4"}


def test_figure_8_a_pawn_that_may_be_pinned_excludes_nothing() -> None:
    """d2 may be pinned to c1, so the man may stand on c3; b4 cannot be, so not on c5."""
    fen = "r3k3/7p/8/8/1P6/8/3P4/2K5 b - -"
    said, tokens = told(fen, "a8c8", side=WHITE)
    assert said == "Check by File"
    assert on(tokens, "check") == checkers(fen, "a8c8")
    assert on(tokens, "check") == {"c2", "c3", "c4", "c6", "c7", "c8"}


def test_figure_9_bishop_or_queen() -> None:
    fen = "8/p7/5k2/8/3R4/8/1B5K/6Q1 w - -"
    said, tokens = told(fen, "d4a4", side=WHITE)
    assert said == "Check by Long Diagonal"
    found = on(tokens, "king")
    assert found == king_squares(fen, "d4a4")
    assert {"e5", "f6", "g7"} <= found  # by the bishop
    assert {"b6", "c5"} <= found  # by the queen


def test_a_pawn_try_of_the_other_tells_who_is_to_be_taken() -> None:
    """No pawn of Black takes on the seventh rank, so the bishop gives the check."""
    fen = "8/Q7/5k2/8/3R4/p7/1B5K/8 w - -"
    said, tokens = told(fen, "d4a4", side=WHITE)
    assert said == "Check by Long Diagonal, 1 pawn try"
    assert on(tokens, "king") == king_squares(fen, "d4a4")
    assert "f6" in on(tokens, "king") and not {"b6", "c5", "e3", "f2"} & on(tokens, "king")


@pytest.mark.parametrize("captured", [False, True])
def test_figure_10_the_way_of_the_bishop_was_under_control(captured: bool) -> None:
    """Bf1-d3; with a capture in d3 the king may be beyond it, on the same diagonal."""
    fen = "8/p6k/8/8/8/8/8/4KB2 w - -"
    if captured:
        fen = fen.replace("8/8/4KB2", "3p4/8/4KB2")
    said, tokens = told(fen, "f1d3", side=WHITE)
    assert said.endswith("Check by Long Diagonal")
    found = on(tokens, "king")
    assert found == king_squares(fen, "f1d3")
    assert {"f5", "g6", "h7"} <= found and "e2" not in found
    assert {"a6", "b5"} & found == ({"a6", "b5"} if captured else set())


def test_figure_11_two_checks_reveal_the_king() -> None:
    """Rc4-f4: the rook on the file and the man it uncovered on the long diagonal."""
    fen = "8/p4k2/8/8/2R5/1B6/8/K7 w - -"
    said, tokens = told(fen, "c4f4", side=WHITE)
    assert said == "Check by File, Check by Long Diagonal"
    assert on(tokens, "king") == certain(tokens, "king") == king_squares(fen, "c4f4") == {"f7"}


def test_one_check_is_not_two() -> None:
    """On d5 the king would be in check by the bishop as well, with no room to hide from it."""
    fen = "8/p2k4/8/8/2R5/1B6/8/K7 w - -"
    said, tokens = told(fen, "c4d4", side=WHITE)
    assert said == "Check by File"
    assert on(tokens, "king") == king_squares(fen, "c4d4")
    assert "d5" not in on(tokens, "king") and "d6" in on(tokens, "king")


@pytest.mark.parametrize(
    ("men", "square"), [("1b6/8/8/3p4/8/4P3/7K", "b7"), ("8/8/8/K2p3r/8/4P3/8", "h4")]
)
def test_a_capture_en_passant_opens_the_line_of_both_pawns(men: str, square: str) -> None:
    before = f"4k3/{men} w - -"
    said, tokens = told(before, "e2e4", "d4e3", side=WHITE)
    assert said.startswith("Pawn captured in e4, Check by ")
    board = chess.Board(f"{before} 0 1")
    board.push_uci("e2e4")
    fen = " ".join(board.fen(en_passant="fen").split()[:4])
    assert on(tokens, "check") == checkers(fen, "d4e3")
    assert square in on(tokens, "check")


def test_castling_may_give_check() -> None:
    fen = "r3k2r/p7/8/8/8/8/P7/5K2 b kq -"
    said, tokens = told(fen, "e8g8", side=WHITE)
    assert said == "Check by File"
    assert on(tokens, "check") == checkers(fen, "e8g8")
    _, tokens = told(fen, "e8g8", side=BLACK)
    assert on(tokens, "king") == king_squares(fen, "e8g8")


def test_nothing_is_known_before_the_first_move() -> None:
    game = board_game("8x8")
    assert last_message(Knowledge(game, 0, game.start)) == ()
    refused = Knowledge(game, 0, game.start)
    refused.add(Hearing(action=game.actions.index("e1d2"), heard=None))
    assert last_message(refused) == ()
