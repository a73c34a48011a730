"""The file in which a person's game is kept, and from which it goes on."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from ipomdp.arena.match import GameResult
from ipomdp.errors import InvalidInput
from ipomdp.files import check_ending, check_writable, writing
from ipomdp.game import BoardGame
from ipomdp.quoting import shown
from ipomdp.seats.table import UNFINISHED

SIDES = ("white", "black")
WARNING = "It holds both sides of the game: look into it after the end alone."


class GameFile:
    """Where a game is kept: nowhere, until a file is chosen."""

    def __init__(self, game: BoardGame, side: int, against: str, **more: object) -> None:
        """Keep a game of a person, as a side, against a player by its name."""
        self.path: Path | None = None
        self._game = game
        self._more: dict[str, Any] = {"person": SIDES[side], **more}
        self._names = {SIDES[side]: "person", SIDES[1 - side]: against}
        self._kept: GameResult | None = None

    def choose(self, path: Path, *, again: bool = False) -> None:
        """Keep the game in a file from now on: a new one, or ``again`` the one it came from."""
        check_ending(path, (".json",))
        check_writable(path)
        if path.exists() and not again and path != self.path:
            raise InvalidInput(f"{path}: there is such a file; expected the name of a new one")
        self.path, self._kept = path, None

    def holds(self, result: GameResult) -> bool:
        """Return whether the file has the game as it stands."""
        return self._kept == result

    def keep(self, result: GameResult) -> None:
        """Write the game as it stands, if there is a file and something new."""
        if self.path is None or result == self._kept:
            return
        from ipomdp.records import record

        content = record(
            self._game, result, white=self._names["white"], black=self._names["black"], **self._more
        )
        part = self.path.with_name(f"{self.path.name}.part")
        with writing(self.path):  # the file is whole at any moment, whatever happens
            part.write_text(json.dumps(content, allow_nan=False) + "\n", encoding="utf-8")
            os.replace(part, self.path)  # noqa: PTH105 - Path.replace hides which one stays
        self._kept = result


class SavedGame:
    """An unfinished game from a file, and who plays it."""

    def __init__(self, path: Path) -> None:
        """Read the file; one that is not such a game is an error that tells nothing of it."""
        from ipomdp.records import read_records

        games, problems = read_records(path)
        if not games:
            raise InvalidInput(_discreet(problems[0] if problems else f"{path}: holds no game"))
        if len(games) + len(problems) > 1:
            raise InvalidInput(f"{path}: holds {len(games) + len(problems)} games; expected one")
        (saved,) = games
        if saved.result.reason != UNFINISHED:
            raise InvalidInput(
                f"{path}: this game is over ({saved.outcome}, {saved.result.reason})"
            )
        if not saved.rules.retry or saved.rules.audible:
            raise InvalidInput(
                f'{path}: expected a game with tries "retry" and illegal_heard_by "mover"'
            )
        self.game, self.so_far = saved.game, saved.result
        person = saved.more.get("person")
        if person not in (None, *SIDES):
            raise InvalidInput(f"{path}: person: expected white or black, not {shown(person)}")
        self.side = SIDES.index(str(person)) if person is not None else None
        """The person's; ``None`` where the file does not say."""
        names = (saved.white, saved.black)
        self.against = names[1 - self.side] or None if self.side is not None else None
        """The other's name; ``None`` where the file does not say."""


def _discreet(problem: str) -> str:
    """Return what is wrong with a file without the moves and positions that it holds."""
    where = re.match(r"(.*?: (?:moves, entry \d+|refused|start|reason|result)): ", problem)
    missing = "missing; expected" in problem
    return (
        f"{where[1]}: no such thing can happen in this game" if where and not missing else problem
    )
