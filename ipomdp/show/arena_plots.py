"""Figures 2 to 4 of Parker, Nau and Subrahmanian (2005), drawn from the games of an arena."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ipomdp.arena.intervals import Interval
from ipomdp.arena.standings import Curve, PairingResult
from ipomdp.show.plots import plain, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#1f4e8c", "#c96a2b")
"""The first player of a pairing, and the second."""
FEWEST = 0.1
"""The share of a pairing's games that must still be going on for a mean to be drawn."""
COLUMNS = 3
LABELS = {"last_observation_share": "boards that fit the last observation alone (%)"}
"""What players note, in words; shares of 1 are drawn in percent."""


def arena_chart(results: Sequence[PairingResult], title: str, path: Path) -> None:
    """Draw a panel for each pairing's material, and one for each thing its players noted."""
    from matplotlib.figure import Figure

    noted = [
        (result, name)
        for result in results
        for name in sorted({*result.noted[0], *result.noted[1]})
    ]
    count = len(results) + len(noted)
    columns = min(COLUMNS, count)
    lines = -(-count // columns)
    canvas = Figure(figsize=(1.0 + 4.2 * columns, 0.8 + 3.4 * lines), layout="constrained")
    panels = list(canvas.subplots(lines, columns, squeeze=False).flat)
    for axes, result in zip(panels, results, strict=False):
        _draw_material(axes, result)
    for axes, (result, name) in zip(panels[len(results) :], noted, strict=False):
        _draw_noted(axes, result, name)
    for axes in panels[count:]:
        axes.set_axis_off()
    canvas.suptitle(
        plain(f"{title}\nmeans over the games that got so far, as long as a tenth of them did"),
        fontsize=10,
    )
    save(canvas, path)


def _draw_material(axes: Axes, result: PairingResult) -> None:
    for player, curve, colour in zip(result.pairing, result.material, COLOURS, strict=True):
        shown = _shown(curve)
        places = [(k + 1) / 2 for k in range(shown)]
        axes.plot(places, curve.mean[:shown], color=colour, linewidth=1.6, label=plain(player))
    axes.set_title(plain(_heading(result)), fontsize=9, loc="left")
    axes.set_xlabel("move")
    axes.set_ylabel("material")
    axes.set_ylim(bottom=0)
    _finish(axes)


def _draw_noted(axes: Axes, result: PairingResult, name: str) -> None:
    percent = name in LABELS
    for player, curves, colour in zip(result.pairing, result.noted, COLOURS, strict=True):
        if name in curves:
            curve, scale = curves[name], 100.0 if percent else 1.0
            points = [
                (k + 1, scale * curve.mean[k]) for k in range(_shown(curve)) if curve.games[k]
            ]
            axes.plot(*zip(*points, strict=True), color=colour, linewidth=1.6, label=plain(player))
    first, second = result.pairing
    axes.set_title(plain(f"{first} v {second}"), fontsize=9, loc="left")
    axes.set_xlabel("move")
    axes.set_ylabel(plain(LABELS.get(name, name.replace("_", " "))), fontsize=8)
    if percent:
        axes.set_ylim(0, 100)
    _finish(axes)


def _finish(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    if axes.lines:
        axes.legend(frameon=False, fontsize=8)


def _shown(curve: Curve) -> int:
    """Return up to where enough games go on."""
    most = max(curve.games, default=0)
    enough = [k for k, games in enumerate(curve.games, start=1) if games >= FEWEST * most]
    return enough[-1] if enough else 0


def _heading(result: PairingResult) -> str:
    first, second = result.pairing
    tally = result.tally
    words = [f"{first} v {second}, {tally.games} game{'s' * (tally.games != 1)}"]
    told = []
    for name, count in (("won", tally.won), ("lost", tally.lost), ("drawn", tally.drawn)):
        found = tally.share(count)
        if found is not None:
            told.append(f"{name} {_percent(*found)}")
    return "\n".join([*words, ", ".join(told)])


def _percent(share: float, interval: Interval) -> str:
    """Return a share with its interval, as ``39% (35-43)``."""
    low, high = interval
    return f"{100 * share:.1f}% ({100 * low:.0f}\N{EN DASH}{100 * high:.0f})"
