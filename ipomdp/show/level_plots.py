"""The picture of a grid over levels and lambda."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.report import TIE
from ipomdp.show.plots import plain, save
from ipomdp.study.levels import Cell, Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = (
    "#1f4e8c", "#e07b39", "#4c9a4c", "#b5485d", "#8064a2", "#c9a227", "#5bb0c4", "#8c6d4f",
    "#e39bc0", "#666666",
)  # fmt: skip
OTHERS = "#dddddd"
UNKNOWN = "#ffffff"
REPLIES = ("#3f4a5a", "#66748a", "#8d99ad")
"""The shades of j's likeliest replies; the others share one bar."""


def levels_chart(sweep: Sweep, path: Path) -> None:
    """Draw utilities by level, the best move over level and lambda, and j's replies by level."""
    from matplotlib.figure import Figure

    scenario, moves = sweep.scenario, sweep.moves
    colours = {move: COLOURS[k % len(COLOURS)] for k, move in enumerate(moves)}
    canvas = Figure(figsize=(12.0, 4.8), layout="constrained")
    lines, best, replies = canvas.subplots(1, 3, width_ratios=(1.0, 1.1, 1.1))
    run = sweep.along(sweep.reference)
    at = f"lambda {sweep.reference:.3g}"
    _draw_lines(lines, run, colours)
    lines.set_title(f"What each move is worth to i\n({at})", fontsize=10)
    shades = {(cell.level, cell.rationality): colours[cell.best] for cell in sweep.cells}
    draw_map(best, sweep.levels, sweep.rationalities, shades)
    for cell in sweep.cells:
        if cell.tied:
            place = sweep.rationalities.index(cell.rationality), sweep.levels.index(cell.level)
            write_in(best, place, "tie", "white")
    best.set_title("The best move", fontsize=10)
    _draw_replies(replies, [cell for cell in run if cell.replies])
    replies.set_title(f"What j replies to the best move\n({at})", fontsize=10)
    title = f"{scenario.name}: {scenario.position}, tries: {scenario.tries}"
    title += f", horizon {scenario.horizon}"
    canvas.suptitle(plain(title), fontsize=11)
    _legend(canvas, colours)
    save(canvas, path)


def _legend(canvas: object, colours: Mapping[str, str]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, marker="s", linewidth=2, label=move)
        for move, colour in colours.items()
    ]
    canvas.legend(  # type: ignore[attr-defined]
        handles=handles, loc="outside lower center", ncols=min(len(handles), 10), frameon=False,
        fontsize=9, title="i's moves", title_fontsize=9,
    )  # fmt: skip


def _draw_lines(axes: Axes, run: Sequence[Cell], colours: Mapping[str, str]) -> None:
    for move, colour in colours.items():
        axes.plot(
            [cell.level for cell in run], [cell.value(move) for cell in run],
            color=colour, marker="o", markersize=3.5, linewidth=1.4,
        )  # fmt: skip
    axes.set_xticks([cell.level for cell in run])
    axes.set_xlabel("i's level")
    axes.set_ylabel("expected utility")
    axes.axhline(0, color="#333333", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def draw_map(
    axes: Axes,
    levels: Sequence[int],
    rationalities: Sequence[float],
    shades: Mapping[tuple[int, float], str],
) -> None:
    """Draw a cell of its colour for each level and lambda; what is not known stays white."""
    from matplotlib.colors import to_rgb

    pixels = [[to_rgb(shades.get((k, r), UNKNOWN)) for r in rationalities] for k in levels]
    # nearest: an image of a few flat colours, small in a file, with edges as sharp as they are
    axes.imshow(np.array(pixels), origin="lower", aspect="auto", interpolation="nearest")
    axes.set_yticks(range(len(levels)), [str(level) for level in levels])
    every = -(-len(rationalities) // 7)
    shown = range(0, len(rationalities), every)
    axes.set_xticks(list(shown), [f"{rationalities[k]:.2g}" for k in shown])
    axes.set_xlabel("lambda")
    axes.set_ylabel("i's level")
    top, right = len(levels) - 0.5, len(rationalities) - 0.5
    axes.hlines(np.arange(0.5, top), -0.5, right, colors="white", linewidths=0.6)
    axes.vlines(np.arange(0.5, right), -0.5, top, colors="white", linewidths=0.6)


def write_in(axes: Axes, place: tuple[int, int], words: str, colour: str) -> None:
    """Write into a cell (column, row) of a map."""
    # one font instead of a list of choices: there are hundreds of these in a file
    axes.text(
        *place, words, ha="center", va="center", fontsize=6.5, color=colour, family="DejaVu Sans"
    )


def _draw_replies(axes: Axes, run: Sequence[Cell]) -> None:
    """Draw one bar a level: j's likeliest replies, named where there is room, and the rest."""
    for place, cell in enumerate(run):
        bottom = 0.0
        told = _outstanding(cell)
        for (move, chance), shade in zip(told, REPLIES, strict=False):
            axes.bar(place, chance, 0.8, bottom, color=shade, edgecolor="white", linewidth=0.5)
            if chance > 0.024:
                axes.text(
                    place, bottom + chance / 2, move, ha="center", va="center", color="white",
                    fontsize=7.5 if chance > 0.05 else 5.5,
                )  # fmt: skip
            bottom += chance
        rest = len(cell.replies) - len(told)
        if rest > 0:
            axes.bar(place, 1 - bottom, 0.8, bottom, color=OTHERS)
            if 1 - bottom > 0.1:
                axes.text(
                    place, (1 + bottom) / 2, f"{rest} others", ha="center", va="center",
                    fontsize=6.5, color="#444444",
                )  # fmt: skip
    axes.set_xticks(range(len(run)), [f"{cell.level}\n{cell.after}" for cell in run], fontsize=8)
    axes.set_xlabel("i's level, and its best move")
    axes.set_ylabel("probability")
    axes.set_ylim(0, 1)
    axes.spines[["top", "right"]].set_visible(False)


def _outstanding(cell: Cell) -> Sequence[tuple[str, float]]:
    """Return the likeliest replies, without those that tie with one left out."""
    told = list(cell.replies[: len(REPLIES)])
    left = [chance for _, chance in cell.replies[len(REPLIES) :]]
    while left and told and told[-1][1] - left[0] <= TIE:
        told.pop()
    return told
