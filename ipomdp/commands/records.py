"""The command `replay`: recorded games shown move by move, or turned from form to form."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ipomdp.commands.options import natural, output, progress_bar
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.quoting import printable, shown

if TYPE_CHECKING:
    from ipomdp.game import BoardGame
    from ipomdp.records import GameRecord

MOST_REPORTED = 10
"""Bad records that are named one by one."""
REFEREE = "referee"

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="Games as .json, .jsonl (one in each line) or .pgn.",
        show_default=False,
    ),
]  # fmt: skip
Number = Annotated[
    str | None,
    typer.Option(metavar="N", help="The game to show; else all are listed if there are several."),
]
View = Annotated[
    str, typer.Option(metavar="SIDE", help="What white or black knew; the referee knows all.")
]
Pgn = Annotated[str | None, typer.Option(metavar="FILE", help="Write a .pgn instead.")]
JsonFile = Annotated[
    str | None,
    typer.Option(
        "--json", metavar="FILE", help="Write a .jsonl instead, or one game to a .json; with "
        "--view what that side knew.",
    ),
]  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(replay)


def replay(
    file: File,
    game: Number = None,
    view: View = REFEREE,
    pgn: Pgn = None,
    as_json: JsonFile = None,
) -> None:
    """Show a recorded game move by move, or convert games."""
    from ipomdp.records.reading import LINES
    from ipomdp.show.console import show, write
    from ipomdp.show.replay import print_game, print_games

    if view not in (*SIDES, REFEREE):
        raise InvalidInput(f"--view: expected white, black or referee, not {shown(view)}")
    if pgn is not None and view != REFEREE:
        raise InvalidInput(f"--pgn: a PGN holds whole games, not what {view} knew; use --json")
    pgn_file = output("--pgn", pgn, (".pgn",)) if pgn is not None else None
    json_file = output("--json", as_json, (".json", *LINES)) if as_json is not None else None
    found = _read([file], "FILE") if game is None else _chosen(file, game)
    games = list(found.values())
    if json_file is not None and json_file.suffix.lower() == ".json" and len(games) > 1:
        raise InvalidInput(f"--json: {len(games)} games need a .jsonl; --game chooses one")
    if pgn_file is not None:
        write("--pgn", pgn_file, _text(_pgn(games)))
    if json_file is not None:
        write("--json", json_file, _text(_json(games, view)))
    if pgn_file is not None or json_file is not None:
        return
    if len(games) == 1:
        show(lambda console: print_game(console, games[0], None if view == REFEREE else view))
    else:
        show(lambda console: print_games(console, found))


def games_in(
    names: Sequence[str], argument: str, game: BoardGame | None = None
) -> list[GameRecord]:
    """Return the games in some files; those that cannot be used are named and left out."""
    return list(_read(names, argument, game).values())


def _read(
    names: Sequence[str], argument: str, game: BoardGame | None = None
) -> dict[int, GameRecord]:
    """Return the games in some files by their numbers; the bad ones, left out, count too."""
    from ipomdp.records.reading import entries

    good: dict[int, GameRecord] = {}
    problems: list[str] = []
    waiting = [entry for name in names for entry in entries(_path(name, argument))]
    with progress_bar("reading games", len(waiting)) as advance:
        for number, entry in enumerate(waiting, start=1):
            try:
                good[number] = entry.read(game)
            except InvalidInput as error:
                problems.append(str(error))
            advance(1)
    if not good:
        more = len(problems) - 1
        rest = f" (and {more} more that cannot be used)" if more else ""
        raise InvalidInput(f"{problems[0]}{rest}")
    for problem in problems[:MOST_REPORTED]:
        _warn(f"left out: {problem}")
    if len(problems) > MOST_REPORTED:
        _warn(f"left out: {len(problems) - MOST_REPORTED} more games")
    return good


def _chosen(file: str, typed: str) -> dict[int, GameRecord]:
    """Return one game of a file, by its number; the bad ones count too."""
    from ipomdp.records.reading import entries

    found = entries(_path(file, "FILE"))
    number = natural("--game", typed, most=len(found))
    return {number: found[number - 1].read()}


def _path(name: str, argument: str) -> Path:
    if not name:
        raise InvalidInput(f"{argument}: an empty name; expected a file with records of games")
    return Path(name)


def _pgn(games: Sequence[GameRecord]) -> str:
    from ipomdp.records import write_pgn

    return "".join(map(write_pgn, games))


def _json(games: Sequence[GameRecord], seen_by: str) -> str:
    from ipomdp.records import view

    contents = (g.to_dict() if seen_by == REFEREE else view(g, seen_by) for g in games)
    return "".join(f"{json.dumps(content)}\n" for content in contents)


def _text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


def _warn(message: str) -> None:
    print(f"ipomdp: {' '.join(printable(message).split())}", file=sys.stderr)  # noqa: T201
