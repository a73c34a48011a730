"""A board with guess tokens, or two beside each other, and what switches them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from nicegui import ui

from ipomdp.web.board import Board, BoardView

SOURCES = {
    "off": "no tokens",
    "message": "last message only",
    "belief": "everything heard",
    "both": "side by side",
}
"""Where tokens come from."""
KINDS = {"piece": "pieces", "check": "who checks", "king": "the king"}
"""The tokens."""

View = Callable[[str, Collection[str]], BoardView]
"""Returns the board with the tokens of a source, and of some kinds alone."""


class TokenBoards:
    """Shows a view; its switches are the viewer's own affair."""

    def __init__(self, view: View, *, on_try: Callable[[str, str], Any] | None = None) -> None:
        self._view = view
        with ui.row().classes("w-full gap-3 flex-nowrap max-sm:flex-wrap justify-center"):
            self._places = [self._place(on_try) for _ in range(2)]
        with ui.row().classes("items-center gap-x-3 gap-y-1 self-start"):
            self._source = ui.toggle(SOURCES, value="belief", on_change=self.refresh)
            self._source.props(
                "no-caps size=sm padding='4px 10px' aria-label='where tokens come from'"
            )
            self._kinds = {
                kind: ui.checkbox(name, value=True, on_change=self.refresh).props("dense size=sm")
                for kind, name in KINDS.items()
            }
        ui.label(
            "A token is the more solid the likelier it is; a full one with a thick rim is certain."
        ).classes("text-xs text-gray-600 self-start")
        self.refresh()

    def _place(self, on_try: Callable[[str, str], Any] | None) -> tuple[ui.column, ui.label, Board]:
        with ui.column().classes("grow gap-1 min-w-0 w-full items-center") as column:
            caption = ui.label().classes("text-sm text-gray-600")
            return column, caption, Board(self._view("off", ()), on_try=on_try)

    def refresh(self) -> None:
        """Show what there is now."""
        chosen = str(self._source.value)
        shown = ("message", "belief") if chosen == "both" else (chosen,)
        kinds = [kind for kind, box in self._kinds.items() if box.value]
        for (column, caption, board), source in zip(self._places, (*shown, ""), strict=False):
            column.set_visibility(bool(source))
            if source:
                board.show(self._view(source, kinds))
                caption.text = SOURCES[source]
                caption.set_visibility(chosen == "both")
