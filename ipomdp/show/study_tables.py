"""Tables of grids over levels and lambda, 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from ipomdp.scenario import Scenario
from ipomdp.show.tables import print_heading, table, worth
from ipomdp.study.course import course
from ipomdp.study.levels import Sweep

ACROSS = 5
"""How many levels fit side by side."""
MISSING = "-"


def settings_of(scenario: Scenario) -> str:
    """Return the reading of tries and the horizons in words."""
    words = f"{scenario.position}, tries: {scenario.tries}, horizon {scenario.horizon}"
    if scenario.opponent_horizon != 1:
        words += f" (every nested player's {scenario.opponent_horizon})"
    return words + (", j plays at random" if scenario.policy == "random" else "")


def print_levels(console: Console, sweep: Sweep) -> None:
    """Print the best move of every cell, then all moves by level at one lambda, and the course."""
    print_heading(console, sweep.scenario)
    console.print(f"{settings_of(sweep.scenario)}\n")
    if not sweep.cells:
        console.print("Nothing was computed.")
        return
    for levels in _blocks(sweep.levels):
        _print_best(console, sweep, levels)
    if any(cell.tied for cell in sweep.cells):
        console.print("* ties with others\n")
    run = sweep.along(sweep.reference)
    for levels in _blocks([cell.level for cell in run]):
        _print_moves(console, sweep, levels)
    found = course(run)
    if found:
        words = found.words[0].lower() + found.words[1:]
        console.print(f"At lambda {sweep.reference:.4g}, {words}")
    if not sweep.complete:
        all_cells = len(sweep.levels) * len(sweep.rationalities)
        console.print(f"Interrupted: {len(sweep.cells)} of {all_cells} cells are done.")


def _print_best(console: Console, sweep: Sweep, levels: Sequence[int]) -> None:
    """Print the rows that have any cell: after an interruption some have none."""
    names = [f"level {level}" for level in levels]
    made = table("lambda", *names)
    for rationality in sweep.rationalities:
        cells = [sweep.at(level, rationality) for level in levels]
        if not any(cells):
            continue
        made.add_row(
            f"{rationality:.4g}",
            *(
                f"{c.best}{'*' if c.tied else ''} {worth(c.moves[0][1])}" if c else MISSING
                for c in cells
            ),
        )
    if made.row_count:
        console.print(Text("The best move and its expected utility", style="italic"))
        console.print(made)


def _print_moves(console: Console, sweep: Sweep, levels: Sequence[int]) -> None:
    names = [f"level {level}" for level in levels]
    title = f"Expected utilities at lambda {sweep.reference:.4g}"
    console.print(Text(title, style="italic"))
    made = table("move", *names, right=names)
    for move in sweep.moves:
        cells = [sweep.at(level, sweep.reference) for level in levels]
        made.add_row(move, *(worth(cell.value(move)) if cell else MISSING for cell in cells))
    console.print(made)


def _blocks(levels: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(levels), ACROSS):
        yield levels[start : start + ACROSS]
