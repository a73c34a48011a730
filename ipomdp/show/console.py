"""What every command prints and writes, and how."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from ipomdp.commands.options import naming
from ipomdp.files import writing
from ipomdp.quoting import printable


def show(print_on: Callable[[Console], None]) -> None:
    """Print tables; in a file or a pipe without the spaces that fill up their lines."""
    console = Console(markup=False, highlight=False, emoji=False)
    if console.is_terminal:
        print_on(console)
        return
    print(as_text(console, print_on), end="")  # noqa: T201


def as_text(console: Console, print_on: Callable[[Console], None]) -> str:
    """Return tables as a file holds them."""
    with console.capture() as captured:
        print_on(console)
    return re.sub(r" +$", "", captured.get(), flags=re.MULTILINE)


def busy(what: str) -> Any:  # noqa: ANN401 - rich's status, a context manager
    """Return a spinner on stderr for what may take longer than a second."""
    return Console(stderr=True, markup=False).status(what)


def write(option: str, path: Path, write_to: Callable[[Path], object]) -> None:
    """Write a file and say so on stderr."""
    with naming(option), writing(path):
        write_to(path)
    print(f"wrote {printable(str(path))}", file=sys.stderr)  # noqa: T201


def print_json(content: dict[str, Any]) -> None:
    """Print data at full precision."""
    print(as_json(content), end="")  # noqa: T201


def as_json(content: dict[str, Any]) -> str:
    """Return data as a file holds it."""
    return json.dumps(content, indent=2, allow_nan=False) + "\n"
