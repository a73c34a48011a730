"""Level-1 units, ``[command-number player message]``: where a message starts, ends, and why.

"The Dark Side of the Chessboard", section 5, gives the form and the numbers below. On the wire
Ctrl-Y stands before either bracket, so that brackets in a message end nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BEGIN, END = "\x19[", "\x19]"

OTHER = 0
"""Anything that has no number of its own here."""
MOVE, DISCONNECTED, TELL, FORFEIT, SAY = 2, 19, 101, 108, 110
ISSUING, ACCEPTED, DRAW, RESIGN = 121, 123, 207, 208

_WRITTEN = re.compile(
    r"\x19?\[(?P<number>[0-9]{1,4}) (?P<player>\S{1,40})(?:[ \n](?P<message>.*?))?\n?\x19?\]",
    re.DOTALL,
)
_HEADER = re.compile(r"\x19\[([0-9]{1,4}) (\S{1,40})(?: (.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unit:
    """One message of the server."""

    number: int
    """What kind of message it is."""
    player: str
    """Whom it comes from."""
    message: str
    """Its lines."""


def encode(unit: Unit) -> str:
    """Return a unit as it is sent."""
    return f"{BEGIN}{unit.number} {unit.player}\n{unit.message}\n{END}"


def decode(text: str) -> Unit | None:
    """Return the unit behind a text, with the marks or as the paper prints it; ``None`` if none."""
    written = _WRITTEN.fullmatch(text)
    if written is None:
        return None
    return Unit(int(written["number"]), written["player"], written["message"] or "")


def header(line: str) -> Unit | None:
    """Return the beginning of a unit, with what of its message stands in the same line."""
    found = _HEADER.fullmatch(line)
    return Unit(int(found[1]), found[2], found[3] or "") if found else None
