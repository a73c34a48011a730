"""A spinner on stderr for what may take longer than a second."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from rich.console import Console

PATIENCE = 1.0
"""Seconds until the spinner turns."""


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show a spinner on a terminal while the body runs."""
    console = Console(stderr=True, markup=False, highlight=False)
    done = threading.Event()

    def watch() -> None:
        if done.wait(PATIENCE):
            return
        with console.status(what) if console.is_terminal else nullcontext():
            done.wait()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
