"""Influence diagrams as pictures.

Ellipses are chance, rectangles decisions, diamonds utilities; a dotted link is what a player hears
before it decides.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ipomdp.show.plots import figure, plain, save
from networks.diagram import Diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

INK = "#333333"
LEGEND = "dotted: what a player hears before it decides"
COLOURS = {"chance": "#e8eef7", "decision": "#fdebd0", "utility": "#e2f0d9"}
LABELS = {
    "S1": "S'",
    "S2": "S''",
    "Ai2": "Ai'",
    "Announcement": "Referee's\nannouncement",
    "Announcement2": "Announcement\nof Aj",
}
WIDTH, HEIGHT = 0.62, 0.34
"""Of a node, in the units of the layout."""


def draw(diagram: Diagram, path: Path, name: str = "") -> None:
    """Draw a diagram to a picture file; ``name`` says of which scenario."""
    network = diagram.network
    xs, ys = zip(*(diagram.layout[name] for name in network.nodes), strict=True)
    wide, high = max(xs) - min(xs) + 1.0, max(ys) - min(ys) + 0.75
    canvas, axes = figure(2.3 * wide, 2.3 * high)
    shapes = {name: _shape(diagram, name) for name in network.nodes}
    for node, shape in shapes.items():
        axes.add_patch(shape)
        axes.annotate(
            LABELS.get(node, node), diagram.layout[node], ha="center", va="center", fontsize=11,
            zorder=4,
        )  # fmt: skip
    for edge in network.edges:
        _link(axes, diagram, edge, shapes)
    axes.set_xlim(min(xs) - 0.5, max(xs) + 0.5)
    axes.set_ylim(min(ys) - 0.3, max(ys) + 0.3)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(plain(f"{diagram.title} ({name})" if name else diagram.title), fontsize=12)
    if diagram.information:
        canvas.supxlabel(LEGEND, fontsize=9, color=INK)
    save(canvas, path)


def _shape(diagram: Diagram, name: str) -> Patch:
    from matplotlib.patches import Ellipse, Polygon, Rectangle

    x, y = diagram.layout[name]
    look = {"edgecolor": INK, "linewidth": 1.2, "zorder": 3}
    if name in diagram.decisions:
        corner = (x - WIDTH / 2, y - HEIGHT / 2)
        return Rectangle(corner, WIDTH, HEIGHT, facecolor=COLOURS["decision"], **look)  # type: ignore[arg-type]
    if name == diagram.utility:
        corners = [(x - WIDTH / 2, y), (x, y + 0.24), (x + WIDTH / 2, y), (x, y - 0.24)]
        return Polygon(corners, facecolor=COLOURS["utility"], **look)  # type: ignore[arg-type]
    return Ellipse((x, y), WIDTH, HEIGHT, facecolor=COLOURS["chance"], **look)  # type: ignore[arg-type]


def _link(axes: Axes, diagram: Diagram, edge: tuple[str, str], shapes: dict[str, Patch]) -> None:
    """Draw a link from the border of one node to that of the other."""
    from matplotlib.patches import FancyArrowPatch

    strokes = [("-|>", "-", 1.2)]
    if edge in diagram.information:  # two strokes, or the head would be dotted like its line
        strokes = [("-", ":", 1.6), ("simple,tail_width=0,head_width=0.5,head_length=0.6", "-", 0)]
    start, end = (diagram.layout[name] for name in edge)
    for arrow, line, width in strokes:
        axes.add_patch(
            FancyArrowPatch(
                start, end, patchA=shapes[edge[0]], patchB=shapes[edge[1]], shrinkA=0, shrinkB=1,
                arrowstyle=arrow, linestyle=line, linewidth=width, mutation_scale=14, color=INK,
                zorder=2,
            )
        )  # fmt: skip
