"""The settings: sliders and switches, each beside what it stands for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from ipomdp.errors import InvalidInput
from ipomdp.web.analysis.choices import LAMBDAS, Choice, number, read, stop_of
from ipomdp.web.frame import complaining, heading

HIGHEST, FARTHEST = 6, 3
"""Of the sliders, unless the scenario has more."""
WORDS = {
    "tries": {"paper": "paper", "retry": "retry"},
    "illegal_heard_by": {"mover": "mover", "both": "both"},
    "policy": {"model": "modelled", "random": "random"},
}
MEANING = {
    "level": "how deep i models j",
    "rationality": "how surely a player picks the better action: 0 at random, inf always",
    "horizon": "own decisions that i plans",
    "tries": "paper: an illegal action leaves the position as it is; retry: one tries again",
    "illegal_heard_by": "who hears that a try was refused",
    "policy": "how j is taken to play",
}
Change = Callable[..., Awaitable[None]]


class Slider(ui.slider):
    """A slider that its browser moves: no echo from here, which is late, moves it back."""

    LOOPBACK = False

    def reaches(self, most: int) -> None:
        """Let it go as far as a value, if it does not yet."""
        if self.props["max"] != most:
            self.props["max"] = most
            self.update()


class Controls:
    """The settings of a choice; ``on_change`` is called with those that somebody changes."""

    def __init__(self, choice: Choice, on_change: Change) -> None:
        self._choice, self._tell, self._quiet = choice, on_change, True
        self._rows: dict[str, ui.column] = {}
        self._shown: dict[str, ui.label] = {}
        heading("Settings")
        with self._row("level", "Level"):
            self._level = self._slider("level", 0, HIGHEST)
        with self._row("rationality", "Lambda"):
            self._stop = self._slider("rationality", 0, len(LAMBDAS) - 1)
            self._exact = (
                ui.input("exactly", value="").classes("w-full")
                .props('dense outlined data-control=exact aria-label="lambda, exactly"')
                .on("keydown.enter", self._typed).on("blur", self._typed)
            )  # fmt: skip
        with self._row("horizon", "Horizon"):
            self._horizon = self._slider("horizon", 1, FARTHEST)
        self._words: dict[str, ui.toggle] = {}
        for name, title in (
            ("tries", "Tries"), ("illegal_heard_by", "Refusals heard by"), ("policy", "Opponent")
        ):  # fmt: skip
            with self._row(name, title):
                self._words[name] = (
                    ui.toggle(WORDS[name], on_change=lambda e, n=name: self._set(n, e.value))
                    .props(f"no-caps dense spread data-control={name}").classes("w-full")
                )  # fmt: skip
        self.show(choice)

    def _row(self, name: str, title: str) -> ui.column:
        column = ui.column().classes("w-full gap-0")
        self._rows[name] = column
        with column, ui.row().classes("w-full items-baseline justify-between gap-2 no-wrap"):
            ui.label(title).classes("text-sm font-medium").tooltip(MEANING[name])
            self._shown[name] = ui.label().classes("text-sm tabular-nums font-semibold")
        return column

    def _slider(self, name: str, low: int, high: int) -> Slider:
        markers = "" if name == "rationality" else "markers"
        return (
            Slider(min=low, max=high, step=1, value=low)
            .on_value_change(lambda event: self._slid(name, event.sender, event.value))
            .props(f'snap {markers} data-control={name} aria-label="{name}: {MEANING[name]}"')
            .classes("px-2")
        )

    def show(self, choice: Choice) -> None:
        """Show a choice; nobody is told of it."""
        self._choice, self._quiet = choice, True
        own = choice.source.scenario
        self._level.reaches(max(HIGHEST, own.level, choice["level"]))
        self._horizon.reaches(max(FARTHEST, own.horizon, choice["horizon"]))
        self._level.value, self._horizon.value = choice["level"], choice["horizon"]
        self._stop.value = stop_of(choice["rationality"])
        self._exact.value = number(choice["rationality"])
        self._shown["level"].text = str(choice["level"])
        self._shown["rationality"].text = number(choice["rationality"])
        self._shown["horizon"].text = str(choice["horizon"])
        for name, toggle in self._words.items():
            if name in choice.settings:
                toggle.value = choice[name]
        for name, row in self._rows.items():
            row.set_visibility(self._matters(name))
        self._quiet = False

    def _matters(self, name: str) -> bool:
        """Return whether a setting changes anything."""
        choice = self._choice
        if name not in choice.settings:
            return False
        if name == "illegal_heard_by":
            return bool(choice["tries"] == "retry")
        return True

    async def _slid(self, name: str, slider: Slider, value: Any) -> None:  # noqa: ANN401 - a number
        """Take what a slider says, unless it has moved on since."""
        if slider.value == value:
            await self._set(name, value)

    async def _set(self, name: str, value: Any) -> None:  # noqa: ANN401 - a number or a word
        if self._quiet or value is None:
            return
        if name == "rationality":
            value = LAMBDAS[int(value)]
            if stop_of(self._choice["rationality"]) == stop_of(value):
                return
        elif name in ("level", "horizon"):
            value = int(value)
        if value != self._choice[name]:
            await self._tell(**{name: value})

    async def _typed(self) -> None:
        """Take lambda as it is typed."""
        value = read("rationality", str(self._exact.value or ""))
        if value == self._choice["rationality"]:
            return
        with complaining():
            try:
                self._choice.checked("rationality", value)
            except InvalidInput:
                self._exact.value = number(self._choice["rationality"])
                raise
            await self._tell(rationality=value)
