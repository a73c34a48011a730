"""Boards valued by any chess engine that speaks UCI, as another process.

The protocol: https://www.chessprogramming.org/UCI. An engine that cannot be used is found out when
it is started, before a game is.
"""

from __future__ import annotations

import queue
import re
import shlex
import subprocess
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

import numpy as np

from ipomdp.errors import EngineFailed, InvalidInput
from ipomdp.game import FloatArray
from ipomdp.processes import die_with_parent
from ipomdp.quoting import printable, shown
from ipomdp.wild16.bits import SIZES, Bits
from ipomdp.wild16.evaluate import MATE
from ipomdp.wild16.words import fen_of

DEPTH = 1
"""Plies that the engine looks ahead, beside its own quiescence."""
PATIENCE = 10.0
"""Seconds for one answer."""
LONGEST_LINE = 1 << 16
SURE = MATE - 1000
"""No value but that of a mate is further from zero."""
SETTINGS = {"Threads": 1, "Hash": 1}
"""What makes an engine answer the same every time, and start quickly, if it has such options."""


class UciEngine:
    """A chess engine in a process of its own, which ends with this object."""

    def __init__(self, command: str, *, depth: int = DEPTH, patience: float = PATIENCE) -> None:
        self.command = command
        self._depth, self._patience = depth, patience
        self._process = _started(command)
        self._heard: queue.Queue[str | None] = queue.Queue(maxsize=1000)
        """Lines of the engine; ``None`` after the last."""
        self.close = weakref.finalize(self, _ended, self._process, self._heard)
        """Ends the process; harmless the second time."""
        line = (self._process.stdout, self._heard)
        threading.Thread(target=_listen, args=line, daemon=True).start()
        try:
            self._greet()
        except EngineFailed as failed:
            self.close()
            raise InvalidInput(
                f"engine {shown(command)} is not a UCI engine: {failed}; expected a program like "
                'stockfish or "gnuchess -u"'
            ) from None

    def evaluate(self, boards: Bits, k: int) -> FloatArray:
        """Return the value of each board for its side to move, in centipawns.

        A mate in n moves is worth ``MATE - 2 * n``. The game must not be over on any of them.
        """
        if SIZES[k] != 8:
            raise InvalidInput(
                f"engine {shown(self.command)}: plays on 8x8, not on {SIZES[k]}x{SIZES[k]}"
            )
        try:
            self._ask("ucinewgame")  # what it remembers must not change what it says
            self._ready()
            return np.array([self._value(fen_of(board, k)) for board in boards], dtype=np.float64)
        except EngineFailed as failed:
            raise EngineFailed(f"engine {shown(self.command)}: {failed}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _value(self, fen: str) -> float:
        """Return the last value that the engine names before its move."""
        self._ask(f"position fen {fen} 0 1\ngo depth {self._depth}")
        value: float | None = None
        deadline = time.monotonic() + self._patience
        try:
            while not (line := self._line(deadline)).startswith("bestmove"):
                found = _score(line)
                value = value if found is None else found
        except EngineFailed as failed:
            raise EngineFailed(f"{failed}, asked for {fen}") from None
        if value is None:
            raise EngineFailed(f"it names no value for {fen}")
        return value

    def _greet(self) -> None:
        """Exchange the first words of the protocol, and set what there is to set."""
        self._ask("uci")
        deadline, settings = time.monotonic() + self._patience, []
        while (line := self._line(deadline)).strip() != "uciok":
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                if name in SETTINGS:
                    settings.append(f"setoption name {name} value {SETTINGS[name]}")
        for setting in settings:
            self._ask(setting)
        self._ready()

    def _ready(self) -> None:
        self._ask("isready")
        deadline = time.monotonic() + self._patience
        while self._line(deadline).strip() != "readyok":
            pass

    def _ask(self, words: str) -> None:
        """Send lines; a process that is gone is noticed when its answer is awaited."""
        stdin = self._process.stdin
        with suppress(OSError):
            if stdin is not None:
                stdin.write(words + "\n")
                stdin.flush()

    def _line(self, deadline: float) -> str:
        """Return the next line that the engine says until a moment."""
        try:
            line = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise EngineFailed(f"it did not answer within {self._patience:g} s") from None
        if line is None:
            self._heard.put(None)  # it stays ended
            code = self._process.wait()
            raise EngineFailed(f"it ended with exit code {code}")
        if time.monotonic() > deadline:  # it talks, but not to the point
            raise EngineFailed(f"it did not answer within {self._patience:g} s")
        return line


def _started(command: str) -> subprocess.Popen[str]:
    """Start the program that a path or a command line names; one that cannot be is an error."""
    try:
        words = [command] if Path(command).is_file() else shlex.split(command)
    except ValueError as error:
        raise InvalidInput(f"engine {shown(command)}: {str(error).lower()}") from None
    if not words:
        raise InvalidInput(f"engine {shown(command)}: expected the path of a UCI engine")
    try:
        return subprocess.Popen(  # noqa: S603
            words, preexec_fn=die_with_parent,  # noqa: PLW1509 - some play on after their input ends
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError) as error:  # a ValueError where the path holds a null character
        problem = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(
            f"engine {shown(command)} cannot be started ({printable(str(problem)).lower()}); "
            "expected the path of a UCI engine"
        ) from None


def _listen(stdout: IO[str], heard: queue.Queue[str | None]) -> None:
    """Pass on what the engine says until it ends."""
    with stdout:
        while line := stdout.readline(LONGEST_LINE):
            heard.put(line)
    heard.put(None)


def _ended(process: subprocess.Popen[str], heard: queue.Queue[str | None]) -> None:
    """Ask an engine to end, and make it; whatever it still said is thrown away."""
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.write("quit\n")
            process.stdin.close()
    try:
        process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    with suppress(queue.Empty):  # a child of it may keep the line open
        while heard.get(timeout=0.5) is not None:
            pass


def _score(line: str) -> float | None:
    """Return the value that a line of information tells; ``None`` if none, or but a bound."""
    words = line.split()
    if words[:1] != ["info"] or "score" not in words:
        return None
    at = words.index("score")
    kind, number, bound = [*words[at + 1 : at + 4], "", "", ""][:3]
    if bound in ("lowerbound", "upperbound") or not re.fullmatch(r"[+-]?[0-9]{1,9}", number):
        return None
    if kind == "mate":
        moves = int(number)
        return float(MATE - 2 * moves if moves > 0 else -MATE - 2 * moves)
    return float(np.clip(int(number), -SURE, SURE)) if kind == "cp" else None
