"""Values as messages show them: the way a scenario file writes them, on one line, not too long."""

from __future__ import annotations

import json
import math
from datetime import date, time

LONGEST = 60
"""Characters of a value that a message quotes."""


def shown(value: object) -> str:
    """Return a value as TOML writes it: ``true``, ``"Qd1"``, ``["Qd1", 2]``, ``1979-05-27``."""
    if isinstance(value, list | tuple):
        items = value[:LONGEST]  # the cut leaves room for fewer
        return cut(f"[{', '.join(map(_inside, items))}]")
    return "a table" if isinstance(value, dict) else cut(_plain(value))


def cut(text: str) -> str:
    """Return a text, its end left out where it is too long to quote."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def printable(text: str) -> str:
    """Return a text without control characters, which could rewrite a terminal; lines stay."""
    kept = (c if c.isprintable() or c == "\n" else " " if c.isspace() else "" for c in text)
    return "".join(kept)


def _inside(value: object) -> str:
    """Return an item of a list; lists within lists can be deep and are not opened."""
    if isinstance(value, list | tuple):
        return "[...]"
    return "{...}" if isinstance(value, dict) else _plain(value)


def _plain(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() if value.bit_length() > 200:  # Python itself refuses to print the longest
            return f"an integer of about {math.ceil(value.bit_length() * math.log10(2))} digits"
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value[: LONGEST + 1], ensure_ascii=False)
        case date() | time():  # a datetime is a date too
            return value.isoformat().replace("+00:00", "Z")
        case _:
            return repr(value)
