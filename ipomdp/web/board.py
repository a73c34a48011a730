"""The board as an element of a page, drawn by ``board.js``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import chess.svg
from nicegui import ui
from nicegui.events import GenericEventArguments


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """What a board shows, as plain data."""

    size: int
    flipped: bool = False
    """Whether Black sits at the bottom."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Where each piece may be tried to go, by the square on which it stands."""
    tokens: Sequence[Mapping[str, object]] = ()
    """``{"kind", "square", "probability", "certain"}``."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Squares to mark: ``last``, ``capture``, ``check`` or ``refused``."""
    heat: Mapping[str, float] = field(default_factory=dict)
    """How dark a square is shaded, from 0 to 1."""
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Short lines written into squares."""
    label: str = "the board"
    """What it is called where it cannot be seen."""


class Board(ui.element, component="board.js"):
    """A board on a page."""

    def __init__(
        self,
        view: BoardView,
        *,
        on_try: Callable[[str, str], Any] | None = None,
        width: str = "36rem",
    ) -> None:
        """Show a view; ``on_try`` is called with the squares of a try."""
        super().__init__()
        self._props["width"] = width
        self._props["view"] = asdict(view)
        self.classes("w-full")
        if on_try is not None:
            self.on("try", lambda event: on_try(*_squares(event)))

    def show(self, view: BoardView) -> None:
        """Show another view."""
        shown = asdict(view)
        if shown != self._props["view"]:
            self._props["view"] = shown
            self.update()


def _squares(event: GenericEventArguments) -> tuple[str, str]:
    """Return the squares of a try; what a browser sends may be anything."""
    sent = event.args if isinstance(event.args, dict) else {}
    return str(sent.get("origin", ""))[:2], str(sent.get("target", ""))[:2]


def add_shapes() -> None:
    """Put the shapes of the pieces, python-chess's, on the page."""
    symbols = "".join(
        f'<symbol id="piece-{letter}" viewBox="0 0 45 45">{shape}</symbol>'
        for letter, shape in chess.svg.PIECES.items()
    )
    ui.add_body_html(
        f'<svg width="0" height="0" style="position:absolute"><defs>{symbols}</defs></svg>'
    )
