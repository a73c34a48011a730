"""Charts, drawn with matplotlib; it is imported only when a chart is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

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


def compare_chart(random: Analysis, modelled: Analysis, path: Path) -> None:
    """Draw the expected utility of each move against a random j and against a modelled j."""
    moves = [report.move for report in modelled.moves]
    canvas, axes = figure(8.0, 3.8)
    place = np.arange(len(moves))
    for analysis, shift, colour, label in (
        (random, -0.2, RANDOM_COLOUR, "j plays at random"),
        (modelled, 0.2, MODEL_COLOUR, f"j is modelled (i at level {modelled.level})"),
    ):
        values = [analysis.move(move).expected_utility for move in moves]
        bars = axes.bar(place + shift, values, 0.4, color=colour, label=label)
        axes.bar_label(bars, fmt="%.0f", fontsize=8, padding=2)
    axes.set_xticks(place, moves)
    axes.axhline(0, color="#333333", linewidth=0.8)
    axes.set_ylabel(f"expected utility to {modelled.to_move.capitalize()} (i)")
    axes.set_title(f"{modelled.scenario}: {modelled.position}", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(y=0.12)
    axes.legend(frameon=False)
    save(canvas, path)
