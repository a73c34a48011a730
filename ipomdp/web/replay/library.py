"""Records that a person brings, and those that the package has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ipomdp.arena.notation import taken_apart
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.quoting import printable
from ipomdp.records import GameRecord
from ipomdp.records.reading import entries_in

MOST_BYTES = 2 * 1024 * 1024
"""Of a file."""
MOST_GAMES = 2_000
"""In a file."""
MOST_TURNS = 1_000
"""Of a game, tries that were refused counted as well."""
LONGEST_NAME = 80
EXAMPLES = Path(__file__).parent / "examples.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The games of a file, by their numbers in it; the bad ones count too."""

    name: str
    games: Mapping[int, GameRecord]
    problems: tuple[str, ...] = ()
    """What is wrong with those left out."""


def shelf(name: str, content: bytes) -> Shelf:
    """Return the games in a file that a person sends; one without any that can be used is refused.

    The name is the file's own: whatever stands before it is nobody's business.
    """
    name = file_name(name)
    if len(content) > MOST_BYTES:
        raise InvalidInput(f"{name}: {len(content):,} bytes; expected {MOST_BYTES:,} at most")
    found = entries_in(name, content)
    if len(found) > MOST_GAMES:
        raise InvalidInput(f"{name}: {len(found):,} games; expected {MOST_GAMES:,} at most")
    games: dict[int, GameRecord] = {}
    problems: list[str] = []
    for number, entry in enumerate(found, start=1):
        try:
            games[number] = fitting(entry.where, entry.read())
        except InvalidInput as error:
            problems.append(printable(str(error)))
    if not games:
        more = f" (and {len(problems) - 1} more that cannot be used)" if problems[1:] else ""
        raise InvalidInput(f"{problems[0]}{more}")
    return Shelf(name=name, games=games, problems=tuple(problems))


def fitting(where: str, played: GameRecord) -> GameRecord:
    """Return a game, if a page can hold it."""
    turns = played.result.turns
    length = len(turns) + sum(len(t.refused) for t in turns) + len(played.result.refused)
    if length > MOST_TURNS:
        raise InvalidInput(f"{where}: {length:,} moves and tries; expected {MOST_TURNS:,} at most")
    game, result = played.game, played.result
    waiting = (game.turn(result.final), result.final, result.refused)
    for side, state, refused in (*((t.player, t.state, t.refused) for t in turns), waiting):
        pieces = game.pieces(state, side)
        for action in refused:
            try:
                taken_apart(game.actions[action], pieces)
            except KeyError:
                raise InvalidInput(
                    f"{where}: refused: {SIDES[side]} has no piece for {game.actions[action]} "
                    f"in {game.describe(state)}"
                ) from None
    return played


def examples() -> Shelf:
    """Return the games that come with the package."""
    return shelf(EXAMPLES.name, EXAMPLES.read_bytes())


def file_name(typed: str) -> str:
    """Return a file's own name as it may be shown, its ending kept."""
    own = PurePosixPath(typed.replace("\\", "/").rstrip("/") or "record.json")
    stem = " ".join(printable(own.stem).split())[:LONGEST_NAME] or "record"
    return stem + printable(own.suffix)[:10]
