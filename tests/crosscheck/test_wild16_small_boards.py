"""The small boards against a slow generator that shares no code with the referee."""

from __future__ import annotations

import numpy as np
import pytest

from ipomdp.wild16.game import Wild16
from ipomdp.wild16.words import fen_of
from tests import mailbox
from tests.random_games import turns

BOARDS = ("4x4-queens", "4x4-pawns", "6x6")


def compare(board: str, games: int, seed: int) -> set[str]:
    """Compare every try of random games; return all that was said."""
    game, rng, heard = Wild16(board), np.random.default_rng(seed), set[str]()
    for _ in range(games):
        for turn in turns(game, rng, most=150):
            fen = fen_of(turn.board, game.k)
            men, white = mailbox.parse(fen)
            legal = {mailbox.name(m): m for m in mailbox.legal(men, game.size, white)}
            takes = any(men[m[0]] in "Pp" and m[1] in men for m in legal.values())
            expected = dict.fromkeys(mailbox.tries(men, game.size, white, takes), "Illegal")
            for name, move in legal.items():
                expected[name] = mailbox.announcement(men, game.size, white, move)
            assert turn.tries == expected, fen
            heard |= set(expected.values())
            followed = mailbox.after(men, legal[turn.move])
            then = fen_of(turn.judged.board[turn.chosen], game.k)
            assert mailbox.parse(then) == (followed, not white), fen
    return heard


@pytest.mark.parametrize("board", BOARDS)
def test_a_few_games(board: str) -> None:
    compare(board, 2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "games"), [*zip(BOARDS, (300, 500, 50), strict=True)])
def test_many_games(board: str, games: int) -> None:
    heard = " ".join(compare(board, games, seed=0))
    assert all(words in heard for words in ("Checkmate", "Diagonal", "Illegal", "captured"))
    assert board == "4x4-queens" or "pawn tries" in heard
