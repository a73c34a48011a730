"""Wild 16 against the `kriegspiel` package: all tries of random whole games, and what it says.

It differs in two ways, both on purpose. It announces an ending without the line of the check, if
there is one, that comes with it. And the player's board from which it lists tries keeps the square
of a possible capture en passant, so it offers one that is pinned even when it has just announced
that there are no pawn tries; we offer no capture by a pawn then. It is refused by both.
"""

from __future__ import annotations

from collections import Counter

import chess
import numpy as np
import pytest
from kriegspiel.move import CapturedPieceAnnouncement, KriegspielAnswer, KriegspielMove
from kriegspiel.move import QuestionAnnouncement as Question
from kriegspiel.move import SpecialCaseAnnouncement as Special
from kriegspiel.wild16 import Wild16Game

from ipomdp.wild16.game import Wild16
from ipomdp.wild16.referee import judge
from ipomdp.wild16.words import move_of
from tests.random_games import Turn, turns

LINES = {
    Special.CHECK_FILE: "File",
    Special.CHECK_RANK: "Rank",
    Special.CHECK_LONG_DIAGONAL: "Long Diagonal",
    Special.CHECK_SHORT_DIAGONAL: "Short Diagonal",
    Special.CHECK_KNIGHT: "Knight",
}
ENDINGS = {
    Special.CHECKMATE_WHITE_WINS: "Checkmate",
    Special.CHECKMATE_BLACK_WINS: "Checkmate",
    Special.DRAW_STALEMATE: "Stalemate",
    Special.DRAW_INSUFFICIENT: "Draw",
}


def words(answer: KriegspielAnswer) -> str:
    """Return an answer of the package in our words."""
    if not answer.move_done:
        return "Illegal"
    parts = []
    if answer.capture_at_square is not None:
        pawn = answer.captured_piece_announcement is CapturedPieceAnnouncement.PAWN
        square = chess.square_name(answer.capture_at_square)
        parts.append(f"{'Pawn' if pawn else 'Piece'} captured in {square}")
    special = answer.special_announcement
    checks = (answer.check_1, answer.check_2) if special is Special.CHECK_DOUBLE else (special,)
    order = list(LINES.values())
    lines = sorted((LINES[c] for c in checks if c in LINES), key=order.index)
    parts += [f"Check by {line}" for line in lines]
    if special in ENDINGS:
        parts.append(ENDINGS[special])
    if tries := answer.next_turn_pawn_tries:
        parts.append(f"{tries} pawn {'try' if tries == 1 else 'tries'}")
    return ", ".join(parts) or "Silent"


def without_the_last_line(said: str) -> str:
    if not any(ending in said for ending in ENDINGS.values()):
        return said
    return ", ".join(part for part in said.split(", ") if not part.startswith("Check by"))


def answers(theirs: Wild16Game) -> dict[str, str]:
    """Return what the package says of every try it offers, its game left as it was."""
    found = {}
    for question in list(theirs.possible_to_ask):
        answer = theirs._ask_for(question)
        if answer.move_done:  # the answer's own work, taken back; a copy of the game is slow
            theirs._board.pop()
            theirs._game_over = False
        found[question.chess_move.uci()] = words(answer)
    return found


def compare(theirs: Wild16Game, turn: Turn, seen: Counter[str]) -> None:
    ours = {m: without_the_last_line(s) for m, s in turn.tries.items()}
    expected = answers(theirs)
    board = theirs._board
    if theirs.current_turn_pawn_tries == 0:
        for name in expected.keys() - ours.keys():
            move = chess.Move.from_uci(name)
            assert board.is_en_passant(move) and expected.pop(name) == "Illegal", name
            seen["en passant offered though there are no pawn tries"] += 1
    assert ours == expected, board.fen()
    seen["tries"] += len(ours)
    seen["refused"] += sum(said == "Illegal" for said in ours.values())
    move, said = chess.Move.from_uci(turn.move), turn.tries[turn.move]
    for what, happened in {
        "castling": board.is_castling(move),
        "en passant": board.is_en_passant(move),
        "promotion": move.promotion is not None,
        "double check": said.count("Check by") == 2,
    }.items():
        seen[what] += happened
    for ending in ("Checkmate", "Stalemate", "Draw", "pawn tries", "Check by Knight"):
        seen[ending] += ending in said


def play(games: int, seed: int) -> Counter[str]:
    """Compare the referees over games, and count what happened in them."""
    game, rng, seen = Wild16("8x8"), np.random.default_rng(seed), Counter[str]()
    for _ in range(games):
        theirs = Wild16Game()
        for turn in turns(game, rng):
            compare(theirs, turn, seen)
            answer = theirs.ask_for(KriegspielMove(Question.COMMON, chess.Move.from_uci(turn.move)))
            assert words(answer) == without_the_last_line(turn.tries[turn.move])
        seen["whole games"] += theirs.game_over
        assert theirs.game_over == any(
            ending in turn.tries[turn.move] for ending in ("mate", "Draw")
        )
    return seen


def test_two_games() -> None:
    play(2, seed=1)


def test_a_pinned_capture_en_passant_is_the_one_try_offered_by_it_alone() -> None:
    game, theirs, seen = Wild16("8x8"), Wild16Game(), Counter[str]()
    board = game.boards(np.array([game.start]))
    for name in ("e2e4", "d7d5", "e4d5", "e7e5", "d1e2", "e5e4", "d2d4", "a7a6"):
        judged = judge(board, game.k)
        chosen = int(np.flatnonzero(judged.move == move_of(name))[0])
        compare(theirs, Turn(board[0], judged, chosen), seen)
        theirs.ask_for(KriegspielMove(Question.COMMON, chess.Move.from_uci(name)))
        board = judged.board[[chosen]]
    assert seen["en passant offered though there are no pawn tries"] == 1


@pytest.mark.slow
def test_a_hundred_whole_games() -> None:
    seen = play(105, seed=0)
    assert seen["whole games"] >= 100, seen
    wanted = (
        "castling", "en passant", "promotion", "double check", "Checkmate", "Stalemate", "Draw",
        "pawn tries", "Check by Knight", "refused",
    )  # fmt: skip
    assert all(seen[what] > 0 for what in wanted), seen
