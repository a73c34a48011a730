"""Charts, drawn with matplotlib; it is imported only when a chart is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.quoting import printable
from ipomdp.report import Analysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RANDOM_COLOUR, MODEL_COLOUR = "#b8c4d6", "#1f4e8c"


def figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty figure of a size in inches; no window is opened."""
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(width, height), layout="constrained")
    return canvas, canvas.subplots()


def save(canvas: Figure, path: Path) -> None:
    """Write a figure; the same figure always makes the same file."""
    from matplotlib import rc_context

    undated = {"Date": None} if path.suffix.lower() == ".svg" else None
    if path.suffix.lower() == ".pdf":
        undated = {"CreationDate": None}
    with rc_context({"svg.hashsalt": "ipomdp", "svg.fonttype": "none"}):
        canvas.savefig(path, dpi=150, metadata=undated)


def plain(words: str) -> str:
    """Return words that matplotlib prints as they are: a dollar sign would begin mathematics."""
    return printable(words).replace("$", r"\$")


def compare_chart(random: Analysis, modelled: Analysis, path: Path) -> None:
    """Draw the expected utility of each move against a random j and against a modelled j."""
    moves = [report.move for report in modelled.moves]
    canvas, axes = figure(8.0, 1.6 + 0.42 * len(moves))
    place = np.arange(len(moves))
    rows = [
        (random, -0.2, RANDOM_COLOUR, "j plays at random"),
        (modelled, 0.2, MODEL_COLOUR, f"j is modelled (i at level {modelled.level})"),
    ]
    if modelled.level == 0:
        rows = [(modelled, 0.0, MODEL_COLOUR, "i at level 0: j is not modelled")]
    for analysis, shift, colour, label in rows:
        values = [analysis.move(move).expected_utility for move in moves]
        bars = axes.barh(place + shift, values, 0.4, color=colour, label=label)
        axes.bar_label(bars, [rounded(value) for value in values], fontsize=8, padding=3)
    axes.set_yticks(place, moves)
    axes.invert_yaxis()  # the best move on top
    axes.axvline(0, color="#333333", linewidth=0.8)
    axes.set_xlabel(f"expected utility to {modelled.to_move.capitalize()} (i)")
    title = f"{modelled.scenario}: {modelled.position}, lambda {modelled.rationality:g}"
    axes.set_title(plain(title), fontsize=11)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)
    axes.margins(x=0.12, y=0.02)
    canvas.legend(loc="outside lower center", ncols=2, frameon=False)
    save(canvas, path)


def rounded(value: float) -> str:
    """Return a value without decimals, with a minus sign like the axis's and no minus zero."""
    return f"{round(value) or 0}".replace("-", "\N{MINUS SIGN}")
