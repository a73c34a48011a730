"""The referee of wild 16: its symmetry, its ways of being asked, its words and its positions."""

from __future__ import annotations

import numpy as np
import pytest

from ipomdp.errors import InvalidInput
from ipomdp.game import IntArray
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.game import STARTS, Wild16
from ipomdp.wild16.moves import STATUS
from ipomdp.wild16.referee import CAPTURED, SQUARE, follow, illegal, judge, own_move
from ipomdp.wild16.words import board_of, fen_of, hears, move_name, move_of, say
from tests.random_games import positions, turns

GAMES = {name: Wild16(name) for name in STARTS}
EIGHT = GAMES["8x8"]


def flipped(boards: Bits, size: int) -> Bits:
    """Return the boards upside down, the colours exchanged."""
    turned = boards[:, :12].byteswap() >> np.uint64(8 * (8 - size))
    status = boards[:, STATUS].astype(np.int64)
    rights = (status >> 1) & 15
    passing = status >> 8
    passing = np.where(passing, 1 + _flip_squares(passing - 1, size), 0)
    status = (1 - (status & 1)) | ((rights >> 2 | (rights & 3) << 2) << 1) | (passing << 8)
    return np.column_stack([turned[:, 6:], turned[:, :6], status.astype(np.uint64)])


def _flip_squares(squares: IntArray, size: int) -> IntArray:
    found: IntArray = (squares & 7) | ((size - 1 - (squares >> 3)) << 3)
    return found


def check_symmetry(game: Wild16, boards: Bits) -> None:
    here, there = judge(boards, game.k), judge(flipped(boards, game.size), game.k)
    origin, target = (_flip_squares((here.move >> shift) & 63, game.size) for shift in (0, 6))
    move = origin | target << 6 | here.move >> 12 << 12
    square = _flip_squares((here.said >> SQUARE) & 63, game.size)
    taken = ((here.said >> CAPTURED) & 3 > 0) & here.legal
    said = np.where(taken, here.said & ((1 << SQUARE) - 1) | square << SQUARE, here.said)
    mine, theirs = (np.lexsort((m, j.case)) for m, j in ((move, here), (there.move, there)))
    assert np.array_equal(here.case[mine], there.case[theirs])
    assert np.array_equal(move[mine], there.move[theirs])
    assert np.array_equal(said[mine], there.said[theirs])
    legal = here.legal[mine]
    after = flipped(here.board[mine][legal], game.size)
    assert np.array_equal(after, there.board[theirs][legal])


@pytest.mark.parametrize("name", STARTS)
def test_colours_may_be_exchanged(name: str) -> None:
    check_symmetry(GAMES[name], positions(GAMES[name], seed=1, games=5))


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
def test_colours_may_be_exchanged_in_many_games(name: str) -> None:
    check_symmetry(GAMES[name], positions(GAMES[name], seed=0, games=150))


@pytest.mark.parametrize("name", STARTS)
def test_all_ways_of_asking_the_referee_agree(name: str) -> None:
    """What is judged in one go is what follows move by move."""
    game = GAMES[name]
    boards = positions(game, seed=2, games=4)[:200]
    judged = judge(boards, game.k)
    options = np.bincount(judged.case[judged.legal], minlength=len(boards))
    for said in np.unique(judged.said[judged.legal]).tolist():
        found, there = follow(boards, said, game.k), judged.said == said
        assert np.array_equal(found.options, options)
        case, move = judged.case[there], judged.move[there]
        expected, order = np.lexsort((move, case)), np.lexsort((found.move, found.case))
        assert np.array_equal(found.case[order], case[expected])
        assert np.array_equal(found.move[order], move[expected])
        assert np.array_equal(found.board[order], judged.board[there][expected])
    for move in np.unique(judged.move)[::7].tolist():
        tried = judged.move == move
        refused = illegal(boards[judged.case[tried]], move, game.k)
        assert np.array_equal(refused, ~judged.legal[tried])
        said = int(judged.said[tried].max())
        after, kept = own_move(boards[judged.case[tried]], move, max(said, 0), game.k)
        assert np.array_equal(kept, judged.said[tried] == max(said, 0))
        assert np.array_equal(after[kept], judged.board[tried][kept])


def test_the_protocol_plays_what_the_referee_judges() -> None:
    game, rng = Wild16("8x8"), np.random.default_rng(3)
    state = game.start
    for turn in turns(game, rng, most=60):
        states, side = np.array([state]), game.turn(state)
        assert np.array_equal(game.boards(states)[0], turn.board)
        named = {game.actions[a] for a in np.flatnonzero(game.tries(states, side)[0])}
        legal = {game.actions[a] for a in np.flatnonzero(game.legal(states, side)[0])}
        assert named == turn.tries.keys()
        assert legal == {name for name, said in turn.tries.items() if said != "Illegal"}
        action = np.array([game.actions.index(turn.move)])
        outcome = game.play(states, (action, None) if side == 0 else (None, action))
        assert game.say(int(outcome.heard[0][0])) == turn.tries[turn.move]
        state = int(outcome.successor[0])


@pytest.mark.parametrize("name", STARTS)
def test_words_are_heard_as_they_were_said(name: str) -> None:
    judged = judge(positions(GAMES[name], seed=4, games=10), GAMES[name].k)
    codes = np.unique(judged.said[judged.legal]).tolist()
    assert [hears(say(code)) for code in codes] == codes
    assert len({say(code) for code in codes}) == len(codes)


@pytest.mark.parametrize(
    "words",
    ["", "silence", "Silent, Checkmate", "Pawn captured in e9", "King captured in e4", "Check by",
     "Check by Row", "Check by Knight, Check by File", "0 pawn tries", "1 pawn tries",
     "40 pawn tries", "x pawn tries", "Illegal", "Checkmate, Check by File"],
)  # fmt: skip
def test_other_words_are_not_an_announcement(words: str) -> None:
    with pytest.raises(ValueError, match=r"announcement|substring|not in|invalid literal"):
        hears(words)


@pytest.mark.parametrize("name", STARTS)
def test_positions_are_read_as_they_are_written(name: str) -> None:
    game = GAMES[name]
    boards = positions(game, seed=5, games=5)
    read = np.array([board_of(fen_of(board, game.k), game.k) for board in boards])
    assert np.array_equal(read, boards)


def test_moves_are_read_as_they_are_written() -> None:
    for game in GAMES.values():
        assert [move_of(name) for name in game.actions] == game.moves.tolist()
        assert [move_name(move) for move in game.moves.tolist()] == [*game.actions]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQ -"),  # no rook to castle with
        ("4k3/8/8/8/8/8/8/4K2R w K", "K -"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3", "- -"),  # nobody stands ready to take
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "- e3"),
    ],
)
def test_rights_that_mean_nothing_are_left_out(written: str, kept: str) -> None:
    assert fen_of(board_of(written, EIGHT.k), EIGHT.k).split(" ", 2)[2] == kept


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected 8 ranks and the side to move"),
        ("8/8/8/8/8/8/8/8", "expected 8 ranks"),
        ("8/8/8/8/8/8/8 w", "expected 8 ranks"),
        ("1q1k/4/4/K1Q1 w", "expected 8 ranks"),
        ("4k3/8/8/8/8/8/8/4K3 x", "side to move"),
        ("4k3/9/8/8/8/8/8/4K3 w", 'has "9" on rank 7'),
        ("4k3/8/8/8/8/8/8/4K4 w", "describes 9 squares on rank 1; expected 8"),
        ("4k3/8/8/8/8/8/8/4K2 w", "describes 7 squares on rank 1"),
        ("4k3/8/8/8/8/8/8/4X3 w", 'has "X" on rank 1'),
        ("8/8/8/8/8/8/8/4K2R w", "has not one black king"),
        ("4k3/8/8/8/8/8/8/K3K2R w", "has not one white king"),
        ("4k3/8/8/8/8/8/8/P3K3 w", "a pawn on the first or last rank"),
        ("4k3/8/8/8/8/8/8/4R2K w", "black's king to be captured"),
        ("8/8/8/8/8/3k4/4K3/8 w", "black's king to be captured"),
        ("4k3/8/8/8/8/8/8/4K3 w", "already over"),
        ("k7/2Q5/1K6/8/8/8/8/8 b", "already over"),
        ("4k3/8/8/8/8/8/8/4K2R w KX", 'castling rights "KX"'),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e9", "no pawn to take in passing on e9"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e6", "no pawn to take in passing on e6"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - d3", "no pawn to take in passing on d3"),
        ("4k3/8/8/8/3pP3/4n3/8/4K3 b - e3", "no pawn to take in passing on e3"),
        ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3", "no pawn to take in passing on e3"),
        ("4k3/pppppppp/pppppppp/8/8/8/8/4K3 w", "17 black men"),
    ],
)
def test_a_position_that_cannot_be_played_is_one_clear_line(text: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        EIGHT.read(text)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_position_with_most_moves_fits() -> None:
    """218 legal moves are the most there are (Petrovic 1964)."""
    state = EIGHT.read("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -")
    assert EIGHT.legal(np.array([state]), 0).sum() == 218
