"""The command `strength`: levels and lambda measured in whole games of 4x4 Kriegspiel."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ipomdp.commands.options import HIGHEST_SEED, Json, naming, natural, output, progress_bar
from ipomdp.errors import InvalidInput
from ipomdp.files import PICTURES
from ipomdp.quoting import shown
from ipomdp.study.ranges import levels_in, rationalities_in

if TYPE_CHECKING:
    from ipomdp.study.strength import Study

INTERRUPTED = 130
MOST_GAMES, MOST_PROCESSES, MOST_LAMBDAS = 1_000_000, 256, 12
DEEPEST, FARTHEST = 3, 2
"""The highest level and the longest horizon at which whole games can be played."""
RECORDS = (".jsonl",)

Levels = Annotated[
    str, typer.Option(metavar="LEVELS", help=f"Levels up to {DEEPEST} like 0-2 or 0,1.")
]
Lambda = Annotated[
    str,
    typer.Option(
        "--lambda",
        metavar="LAMBDA",
        help="By which j plays, and which everyone assumes, where levels are compared.",
    ),
]
Lambdas = Annotated[
    str,
    typer.Option(metavar="LAMBDAS", help="Assumed and true ones: low:high:count, or 0.002,0.008."),
]
Level = Annotated[
    str, typer.Option(metavar="K", help="The level of i who assumes them; j's is one less.")
]
Horizon = Annotated[
    str, typer.Option(metavar="D", help="How many of its own decisions everyone plans.")
]
Games = Annotated[str, typer.Option(metavar="N", help="Games in each cell, an even number.")]
Seed = Annotated[str, typer.Option(metavar="N", help="The same seed, the same games.")]
Processes = Annotated[
    str | None,
    typer.Option(metavar="N", help="How many games are played at once; else one for each core."),
]
RecordFile = Annotated[
    str | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Add every result to a .jsonl at once; what is in it is not played again.",
    ),
]
Picture = Annotated[
    str | None, typer.Option(metavar="FILE", help="Draw it all to a .png, .svg or .pdf.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(strength)


def strength(
    levels: Levels = "0-2",
    rationality: Lambda = "0.02",
    lambdas: Lambdas = "0.0005,0.002,0.008,0.032",
    level: Level = "1",
    horizon: Horizon = "1",
    games: Games = "100",
    seed: Seed = "0",
    processes: Processes = None,
    record: RecordFile = None,
    out: Picture = None,
    as_json: Json = False,
) -> None:
    """Play levels, and lambda assumed against true, in whole games."""
    from ipomdp.show.console import print_json, show, write
    from ipomdp.show.strength_tables import print_strength
    from ipomdp.study.strength import Study

    count = natural("--games", games, least=2, most=MOST_GAMES)
    if count % 2:
        raise InvalidInput(f"--games: expected an even number, each start twice, not {count}")
    study = Study(
        levels=_levels(levels),
        rationality=_lambda(rationality),
        lambdas=_lambdas(lambdas),
        level=natural("--level", level, most=DEEPEST),
        horizon=natural("--horizon", horizon, most=FARTHEST),
    )
    drawn = natural("--seed", seed, least=0, most=HIGHEST_SEED)
    cores = os.cpu_count() or 1
    if processes is not None:
        cores = natural("--processes", processes, most=MOST_PROCESSES)
    picture = output("--out", out, PICTURES) if out is not None else None
    file = output("--record", record, RECORDS) if record is not None else None
    study, interrupted = _played(study, count // 2, drawn, cores, file)
    if picture is not None and study.rounds:
        from ipomdp.show.strength_plots import strength_chart  # matplotlib

        write("--out", picture, lambda path: strength_chart(study, path))
    if as_json:
        print_json(study.to_dict())
    else:
        show(lambda console: print_strength(console, study))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _played(
    study: Study, starts: int, seed: int, processes: int, file: Path | None
) -> tuple[Study, bool]:
    """Return the study with its games played, and whether Ctrl-C came before the last."""
    from ipomdp.study.rounds import Record, play_all

    tasks = {task.key: task for task in study.tasks(starts, seed)}
    done = {}
    record = None
    if file is not None:
        with naming("--record"):
            record = Record(file)
        done = {r.key: r for r in record.rounds if r.key in tasks}
        _tell(record.left_out, len(done))
    left = [task for key, task in tasks.items() if key not in done]
    interrupted = False
    with progress_bar("playing", 2 * len(left)) as advance:
        try:
            for finished in play_all(left, processes):
                done[finished.key] = finished
                if record is not None:
                    record.add(finished)
                advance(2)
        except KeyboardInterrupt:
            interrupted = True
    return replace(study, rounds=tuple(done.values())), interrupted


def _tell(left_out: int, known: int) -> None:
    if left_out:
        print(f"ipomdp: --record: {left_out} lines cannot be read", file=sys.stderr)  # noqa: T201
    if known:
        print(f"ipomdp: --record: {2 * known} games played before", file=sys.stderr)  # noqa: T201


def _levels(text: str) -> tuple[int, ...]:
    with naming("--levels"):
        found = levels_in(text)
        if found[-1] > DEEPEST:
            raise InvalidInput(f"expected levels up to {DEEPEST}, not {shown(text)}")
    return found


def _lambda(text: str) -> float:
    with naming("--lambda"):
        found = rationalities_in(text)
        if len(found) > 1:
            raise InvalidInput(f"expected one number, not {shown(text)}")
    return found[0]


def _lambdas(text: str) -> tuple[float, ...]:
    with naming("--lambdas"):
        found = rationalities_in(text)
        if len(found) > MOST_LAMBDAS:
            raise InvalidInput(f"expected {MOST_LAMBDAS} values at most, not {len(found)}")
    return found
