"""The commands `arena` and `standings`: many games between players, and what they show."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ipomdp.commands.options import HIGHEST_SEED, Engine, Json, naming, natural, output, real
from ipomdp.errors import InvalidInput
from ipomdp.files import PICTURES
from ipomdp.quoting import printable, shown

if TYPE_CHECKING:
    from ipomdp.arena.finished import Finished
    from ipomdp.arena.folder import Games
    from ipomdp.arena.plan import Plan
    from ipomdp.arena.run import Playing

INTERRUPTED = 130
MOST_GAMES, MOST_PROCESSES, LONGEST_GAME = 1_000_000, 1024, 10_000
LONGEST_SECONDS = 3600.0

Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYERS...",
        help="Two or more, settings behind a colon: random hs ipomdp:level=1,lambda=0.02",
        show_default=False,
    ),
]
Folder = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        help="Where the games are kept; the same command again goes on where it was.",
        show_default=False,
    ),
]
Board = Annotated[str, typer.Option(metavar="BOARD", help="The board, as 4x4 or 8x8.")]
GameCount = Annotated[
    str, typer.Option(metavar="N", help="Games of each pairing; colours alternate.")
]
Seconds = Annotated[
    str,
    typer.Option(
        metavar="S", help='Time for each try; "none": as much as the players\' settings take.'
    ),
]
Seed = Annotated[str, typer.Option(metavar="K", help="Each game's seed follows from it.")]
Pairs = Annotated[
    str,
    typer.Option(
        metavar="WHO", help='"all" against all, or the "first" player against each other one.'
    ),
]
Longest = Annotated[str, typer.Option(metavar="N", help="Half-moves after which a game is a draw.")]
Processes = Annotated[
    str | None,
    typer.Option(metavar="P", help="Games at a time; default: as many as there are cores."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://HOST:8786."),
]
Picture = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Draw material by move, and what players note, to a picture."
    ),
]
Kept = Annotated[
    str,
    typer.Argument(metavar="FOLDER", help="The folder of an arena.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(arena)
    app.command()(standings)


def arena(
    players: Players,
    out: Folder,
    board: Board = "8x8",
    games: GameCount = "20",
    seconds: Seconds = "1",
    seed: Seed = "0",
    pairs: Pairs = "all",
    longest: Longest = "400",
    processes: Processes = None,
    scheduler: Scheduler = None,
    engine: Engine = None,
    picture: Picture = None,
    as_json: Json = False,
) -> None:
    """Let players meet in many games; show who is better."""
    from ipomdp.arena.plan import PAIRS, Plan

    if pairs not in PAIRS:
        raise InvalidInput(f"--pairs: expected {' or '.join(PAIRS)}, not {shown(pairs)}")
    plan = Plan(
        players=tuple(players), board=board, pairs=pairs, seconds=_seconds(seconds),
        seed=natural("--seed", seed, least=0, most=HIGHEST_SEED),
        longest=natural("--longest", longest, most=LONGEST_GAME), engine=engine,
    )  # fmt: skip
    count = natural("--games", games, most=MOST_GAMES)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    hands = natural("--processes", processes or str(cores or 1), most=MOST_PROCESSES)
    if processes is not None and scheduler is not None:
        raise InvalidInput("--processes: the cluster of --scheduler has its own; leave one out")
    if not out:
        raise InvalidInput("--out: an empty name; expected a folder")
    chart = output("--picture", picture, PICTURES) if picture is not None else None
    _check_players(plan)
    finished, interrupted = _played(plan, count, Path(out), hands, scheduler)
    _tell(plan, finished, chart, as_json=as_json)
    if interrupted:
        total = count * len(plan.pairings)
        _warn(f"interrupted after {len(finished)} of {total} games; the same command goes on")
        raise typer.Exit(INTERRUPTED)


def standings(folder: Kept, picture: Picture = None, as_json: Json = False) -> None:
    """Show again what the games of an arena have come to."""
    from ipomdp.arena.folder import read_games, read_plan

    chart = output("--picture", picture, PICTURES) if picture is not None else None
    plan = read_plan(Path(folder))
    _tell(plan, read_games(Path(folder), plan, _warn), chart, as_json=as_json)


def _check_players(plan: Plan) -> None:
    """Refuse what cannot be played before anything starts."""
    from ipomdp.players.roster import board_game, check_engine, make_player
    from ipomdp.show.console import busy

    with naming("PLAYERS"):
        plan.check()
    with busy("preparing the players"):
        with naming("--board"):
            game = board_game(plan.board)
        for player in dict.fromkeys(plan.players):
            with naming("PLAYERS"):
                make_player(player, game)
        with naming("--engine"):
            check_engine(plan.engine, plan.players, game)


def _played(
    plan: Plan, count: int, folder: Path, processes: int, scheduler: str | None
) -> tuple[Games, bool]:
    """Return the games of a folder once all are played, or once the user has had enough."""
    from ipomdp.arena.folder import GAMES, read_games
    from ipomdp.arena.run import run

    finished: Games = {}
    try:
        with (
            _hands(plan, processes, scheduler) as play,
            _score_bar(plan, count * len(plan.pairings)) as progress,
            naming("--out"),
        ):
            for games in run(plan, count, folder, play, complain=_warn):
                finished.update({(game.pairing, game.number): game for game in games})
                progress(games)
    except KeyboardInterrupt:
        if not (folder / GAMES).exists():
            return {}, True
        return read_games(folder, plan, lambda _: None), True  # one may just have come in
    return finished, False


@contextmanager
def _hands(plan: Plan, processes: int, scheduler: str | None) -> Iterator[Playing]:
    """Return what plays the games: processes of this machine, or a cluster."""
    with ExitStack() as stack:
        if scheduler is None:
            from ipomdp.arena.crew import Crew

            yield stack.enter_context(Crew(processes)).play
            return
        from ipomdp.arena.cluster import connected, play_on

        with naming("--scheduler"):
            client = stack.enter_context(connected(scheduler, plan))
        yield lambda jobs: play_on(client, jobs)


@contextmanager
def _score_bar(plan: Plan, total: int) -> Iterator[Callable[[Iterable[Finished]], None]]:
    """Show on stderr how many games are finished and who is ahead."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True, markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    words = TextColumn("{task.description}", markup=False)
    scores: dict[str, list[float]] = {player: [] for player in plan.players}
    with Progress(
        *columns, words, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=total)

        def add(games: Iterable[Finished]) -> None:
            for game in games:
                if game.score is not None:
                    first, second = game.pairing
                    scores[first].append(game.score)
                    if second != first:
                        scores[second].append(1 - game.score)
                bar.advance(task)
            bar.update(task, description=_ahead(plan, scores))

        yield add


def _ahead(plan: Plan, scores: Mapping[str, Sequence[float]]) -> str:
    """Return the running score in a few words."""
    first = scores[plan.players[0]]
    if len(plan.pairings) == 1:
        counts = "-".join(str(first.count(result)) for result in (1.0, 0.0, 0.5))
        return printable(f"{plan.players[0]} {counts} {plan.players[1]} (won-lost-drawn)")
    means = {player: sum(mine) / len(mine) for player, mine in scores.items() if mine}
    best = sorted(means.items(), key=lambda item: -item[1])
    return printable(", ".join(f"{player} {mean:.2f}" for player, mean in best))


def _tell(plan: Plan, finished: Games, chart: Path | None, *, as_json: bool) -> None:
    """Print and draw what the games show."""
    from ipomdp.show.arena_tables import print_standings, standings_dict
    from ipomdp.show.console import print_json, show, write

    if chart is not None:
        from ipomdp.arena.standings import standings as of_pairings
        from ipomdp.show.arena_plots import arena_chart

        time = "no time limit" if plan.seconds is None else f"{plan.seconds:g} s for each try"
        title, results = f"{plan.board}, {time}", of_pairings(plan, finished)
        write("--picture", chart, lambda path: arena_chart(results, title, path))
    if as_json:
        print_json(standings_dict(plan, finished))
    else:
        show(lambda console: print_standings(console, plan, finished))


def _seconds(text: str) -> float | None:
    """Return the time for each try that was typed."""
    if text.strip() == "none":
        return None
    number = real(text.strip())
    if isinstance(number, float) and 0 < number <= LONGEST_SECONDS and math.isfinite(number):
        return number
    most = f"{LONGEST_SECONDS:g}"
    raise InvalidInput(
        f'--seconds: expected a number above 0, up to {most}, or "none", not {shown(text)}'
    )


def _warn(message: str) -> None:
    print(f"ipomdp: {' '.join(printable(message).split())}", file=sys.stderr)  # noqa: T201
