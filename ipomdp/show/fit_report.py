"""Fits as a table and as a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ipomdp.show.tables import table
from ipomdp.study.fit import DROP, LevelFit, PlayerFit

CLOSE = 2.0
"""Levels whose AIC differ by less are not told apart."""
COLOURS = ("#b3742a", "#1f4e8c", "#3c8d5a", "#8c3b6e", "#555555")


def print_fits(console: Console, fits: Sequence[PlayerFit], games: int) -> None:
    """Print what fits each player, level by level."""
    for fit in fits:
        moves = _counted(fit.turns, "move")
        console.print(
            f"{fit.player.capitalize()}: {moves} in {_counted(games, 'game')}, "
            f"{_counted(fit.tries, 'try', 'tries')}"
        )
        numbers = ("log-likelihood", "AIC", "above best")
        rows = table("level", "lambda", "95% interval", *numbers, right=numbers)
        least = min([-2.0 * fit.at_random, *(level.aic for level in fit.levels)])
        for level in fit.levels:
            rows.add_row(
                str(level.level), _estimate(level), _interval(level),
                *_scores(level.log_likelihood, level.aic, least),
            )  # fmt: skip
        aic = -2.0 * fit.at_random
        rows.add_row("random", "0", "", *_scores(fit.at_random, aic, least))
        console.print(rows)
        console.print(_verdict(fit, least))
        if fit.ignored:
            console.print(
                f"{_counted(fit.ignored, 'more try', 'more tries')} not counted: the player "
                "could know them to be illegal."
            )
        console.print()


def _verdict(fit: PlayerFit, least: float) -> str:
    """Return what the comparison says, in a sentence."""
    close = [str(level.level) for level in fit.levels if level.aic < least + CLOSE]
    if -2.0 * fit.at_random < least + CLOSE:
        return "Play at random explains these moves as well as any level."
    if len(close) > 1:
        listed = " and ".join([", ".join(close[:-1]), close[-1]])
        return f"These games do not tell levels {listed} apart: AIC within {CLOSE:g}."
    return f"Level {close[0]} explains these moves best."


def _estimate(fit: LevelFit) -> str:
    return "any" if fit.rationality is None else f"{fit.rationality:.3g}"


def _interval(fit: LevelFit) -> str:
    if fit.low == 0:
        return "any" if math.isinf(fit.high) else f"at most {fit.high:.3g}"
    return f"at least {fit.low:.3g}" if math.isinf(fit.high) else f"{fit.low:.3g} to {fit.high:.3g}"


def _scores(log_likelihood: float, aic: float, least: float) -> tuple[str, str, str]:
    return f"{log_likelihood + 0.0:.2f}", f"{aic + 0.0:.2f}", f"{aic - least:.2f}"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def likelihood_chart(fits: Sequence[PlayerFit], path: Path) -> None:
    """Draw the log-likelihood over lambda, a curve for each level."""
    from matplotlib.figure import Figure

    from ipomdp.show.plots import save

    canvas = Figure(figsize=(1.0 + 4.5 * len(fits), 4.0), layout="constrained")
    panels = canvas.subplots(1, len(fits), squeeze=False)[0]
    for axes, fit in zip(panels, fits, strict=True):
        for k, level in enumerate(fit.levels):
            colour = COLOURS[k % len(COLOURS)]
            points = [(x, y) for x, y in level.curve if x > 0]
            axes.plot(*zip(*points, strict=True), color=colour, label=f"level {level.level}")
            if level.rationality and math.isfinite(level.rationality):
                axes.plot(level.rationality, level.log_likelihood, "o", color=colour, markersize=5)
        top = max(level.log_likelihood for level in fit.levels)
        bottom = min(fit.at_random, top - 10.0)
        axes.set_ylim(bottom - 0.05 * (top - bottom), top + 0.05 * (top - bottom))
        axes.axhline(
            top - DROP, color="#999999", linewidth=0.8, linestyle="--",
            label="end of the 95% interval",
        )  # fmt: skip
        axes.axhline(
            fit.at_random, color="#999999", linewidth=0.8, linestyle=":", label="play at random"
        )
        axes.set_xscale("log")
        axes.set_xlabel("lambda")
        axes.set_title(f"{fit.player.capitalize()}, {_counted(fit.turns, 'move')}", fontsize=11)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("log-likelihood")
    canvas.legend(
        *panels[0].get_legend_handles_labels(), loc="outside lower center", frameon=False,
        ncols=3 if len(fits) == 1 else 5,
    )  # fmt: skip
    save(canvas, path)
