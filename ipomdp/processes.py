"""Processes that do not outlive whoever started them, nor their own end."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import NoReturn

PR_SET_PDEATHSIG = 1
"""Its number in Linux."""
_CONTROL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def die_with_parent() -> None:
    """Ask Linux to end this process with whoever started it, even in native code that never ends.

    It takes no lock, so that it may run between fork and exec.
    """
    if _CONTROL is not None:
        _CONTROL(PR_SET_PDEATHSIG, int(signal.SIGKILL))


def leave(code: int) -> NoReturn:
    """End this process now, though threads are at work on what nobody needs any more.

    Python would wait for them: for a player that thinks about a move as long as a minute.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by the shell
            stream.flush()
    os._exit(code)
