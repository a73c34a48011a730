"""A process that plays games, watched from outside: it may die or hang without doing harm."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from ipomdp.arena.clock import allowed
from ipomdp.arena.plan import Job
from ipomdp.arena.worker import PULSE, READY, job_text

MARGIN = 30.0
"""Seconds beyond twice what a call may take after which the process is taken to hang."""
LONGEST_CALL = 3600.0
"""The same where players have no time limit."""
LONGEST_START = 300.0
"""The same while it loads and compiles."""
ONE_THREAD = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM", "NUMBA")
}  # fmt: skip


class GameProcess:
    """A process of its own for one game after the other."""

    def __init__(self, *, margin: float = MARGIN) -> None:
        self.job: Job | None = None
        """The game it is in."""
        self.ready = False
        """Whether it has started well."""
        self._margin, self._since, self._text = margin, time.monotonic(), b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        with tempfile.TemporaryFile() as file:
            file.truncate(PULSE.size)
            self._pulse = mmap.mmap(file.fileno(), PULSE.size)
            PULSE.pack_into(self._pulse, 0, self._since, -1)
            path = os.pathsep.join(part or str(Path.cwd()) for part in sys.path)
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-P", "-m", "ipomdp.arena.worker", str(file.fileno())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
                pass_fds=(file.fileno(),),
                start_new_session=True,  # an interrupt typed at the terminal is for us alone
            )  # fmt: skip

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def fileno(self) -> int:
        """Return what to wait for."""
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        return self._process.stdout.fileno()

    def begin(self, job: Job) -> None:
        """Start a game; ``read`` brings it in the end."""
        assert self._process.stdin is not None  # noqa: S101 - a pipe
        self.job, self._since = job, time.monotonic()
        with suppress(BrokenPipeError):  # it has died, which ``read`` will tell
            self._process.stdin.write(job_text(job))
            self._process.stdin.flush()

    def read(self) -> bytes | None:
        """Return the line of a finished game, an empty one if there is none yet, ``None`` if dead.

        To be called when ``fileno`` has something to tell.
        """
        part = os.read(self.fileno(), 1 << 20)
        if not part:
            return None
        self._text += part
        if not self.ready and self._text.startswith(READY):
            self.ready, self._text = True, self._text.removeprefix(READY)
        if not self._text.endswith(b"\n"):
            return b""
        line, self._text = self._text, b""
        return line

    def hangs(self) -> bool:
        """Return whether the present call takes longer than any limit explains."""
        since, who = self._last_call()
        if self.ready and self.job is None:
            return False
        limit = LONGEST_START
        if who in (0, 1) and self.job is not None:
            seconds = self.job.seconds
            limit = LONGEST_CALL if seconds is None else 2 * allowed(seconds) + self._margin
        return time.monotonic() - max(since, self._since) > limit

    def player(self) -> int | None:
        """Return in whose call the process is, or was when it died."""
        _, who = self._last_call()
        return None if who < 0 else who % 2

    def _last_call(self) -> tuple[float, int]:
        since, who = PULSE.unpack_from(self._pulse)
        return float(since), int(who)

    def stop(self) -> str:
        """Stop it, wherever it is, and return how it ended."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # with the engines it has started
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._pulse.close()
        self._errors.seek(0)
        said = self._errors.read()[-2000:].decode(errors="replace").strip()
        self._errors.close()
        words = f"code {code}" if code >= 0 else signal.Signals(-code).name
        return words if self.ready or not said else f"{words}: {said.splitlines()[-1]}"
