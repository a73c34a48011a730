"""The array engine against the plain-Python oracle, and how its time grows.

Ratios are of times taken in this run, BLAS pinned to one thread. `--out FILE` draws the growth.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from ipomdp import Scenario, load_scenario
from ipomdp.engine.expect import action_values
from ipomdp.scenario import kriegspiel_only
from ipomdp.show.plots import save
from tests.oracle import Oracle

FEN = "1q1k/4/4/K1Q1 w"
PARTICLES = (10, 100, 1000)
Cell = tuple[str, float]


def timed(run: Callable[[], object], seconds: float = 1.0) -> float:
    """Return the median time of one run, repeated for about so many seconds."""
    times: list[float] = []
    while sum(times) < seconds and len(times) < 20:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def figure_1(level: int, horizon: int = 1, tries: str = "retry") -> Scenario:
    """Return Figure 1 with all moves, lambda 0.02."""
    return Scenario(
        name="figure-1", fen=FEN, level=level, horizon=horizon, tries=tries, rationality=0.02
    )


def decide(scenario: Scenario) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the worth of every action, from scratch."""
    return action_values(scenario.problem.situation())


def against_the_oracle() -> None:
    """Print the times of both programs; they must agree."""
    print("\nFigure 1, retry, lambda 0.02: the engine and the oracle of tests/, from scratch")
    print(f"{'':22}{'engine, ms':>12}{'oracle, ms':>12}{'ratio':>8}")
    for level, horizon in ((2, 2), (4, 1), (5, 1), (4, 2)):
        scenario = figure_1(level, horizon)
        ours = timed(partial(decide, scenario))
        start = time.perf_counter()
        slow = Oracle(tries="retry", rationality=0.02, horizon=horizon)
        theirs = slow.expected_utilities(FEN, level)
        spent = time.perf_counter() - start
        values = decide(scenario)
        names = scenario.problem.game.actions
        if max(abs(values[names.index(m)] - v) for m, v in theirs.items()) > 1e-8:
            raise SystemExit(f"the programs disagree at level {level}, horizon {horizon}")
        print(
            f"level {level}, horizon {horizon:<5}{1e3 * ours:14.1f}{1e3 * spent:12.0f}"
            f"{spent / ours:8.0f}"
        )


def growth() -> dict[str, list[Cell]]:
    """Return the times by level, by horizon, by the support of the belief, and by particles."""
    middle = kriegspiel_only(load_scenario("middle-game"), "the benchmark")
    found: dict[str, list[Cell]] = {}
    for tries in ("paper", "retry"):
        found[f"level, {tries}"] = [
            (str(k), timed(partial(decide, figure_1(k, 1, tries)))) for k in range(8)
        ]
    found["horizon, retry, level 1"] = [
        (str(d), timed(partial(decide, figure_1(1, d)))) for d in (1, 2, 3)
    ]
    found["half-moves heard, level 1"], found["half-moves heard, level 2"] = [], []
    for plies in (0, 2, 4, 6, 8):
        for level in (1, 2):
            heard = replace(middle, history=middle.history[:plies], level=level)
            rows = heard.problem.situation().layer.rows.node.size
            spent = timed(partial(decide, heard))
            found[f"half-moves heard, level {level}"].append((f"{plies} ({rows} rows)", spent))
    for level in (1, 2):
        sampled = [replace(middle, level=level, exact_up_to=0, particles=n) for n in PARTICLES]
        found[f"particles, level {level}, 10 half-moves"] = [
            (str(s.particles), timed(partial(decide, s))) for s in sampled
        ]
    return found


def chart(found: dict[str, list[Cell]], path: Path) -> None:
    """Draw the growth, one panel for each thing that grows."""
    from matplotlib.figure import Figure

    panels = {"level": "level", "horizon": "horizon", "half-moves": "half-moves heard",
              "particles": "particles"}  # fmt: skip
    canvas = Figure(figsize=(10.0, 3.2), layout="constrained")
    for axes, (start, label) in zip(canvas.subplots(1, 4), panels.items(), strict=True):
        for name, cells in found.items():
            if name.startswith(start):
                words = name.removeprefix(f"{label}, ") if name != label else name
                numbers = [float(cell[0].split(" ")[0]) for cell in cells]
                axes.semilogy(numbers, [1e3 * cell[1] for cell in cells], "o-", label=words)
        axes.set_xlabel(label)
        axes.set_xticks(numbers)
        if start == "particles":
            axes.set_xscale("log")
        axes.legend(frameon=False, fontsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    canvas.axes[0].set_ylabel("ms a decision")
    save(canvas, path)


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    with threadpool_limits(1):
        against_the_oracle()
        found = growth()
    print("\nHow the time grows, ms a decision from scratch")
    for name, cells in found.items():
        print(f"{name:40}" + "  ".join(f"{what}: {1e3 * spent:.1f}" for what, spent in cells))
    if arguments.out is not None:
        chart(found, arguments.out)
        print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
