"""Games with a person that are kept in a file and go on later."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.saving import GameFile, SavedGame
from ipomdp.arena.session import Session
from ipomdp.game import BoardGame
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.roster import board_game
from ipomdp.seats.hearing import Listener
from tests.playing import PROMPT, Mind, Scripted, Talk, say, talk, talks, until_prompt
from tests.test_cli import refused


@pytest.fixture(scope="module")
def game() -> BoardGame:
    return board_game("4x4")


@pytest.fixture
def talking() -> Iterator[Callable[..., Talk]]:
    yield from talks()


# Saving and going on.


@pytest.mark.parametrize("side", ["white", "black"])
@pytest.mark.parametrize("saving", ["--save", "save"])
def test_a_game_goes_on_where_it_was(
    side: str, saving: str, talking: Callable[..., Talk], tmp_path: Path
) -> None:
    options = ("--save", "g.json") if saving == "--save" else ()
    process = talking("--against", "random", "--side", side, "--seed", "5", *options, cwd=tmp_path)
    rng, text = random.Random(7), until_prompt(process)  # noqa: S311
    for _ in range(3):
        listed = re.search(r"Open to you: (.*)", say(process, "moves"))
        assert listed
        text = say(process, rng.choice(listed[1].split()))
    assert PROMPT.search(text)
    if saving == "save":
        assert "both sides" in say(process, "save g.json")
    before = [say(process, word) for word in ("history", "board", "moves")]
    process.communicate()
    resumed = talking("--resume", "g.json", cwd=tmp_path)
    text = until_prompt(resumed)
    assert f"you are {side.capitalize()}, against random" in text
    assert before[0].split("\n\n")[1] in text.replace("what you did", "")
    assert [say(resumed, word) for word in ("history", "board", "moves")] == before
    assert "You resigned" in say(resumed, "resign")
    assert json.loads((tmp_path / "g.json").read_text())["reason"] == "resigned"


def test_after_resuming_the_opponent_knows_all_it_was_told(game: BoardGame, tmp_path: Path) -> None:
    rng, file, compared = np.random.default_rng(0), tmp_path / "game.json", 0
    for steps in range(1, 12):
        session, first = _after(game, steps, file)
        if session.result is not None:
            break
        saved = SavedGame(file)
        assert (saved.side, saved.against) == (1, "scripted")
        assert saved.so_far == session.so_far()
        second = Scripted(game)
        again = Session(saved.game, 1, second, rng, so_far=saved.so_far)
        assert (again.mine, again.known) == (session.mine, session.known)
        assert again.pieces == session.pieces
        for one in (session, again):
            while one.mine:
                one.attempt(int(one.tries[0]))
            if one.result is None:
                one.reply()
        assert again.so_far() == session.so_far()
        if hasattr(second, "told"):  # it was asked to move
            assert second.told == first.told
            compared += 1
        file.unlink()
    assert compared > 4


def _after(game: BoardGame, steps: int, path: Path) -> tuple[Session, Scripted]:
    """Return a game after some tries, kept in a file at each."""
    opponent, person, rng = Scripted(game), Scripted(game), np.random.default_rng(0)
    session, file = Session(game, 1, opponent, rng), GameFile(game, 1, "scripted")
    file.choose(path)
    listener = Listener(person, 1, session.start, rng)
    for _ in range(steps):
        if session.mine:
            listener.catch_up(session.known)
            session.attempt(person.propose(session.tries))
        elif session.result is None:
            session.reply()
        file.keep(session.so_far())
    return session, opponent


def test_a_game_that_cannot_be_written_any_more_goes_on(
    game: BoardGame, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "folder").mkdir()
    file = GameFile(game, 0, "random")
    file.choose(tmp_path / "folder" / "g.json")
    (tmp_path / "folder").rmdir()
    session = Session(game, 0, RandomPlayer(game), np.random.default_rng(0))
    mind = Mind(lambda: capsys.readouterr().out)
    talk(game, session, mind, monkeypatch, file)
    assert session.result is not None
    assert "Not saved: " in mind.read
    assert "The game is in" not in capsys.readouterr().out


START = {"board": "4x4", "start": "1q1k/4/4/K1Q1 w", "tries": "retry", "person": "white"}
BAD_FILES = {
    "empty": "",
    "not a game": "hello",
    "a list": "[1, 2]",
    "cut short": '{"start": "1q1k/4/4/K1Q1 w", "tri',
    "bad person": json.dumps({**START, "moves": [], "person": "green"}),
    "paper rules": json.dumps({**START, "moves": [], "tries": "paper"}),
    "two games": (json.dumps({**START, "moves": []}) + "\n") * 2,
    "an illegal move": json.dumps({**START, "moves": [{"by": "white", "move": "Kb2"}]}),
    "a wrong ending": json.dumps(
        {**START, "moves": [{"by": "white", "move": "Qd1"}], "reason": "checkmate"}
    ),
}


@pytest.mark.parametrize("what", BAD_FILES)
def test_a_file_that_is_no_saved_game_is_one_line_that_tells_nothing_of_it(
    what: str, tmp_path: Path
) -> None:
    file = tmp_path / "saved.json"
    file.write_text(BAD_FILES[what])
    line = refused("play", "--resume", str(file))
    assert "--resume" in line
    assert "saved.json" in line
    assert not re.search(r"1q1k|[KQ][a-d][1-4]", line)
    assert file.read_text() == BAD_FILES[what]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--board", "3x3"), "--board: expected 4x4"),
        (("--side", "green"), '--side: expected white or black, not "green"'),
        (("--against", "nobody"), '--against: unknown player "nobody"'),
        (("--seconds", "0"), "--seconds: expected a number of seconds above 0"),
        (("--seconds", "soon"), '"soon"'),
        (("--seconds", "inf"), "--seconds"),
        (("--seed", "-1"), "--seed"),
        (("--save", "game.txt"), "--save: game.txt: unknown ending"),
        (("--save", "/nowhere/game.json"), "--save: /nowhere/game.json: cannot be written"),
        (("--save", ""), "--save: an empty name"),
        (("--resume", ""), "--resume: an empty name"),
        (("--resume", "nothing.json"), "--resume: nothing.json: no such file"),
    ],
)
def test_options_that_cannot_be_used(arguments: tuple[str, ...], words: str) -> None:
    against = () if "--against" in arguments else ("--against", "random")
    assert words in refused("play", *against, *arguments)


def test_options_that_contradict_the_game_to_resume(tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    file.write_text(json.dumps({**START, "moves": [], "black": "random"}))
    assert "--board" in refused("play", "--resume", str(file), "--board", "8x8")
    assert "--side" in refused("play", "--resume", str(file), "--side", "black")
    nobodys = {name: value for name, value in START.items() if name != "person"}
    file.write_text(json.dumps({**nobodys, "moves": []}))
    assert "--side" in refused("play", "--resume", str(file))
