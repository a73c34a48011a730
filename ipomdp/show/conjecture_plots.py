"""The picture of the conjecture over all readings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.show.level_plots import draw_map, write_in
from ipomdp.show.plots import save
from ipomdp.study.conjecture import VIEWS, Reading, Settled, readings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADES = dict(zip(VIEWS, ("#c9d3e3", "#f2b872", "#c0392b"), strict=True))
INK = dict(zip(VIEWS, ("#44546a", "#5c3a0c", "#ffffff"), strict=True))


def conjecture_chart(settled: Settled, path: Path) -> None:
    """Draw for each reading who is ahead, and beside it how likely Black takes on b2."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    canvas = Figure(figsize=(11.0, 8.6), layout="constrained")
    axes = canvas.subplots(3, 3)
    for place, reading in enumerate(readings()):
        row, column = divmod(place, 2)
        _draw_views(axes[row, column], settled, reading)
        if reading.horizon == 1:  # what Black does does not depend on how far White plans
            _draw_capture(axes[row, 2], settled, reading)
    for upper in axes[:-1].flat:
        upper.set_xticklabels([])
        upper.set_xlabel("")
    handles = [Patch(color=SHADES[view], label=view) for view in VIEWS]
    canvas.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    canvas.suptitle(
        "Is Qb2 better than Qd1, and does Black refrain from taking? Figure 1, in every reading\n"
        "left, middle: who is ahead, and in each cell the best move of all; "
        "right: how likely Black takes on b2",
        fontsize=11,
    )
    save(canvas, path)


def _draw_views(axes: Axes, settled: Settled, reading: Reading) -> None:
    levels = reading.levels(settled.levels)
    shades = {(v.level, v.rationality): SHADES[v.view] for v in settled.of(reading)}
    draw_map(axes, levels, settled.rationalities, shades)
    for verdict in settled.of(reading):
        place = settled.rationalities.index(verdict.rationality), levels.index(verdict.level)
        write_in(axes, place, verdict.best, INK[verdict.view])
    axes.set_title(_title(reading), fontsize=9, loc="left")
    _small(axes)


def _draw_capture(axes: Axes, settled: Settled, reading: Reading) -> None:
    levels = reading.levels(settled.levels)
    chances = np.full((len(levels), len(settled.rationalities)), np.nan)
    for verdict in settled.of(reading):
        place = levels.index(verdict.level), settled.rationalities.index(verdict.rationality)
        chances[place] = verdict.capture
    draw_map(axes, levels, settled.rationalities, {})
    axes.imshow(
        chances, origin="lower", aspect="auto", interpolation="nearest", cmap="Greens", vmin=0,
        vmax=1,
    )  # fmt: skip
    for (row, column), chance in np.ndenumerate(chances):
        if not np.isnan(chance):
            ink = "white" if chance > 0.6 else "#333333"
            write_in(axes, (column, row), f"{chance:.2f}".removeprefix("0"), ink)
    without = "" if reading.all_moves else "\nQc3 not considered"
    axes.set_title(f"Black takes on b2; tries: {reading.tries}{without}", fontsize=9, loc="left")
    axes.set_ylabel("")
    _small(axes)


def _small(axes: Axes) -> None:
    axes.tick_params(labelsize=7)
    axes.xaxis.label.set_fontsize(8)
    axes.yaxis.label.set_fontsize(8)


def _title(reading: Reading) -> str:
    without = "" if reading.all_moves else "\nQc3 not considered"
    return f"tries: {reading.tries}, horizon {reading.horizon}{without}"
