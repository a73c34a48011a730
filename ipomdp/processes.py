"""Processes that do not outlive whoever started them."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1
"""Its number in Linux."""
_CONTROL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def die_with_parent() -> None:
    """Ask Linux to end this process with whoever started it, even in native code that never ends.

    It takes no lock, so that it may run between fork and exec.
    """
    if _CONTROL is not None:
        _CONTROL(PR_SET_PDEATHSIG, int(signal.SIGKILL))
