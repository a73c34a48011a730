"""A person at the board: whole games through pipes and terminals, and what may be typed."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.notation import understood
from ipomdp.arena.saving import GameFile, SavedGame
from ipomdp.arena.session import Session
from ipomdp.game import BoardGame
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.roster import board_game
from tests.playing import PROMPT, Mind, Talk, say, talk, talks, until_prompt
from tests.test_cli import run


@pytest.fixture(scope="module")
def game() -> BoardGame:
    return board_game("4x4")


@pytest.fixture
def talking() -> Iterator[Callable[..., Talk]]:
    yield from talks()


@pytest.mark.parametrize(("seed", "side"), [(1, "white"), (2, "black"), (3, "white")])
def test_whole_games_through_pipes(
    seed: int, side: str, talking: Callable[..., Talk], tmp_path: Path
) -> None:
    arguments = ("--against", "random", "--side", side, "--seed", str(seed), "--save", "g.json")
    process = talking(*arguments, cwd=tmp_path)
    rng, text = random.Random(seed), until_prompt(process)  # noqa: S311
    assert "both sides" in text
    while PROMPT.search(text):
        listed = re.search(r"Open to you: (.*)", say(process, "moves"))
        assert listed
        text = say(process, rng.choice(listed[1].split()))
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (0, "", "")
    assert "The whole game:" in text
    assert re.search(r"you win|wins|Draw", text)
    assert text.endswith('The game is in "g.json".\n')
    content = json.loads((tmp_path / "g.json").read_text())
    assert (content["result"] != "*", content["person"]) == (True, side)
    again = run("play", "--resume", "g.json", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert "this game is over" in again.stderr


# What is typed.


@pytest.mark.parametrize(
    ("position", "typed", "meant"),
    [
        ("4x4", "Qd1", "Qd1"),
        ("4x4", "qd1", "Qd1"),
        ("4x4", " Q d1+ ", "Qd1"),
        ("4x4", "Qxd2", "Qd2"),
        ("4x4", "c1d2", "Qd2"),
        ("4x4", "d2", ""),
        ("4x4", "Kd4", ""),
        ("8x8", "e2e4", "e2e4"),
        ("8x8", "e4", "e2e4"),
        ("8x8", "Nf3", "g1f3"),
        ("8x8", "nf3", "g1f3"),
        ("8x8", "Ngf3", "g1f3"),
        ("8x8", "N1f3", "g1f3"),
        ("8x8", "Nbf3", ""),
        ("8x8", "O-O", ""),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "0-0-0", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "oo", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "Rd1", "a1d1"),
        ("4k3/8/8/8/8/8/8/1N3N1K w", "Nd2", "b1d2 f1d2"),
        ("4k3/8/8/8/8/8/8/1N3N1K w", "Nbd2", "b1d2"),
        ("7k/P7/8/8/8/8/8/K7 w", "a8=Q", "a7a8q"),
        ("7k/P7/8/8/8/8/8/K7 w", "a8n", "a7a8n"),
        ("7k/P7/8/8/8/8/8/K7 w", "a7a8r", "a7a8r"),
        ("7k/P7/8/8/8/8/8/K7 w", "a8", "a7a8q a7a8r a7a8b a7a8n"),
        ("4k3/8/8/2pB4/1P6/8/8/K7 w", "bxc5", "b4c5"),
        ("4k3/8/8/2pB4/1P6/8/8/K7 w", "Bc4", "d5c4"),
        ("4k3/8/8/2pB4/1P6/8/8/K7 w", "b5", "b4b5"),
    ],
)
def test_a_move_is_understood(position: str, typed: str, meant: str) -> None:
    game = board_game(position if "/" not in position else "8x8")
    state = game.read(position) if "/" in position else game.start
    tries = np.flatnonzero(game.tries(np.array([state]), 0)[0])
    found = understood(typed, game, tries, game.pieces(state, 0))
    assert {game.actions[action] for action in found} == set(meant.split())


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Kd4", '"Kd4" is no move open to you'),
        ("%s [bold] \x1b[31m", "is no move open to you"),
        ("é" * 500, "is no move open to you"),
        ("belief x", 'not "x"'),
        ("save", "Save it where?"),
        ("save /nowhere/at/all.json", "Not saved: /nowhere/at/all.json: cannot be written"),
        ("save game.txt", "Not saved: game.txt: unknown ending; expected .json"),
        ("save there.json", "Not saved: there.json: there is such a file"),
        ("Kb1\nKb1", "Kb1 was refused before in this turn."),
        ("Kb1\nexplain Kb1", "Kb1 was refused before in this turn."),
        ("explain", "Explain which move?"),
        ("explain Qz9", '"Qz9" is no move open to you'),
        ("explain Kb1", "No advice: Kb1 is sure to be refused."),
        ("EXPLAIN c1d1", 'If Qd1 is made, the referee will say "Check by File" (100%).'),
        ("explain Qd1", "Black will then believe: king on a1 100%; queen on d1 50%, d2 50%."),
        ("advice", "try      worth   legal   a refusal teaches   gives away"),
        ("HELP", "the tries open to you"),
        ("help", "explain Qd1  what a move would make the other believe and do"),
    ],
)
def test_other_input_is_answered_in_a_line_and_the_game_goes_on(
    typed: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "there.json").write_text("mine")
    result = subprocess.run(
        [sys.executable, "-m", "ipomdp", "play", "--against", "random"], cwd=tmp_path,
        input=f"{typed}\nhistory\nresign\n".encode(), capture_output=True, check=False,
    )  # fmt: skip
    text = result.stdout.decode()
    assert (result.returncode, result.stderr) == (0, b"")
    assert words in text
    assert "\x1b" not in text
    assert "You resigned: Black wins." in text
    assert max(map(len, text.splitlines())) <= 130
    assert (tmp_path / "there.json").read_text() == "mine"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_bytes_that_are_no_text_and_any_encoding_of_the_terminal(encoding: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ipomdp", "play", "--against", "random"],
        input=b"\xff\xfe\x00\n\xe2\x99\x94d4\nhistory\nbelief\nresign\n", capture_output=True,
        check=False, env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"You resigned" in result.stdout


@pytest.mark.parametrize("typed", ["", "Qd1\n", "moves", "quit\n", "exit\nQd1\n"])
def test_the_end_of_input_and_quit_end_politely(typed: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ipomdp", "play", "--against", "random"],
        input=typed, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith(("The game stops here.\n", "Goodbye.\n"))
    assert "The last position" not in result.stdout


def test_control_c_ends_politely(talking: Callable[..., Talk]) -> None:
    process = talking("--against", "random")
    until_prompt(process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert output == "\nThe game stops here.\n"


def test_control_c_while_the_other_thinks_loses_nothing(
    game: BoardGame, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    class Interrupted(RandomPlayer):
        """Somebody presses Ctrl-C."""

        def refused(self, action: int) -> None:  # noqa: ARG002
            raise KeyboardInterrupt

    session = Session(game, 0, Interrupted(game), np.random.default_rng(1))
    file = GameFile(game, 0, "random")
    file.choose(tmp_path / "g.json")
    talk(game, session, Mind(lambda: capsys.readouterr().out), monkeypatch, file)
    text = capsys.readouterr().out
    assert "The game stops here." in text
    assert "The last position" not in text
    saved = SavedGame(tmp_path / "g.json")
    assert saved.so_far == session.so_far()
    assert saved.so_far.refused


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_gets_colours_unless_told_not_to_and_is_asked_to_save(
    colour: bool, tmp_path: Path
) -> None:
    main, other = pty.openpty()
    environment = {n: v for n, v in os.environ.items() if n not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "ipomdp", "play", "--against", "random", "--seed", "1"],
        stdin=other, stdout=other, stderr=other, cwd=tmp_path,
        env=environment | ({} if colour else {"NO_COLOR": "1"}),
    )  # fmt: skip
    os.close(other)
    text = ""
    answers = {"move 1> ": "Qd1\n", "move 2> ": "quit\n", "(Enter: not at all)? ": "g.json\n"}
    for prompt, answer in answers.items():
        while prompt not in text:
            text += os.read(main, 4096).decode(errors="replace")
        os.write(main, answer.encode())
    assert process.wait(20) == 0
    os.close(main)
    assert ("\x1b[48;5;" in text) == colour
    assert ("♔" in text) == (not colour)  # on coloured squares all pieces are filled
    assert "♚" in text
    assert json.loads((tmp_path / "g.json").read_text())["moves"][0]["move"] == "Qd1"


def test_play_with_no_options_is_white_on_4x4_against_level_1() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ipomdp", "play"], input="Qd1\nbelief\nadvice\n", text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    assert "Kriegspiel on 4x4: you are White, against ipomdp." in result.stdout
    assert "Black has moved." in result.stdout
    assert "the king" in result.stdout
    assert "Your tries, best first" in result.stdout


def test_a_move_on_8x8_is_advised_and_explained() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ipomdp", "play", "--board", "8x8", "--against", "random"],
        input="e2e4\nadvice\nexplain Nf3\nexplain N\n", text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    assert "gives away" in result.stdout
    assert "If g1f3 is made, the referee will say" in result.stdout
    assert re.search(r"Black will then believe: least surely .* on .. \d+%", result.stdout)
    assert "On f3 it sees: " in result.stdout
    assert re.search(r"Black, .*at random.*, is likeliest to reply: ", result.stdout)
    assert "bits about your pieces." in result.stdout
