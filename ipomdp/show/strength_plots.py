"""The picture of strength: levels, lambda assumed against true, and what an error costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.show.plots import MODEL_COLOUR, save
from ipomdp.study.strength import Cell, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADES = "RdBu"
"""Red where i loses, white at one half, blue where it wins."""
MARK = "#222222"


def strength_chart(study: Study, path: Path) -> None:
    """Draw both tables as maps, and the cost of a wrong lambda as a line."""
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(12.5, 4.4), layout="constrained")
    levels, lambdas, costs = canvas.subplots(1, 3, width_ratios=(1.15, 1.15, 1.0))
    _draw_scores(
        levels,
        [[study.against(k, j) for j in study.opponents] for k in study.levels],
        marked=[(n + 1, row) for row, k in enumerate(study.levels)
                for n, j in enumerate(study.levels) if j == k - 1],
    )  # fmt: skip
    levels.set_xticks(range(len(study.opponents)), ["random", *map(str, study.levels)])
    levels.set_yticks(range(len(study.levels)), [str(k) for k in study.levels])
    levels.set_xlabel("j's level")
    levels.set_ylabel("i's level")
    levels.set_title(
        f"Score of i by level (lambda {study.rationality:g})\nframed: j is whom i thinks it plays",
        fontsize=10,
    )
    grid = study.lambdas
    _draw_scores(
        lambdas,
        [[study.knowing(assumed, true) for true in grid] for assumed in grid],
        marked=[(k, k) for k in range(len(grid))],
    )
    names = [f"{value:g}" for value in grid]
    lambdas.set_xticks(range(len(grid)), names)
    lambdas.set_yticks(range(len(grid)), names)
    lambdas.set_xlabel(f"lambda true of j (level {study.level - 1})")
    lambdas.set_ylabel(f"lambda assumed by i (level {study.level})")
    lambdas.set_title("Score of i by lambda\nframed: i assumes the true one", fontsize=10)
    _draw_costs(costs, study)
    canvas.suptitle(
        f"4x4 Kriegspiel, {_games(study)} games in each cell from quiet starts, both colours; "
        f"planning {study.horizon} decision{'s' * (study.horizon > 1)}",
        fontsize=11,
    )
    save(canvas, path)


def _games(study: Study) -> str:
    cells = [study.against(k, j) for k in study.levels for j in study.opponents]
    counts = sorted({cell.games if cell else 0 for cell in cells})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _draw_scores(
    axes: Axes, cells: Sequence[Sequence[Cell | None]], marked: Sequence[tuple[int, int]]
) -> None:
    """Draw scores as shades with their intervals, some cells framed."""
    from matplotlib.patches import Rectangle

    scores = np.array([[np.nan if cell is None else cell.score for cell in row] for row in cells])
    axes.imshow(scores, cmap=SHADES, vmin=0, vmax=1, origin="lower", aspect="auto")
    for row, line in enumerate(cells):
        for column, cell in enumerate(line):
            if cell is None:
                continue
            low, high = cell.interval
            ink = "white" if abs(cell.score - 0.5) > 0.35 else MARK
            axes.text(
                column, row, f"{cell.score:.2f}\n{low:.2f}-{high:.2f}", ha="center", va="center",
                fontsize=7.5, color=ink,
            )  # fmt: skip
    for column, row in marked:
        axes.add_patch(
            Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, ec=MARK, linewidth=1.8)
        )
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _draw_costs(axes: Axes, study: Study) -> None:
    """Draw the score lost over how far off the assumed lambda is."""
    costs = study.costs()
    steps = [cost.steps for cost in costs]
    axes.axhline(0, color=MARK, linewidth=0.8)
    axes.errorbar(
        steps, [cost.mean for cost in costs], [cost.half for cost in costs],
        color=MODEL_COLOUR, marker="o", markersize=4, linewidth=1.4, capsize=3,
    )  # fmt: skip
    axes.set_xticks(steps, [f"{step:+d}" if step else "right" for step in steps])
    axes.set_xlabel("assumed lambda: places off in the grid")
    axes.set_ylabel("score lost")
    axes.set_title("What a wrong lambda costs\n(with 95% intervals)", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
