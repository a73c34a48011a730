"""The last message: never against the truth, and no more than python-chess finds a witness for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, islice

import chess
import numpy as np
import pytest

from ipomdp.players.roster import board_game
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.table import Table
from ipomdp.tokens.checks import checkers
from ipomdp.tokens.kings import king_squares
from ipomdp.tokens.message import last_message
from ipomdp.tokens.token import Kind, Token
from ipomdp.tokens.tries import try_squares
from tests import mailbox
from tests.tokens.brute import Checkers, kings, safe_kings
from tests.tokens.drawn import alone, drawn, scene


def masks(groups: set[frozenset[int]]) -> set[int]:
    return {sum(1 << s for s in group) for group in groups}


def compare_checkers(seed: int, count: int) -> None:
    """Compare who may give check with the search for witnesses."""
    positions = drawn(random.Random(seed))  # noqa: S311
    for board, move, message in islice(positions, count):
        told, own = not board.turn, alone(board, not board.turn)
        after = board.copy(stack=False)
        after.push(move)
        found = checkers(scene(board, move, message, told))
        assert after.checkers_mask() in found
        if safe_kings(own, told):
            assert found == masks(Checkers(own, told, message).groups()), (board.fen(), move)


def compare_kings(seed: int, count: int) -> None:
    """Compare where a king in check may stand with the search for witnesses."""
    positions = drawn(random.Random(seed))  # noqa: S311
    for board, move, message in islice(positions, count):
        where = king_squares(scene(board, move, message, board.turn))
        expected = kings(alone(board, board.turn), move, message)
        assert set(chess.SquareSet(where)) == expected, (board.fen(), move)
        assert board.king(not board.turn) in expected


@pytest.mark.parametrize("seed", range(2))
def test_who_may_give_check_has_a_witness_and_nobody_else(seed: int) -> None:
    compare_checkers(seed, 12)


def test_where_the_king_may_be_in_check_has_a_witness_and_nowhere_else() -> None:
    compare_kings(0, 150)


@pytest.mark.slow
def test_who_may_give_check_has_a_witness_more() -> None:
    compare_checkers(10, 20)


@pytest.mark.slow
def test_where_the_king_may_be_has_a_witness_more() -> None:
    compare_kings(10, 300)


def plain_shares(own: chess.Board, tries: int) -> dict[int, float]:
    """Return in how many sets of squares worth so many tries each one is, nobody being pinned."""
    colour, king = own.turn, own.king(own.turn)
    assert king is not None
    pawns = own.pieces(chess.PAWN, colour)
    goals = sorted({s for p in pawns for s in own.attacks(p) if not own.piece_type_at(s)})
    fitting = []
    for few in (few for size in range(len(goals) + 1) for few in combinations(goals, size)):
        filled = own.copy(stack=False)
        for square in few:
            jumps = chess.BB_KNIGHT_ATTACKS[king] >> square & 1
            kind = chess.ROOK if jumps else chess.KNIGHT
            filled.set_piece_at(square, chess.Piece(kind, not colour))
        moves = filled.generate_legal_captures(own.pawns)
        if len({(m.from_square, m.to_square) for m in moves}) == tries:
            fitting.append(few)
    shares = {s: sum(s in few for few in fitting) / max(len(fitting), 1) for s in goals}
    return {s: share for s, share in shares.items() if share}


def test_pawn_tries_are_shared_out_among_the_squares_attacked() -> None:
    """Whatever is true is possible; what nobody pinned explains is as likely as it is often."""
    positions, compared = drawn(random.Random(5), check=False), 0  # noqa: S311
    for _ in range(400):
        board, move, message = next(positions)
        told = not board.turn
        found = try_squares(scene(board, move, message, told))
        after = board.copy(stack=False)
        after.push(move)
        takes = after.generate_legal_captures(after.pieces_mask(chess.PAWN, told))
        for take in list(takes):
            file, rank = chess.square_file(take.to_square), chess.square_rank(take.from_square)
            passing = after.is_en_passant(take)
            assert (chess.square(file, rank) if passing else take.to_square) in found
        for square, (_, certain) in found.items():
            assert not certain or after.color_at(square) == board.turn, board.fen()
        own = alone(after, told)
        goals = {s for p in own.pieces(chess.PAWN, told) for s in own.attacks(p)}
        if message.taken or not message.tries or len(goals) > 8:
            continue
        expected = plain_shares(own, message.tries)
        assert {s: found[s][0] for s in expected} == pytest.approx(expected), board.fen()
        compared += 1
    assert compared > 50


def moments(name: str, seed: int, longest: int) -> Iterator[tuple[Table, Knowledge]]:
    """Play a game at random with a liking for checks; yield both seats after each move."""
    game, rng = board_game(name), np.random.default_rng(seed)
    table = Table(game, longest=longest)
    seats = [Knowledge(game, side, table.start) for side in (0, 1)]
    while table.result is None:
        here, mover = table.so_far().final, table.mover
        legal = np.flatnonzero(game.legal(np.array([here]), mover)[0])
        states = np.full(legal.size, here)
        out = game.play(states, (legal, None) if mover == 0 else (None, legal))
        checks = legal[["Check" in game.say(int(said)) for said in out.heard[0]]]
        liked = checks if checks.size and rng.random() < 0.5 else legal
        table.attempt(int(rng.choice(liked)))
        for seat in seats:
            for hearing in table.known(seat.side)[len(seat.hearings) :]:
                seat.add(hearing)
            yield table, seat


def squares_of(tokens: tuple[Token, ...], kind: Kind) -> set[str]:
    return {token.square for token in tokens if token.kind == kind}


@pytest.mark.parametrize(
    ("name", "games"), [("4x4", 30), ("4x4-pawns", 12), ("6x6", 5), ("8x8", 4)]
)
def test_the_truth_is_among_the_tokens_of_whole_games(name: str, games: int) -> None:
    heard = set[str]()
    for seed in range(games):
        for table, seat in moments(name, seed, 150):
            said, tokens = _words(seat), last_message(seat)
            assert len({(t.kind, t.square) for t in tokens}) == len(tokens)
            assert all(0 < t.probability <= 1 for t in tokens)
            assert all(t.certain == (t.probability == 1) for t in tokens)
            _assert_true(table, seat, said, tokens)
            heard.add(said)
    assert any("Check" in words for words in heard)


def _words(seat: Knowledge) -> str:
    assert seat.last is not None
    return seat.game.say(seat.last.heard or 0)


def _assert_true(table: Table, seat: Knowledge, said: str, tokens: tuple[Token, ...]) -> None:
    """Compare tokens with the position, looked at by mailbox."""
    fen = seat.game.describe(table.so_far().final)
    men, _ = mailbox.parse(fen)
    white = seat.side == 0
    theirs = {_name(s): letter for s, letter in men.items() if mailbox.mine(letter, not white)}
    king = next(s for s, letter in theirs.items() if letter in "Kk")
    assert {t.square for t in tokens if t.kind == "piece" and t.certain} <= theirs.keys(), fen
    mine = seat.mover == seat.side
    if "Check" not in said:
        assert not squares_of(tokens, "check") and not squares_of(tokens, "king")
    elif mine:
        true = _checking(men, seat.game.size, white)
        found = squares_of(tokens, "check")
        assert true <= found, (fen, said)
        sure = {t.square for t in tokens if t.kind == "check" and t.certain}
        assert sure <= true, (fen, said)
    else:
        assert king in squares_of(tokens, "king"), (fen, said)
        assert not squares_of(tokens, "check")
    if mine and "apture" in said and "Pawn" not in said:
        assert said.split(" in ")[1][:2] in {t.square for t in tokens if t.certain}
    if mine and "Check" not in said and "pawn tr" in said:
        assert _victims(table, seat, men) <= squares_of(tokens, "piece"), (fen, said)


def _name(square: mailbox.Square) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def _checking(men: mailbox.Board, size: int, white: bool) -> set[str]:
    """Return who gives check to a side."""
    king = next(s for s, letter in men.items() if letter == ("K" if white else "k"))
    return {
        _name(s) for s, letter in men.items() if mailbox.mine(letter, not white)
        and king in (mailbox.pawn_targets(size, s, not white) if letter in "Pp"
                     else mailbox.reach(men, size, s))
    }  # fmt: skip


def _victims(table: Table, seat: Knowledge, men: mailbox.Board) -> set[str]:
    """Return whom the pawns of a side can take, en passant as well."""
    names = {_name(s): letter for s, letter in men.items()}
    legal = seat.game.legal(np.array([table.so_far().final]), seat.side)[0]
    takes = [seat.game.actions[a] for a in np.flatnonzero(legal)]
    takes = [m for m in takes if names.get(m[:2], "") in ("P", "p") and m[0] != m[2]]
    return {m[2:4] if m[2:4] in names else m[2] + m[1] for m in takes}
