"""What the server's referee says of wild 16, line by line, and what it means.

The announcements are those of the Internet Chess Club's help on Kriegspiel. The lines around a game
are the ones that its clients look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ipomdp.wild16.referee import CAPTURED, CHECK, ENDING, SECOND_CHECK, SQUARE
from ipomdp.wild16.words import ENDINGS, TAKEN, square_name, square_of

ILLEGAL = "Illegal move"
SILENT = "Nothing"
"""Said in a list, where there must be a word; in a game, silence is silence."""
KIND = "wild/16"

_LINES = ("", "File", "Rank", "Long-diagonal", "Short-diagonal", "Knight")
_CAPTURE = re.compile(r"(pawn|piece) at ([a-h][1-8]) captured", re.IGNORECASE)
_CHECK = re.compile(r"(file|rank|long[- ]diagonal|short[- ]diagonal|knight) check", re.IGNORECASE)
_TRIES = re.compile(r"([0-9]{1,2}) pawn tr(?:y|ies)", re.IGNORECASE)
_TURN = re.compile(r"(white|black)'s move", re.IGNORECASE)
_ENDED = re.compile(
    r"\{Game ([0-9]{1,9}) \((\S{1,40}) vs\. (\S{1,40})\) (.*)\}\s*(1-0|0-1|1/2-1/2|\*)\s*(?:\S.*)?"
)
_MOST_TRIES = 31


def spoken(said: int) -> tuple[str, ...]:
    """Return the lines of an announcement; none for silence."""
    lines = []
    if taken := TAKEN[(said >> CAPTURED) & 3]:
        lines.append(f"{taken} at {square_name((said >> SQUARE) & 63)} captured")
    checks = (_LINES[(said >> field) & 7] for field in (CHECK, SECOND_CHECK))
    lines += [f"{line} check" for line in checks if line]
    if ending := ENDINGS[(said >> ENDING) & 3]:
        lines.append(ending)
    if tries := said & 31:
        lines.append(f"{tries} pawn {'try' if tries == 1 else 'tries'}")
    return tuple(lines)


def announced(line: str) -> tuple[str, ...] | None:
    """Return the parts of a line that announces something; ``None`` for any other line.

    Whose move it is is announced too, and is no part.
    """
    parts = tuple(part.strip() for part in re.split(r"[;,]", line.strip().rstrip(".")))
    known = (_CAPTURE, _CHECK, _TRIES, _TURN)
    if not all(any(p.fullmatch(part) for p in known) or part in ENDINGS[1:] for part in parts):
        return None
    return tuple(part for part in parts if not _TURN.fullmatch(part))


def said_in(parts: Iterable[str]) -> int:
    """Return the number of an announcement from its parts; a contradiction is a ``ValueError``."""
    said, checks, seen = 0, list[int](), set[str]()
    for part in parts:
        if capture := _CAPTURE.fullmatch(part):
            field = "capture"
            said |= TAKEN.index(capture[1].capitalize()) << CAPTURED
            said |= square_of(capture[2].lower()) << SQUARE
        elif check := _CHECK.fullmatch(part):
            checks.append(_LINES.index(check[1].capitalize().replace(" ", "-")))
            field = f"check {len(checks)}"
        elif tries := _TRIES.fullmatch(part):
            said, field = said | int(tries[1]), "tries"
            if int(tries[1]) > _MOST_TRIES:
                raise ValueError(f"too many pawn tries: {part}")
        elif part in ENDINGS[1:]:
            said, field = said | ENDINGS.index(part) << ENDING, "ending"
        else:
            raise ValueError(f"not an announcement: {part[:40]!r}")
        if field in seen or len(checks) > 2:
            raise ValueError(f"said twice: {part}")
        seen.add(field)
    for start, line in zip((CHECK, SECOND_CHECK), sorted(checks), strict=False):
        said |= line << start
    return said


_REASONS = {
    "checkmate": "{loser} checkmated",
    "stalemate": "Game drawn by stalemate",
    "draw": "Neither player has mating material",
    "agreed": "Game drawn by mutual agreement",
    "length": "Game drawn because of its length",
    "resigned": "{loser} resigns",
    "time": "{loser} forfeits on time",
    "crash": "{loser} forfeits by disconnection",
    "unfinished": "Game aborted on move 1",
}
_KEYWORDS = (
    ("checkmate", "checkmate"), ("stalemate", "stalemate"), ("material", "draw"),
    ("agree", "agreed"), ("length", "length"), ("resign", "resigned"), ("time", "time"),
    ("disconnect", "crash"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """How a server says that a game ended."""

    number: int
    winner: int | None
    reason: str
    """As in ``GameResult``."""


def end_line(number: int, names: tuple[str, str], winner: int | None, reason: str) -> str:
    """Return the line that ends a game."""
    loser = names[1 - winner] if winner is not None else ""
    score = "1/2-1/2" if winner is None else ("1-0", "0-1")[winner]
    score = "*" if reason == "unfinished" else score
    words = _REASONS[reason].format(loser=loser)
    return f"{{Game {number} ({names[0]} vs. {names[1]}) {words}}} {score}"


def end_in(line: str) -> GameEnd | None:
    """Return what a line says of the end of a game; ``None`` for any other line."""
    found = _ENDED.fullmatch(line.strip())
    if found is None or found[4].startswith(("Creating ", "Continuing ")):
        return None
    winner = {"1-0": 0, "0-1": 1}.get(found[5])
    words = found[4]
    for name in (found[2], found[3]):
        words = words.removeprefix(f"{name} ")  # a name is no reason
    reason = next((r for key, r in _KEYWORDS if key in words.lower()), "")
    if found[5] == "*":
        reason = "unfinished"
    elif not reason:
        reason = "draw" if winner is None else "resigned"
    return GameEnd(number=int(found[1]), winner=winner, reason=reason)


def start_line(number: int, names: tuple[str, str], *, again: bool = False) -> str:
    """Return the line that starts a game, or goes on with one."""
    verb = "Continuing" if again else "Creating"
    return f"{{Game {number} ({names[0]} vs. {names[1]}) {verb} unrated {KIND} match.}}"
