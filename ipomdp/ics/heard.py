"""All that a side did and heard, as our server lists it for one who comes back to a game.

Boards of style 12 alone do not say what the referee said in the meantime. Other servers know no
such list; on the Internet Chess Club a Kriegspiel game that is left is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ipomdp.game import BoardGame
from ipomdp.ics.words import ILLEGAL, SILENT, said_in, spoken
from ipomdp.seats.hearing import Hearing

COMMAND = "heard"
NOTHING = "You have heard nothing: you are in no game."
_HEAD = re.compile(r"Heard in game ([0-9]{1,9}) \(([0-9]{1,6})\):")
_ENTRY = re.compile(r":(-|[a-h][1-8][a-h][1-8][nbrq]?) (.+)")


def listed(number: int, game: BoardGame, hearings: Sequence[Hearing]) -> list[str]:
    """Return the lines of a list."""
    return [f"Heard in game {number} ({len(hearings)}):", *(_line(game, h) for h in hearings)]


def _line(game: BoardGame, hearing: Hearing) -> str:
    name = "-" if hearing.action is None else game.actions[hearing.action]
    if hearing.heard is None:
        return f":{name} {ILLEGAL}"
    return f":{name} {'; '.join(spoken(hearing.heard)) or SILENT}"


def head(line: str) -> tuple[int, int] | None:
    """Return the number of the game and of the entries that a line announces."""
    found = _HEAD.fullmatch(line.strip())
    return (int(found[1]), int(found[2])) if found else None


def entries(lines: Iterable[str], game: BoardGame) -> tuple[Hearing, ...]:
    """Return what a list holds; what cannot be read is a ``ValueError``."""
    return tuple(_entry(line, game) for line in lines if line.startswith(":"))


def _entry(line: str, game: BoardGame) -> Hearing:
    found = _ENTRY.fullmatch(line.strip())
    if found is None:
        raise ValueError(f"not an entry: {line[:60]!r}")
    name, words = found.groups()
    action = None if name == "-" else game.actions.index(name)
    if words == ILLEGAL:
        return Hearing(action=action, heard=None)
    return Hearing(action=action, heard=0 if words == SILENT else said_in(words.split("; ")))
