"""The view of the map: what to compute, its cells as they come, and the paper's conjecture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ipomdp.errors import IpomdpError
from ipomdp.show.conjecture_plots import SHADES
from ipomdp.study.conjecture import Reading, readings
from ipomdp.web.analysis import drawing, maps
from ipomdp.web.analysis.choices import Choice, number
from ipomdp.web.analysis.gathered import Gathered, Wish
from ipomdp.web.analysis.parts import Command, markup, take_away
from ipomdp.web.analysis.thinking import beside
from ipomdp.web.frame import heading

BEST, CONJECTURE = "the best move", "the paper's conjecture"
CELL = """(event) => {
  const cell = event.target.closest('[data-lambda]');
  if (!cell) return;
  const {level, lambda} = cell.dataset, map = cell.parentElement.parentElement;
  new MutationObserver((_, watch) => {
    watch.disconnect();
    const again = map.querySelector(`[data-level="${level}"][data-lambda="${lambda}"]`);
    if (again && document.activeElement === document.body) again.focus();
  }).observe(map, {childList: true});
  emit({level, lambda});
}"""
"""Tells which cell is chosen; the focus stays on it when the map is drawn again."""
QUESTION = (
    "The 2007 paper ends with a conjecture about its Figure 1: one more level of modelling could "
    "reveal that White's Qb2 is preferred to Qd1, since the Black queen would not respond by "
    "capturing. Each cell: the best move of all, and how likely Black takes on b2. Move the "
    "switches Tries and Horizon to walk through the readings; choose a cell to look into it."
)
ANSWER = "Each cell: the best move. Choose one to look into it."
SO_FAR = "Data and picture: every reading looked at so far, as ipomdp conjecture has them."
OTHER = "Of other settings: compute it again."
VARIED = ("level", "rationality")
"""What a map varies itself."""
UNASKED = ("policy", "illegal_heard_by")
"""What the conjecture leaves as the paper has it."""


class MapPanel:
    """The map of a choice; ``on_cell`` is called with the level and lambda of a cell chosen."""

    def __init__(
        self,
        choice: Choice,
        on_cell: Callable[..., Awaitable[None]],
        on_conjecture: Callable[[bool], Awaitable[None]],
    ) -> None:
        self._choice, self._on_cell, self._on_conjecture = choice, on_cell, on_conjecture
        self._gathered, self._run = Gathered(), 0
        heading("Level by lambda")
        self._kind = ui.toggle([BEST, CONJECTURE], value=BEST, on_change=self._switched).props(
            "no-caps dense padding='xs sm' data-control=map-kind"
        )
        self._about = ui.label(ANSWER).classes("text-sm text-gray-700")
        with ui.row().classes("w-full gap-3 items-end"):
            self._levels = self._field("levels", maps.LEVELS, "w-36")
            self._lambdas = self._field("lambdas", maps.LAMBDAS, "w-80 max-w-full")
            self._considered = ui.switch("Qc3 considered", value=True).on_value_change(
                self._reconsidered
            )
            ui.button("Compute", on_click=self.compute).props("no-caps data-compute")
            self._halt = ui.button("Stop", on_click=self.stop).props("no-caps outline data-stop")
        self._bar = ui.linear_progress(value=0, show_value=False).props("instant-feedback")
        self._state = ui.label().classes("text-sm").props("data-map-state role=status")
        self._map = markup().on("click", self._pressed, js_handler=CELL)
        self._legend = markup()
        self._command = Command()
        self._own_command = Command("the numbers of this reading alone")
        made = self._gathered
        with ui.row().classes("gap-1") as self._files:
            take_away("Data (JSON)", lambda: f"{self._stem}.json", made.json, "map-json")
            self._csv = take_away("Data (CSV)", lambda: f"{self._stem}.csv", made.table, "map-csv")
            take_away("Picture (SVG)", lambda: f"{self._stem}.svg", made.picture, "map-svg")
        self._far = ui.label(SO_FAR).classes("text-xs text-gray-600")
        self.show(choice)
        self._working(False)

    def _field(self, label: str, value: str, wide: str) -> ui.input:
        return (
            ui.input(label, value=value, on_change=self._follow).classes(wide)
            .props(f"dense outlined stack-label data-control=map-{label}")
            .on("keydown.enter", self.compute)
        )  # fmt: skip

    @property
    def _conjecture(self) -> bool:
        return bool(self._kind.value == CONJECTURE)

    @property
    def _wish(self) -> Wish:
        """What the map would be of if it were computed now."""
        own = self._choice.source.scenario
        names = VARIED + UNASKED if self._conjecture else VARIED
        plain = {name: getattr(own, name) for name in names}
        levels, lambdas = (
            str(field.value or "").replace(" ", "") for field in (self._levels, self._lambdas)
        )
        choice = self._choice.having(**plain).looking_at(None)
        return Wish(choice, self._conjecture, levels, lambdas)

    @property
    def _stem(self) -> str:
        return "conjecture" if self._conjecture else f"levels-{self._choice.source.scenario.name}"

    def ask_conjecture(self) -> None:
        """Turn to the conjecture; the choice is one of its scenarios already."""
        self._kind.value = CONJECTURE

    def show(self, choice: Choice) -> None:
        """Follow a choice: its map if there is one, and where in it the sliders are."""
        self._choice = choice
        if self._conjecture and self._wish.reading is None:
            self._kind.value = BEST
        self._considered.value = maps.FIGURES.get(choice.source.named, True)
        self._considered.set_visibility(self._conjecture)
        self._about.text = QUESTION if self._conjecture else ANSWER
        self._follow()

    def _switched(self) -> Awaitable[None] | None:
        self.stop()
        self._levels.value = "" if self._conjecture else maps.LEVELS
        self._levels.props(f'placeholder="{"1-6, or fewer" if self._conjecture else ""}"')
        if self._conjecture and self._wish.reading is None:
            return self._on_conjecture(True)
        self.show(self._choice)
        return self.compute() if self._conjecture else None

    def _reconsidered(self) -> Awaitable[None] | None:
        known = maps.FIGURES.get(self._choice.source.named)
        if known is None or known == self._considered.value:
            return None
        return self._on_conjecture(bool(self._considered.value))

    async def follow(self) -> None:
        """Compute the conjecture's map again where the reading is another."""
        if self._conjecture and self._gathered.wish != self._wish:
            await self.compute()

    def _follow(self) -> None:
        wish = self._wish
        self._command.show(*wish.command)
        self._own_command.show(*wish.own_command)
        self._own_command.set_visibility(self._conjecture)
        self._draw()

    async def compute(self) -> None:
        """Compute the map, cell by cell."""
        self._run += 1
        mine, wish, gathered = self._run, self._wish, self._gathered
        self._working(True)
        try:
            plan = await beside(wish.plan)
            if mine != self._run:
                return
            gathered.begin(wish, plan)
            async for cell in maps.computed(plan):
                if mine != self._run:
                    return
                gathered.cells.append(cell)
                self._draw()
            gathered.finish()
        except IpomdpError as error:
            if mine == self._run:
                gathered.forget()
                self._working(False)
                self._state.text = str(error)
        else:
            if mine == self._run:
                self._working(False)

    def stop(self) -> None:
        """Leave the map as it is."""
        self._run += 1
        self._working(False)

    def _working(self, working: bool) -> None:
        self._halt.set_visibility(working)
        self._bar.set_visibility(working)
        self._draw()

    def _draw(self) -> None:
        shown, found, wish = self._gathered.plan, self._gathered.cells, self._gathered.wish
        current = shown is not None and wish == self._wish
        self._files.set_visibility(current and bool(found))
        self._csv.set_visibility(not self._conjecture)
        self._far.set_visibility(current and self._conjecture)
        if shown is None or wish is None:
            self._map.content = self._legend.content = self._state.text = ""
            return
        here = (self._choice["level"], self._choice["rationality"])
        if wish.reading is not None:
            self._map.content = maps.conjecture_map(shown, wish.reading, found, here)
            self._legend.content = drawing.legend(SHADES)
        else:
            self._map.content = maps.best_map(shown, found, here)
            self._legend.content = drawing.legend(maps.best_colours(shown, found))
        self._map.classes(**{"remove" if current else "add": "stale"})
        self._bar.value = len(found) / shown.size
        done = "" if len(found) == shown.size else f"{len(found)} of {shown.size} cells. "
        self._state.text = f"{done}{_told(wish.reading)}" if current else OTHER

    async def _pressed(self, event: GenericEventArguments) -> None:
        sent: dict[str, Any] = event.args if isinstance(event.args, dict) else {}
        wanted = (sent.get("level"), sent.get("lambda"))
        for cell in self._gathered.cells:
            if (str(cell.level), number(cell.rationality)) == wanted:
                await self._on_cell(level=cell.level, rationality=cell.rationality)
                return


def _told(reading: Reading | None) -> str:
    """Return a reading in words."""
    if reading is None:
        return ""
    extra = "" if reading in readings() else " (not in the paper's picture)"
    return f"{reading.words[0].upper()}{reading.words[1:]}{extra}."
