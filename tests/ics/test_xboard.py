"""A client that nobody here wrote: xboard, on a display that nobody looks at."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import chess
import pytest

from ipomdp.ics.hall import Limits
from tests.ics.wires import serving

SEARCHED = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
PROGRAMS = {name: shutil.which(name, path=SEARCHED) for name in ("xboard", "Xvfb", "xdotool")}
MISSING = [name for name, found in PROGRAMS.items() if found is None]
SQUARE = 65
"""Pixels of a square on a board of medium size."""

pytestmark = pytest.mark.skipif(
    bool(MISSING) and not os.environ.get("CI"),
    reason=f"not installed: {', '.join(MISSING)} (in CI this fails)",
)


@pytest.fixture
def display() -> Iterator[str]:
    """Start a display that takes a free number itself."""
    assert not MISSING, f"not installed: {', '.join(MISSING)}"
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [str(PROGRAMS["Xvfb"]), "-displayfd", str(writing), "-screen", "0", "1024x768x24",
         "-nolisten", "tcp"],
        pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()
    assert number, "Xvfb does not start"
    yield f":{number}"
    server.terminate()
    server.wait(timeout=30)


class Xboard:
    """The program, what is typed to it, and what it says of what it understands."""

    def __init__(
        self, process: asyncio.subprocess.Process, debug: Path, env: dict[str, str]
    ) -> None:
        self._process, self._debug, self._env = process, debug, env

    async def type(self, line: str) -> None:
        """Type a line to the server, in the terminal that xboard was started from."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()

    def said(self) -> str:
        """Return what xboard has noted of what it sent, received and understood."""
        return self._debug.read_text(errors="replace") if self._debug.exists() else ""

    async def until(self, text: str, times: int = 1) -> None:
        """Wait until xboard has noted something so often."""
        while self.said().count(text) < times:
            assert self._process.returncode is None, f"xboard has ended: {self.said()[-2000:]}"
            await asyncio.sleep(0.05)

    async def drag(self, move: str) -> None:
        """Make a move with the mouse: the board is at the lower left end of xboard's window."""
        window = (await self._xdotool("search", "--onlyvisible", "--name", "vs|alice")).split()[0]
        shape = await self._xdotool("getwindowgeometry", "--shell", window)
        size = dict(line.split("=") for line in shape.split())
        bottom = int(size["HEIGHT"]) - 2
        for square in (move[:2], move[2:]):
            across = 2 + SQUARE * "abcdefgh".index(square[0]) + SQUARE // 2
            down = bottom - SQUARE * int(square[1]) + SQUARE // 2
            await self._xdotool(
                "mousemove", "--window", window, str(across), str(down), "click", "1"
            )
            await asyncio.sleep(0.5)

    async def _xdotool(self, *words: str) -> str:
        done = await asyncio.create_subprocess_exec(
            str(PROGRAMS["xdotool"]), *words, env=self._env, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await done.communicate()
        return out.decode()


@contextlib.asynccontextmanager
async def xboard(display: str, port: int, home: Path) -> AsyncIterator[Xboard]:
    """Run xboard as a client of a server on this machine."""
    debug = home / "xboard.debug"
    env = {**os.environ, "HOME": str(home), "DISPLAY": display, "LC_ALL": "C"}
    process = await asyncio.create_subprocess_exec(
        str(PROGRAMS["xboard"]), "-ics", "-icshost", "127.0.0.1", "-icsport", str(port),
        "-debug", "-nameOfDebugFile", str(debug), "-icslogon", "", "-boardSize", "medium",
        "-soundProgram", "true", "-popupMoveErrors", "false", "-premove", "false",
        env=env, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield Xboard(process, debug, env)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def test_xboard_plays_kriegspiel_against_the_house(display: str, tmp_path: Path) -> None:
    async def play() -> tuple[str, list[str]]:
        async with (
            serving("random", limits=Limits(longest=200), seed=4) as (server, port),
            xboard(display, port, tmp_path) as board,
        ):
            await board.until("login:")
            await board.type("alice")
            await board.until("password:")
            await board.type("secret")
            await board.until("style 12")
            await board.type("match random white wild 16")
            await board.until("recognized as kriegspiel")
            for n, move in enumerate(("e2e4", "g1f3", "f1e2"), start=1):
                await board.type(move)
                await board.until(f"(0:00) {move} 0")
                await board.until("(0:00) none 0\n", times=n + 1)
            await board.type("e2e5")
            await board.until("Illegal move (e2e5)")
            await board.drag("e1g1")
            await board.until("(0:00) none 0\n", times=6)  # the start, a refusal, and four replies
            await board.drag("a2a3")
            await board.until(" a2a3 0")
            await board.type("resign")
            await board.until("alice resigns} 0-1")
            await board.until("GameEnds(")
            (game,) = server.hall.played
            assert game.table.result is not None and game.table.result.reason == "resigned"
            own = [t.action for t in game.table.result.turns if t.player == 0]
            return board.said(), [game.table.game.actions[action] for action in own]

    said, own = asyncio.run(play())
    assert own == ["e2e4", "g1f3", "f1e2", "e1g1", "a2a3"]
    boards = [line.split()[2:] for line in said.splitlines() if line.startswith("Parsing board: ")]
    assert len(boards) >= 2 * len(own)
    for ranks in (board[:8] for board in boards):
        assert not set("".join(ranks)) & set("pnbrqk"), "xboard was sent Black's pieces"
    shown = chess.Board(None)
    for square, letter in zip(
        (s for rank in range(7, -1, -1) for s in range(8 * rank, 8 * rank + 8)),
        "".join(boards[0][:8]),
        strict=True,
    ):
        if letter != "-":
            shown.set_piece_at(square, chess.Piece.from_symbol(letter))
    assert shown.occupied_co[chess.WHITE] == chess.Board().occupied_co[chess.WHITE]
    assert "Failed to parse" not in said
