"""Persons, players and advisers for the tests of games with a person."""

# ruff: noqa: D102 - what players do, their protocol says

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.saving import GameFile
from ipomdp.arena.session import Session
from ipomdp.commands import conversation
from ipomdp.commands.conversation import Conversation
from ipomdp.game import BoardGame, IntArray
from ipomdp.players.explanation import Explanation
from ipomdp.players.player import Advice, Player, Thinker, Worlds
from ipomdp.wild16.bridge import Bridge

PROMPT = re.compile(r"(White|Black), move \d+(, \d+ refused)?> $")
NOISE = (
    *("help", "board", "history", "moves", "belief", "advice", "belief q", "explain"),
    *("Qz9", "hello", ""),
)
Talk = subprocess.Popen[str]


class Scripted(Player):
    """Plays by what it was told alone, and remembers it."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.told: list[tuple[str, *tuple[int, ...]]] = [("begin", side, state)]

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:  # noqa: ARG002
        return int(random.Random(repr(self.told)).choice(list(tries)))  # noqa: S311

    def refused(self, action: int) -> None:
        self.told.append(("refused", action))

    def moved(self, action: int, heard: int) -> None:
        self.told.append(("moved", action, heard))

    def heard(self, heard: int) -> None:
        self.told.append(("heard", heard))


class Echo(Scripted, Thinker):
    """An adviser whose answers say what it was told."""

    def belief(self) -> Mapping[tuple[str, str], float]:
        return {("b2", "k"): random.Random(repr(self.told)).random()}  # noqa: S311

    def worlds(self) -> Worlds:
        start = Bridge(self.game).board(self.game.start)
        return Worlds(start[None], np.ones(1), exact=False)

    def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:  # noqa: ARG002
        rng = random.Random(repr(self.told))  # noqa: S311
        return tuple(
            Advice(action=int(a), value=rng.random(), legal=rng.random(), leak_bits=rng.random())
            for a in tries
        )

    def explain(self, action: int) -> Explanation:
        return Explanation(
            advice=self.advice(np.array([action]))[0], after_refusal=(), announcements=(), others=0
        )


class Mind:
    """A person who decides by what it has read alone: random tries among those listed."""

    def __init__(self, text: Callable[[], str], seed: int = 0, tries: int = 10**9) -> None:
        self.text, self.seed, self.left = text, seed, tries
        self.read = ""
        self.asked: list[str] = []
        """What it had read at each prompt."""

    def __call__(self, prompt: str) -> str:
        assert PROMPT.fullmatch(prompt), prompt
        new = self.text()
        self.read += new
        self.asked.append(self.read)
        typed = self._typed(new)
        self.read += f"{prompt}{typed}\n"
        return typed

    def _typed(self, new: str) -> str:
        listed = re.search(r"Open to you: (.+)", new)
        if not listed:
            return "moves"
        if self.left == 0:
            raise EOFError
        self.left -= 1
        rng = random.Random(f"{self.seed}{self.read}")  # noqa: S311
        move, noise = str(rng.choice(listed[1].split())), rng.choice(NOISE)
        if rng.random() < 0.7:
            return move
        return f"explain {move}" if noise == "explain" else noise


def talk(
    game: BoardGame, session: Session, mind: Mind, monkeypatch: pytest.MonkeyPatch,
    file: GameFile | None = None,
) -> None:  # fmt: skip
    monkeypatch.setattr(conversation, "ask", mind)
    Conversation(
        session, file or GameFile(game, session.side, "random"), against="random",
        adviser=lambda: Echo(game), rng=np.random.default_rng(0),
    ).run()  # fmt: skip


def talks() -> Iterator[Callable[..., Talk]]:
    """Yield what starts games in processes of their own; they end with the test."""
    started: list[Talk] = []

    def start(*arguments: str, cwd: Path | None = None) -> Talk:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "ipomdp", "play", *arguments], cwd=cwd, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        )  # fmt: skip
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until_prompt(process: Talk) -> str:
    """Return what a game prints until it waits for the person, or ends."""
    assert process.stdout is not None
    text = ""
    while not PROMPT.search(text):
        letter = process.stdout.read(1)
        if not letter:
            return text
        text += letter
    return text


def say(process: Talk, line: str) -> str:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return until_prompt(process)
