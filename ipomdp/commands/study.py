"""The commands that study a decision: over levels and lambda, in words, and the conjecture."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console

from ipomdp.commands.options import (
    HeardBy,
    Horizon,
    Json,
    Level,
    Move,
    Name,
    Opponent,
    OpponentHorizon,
    Rationality,
    Tries,
    chosen_scenario,
    naming,
    output,
)
from ipomdp.files import PICTURES
from ipomdp.show.console import busy, print_json, show, write
from ipomdp.study.ranges import levels_in, rationalities_in

if TYPE_CHECKING:
    from ipomdp.scenario import Scenario

INTERRUPTED = 130
Item = TypeVar("Item")

Levels = Annotated[str, typer.Option(metavar="LEVELS", help="Levels like 0-4, 2 or 0,2,5.")]
SomeLevels = Annotated[
    str | None,
    typer.Option(
        metavar="LEVELS",
        help="Levels like 1-4 or 1,2,5.  [default: 1-6, but 1-5 where they take longest]",
    ),
]
Rationalities = Annotated[
    str | None,
    typer.Option(
        metavar="LAMBDAS",
        help="Lambdas low:high:count, spaced by ratio, or like 0.004,0.02; else the scenario's.",
    ),
]
SomeRationalities = Annotated[
    str, typer.Option(metavar="LAMBDAS", help="Lambdas low:high:count, or like 0.004,0.02.")
]
Picture = Annotated[
    str | None, typer.Option(metavar="FILE", help="Draw the grid to a .png, .svg or .pdf.")
]
Csv = Annotated[
    str | None,
    typer.Option("--csv", metavar="FILE", help="Write a row for each cell and move to a .csv."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    for command in (levels, explain, conjecture):
        app.command()(command)


def levels(
    name: Name,
    levels: Levels = "0-4",
    rationality: Rationalities = None,
    horizon: Horizon = None,
    tries: Tries = None,
    opponent: Opponent = None,
    opponent_horizon: OpponentHorizon = None,
    heard_by: HeardBy = None,
    out: Picture = None,
    csv_file: Csv = None,
    as_json: Json = False,
) -> None:
    """Show how the decision changes with i's level and with lambda."""
    from ipomdp.show.study_tables import print_levels
    from ipomdp.study.levels import Sweep, cells

    with naming("--levels"):
        wanted = levels_in(levels)
    lambdas = _lambdas(rationality)
    scenario = _chosen(
        name, tries=tries, policy=opponent, horizon=horizon, opponent_horizon=opponent_horizon,
        illegal_heard_by=heard_by,
    )  # fmt: skip
    picture = output("--out", out, PICTURES) if out is not None else None
    table = output("--csv", csv_file, (".csv",)) if csv_file is not None else None
    lambdas = lambdas or (scenario.rationality,)
    if not scenario.frames:
        _refuse_endless(name, scenario.with_options(level=max(wanted)))
    found, interrupted = _gathered(
        cells(scenario, wanted, lambdas), len(wanted) * len(lambdas), "levels x lambdas"
    )
    sweep = Sweep(scenario=scenario, levels=wanted, rationalities=lambdas, cells=found)
    if picture is not None and sweep.cells:
        from ipomdp.show.level_plots import levels_chart  # matplotlib

        write("--out", picture, lambda path: levels_chart(sweep, path))
    if table is not None:
        write("--csv", table, lambda path: _write_csv(path, sweep.rows()))
    if as_json:
        print_json(sweep.to_dict())
    else:
        show(lambda console: print_levels(console, sweep))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def explain(
    name: Name,
    move: Move = None,
    level: Level = None,
    rationality: Rationality = None,
    horizon: Horizon = None,
    tries: Tries = None,
    opponent: Opponent = None,
    heard_by: HeardBy = None,
) -> None:
    """Tell in words what i thinks that j thinks, down to level 0."""
    from ipomdp.show.explain_tree import print_thought
    from ipomdp.study.explain import explained, standpoint

    scenario = _chosen(
        name, level=level, rationality=rationality, horizon=horizon, tries=tries, policy=opponent,
        illegal_heard_by=heard_by,
    )  # fmt: skip
    _refuse_endless(name, scenario)
    with busy("thinking"):
        place = standpoint(scenario)
        with naming("--move"):
            thought = explained(place, move)
    show(lambda console: print_thought(console, scenario, thought))


def conjecture(
    levels: SomeLevels = None,
    rationality: SomeRationalities = "0.001,0.002,0.004,0.01,0.02,0.04,0.1",
    out: Picture = None,
    as_json: Json = False,
) -> None:
    """Settle the 2007 paper's closing conjecture about Qb2."""
    from ipomdp.show.conjecture_tables import print_conjecture
    from ipomdp.study.conjecture import Settled, growth, readings, settle

    with naming("--levels"):
        wanted = None if levels is None else levels_in(levels, least=1)  # 0 models nobody
    lambdas = _lambdas(rationality) or ()
    picture = output("--out", out, PICTURES) if out is not None else None
    total = sum(len(reading.levels(wanted)) for reading in readings()) * len(lambdas)
    found, interrupted = _gathered(settle(wanted, lambdas), total, "readings x levels x lambdas")
    settled = Settled(levels=wanted, rationalities=lambdas, verdicts=found)
    if picture is not None:
        from ipomdp.show.conjecture_plots import conjecture_chart  # matplotlib

        write("--out", picture, lambda path: conjecture_chart(settled, path))
    if as_json:
        print_json(settled.to_dict())
    else:
        grown = () if interrupted or levels is not None else tuple(growth())
        show(lambda console: print_conjecture(console, settled, grown))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _lambdas(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    with naming("--rationality"):
        return rationalities_in(text)


def _refuse_endless(name: str, scenario: Scenario) -> None:
    """Refuse what cannot finish; announce what takes long."""
    from ipomdp.analysis import warning

    with naming(name):
        words = warning(scenario)
    if words:
        print(f"ipomdp: {words}", file=sys.stderr)  # noqa: T201


def _chosen(name: str, **changes: str | None) -> Scenario:
    """Return a scenario of Kriegspiel with the fields that options override."""
    from ipomdp.scenario import kriegspiel_only

    return kriegspiel_only(chosen_scenario(name, **changes), name)


def _gathered(
    items: Iterator[Item], total: int, what: str
) -> tuple[tuple[Item, ...], bool]:  # fmt: skip
    """Return the items and whether Ctrl-C came before the last; a bar on stderr shows how far."""
    from rich.progress import Progress

    console = Console(stderr=True)
    found: list[Item] = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        try:
            for item in items:
                found.append(item)
                progress.advance(task)
        except KeyboardInterrupt:
            return tuple(found), True
    return tuple(found), False


def _write_csv(path: Path, rows: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
