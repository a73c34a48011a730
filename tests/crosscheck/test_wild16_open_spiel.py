"""Which tries are legal, against OpenSpiel's Kriegspiel, over random games.

It offers captures by pawns also where the referee has said that there are none (all of them are
refused), and counts a capture that promotes four times, so what it says is not compared. It has
the boards 4x4 and 8x8 alone: any other size is refused before its position is read, which a test
here shows, so 6x6 is left to `test_wild16_small_boards.py`.
"""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

from ipomdp.wild16.game import STARTS, Wild16
from tests.random_games import turns

BOARDS = ("4x4-queens", "4x4-pawns", "8x8")


def new_game(board: str, size: int) -> pyspiel.State:
    """Return the first position there; a game ends by no rule that we do not have."""
    start = STARTS[board] if size == 8 else f"{STARTS[board]} -"
    settings = {"board_size": size, "fen": f"{start} - 0 1"}
    ends = {"50_move_rule": False, "threefold_repetition": False}
    return pyspiel.load_game("kriegspiel", settings | ends).new_initial_state()


def legality(state: pyspiel.State) -> dict[str, bool]:
    """Return whether each try is carried out: then the other player is to move, or nobody."""
    found = {}
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        found[state.action_to_string(action)] = child.current_player() != state.current_player()
    return found


def compare(board: str, games: int, seed: int) -> int:
    """Compare random games; return how many tries were made."""
    game, rng, count = Wild16(board), np.random.default_rng(seed), 0
    for _ in range(games):
        theirs = new_game(board, game.size)
        for turn in turns(game, rng, most=200):
            ours = {name: said != "Illegal" for name, said in turn.tries.items()}
            expected = legality(theirs)
            pawns = {square for square, man in _own(game, turn.board).items() if man in "Pp"}
            takes = {m for m in expected if m[:2] in pawns and m[0] != m[2]}
            for name in expected.keys() - ours.keys():
                assert name in takes and not expected.pop(name), (name, str(theirs))
            assert ours == expected, str(theirs)
            assert any(expected[name] for name in takes & expected.keys()) == bool(
                takes & ours.keys()
            )
            count += len(ours)
            theirs.apply_action(theirs.string_to_action(turn.move))
    return count


def _own(game: Wild16, board: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> dict[str, str]:
    state = int(game.number(board[None])[0])
    return dict(game.pieces(state, game.turn(state)))


@pytest.mark.parametrize("board", BOARDS)
def test_a_few_games(board: str) -> None:
    assert compare(board, 2, seed=1) > 50


@pytest.mark.slow
@pytest.mark.parametrize(("board", "games"), [*zip(BOARDS, (1000, 1000, 200), strict=True)])
def test_many_games(board: str, games: int) -> None:
    assert compare(board, games, seed=0) > 40_000


def test_it_has_no_board_of_another_size() -> None:
    with pytest.raises(pyspiel.SpielError, match="Only board sizes 4 and 8"):
        new_game("6x6", 6)
