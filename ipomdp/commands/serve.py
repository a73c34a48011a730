"""The command `serve`: games and the analysis in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ipomdp.commands.options import HIGHEST_PORT, LOOPBACK, natural, output
from ipomdp.errors import InvalidInput

Host = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="Where to listen; the default is for this machine alone."),
]
Port = Annotated[str, typer.Option(metavar="N", help="The port; 0 takes a free one.")]
Browser = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Whether to open the page at once.")
]
Games = Annotated[
    str, typer.Option("--most-games", metavar="N", help="How many games may be played at a time.")
]
Keep = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Add finished games to a .jsonl."),
]
Arenas = Annotated[
    list[str] | None,
    typer.Option(
        "--arena", metavar="FOLDER", help="An arena whose games can be replayed; may be repeated."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    host: Host = LOOPBACK[0],
    port: Port = "8080",
    browser: Browser = True,
    most_games: Games = "200",
    keep: Keep = None,
    arena: Arenas = None,
) -> None:
    """Play, analyse and replay in the browser."""
    number = natural("--port", port, least=0, most=HIGHEST_PORT)
    games = natural("--most-games", most_games, most=10_000)
    kept = output("--keep", keep, (".jsonl",)) if keep is not None else None
    check_web()
    from ipomdp.web.app import serve as run
    from ipomdp.web.replay.arenas import Arena

    arenas = [Arena(_folder(name)) for name in arena or ()]
    run(host, number, show=browser, most_games=games, keep=kept, arenas=arenas)


def _folder(name: str) -> Path:
    if not name:
        raise InvalidInput("--arena: an empty name; expected an arena's folder")
    return Path(name)


def check_web() -> None:
    """Refuse to go on where the pages' package is missing."""
    try:
        import nicegui  # noqa: F401
    except ImportError:
        raise InvalidInput(
            "the pages need NiceGUI; install the extra: pip install 'ipomdp[web]'"
        ) from None
