"""Tables of strength, 80 columns wide."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ipomdp.show.tables import table
from ipomdp.study.strength import Cell, Study

MISSING = "-"


def print_strength(console: Console, study: Study) -> None:
    """Print levels against each other, lambda assumed against true, and what an error costs."""
    if not study.rounds:
        console.print("Nothing was played.")
        return
    console.print(
        "Scores of i (win 1, draw 1/2) with 95% intervals; i plays best responses, j quantal ones; "
        f"everyone plans {study.horizon} decision{'s' * (study.horizon > 1)}.\n"
    )
    _print_levels(console, study)
    _print_lambdas(console, study)
    _print_costs(console, study)
    console.print(f"{2 * len(study.rounds)} games, from the same starts in every cell.")


def said(cell: Cell | None) -> str:
    """Return a score and its interval."""
    if cell is None:
        return MISSING
    low, high = cell.interval
    return f"{cell.score:.2f} ({low:.2f}-{high:.2f})"


def _print_levels(console: Console, study: Study) -> None:
    title = f"Levels, lambda {study.rationality:g}; * j is whom i thinks it plays"
    console.print(Text(title, style="italic"))
    made = table("i", *(f"j {name}" for name in ("random", *(f"level {k}" for k in study.levels))))
    for level in study.levels:
        cells = []
        for j, opponent in zip((None, *study.levels), study.opponents, strict=True):
            mark = "*" if j is not None and j == level - 1 else ""
            cells.append(said(study.against(level, opponent)) + mark)
        made.add_row(f"level {level}", *cells)
    console.print(made)


def _print_lambdas(console: Console, study: Study) -> None:
    title = f"i at level {study.level} assumes a lambda, j at level {study.level - 1} has one"
    console.print(Text(title, style="italic"))
    made = table("assumed", *(f"true {true:g}" for true in study.lambdas))
    for assumed in study.lambdas:
        cells = [said(study.knowing(assumed, true)) for true in study.lambdas]
        made.add_row(f"{assumed:g}", *cells)
    console.print(made)


def _print_costs(console: Console, study: Study) -> None:
    costs = study.costs()
    if len(costs) < 2:
        return
    console.print(Text("What a wrong lambda costs: score lost, start by start", style="italic"))
    made = table("places off in the grid", "cost", "95% interval", right=["cost", "95% interval"])
    for cost in costs:
        if cost.steps:
            low, high = cost.mean - cost.half, cost.mean + cost.half
            made.add_row(f"{cost.steps:+d}", f"{cost.mean:+.3f}", f"{low:+.3f} to {high:+.3f}")
    console.print(made)
