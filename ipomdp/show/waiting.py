"""A spinner on stderr for what may take longer than a second."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from rich.console import Console

PATIENCE = 1.0
"""Seconds until the spinner turns."""
COMPILING = "What runs for the first time is compiled, which may take a minute."


@contextmanager
def waiting(what: str, hint: str = "", hint_after: float = 3.0) -> Iterator[None]:
    """Show a spinner on a terminal while the body runs, and a hint if it takes still longer."""
    console = Console(stderr=True, markup=False, highlight=False)
    done = threading.Event()

    def watch() -> None:
        if done.wait(PATIENCE):
            return
        with console.status(what) if console.is_terminal else nullcontext():
            if hint and not done.wait(hint_after):
                console.print(hint)
            done.wait()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
