"""What a view gives to take away: the same bytes that its command prints or writes."""

from __future__ import annotations

import csv
import io
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from ipomdp.scenario import Scenario, kriegspiel_only
from ipomdp.show.console import as_text
from ipomdp.study.conjecture import Settled
from ipomdp.study.explain import explained, standpoint
from ipomdp.study.levels import Sweep
from ipomdp.study.thought import Thought

WIDTH = 80
"""Characters of a line of text in a file."""
FIGURES = {"2": "decision", "3": "opponent", "4": "board"}
_DRAWING = threading.Lock()
"""matplotlib's settings are the whole process's."""


def drawn(draw: Callable[[Path], object]) -> bytes:
    """Return the SVG that ``draw`` writes to a file."""
    with _DRAWING, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        draw(path)
        return path.read_bytes()


def sweep_picture(sweep: Sweep) -> bytes:
    """Return the picture of a grid, as ``ipomdp levels --out`` draws it."""
    from ipomdp.show.level_plots import levels_chart  # matplotlib

    return drawn(lambda path: levels_chart(sweep, path))


def conjecture_picture(settled: Settled) -> bytes:
    """Return the picture of the conjecture, as ``ipomdp conjecture --out`` draws it."""
    from ipomdp.show.conjecture_plots import conjecture_chart  # matplotlib

    return drawn(lambda path: conjecture_chart(settled, path))


def sweep_table(sweep: Sweep) -> str:
    """Return a grid as ``ipomdp levels --csv`` writes it."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows(sweep.rows())
    return file.getvalue()


def diagram_picture(scenario: Scenario, figure: str) -> bytes:
    """Return an influence diagram, as ``ipomdp network --out`` draws it."""
    from networks import paper_networks  # pgmpy
    from networks.draw import draw

    diagram = getattr(paper_networks(kriegspiel_only(scenario, "network")), FIGURES[figure])
    return drawn(lambda path: draw(diagram, path, scenario.name))


def reasons(scenario: Scenario, move: str) -> Thought:
    """Return the reasoning behind a move."""
    return explained(standpoint(scenario), move)


def reasons_text(scenario: Scenario, thought: Thought) -> str:
    """Return the reasoning as ``ipomdp explain`` prints it to a file."""
    from ipomdp.show.explain_tree import print_thought

    console = Console(
        file=io.StringIO(), markup=False, highlight=False, emoji=False, width=WIDTH
    )  # fmt: skip
    return as_text(console, lambda into: print_thought(into, scenario, thought))
