"""The command `play`: a person against any player, in the terminal."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ipomdp.commands.options import HIGHEST_SEED, Engine, naming, natural, real
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.quoting import shown

if TYPE_CHECKING:
    from ipomdp.arena.saving import SavedGame
    from ipomdp.game import BoardGame
    from ipomdp.players.player import Player, Thinker

ADVISER = "ipomdp"
"""Who tells the person what to believe and to play; at its usual level, 1."""
LONGEST_THOUGHT = 3600.0

Board = Annotated[
    str | None, typer.Option(metavar="BOARD", help="4x4 (the default), 8x8, 6x6 or 4x4-pawns.")
]
Side = Annotated[
    str | None, typer.Option(metavar="SIDE", help="Yours: white (the default) or black.")
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="PLAYER",
        help="The other: ipomdp (the default), ipomdp:level=2, random, ...",
    ),
]
Seconds = Annotated[str, typer.Option(metavar="S", help="How long the other thinks about a try.")]
Seed = Annotated[
    str | None,
    typer.Option(metavar="N", help="The other's dice; else each game has new ones."),
]
Save = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep the game in a new .json, at every move."),
]
Resume = Annotated[
    str | None, typer.Option(metavar="FILE", help="Go on with a game that was kept or saved.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)


def play(
    board: Board = None,
    side: Side = None,
    against: Against = None,
    engine: Engine = None,
    seconds: Seconds = "1",
    seed: Seed = None,
    save: Save = None,
    resume: Resume = None,
) -> None:
    """Play Kriegspiel yourself, in the terminal."""
    if side not in (None, *SIDES):
        raise InvalidInput(f"--side: expected {' or '.join(SIDES)}, not {shown(side)}")
    allowed = real(seconds)
    if not isinstance(allowed, float) or not 0 < allowed <= LONGEST_THOUGHT:
        expected = f"a number of seconds above 0, up to {LONGEST_THOUGHT:g}"
        raise InvalidInput(f"--seconds: expected {expected}, not {shown(seconds)}")
    dice = None if seed is None else natural("--seed", seed, least=0, most=HIGHEST_SEED)
    for option, name in (("--save", save), ("--resume", resume)):
        if name == "":
            raise InvalidInput(f"{option}: an empty name; expected a file")

    import numpy as np

    from ipomdp.arena.saving import GameFile
    from ipomdp.arena.session import Session
    from ipomdp.commands.conversation import Conversation
    from ipomdp.show.waiting import waiting

    with waiting("setting up"):
        saved = _resumed(resume, board, side)
        game = saved.game if saved is not None else _board(board)
        mine = _side(saved, side)
        name = against or (saved.against if saved is not None else None) or ADVISER
        opponent = _opponent(name, game, engine)
    if dice is None:
        dice = int(np.random.default_rng().integers(HIGHEST_SEED))
    file = GameFile(game, mine, name, seed=dice)
    if save is not None:
        with naming("--save"):
            file.choose(Path(save))
    elif resume is not None and Path(resume).suffix == ".json":
        with naming("--resume"):
            file.choose(Path(resume), again=True)
    so_far = saved.so_far if saved is not None else None
    turns = len(so_far.turns) if so_far is not None else 0
    theirs, advisers = np.random.default_rng([dice, turns]).spawn(2)
    session = Session(game, mine, opponent, theirs, seconds=allowed, so_far=so_far)
    _prepare_terminal()
    Conversation(session, file, against=name, adviser=lambda: _adviser(game), rng=advisers).run()


def _resumed(resume: str | None, board: str | None, side: str | None) -> SavedGame | None:
    """Return the game to go on with; options that contradict it are an error."""
    if resume is None:
        return None
    from ipomdp.arena.saving import SavedGame

    with naming("--resume"):
        saved = SavedGame(Path(resume))
    if board not in (None, saved.game.name):
        raise InvalidInput(f"--board: {resume} is a game on {saved.game.name}, not {shown(board)}")
    if side is not None and saved.side not in (None, SIDES.index(side)):
        raise InvalidInput(f"--side: in {resume} the person is not {side}")
    return saved


def _side(saved: SavedGame | None, side: str | None) -> int:
    if saved is not None and saved.side is not None:
        return saved.side
    if saved is not None and side is None:
        raise InvalidInput("--side: the file to resume does not say who the person is; expected it")
    return SIDES.index(side or SIDES[0])


def _board(name: str | None) -> BoardGame:
    from ipomdp.players.roster import board_game

    with naming("--board"):
        return board_game(name or "4x4")


def _opponent(name: str, game: BoardGame, engine: str | None) -> Player:
    from ipomdp.players.roster import check_engine, make_player

    with naming("--against"):
        opponent = make_player(name, game)
    with naming("--engine"):
        check_engine(engine, [name], game)
        return opponent if engine is None else make_player(name, game, engine)


def _adviser(game: BoardGame) -> Thinker:
    """Return who advises the person on a board."""
    from ipomdp.players.player import Thinker
    from ipomdp.players.roster import make_player

    adviser = make_player(ADVISER, game)
    if not isinstance(adviser, Thinker):
        raise InvalidInput(f"{ADVISER} cannot tell what it believes")
    return adviser


def _prepare_terminal() -> None:
    """Let lines be edited, and nothing typed break what is read or printed."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - changes how input() reads
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
