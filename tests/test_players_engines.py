"""Players whose boards a chess engine values."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.match import play_game
from ipomdp.errors import InvalidInput
from ipomdp.game import IntArray
from ipomdp.players.judgement import EngineJudgement
from ipomdp.players.roster import SAMPLING, board_game, check_engine, make_player
from ipomdp.wild16.evaluate import MATE
from ipomdp.wild16.words import board_of, move_name
from tests.fake_engine import material
from tests.test_cli import run


def fake(how: str = "") -> str:
    script = Path(__file__).with_name("fake_engine.py")
    return shlex.join([sys.executable, str(script), *([how] if how else [])])


def test_an_engine_values_the_boards_after_each_move_and_we_the_endings() -> None:
    fens = (
        "6k1/5ppp/8/8/8/8/8/R3K3 w - -",
        "k7/8/2K5/8/8/8/1Q6/8 w - -",
        "k7/8/1p6/K7/8/8/8/8 w - -",
    )
    boards = np.array([board_of(fen, 2) for fen in fens])
    found = EngineJudgement(fake(), 0)(boards, 2)
    values = {
        (case, move_name(move)): value
        for case, move, value in zip(*(part.tolist() for part in found), strict=True)
    }
    assert values[0, "a1a8"] == MATE
    assert values[0, "a1a7"] == material(fens[0])
    assert values[1, "b2b6"] == 0  # stalemate, with a queen more
    assert values[1, "b2b5"] == material(fens[1]) == 900
    assert values[2, "a5b6"] == 0  # bare kings
    assert values[2, "a5a6"] == -100
    assert len(values) == sum(len(legal_of(fen)) for fen in fens)


def legal_of(fen: str) -> IntArray:
    game = board_game("8x8")
    return np.flatnonzero(game.legal(np.array([game.read(fen)]), 0)[0])


def test_a_player_with_an_engine_plays_what_the_engine_likes() -> None:
    """The queen is there to be taken, and nothing else is believed."""
    game = board_game("8x8")
    start = game.read("4k3/8/8/3q4/4P3/8/8/4K3 w - -")
    tries = np.flatnonzero(game.tries(np.array([start]), 0)[0])
    for spec in SAMPLING[1:]:
        me = make_player(f"{spec}:boards=1", game, fake())
        me.begin(0, start, np.random.default_rng(0))
        assert game.actions[me.propose(tries, 0.5)] == "e4d5"


@pytest.mark.parametrize("spec", [*SAMPLING, "random", "ipomdp"])
def test_every_player_plays_where_an_engine_is_given(spec: str) -> None:
    game = board_game("8x8")
    players = (make_player(spec, game, fake()), make_player("random", game, fake()))
    result = play_game(game, players, np.random.default_rng(0), seconds=0.05, longest=6)
    assert result.reason == "length", result.detail


def test_a_player_whose_engine_dies_loses_and_says_why() -> None:
    game = board_game("8x8")
    players = (make_player("hs:boards=40", game, fake("dies")), make_player("random", game))
    result = play_game(game, players, np.random.default_rng(0), longest=20)
    assert (result.winner, result.reason) == (1, "crash")
    assert "EngineFailed" in result.detail


@pytest.mark.parametrize(
    ("engine", "specs", "board", "words"),
    [
        ("/no/such", ["hs"], "8x8", 'engine "/no/such" cannot be started (no such file'),
        ("true", ["los", "random"], "8x8", "is not a UCI engine"),
        ("true", ["hs"], "6x6", "engines play on 8x8 alone, not on 6x6"),
        ("true", ["hs"], "4x4", "engines play on 8x8 alone, not on 4x4"),
        ("true", ["ipomdp", "random"], "8x8", "expected los, aosp or hs among them"),
    ],
)
def test_an_engine_that_cannot_be_used_is_refused(
    engine: str, specs: list[str], board: str, words: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_engine(engine, specs, board_game(board))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_may_have_spaces(tmp_path: Path) -> None:
    script = tmp_path / "my engine"
    script.write_text(f"#!/bin/sh\nexec {fake()}\n")
    script.chmod(0o755)
    check_engine(str(script), ["hs"], board_game("8x8"))


@pytest.mark.skipif(sys.platform != "linux", reason="a service of Linux")
def test_an_engine_ends_with_whoever_started_it_however_that_ends(tmp_path: Path) -> None:
    """GNU Chess plays on when its input ends, as this one does."""
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\necho uciok\necho readyok\nexec sleep 60\n")
    engine.chmod(0o755)
    killed = (
        "import os, signal; from ipomdp.wild16.uci import UciEngine;"
        f"engine = UciEngine({str(engine)!r}); print(engine._process.pid, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    told = subprocess.run([sys.executable, "-c", killed], capture_output=True, check=False)
    assert told.returncode == -signal.SIGKILL
    status = Path(f"/proc/{int(told.stdout)}/stat")
    deadline = time.monotonic() + 5
    while status.exists() and status.read_text().split()[2] != "Z":
        assert time.monotonic() < deadline, "it is still there"
        time.sleep(0.01)


@pytest.mark.parametrize(
    "arguments",
    [
        ("arena", "hs", "random", "--out", "games", "--engine", "/no/such"),
        ("play", "--board", "8x8", "--against", "hs", "--engine", "/no/such"),
    ],
)
def test_a_bad_engine_ends_a_command_before_anything_starts(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    (line,) = result.stderr.splitlines()[-1:]
    assert line.startswith('ipomdp: --engine: engine "/no/such" cannot be started')
    assert not list(tmp_path.iterdir())
