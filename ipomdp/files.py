"""Files to write: refused before anything is computed where they cannot be, with the reason."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ipomdp.errors import InvalidInput

PICTURES = (".png", ".svg", ".pdf")
NETWORKS = (".bif", ".xmlbif", ".xml")


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file whose ending names no format we write."""
    if path.suffix.lower() not in endings:
        raise InvalidInput(f"{path}: unknown ending; expected {' or '.join(endings)}")


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written."""
    with writing(path):
        if path.is_dir():
            raise InvalidInput(f"{path}: a directory; expected the name of a file to write")
        if not path.parent.is_dir():
            raise InvalidInput(f"{path}: cannot be written: there is no folder {path.parent}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says about a file being written into one line for the user."""
    try:
        yield
    except PermissionError:
        raise InvalidInput(f"{path}: cannot be written: no permission") from None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be written: {error.strerror or error}") from None
