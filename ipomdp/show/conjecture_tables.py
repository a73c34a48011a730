"""The conjecture settled, as tables of 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ipomdp.show.tables import chance, table, worth
from ipomdp.study.conjecture import VIEWS, Growth, Reading, Settled, Verdict, readings

SIGNS = dict(zip(VIEWS, ("-", "+", "#"), strict=True))
CLAIM = (
    'The 2007 paper guesses that one more level "could reveal that White Qb2 move is prefered to '
    'Qd1 since Black Queen would not respond with capturing". Below, for each reading of what it '
    "leaves open, by i's level and by lambda: - Qd1 is ahead of Qb2, + Qb2 is ahead of Qd1, # Qb2 "
    "is the best move of all; and the probability that Black takes on b2 (by its only try under "
    "tries: paper, by the move finally made under retry)."
)


def print_conjecture(console: Console, settled: Settled, grown: tuple[Growth, ...] = ()) -> None:
    """Print a map for each reading, the cells that the paper is about, and how levels go on."""
    console.print(CLAIM)
    for reading in readings():
        if settled.of(reading):
            _print_map(console, settled, reading)
    if not settled.complete:
        console.print(f"Interrupted: {len(settled.verdicts)} cells are done.")
        return
    _print_both_halves(console, settled)
    for growth in grown:
        _print_growth(console, growth)


def _print_map(console: Console, settled: Settled, reading: Reading) -> None:
    console.print(Text(f"\n{reading.words}", style="bold"))
    made = table("level", *(f"{r:.3g}" for r in settled.rationalities))
    for level in reading.levels(settled.levels):
        found = [settled.at(reading, level, r) for r in settled.rationalities]
        made.add_row(str(level), *(_mark(verdict) if verdict else "" for verdict in found))
    console.print(made)
    verdicts = settled.of(reading)
    counts = [sum(v.view == view for v in verdicts) for view in VIEWS]
    console.print(
        f"Of {len(verdicts)} cells Qb2 is ahead of Qd1 in {counts[1] + counts[2]}, and the best "
        f"move in {counts[2]}."
    )


def _mark(verdict: Verdict) -> str:
    return f"{SIGNS[verdict.view]} {chance(verdict.capture, 2)}"


def _print_both_halves(console: Console, settled: Settled) -> None:
    """Print what one more level, from 1 to 2, does to the reason and to the preference."""
    columns = ("lambda", "level", "Qb2", "Qd1", "best", "takes on b2")
    made = table("reading", *columns, right=("lambda", "level", "Qb2", "Qd1", "takes on b2"))
    for reading in readings():
        for rationality in (0.004, 0.02):
            pair = [settled.at(reading, level, rationality) for level in (1, 2)]
            for k, verdict in enumerate(pair):
                if verdict and all(pair):
                    made.add_row(
                        _short(reading) if k == 0 else "",
                        f"{rationality:g}" if k == 0 else "",
                        str(verdict.level), worth(verdict.offered), worth(verdict.preferred),
                        verdict.best, chance(verdict.capture),
                    )  # fmt: skip
    if made.row_count:
        console.print(Text("\nOne more level, from 1 to 2", style="bold"))
        console.print(made)
        console.print(
            "The reason holds where Black takes less at level 2, the preference where Qb2 is then "
            "above Qd1."
        )


def _short(reading: Reading) -> str:
    without = "" if reading.all_moves else ", no Qc3"
    return f"{reading.tries}, horizon {reading.horizon}{without}"


def _print_growth(console: Console, growth: Growth) -> None:
    title = f"\nLevel upon level: {growth.reading.words}, lambda {growth.rationality:g}"
    console.print(Text(title, style="bold"))
    names = [str(cell.level) for cell in growth.cells]
    made = table("level", *names, right=names)
    made.add_row("best", *(cell.best for cell in growth.cells))
    for move in ("Qd1", "Qb2"):
        made.add_row(move, *(f"{cell.value(move):.1f}" for cell in growth.cells))
    made.add_row("change", "", *(f"{change:.1f}" for change in growth.course.changes))
    console.print(made)
    console.print(growth.course.words)
