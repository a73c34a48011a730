"""Engines that speak UCI: what they say of boards, and every way in which they fail."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from ipomdp.errors import EngineFailed, InvalidInput
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.evaluate import MATE
from ipomdp.wild16.game import Wild16
from ipomdp.wild16.uci import UciEngine, _score
from ipomdp.wild16.words import board_of, fen_of
from tests.fake_engine import material
from tests.random_games import positions

GAME = Wild16("8x8")
GAMES_FOLDER = "/usr/games"
"""Where Debian keeps engines, often not on the path."""


def fake(how: str = "") -> str:
    script = Path(__file__).with_name("fake_engine.py")
    return shlex.join([sys.executable, str(script), *([how] if how else [])])


def boards(count: int) -> Bits:
    return positions(GAME, seed=1, games=2)[:count]


def installed(name: str, *options: str) -> str:
    path = shutil.which(name) or shutil.which(name, path=GAMES_FOLDER)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return shlex.join([path, *options])


def test_values_are_the_last_ones_said_without_bounds() -> None:
    with UciEngine(fake()) as engine:
        some = boards(40)
        values = engine.evaluate(some, GAME.k)
    assert values.tolist() == [material(fen_of(board, GAME.k)) for board in some]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("info depth 3 score cp 31 nodes 5", 31),
        ("info depth 3 score cp -31", -31),
        ("info depth 3 score cp 99999 nodes 5", MATE - 1000),
        ("info depth 3 score mate 1 nodes 5", MATE - 2),
        ("info depth 3 score mate +3", MATE - 6),
        ("info depth 3 score mate -2", 4 - MATE),
        ("info depth 3 score cp 31 lowerbound nodes 5", None),
        ("info depth 3 score mate 3 upperbound", None),
        ("info depth 3 nodes 5", None),
        ("info depth 3 score", None),
        ("info depth 3 score cp", None),
        ("info depth 3 score cp much", None),
        ("bestmove e2e4", None),
        ("", None),
    ],
)
def test_what_a_line_says(line: str, value: float | None) -> None:
    assert _score(line) == value


@pytest.mark.parametrize(("how", "value"), [("mate_2", MATE - 4), ("mate_-1", 2 - MATE)])
def test_a_mate_is_worth_more_than_anything(how: str, value: float) -> None:
    with UciEngine(fake(how)) as engine:
        assert engine.evaluate(boards(2), GAME.k).tolist() == [value, value]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("", "expected the path of a UCI engine"),
        ('engine "', "no closing quotation"),
        ("/no/such/engine", "no such file"),
        (str(Path(__file__)), "permission denied"),
        ("true", "ended with exit code 0"),
        ("cat", "did not answer within 0.5 s"),
        ("yes", "did not answer within 0.5 s"),
        ("sleep 60", "did not answer within 0.5 s"),
        ("cat /dev/zero", "did not answer within 0.5 s"),
        (shlex.join([sys.executable, "-c", "print('uciok')"]), "ended with exit code 0"),
    ],
)
def test_what_is_not_an_engine_is_one_clear_line(command: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        UciEngine(command, patience=0.5)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("engine ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("dies", "it ended with exit code 7"),
        ("hangs", "did not answer within 0.5 s"),
        ("mute", "it names no value"),
    ],
)
def test_an_engine_that_fails_in_a_game_is_an_error_of_ours(how: str, problem: str) -> None:
    with UciEngine(fake(how)) as engine:
        engine._patience = 0.5
        with pytest.raises(EngineFailed, match=problem):
            engine.evaluate(boards(5), GAME.k)
        if how == "dies":
            with pytest.raises(EngineFailed, match="ended"):
                engine.evaluate(boards(1), GAME.k)


def test_small_boards_are_not_for_engines() -> None:
    with UciEngine(fake()) as engine, pytest.raises(InvalidInput, match="8x8, not on 4x4"):
        engine.evaluate(board_of("1q1k/4/4/K1Q1 w", 0)[None], 0)


@pytest.mark.parametrize("how", ["", "hangs"])
def test_the_process_ends_with_the_object(how: str) -> None:
    engine = UciEngine(fake(how))
    process = engine._process
    assert process.poll() is None
    if how:
        engine._patience = 0.1
        with pytest.raises(EngineFailed):
            engine.evaluate(boards(5), GAME.k)
    del engine
    assert process.poll() is not None


@pytest.mark.parametrize(("name", "options"), [("stockfish", ()), ("gnuchess", ("-u",))])
def test_real_engines(name: str, options: tuple[str, ...]) -> None:
    fens = (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",  # a queen ahead
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -",  # a queen behind
        "6k1/5ppp/8/8/8/8/8/R3K3 w - -",  # mate in one
    )
    some = np.array([board_of(fen, GAME.k) for fen in fens])
    with UciEngine(installed(name, *options), depth=2) as engine:
        even, ahead, behind, mate = engine.evaluate(some, GAME.k)
        again = engine.evaluate(some, GAME.k)
    assert abs(even) < 150 and ahead > 400 and behind < -400 and mate == MATE - 2
    assert [even, ahead, behind, mate] == again.tolist()
