"""A game with a person: the same as the arena's, and nothing hidden is told."""

# ruff: noqa: D102 - what players do, their protocol says

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.match import Resigned, play_game
from ipomdp.arena.saving import GameFile
from ipomdp.arena.session import Session
from ipomdp.commands import conversation
from ipomdp.commands.conversation import Conversation
from ipomdp.game import BoardGame, IntArray
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.roster import board_game
from ipomdp.seats.hearing import Hearing, Listener
from tests.playing import Echo, Mind, Scripted, talk


@pytest.fixture(scope="module")
def game() -> BoardGame:
    return board_game("4x4")


# The session.


@pytest.mark.parametrize("board", ["4x4", "8x8"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_session_is_the_game_that_the_arena_would_have_played(board: str, side: int) -> None:
    game = board_game(board)
    person, opponent, shadow = Scripted(game), Scripted(game), Scripted(game)
    players = (person, opponent) if side == 0 else (opponent, person)
    expected = play_game(game, players, np.random.default_rng(0), longest=30)
    rng = np.random.default_rng(0)
    session = Session(game, side, Scripted(game), rng, longest=30)
    listener = Listener(shadow, side, session.start, rng)
    while session.result is None:
        if session.mine:
            listener.catch_up(session.known)
            session.attempt(shadow.propose(session.tries))
        else:
            session.reply()
    assert session.result == expected
    listener.catch_up(session.known)
    assert shadow.told == person.told


class Failing(RandomPlayer):
    """Does something wrong."""

    def __init__(self, game: BoardGame, what: str) -> None:
        super().__init__(game)
        self.what = what

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        super().begin(side, state, rng)
        self._fail("begin")

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        self._fail("propose")
        if self.what == "resign":
            raise Resigned
        return -5 if self.what == "nonsense" else super().propose(tries, seconds)

    def heard(self, heard: int) -> None:  # noqa: ARG002
        self._fail("heard")

    def _fail(self, where: str) -> None:
        if where == self.what:
            raise RuntimeError(f"broken\nin {where} \x1b[31m")


@pytest.mark.parametrize(
    ("what", "reason"),
    [("begin", "crash"), ("propose", "crash"), ("heard", "crash"), ("nonsense", "crash"),
     ("resign", "resigned")],
)  # fmt: skip
def test_an_opponent_that_fails_loses_and_the_record_says_why(
    game: BoardGame, what: str, reason: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    session = Session(game, 0, Failing(game, what), np.random.default_rng(0))
    file = GameFile(game, 0, "failing")
    file.choose(tmp_path / "game.json")
    mind = Mind(lambda: capsys.readouterr().out, seed=1)
    talk(game, session, mind, monkeypatch, file)
    assert session.result is not None
    assert (session.result.winner, session.result.reason) == (0, reason)
    end = capsys.readouterr().out
    assert "\x1b" not in end
    (verdict,) = [line for line in end.splitlines() if "you win" in line]
    assert ("could not go on" in verdict) == (reason == "crash")
    content = json.loads((tmp_path / "game.json").read_text())
    assert (content["result"], content["reason"]) == ("1-0", reason)
    assert bool(content.get("detail")) == (reason == "crash")


def test_what_is_not_open_is_not_tried(game: BoardGame) -> None:
    session = Session(game, 0, RandomPlayer(game), np.random.default_rng(0))
    with pytest.raises(ValueError, match="Kd4 is not among the open tries"):
        session.attempt(game.actions.index("Kd4"))
    assert session.known == ()


# What the person is told.


@pytest.mark.parametrize(("board", "games"), [("4x4", 120), ("8x8", 40)])
def test_what_is_printed_follows_from_what_the_person_was_told(
    board: str, games: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games that were the same to the person read the same, whatever was hidden from it."""
    game = board_game(board)
    texts: dict[tuple[Hearing, ...], dict[int, str]] = {}
    hidden: dict[tuple[Hearing, ...], set[object]] = {}
    for seed in range(games):
        side = seed % 2
        session = Session(game, side, RandomPlayer(game), np.random.default_rng(seed))
        capsys.readouterr()
        mind = Mind(lambda: capsys.readouterr().out, seed=side, tries=12)

        def ask(prompt: str, session: Session = session, mind: Mind = mind) -> str:
            typed = mind(prompt)
            told = (Hearing(action=-session.side, heard=None), *session.known)
            text = texts.setdefault(told, {}).setdefault(len(mind.asked), mind.read)
            assert text == mind.read
            so_far = session.so_far()
            theirs = tuple(t.refused for t in so_far.turns if t.player != session.side)
            hidden.setdefault(told, set()).add((so_far.final, theirs))
            return typed

        monkeypatch.setattr(conversation, "ask", ask)
        Conversation(
            session, GameFile(game, side, "random"), against="random",
            adviser=lambda: Echo(game), rng=np.random.default_rng(seed),
        ).run()  # fmt: skip
    differing = [told for told, states in hidden.items() if len(states) > 1]
    assert len(differing) > 20  # else nothing was compared


def test_the_adviser_is_told_what_the_person_hears(
    game: BoardGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["belief", "Kb1", "Qc3", "advice", "Qd4", "Kb1", "advice", "Kb2", "belief"])
    monkeypatch.setattr(conversation, "ask", lambda _: next(typed, "quit"))
    adviser = Echo(game)
    session = Session(game, 0, Scripted(game), np.random.default_rng(0))
    Conversation(
        session, GameFile(game, 0, "scripted"), against="scripted",
        adviser=lambda: adviser, rng=np.random.default_rng(0),
    ).run()  # fmt: skip
    words = [
        (name, *(game.actions[a] for a in numbers[:-1]), game.say(numbers[-1]))
        if name in ("moved", "heard")
        else (name, *(game.actions[a] for a in numbers))
        for name, *numbers in adviser.told[1:]
    ]
    assert words[:2] == [("refused", "Kb1"), ("moved", "Qc3", "Check by Long Diagonal")]
    heard = re.findall(r"Black has moved. The referee: (.*)", capsys.readouterr().out)
    assert [rest for name, *rest in words if name == "heard"] == [[word] for word in heard]
    assert len(words) >= 3


@pytest.mark.parametrize("seed", range(20))
def test_nothing_of_the_other_is_printed_before_the_end(
    game: BoardGame, seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    side = seed % 2
    session = Session(game, side, RandomPlayer(game), np.random.default_rng(seed))
    mind = Mind(lambda: capsys.readouterr().out, seed=seed)
    theirs = "KQ" if side == 1 else "kq"
    talk(game, session, mind, monkeypatch)
    assert session.result is not None
    _, after = mind.read.split("which both sides know:", 1)
    after = re.sub(r"(?m)^\d .*\n", "", after, count=4)  # the start itself
    for line in re.findall(r"(?m)^[1-4]  .*$", after):
        assert not set(line) & set(theirs), line  # boards hold the person's letters alone
    mine = {game.actions[h.action] for h in session.known if h.action is not None}
    heard = {game.say(h.heard) for h in session.known if h.heard is not None}
    captures = {square for words in heard for square in re.findall(r"Capture in (..)", words)}
    turns = [t for t in session.result.turns if t.player != side]
    moves = {game.actions[a] for t in turns for a in (t.action, *t.refused)}
    listed = {m for line in re.findall(r"(?m)^Open to you: (.*)$", after) for m in line.split()}
    after = re.sub(r"like Qd1|Qd1 +(what )?a move", "", after)  # what help says
    asked = set(re.findall(r"\b[KQ][a-d][1-4]\b", after))
    assert asked <= mine | listed  # no move but the person's own
    assert set(re.findall(r"\bin ([a-d][1-4])\b", after)) <= captures
    end = capsys.readouterr().out
    assert all(game.actions[t.action] in end for t in turns)  # then all of it is shown
    assert moves
    assert "The last position:" in end
