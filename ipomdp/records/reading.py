"""Files with games: JSON, JSON in lines, or PGN; what cannot be used is told, the rest is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.records.game_record import GameRecord
from ipomdp.records.pgn import read_pgn
from ipomdp.records.pgn_text import split_text
from ipomdp.records.replaying import read_record

LINES = (".jsonl", ".ndjson")
"""Endings of files that hold a game in each line."""
PGN = ".pgn"
_MARK = b"\xef\xbb\xbf"
"""Some editors write it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A game in a file, not yet read."""

    where: str
    """The file, and the line in it where there are several."""
    text: bytes
    whole: bool
    """Whether it is all of the file."""
    pgn: bool

    def read(self, game: BoardGame | None = None) -> GameRecord:
        """Return the game; what is wrong with it is an error that names the place."""
        try:
            if self.pgn:
                return read_pgn(_decoded(self.text), game)
            content = _parsed(self.text, whole=self.whole)
            if isinstance(content, dict) and isinstance(content.get("record"), dict):
                content = content["record"]  # beside what an arena knows of it
            return read_record(content, game)
        except InvalidInput as error:
            raise InvalidInput(f"{self.where}: {error}") from None


def read_records(
    path: Path, game: BoardGame | None = None, advance: Callable[[int], object] = lambda _: None
) -> tuple[list[GameRecord], list[str]]:
    """Return the games in a file, and what is wrong with those left out; each names its place."""
    good: list[GameRecord] = []
    problems: list[str] = []
    for entry in entries(path):
        try:
            good.append(entry.read(game))
        except InvalidInput as error:
            problems.append(str(error))
        advance(1)
    return good, problems


def entries(path: Path) -> list[Entry]:
    """Return the games in a file, with where they stand; a file without any is an error."""
    return entries_in(str(path), _bytes(path))


def entries_in(name: str, content: bytes) -> list[Entry]:
    """Return the games in what a file of that name holds."""
    whole, ending = content.removeprefix(_MARK), PurePath(name).suffix.lower()
    pgn = ending == PGN
    lines = [(k, t) for k, t in enumerate(whole.splitlines(), start=1) if t.strip()]
    parts = split_text(whole) if pgn else lines
    if not parts:
        expected = "a game as PGN" if pgn else "a game as JSON, or one in each line"
        raise InvalidInput(f"{name}: empty; expected {expected}")
    if pgn or ending in LINES or any(_is_game(text) for _, text in parts):
        return [Entry(where=f"{name}, line {k}", text=t, whole=False, pgn=pgn) for k, t in parts]
    return [Entry(where=name, text=whole, whole=True, pgn=False)]


def _is_game(line: bytes) -> bool:
    """Return whether a line holds a game by itself."""
    try:
        content = _parsed(line)
    except InvalidInput:
        return False
    return isinstance(content, dict) and not {"start", "moves", "record"}.isdisjoint(content)


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise InvalidInput("not text; expected a game") from None


def _parsed(text: bytes, *, whole: bool = False) -> object:
    """Return what a text holds; errors name the line if it is a whole file."""
    try:
        return json.loads(_decoded(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, " if whole else ""
        raise InvalidInput(f"not valid JSON ({place}column {error.colno}): {error.msg}") from None
    except ValueError:  # Python's own limit
        raise InvalidInput("not valid JSON: a number has too many digits") from None
    except RecursionError:
        raise InvalidInput("not a game: nested too deeply") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidInput(f"{path}: no such file; expected records of games") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: a directory; expected records of games") from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{path}: cannot be read: {reason}") from None
