"""What a replay is made of beside its board: the list of moves and the slider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ipomdp.web.replay.story import Row

STYLE = Path(__file__).parent / "replay.css"


class MoveList(ui.element, component="moves.js"):
    """The moves; ``on_go`` is called with the step that somebody chooses."""

    def __init__(self, on_go: Callable[[int], Any]) -> None:
        super().__init__()
        self.classes("w-full")
        self._props["rows"], self._props["current"] = [], 0
        self.on("go", lambda event: on_go(_number(event.args)))

    def show(self, rows: Sequence[Row]) -> None:
        """Show other moves."""
        self._props["rows"] = [asdict(row) for row in rows]
        self.update()

    def stand_at(self, step: int) -> None:
        """Mark the step that is shown."""
        if self._props["current"] != step:
            self._props["current"] = step
            self.update()


class Slider(ui.element):
    """A slider over the steps: the browser's own, which knows keys and fingers."""

    def __init__(self, on_go: Callable[[int], Any]) -> None:
        super().__init__("input")
        self.classes("ipomdp-slider")
        self._props |= {"type": "range", "min": 0, "max": 0, "value": 0, "aria-label": "the step"}
        self._on_go = on_go
        self.on("input", self._moved, js_handler="(e) => emit(Number(e.target.value))")

    def show(self, step: int, last: int, words: str) -> None:
        """Stand at a step of so many."""
        wanted = {"max": last, "value": step, "aria-valuetext": words}
        if any(self._props.get(name) != value for name, value in wanted.items()):
            self._props |= wanted
            self.update()

    def _moved(self, event: GenericEventArguments) -> None:
        self._on_go(_number(event.args))


def _number(sent: object) -> int:
    """Return the number that a browser sent; it may send anything."""
    return sent if type(sent) is int else 0
