"""The folder of an arena: its settings, and every finished game in a line, written at once."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import BinaryIO

from ipomdp.arena.finished import Finished, read_line
from ipomdp.arena.plan import PAIRS, Pairing, Plan
from ipomdp.errors import InvalidInput
from ipomdp.files import writing
from ipomdp.quoting import shown

SETTINGS, GAMES = "arena.json", "games.jsonl"

Games = dict[tuple[Pairing, int], Finished]
"""The finished games, by pairing and number."""


def open_folder(folder: Path, plan: Plan) -> None:
    """Make the folder of a plan, or find it; one that is another plan's is refused."""
    file = folder / SETTINGS
    if file.exists():
        _compare(file, read_plan(folder), plan)
        return
    if (folder / GAMES).exists():
        raise InvalidInput(f"{folder}: has {GAMES} but no {SETTINGS}; expected a new folder")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"{SETTINGS}.new"
        draft.write_text(json.dumps(asdict(plan), indent=2) + "\n")
        draft.replace(file)  # whole or not at all


def read_plan(folder: Path) -> Plan:
    """Return the settings with which the games of a folder are played."""
    file = folder / SETTINGS
    try:
        content = json.loads(file.read_bytes())
        plan = Plan(**{**content, "players": tuple(map(str, content["players"]))})
        plan.check()
        good = plan.pairs in PAIRS and type(plan.seed) is int and type(plan.longest) is int
        good = good and isinstance(plan.engine, str | None)
        if not good or not isinstance(plan.seconds, int | float | None):
            raise ValueError  # noqa: TRY301 - the same words
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidInput(f"{folder}: no {SETTINGS} in it; expected an arena's folder") from None
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, InvalidInput):
        raise InvalidInput(f"{file}: broken; expected the settings of an arena") from None
    return plan


def _compare(file: Path, there: Plan, plan: Plan) -> None:
    """Refuse settings that differ, naming the first that does."""
    for field in fields(Plan):
        old, new = getattr(there, field.name), getattr(plan, field.name)
        if old != new:
            was, now = ("none" if value is None else shown(value) for value in (old, new))
            raise InvalidInput(
                f"{file.parent}: made with other settings: {field.name} {was} there, {now} here; "
                "expected the same, or another folder"
            )


def read_games(folder: Path, plan: Plan, complain: Callable[[str], object]) -> Games:
    """Return the games finished so far; lines that hold none are complained about."""
    file, games = folder / GAMES, Games()
    try:
        lines = file.read_bytes().split(b"\n") if file.exists() else []
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror or error}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            game = read_line(line, plan)
            if (game.pairing, game.number) in games:
                raise InvalidInput(f"game {game.number} of this pairing stands there already")  # noqa: TRY301
        except InvalidInput as error:
            complain(f"left out: {file}, line {number}: {error}")
        else:
            games[game.pairing, game.number] = game
    return games


@contextmanager
def appending(folder: Path) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Return what adds lines to the games of a folder and comes back when they are on the disk."""
    file = folder / GAMES
    with writing(file):
        games = file.open("ab+")
    with games:
        try:
            fcntl.flock(games, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidInput(f"{folder}: another arena is playing into it now") from None
        with writing(file):
            _end_line(games)

        def append(lines: Sequence[bytes]) -> None:
            with writing(file):
                games.write(b"".join(lines))
                games.flush()
                os.fsync(games.fileno())

        yield append


def _end_line(games: BinaryIO) -> None:
    """End a line that was cut short, so that the next game does not go on in it."""
    if games.seek(0, os.SEEK_END):
        games.seek(-1, os.SEEK_END)
        if games.read(1) != b"\n":
            games.write(b"\n")
