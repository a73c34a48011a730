"""The view of the map: what to compute, its cells as they come, and the paper's conjecture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.show.conjecture_plots import SHADES
from ipomdp.show.console import as_json
from ipomdp.study.conjecture import Reading, Settled, readings
from ipomdp.study.levels import Cell, Sweep
from ipomdp.web.analysis import drawing, files, maps
from ipomdp.web.analysis.choices import Choice, number
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
PLAN_KEPT = ("level", "rationality")
"""What a map varies itself."""


class MapPanel:
    """The map of a choice; ``on_cell`` is called with the level and lambda of a cell chosen."""

    def __init__(
        self,
        choice: Choice,
        on_cell: Callable[..., Awaitable[None]],
        on_conjecture: Callable[[bool], Awaitable[None]],
    ) -> None:
        self._choice, self._on_cell, self._on_conjecture = choice, on_cell, on_conjecture
        self._plan: maps.Plan | None = None
        self._of: tuple[Choice, str, str, str] | None = None
        self._found: list[Cell] = []
        self._known: dict[tuple[Reading, str, str], tuple[Cell, ...]] = {}
        self._run = 0
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
            self._go = ui.button("Compute", on_click=self.compute).props("no-caps data-compute")
            self._halt = ui.button("Stop", on_click=self.stop).props("no-caps outline data-stop")
        self._bar = ui.linear_progress(value=0, show_value=False).props("instant-feedback")
        self._state = ui.label().classes("text-sm").props("data-map-state role=status")
        self._map = markup().on("click", self._pressed, js_handler=CELL)
        self._legend = markup()
        self._command = Command()
        self._panel_command = Command("the numbers of this reading alone")
        with ui.row().classes("gap-1") as self._files:
            take_away("Data (JSON)", lambda: f"{self._stem}.json", self._json, "map-json")
            self._csv = take_away("Data (CSV)", lambda: f"{self._stem}.csv", self._table, "map-csv")
            take_away("Picture (SVG)", lambda: f"{self._stem}.svg", self._picture, "map-svg")
        self.show(choice)
        self._working(False)

    def _field(self, label: str, value: str, wide: str) -> ui.input:
        return (
            ui.input(label, value=value, on_change=self._follow).classes(wide)
            .props(f"dense outlined stack-label data-control=map-{label}")
            .on("keydown.enter", self.compute)
        )  # fmt: skip

    @property
    def conjecture(self) -> bool:
        """Whether the map is of the conjecture."""
        return bool(self._kind.value == CONJECTURE)

    def ask_conjecture(self) -> None:
        """Turn to the conjecture; the choice is one of its scenarios already."""
        self._kind.value = CONJECTURE

    def show(self, choice: Choice) -> None:
        """Follow a choice: its map if there is one, and where in it the sliders are."""
        self._choice = choice
        if self.conjecture and self._reading is None:
            self._kind.value = BEST
        self._considered.value = maps.FIGURES.get(choice.source.named, True)
        self._considered.set_visibility(self.conjecture)
        self._about.text = QUESTION if self.conjecture else ANSWER
        self._panel_command_shown()
        self._draw()

    @property
    def _reading(self) -> Reading | None:
        choice = self._choice
        if not choice.source.bundled or choice.source.named not in maps.FIGURES:
            return None
        return maps.reading_of(choice.source.named, choice["tries"], choice["horizon"])

    @property
    def _wanted(self) -> tuple[Choice, str, str, str]:
        """What the map would be computed for."""
        own = self._choice.source.scenario
        plain = {name: getattr(own, name) for name in PLAN_KEPT}
        if self.conjecture:
            plain |= {name: getattr(own, name) for name in ("policy", "illegal_heard_by")}
        plain_choice = self._choice.having(**plain).looking_at(None)
        return plain_choice, str(self._kind.value), self._levels.value, self._lambdas.value

    @property
    def _current(self) -> bool:
        return self._of == self._wanted

    @property
    def _stem(self) -> str:
        return "conjecture" if self.conjecture else f"levels-{self._choice.source.scenario.name}"

    def _switched(self) -> Awaitable[None] | None:
        self.stop()
        self._levels.value = "" if self.conjecture else maps.LEVELS
        self._levels.props(f'placeholder="{"1-6, or fewer" if self.conjecture else ""}"')
        if self.conjecture and self._reading is None:
            return self._on_conjecture(True)
        self.show(self._choice)
        return self.compute() if self.conjecture else None

    def _reconsidered(self) -> Awaitable[None] | None:
        known = maps.FIGURES.get(self._choice.source.named)
        if known is None or known == self._considered.value:
            return None
        return self._on_conjecture(bool(self._considered.value))

    async def follow(self) -> None:
        """Compute the conjecture's map again where the reading is another."""
        if self.conjecture and not self._current:
            await self.compute()

    def _follow(self) -> None:
        self._panel_command_shown()
        self._draw()

    async def compute(self) -> None:
        """Compute the map, cell by cell."""
        self._run += 1
        mine, wanted = self._run, self._wanted
        reading = self._reading if self.conjecture else None
        levels, lambdas = str(wanted[2] or ""), str(wanted[3] or "")
        self._working(True)
        try:
            if reading is not None:
                plan = await beside(lambda: maps.planned_reading(reading, levels, lambdas))
            else:
                scenario = wanted[0].scenario
                plan = await beside(lambda: maps.planned(scenario, levels, lambdas))
            if mine != self._run:
                return
            self._plan, self._of, self._found = plan, wanted, []
            self._draw()
            async for cell in maps.computed(plan):
                if mine != self._run:
                    return
                self._found.append(cell)
                self._draw()
            if reading is not None:
                self._known[reading, levels, lambdas] = tuple(self._found)
        except IpomdpError as error:
            if mine == self._run:
                self._plan = self._of = None
                self._found = []
                self._draw()
                self._state.text = str(error)
        finally:
            if mine == self._run:
                self._working(False)

    def stop(self) -> None:
        """Leave the map as it is."""
        self._run += 1
        self._working(False)

    def _working(self, working: bool) -> None:
        self._halt.set_visibility(working)
        self._bar.set_visibility(working)
        if not working:
            self._draw()

    def _draw(self) -> None:
        plan, found = self._plan, self._found
        if plan is None:
            self._map.content = self._legend.content = self._state.text = ""
            self._files.set_visibility(False)
            return
        here = (self._choice["level"], self._choice["rationality"])
        reading = self._reading if self.conjecture else None
        current = self._current
        self._map.classes(**{"remove" if current else "add": "stale"})
        if self._of is not None and self._of[1] == CONJECTURE and reading is not None:
            self._map.content = maps.conjecture_map(plan, reading, found, here)
            self._legend.content = drawing.legend(SHADES)
        elif self._of is not None and self._of[1] == BEST:
            self._map.content = maps.best_map(plan, found, here)
            self._legend.content = drawing.legend(maps.best_colours(plan, found))
        self._bar.value = len(found) / plan.size
        self._state.text = self._words(plan, current, reading)
        self._files.set_visibility(current and bool(found))
        self._csv.set_visibility(not self.conjecture)

    def _words(self, plan: maps.Plan, current: bool, reading: Reading | None) -> str:
        if not current:
            return "Of other settings: compute it again."
        done = "" if len(self._found) == plan.size else f"{len(self._found)} of {plan.size} cells. "
        if reading is None:
            return done
        extra = "" if reading in readings() else " (not in the paper's picture)"
        return f"{done}{reading.words[0].upper()}{reading.words[1:]}{extra}."

    def _panel_command_shown(self) -> None:
        choice, _, levels, lambdas = self._wanted
        levels, lambdas = str(levels or "").replace(" ", ""), str(lambdas or "").replace(" ", "")
        varied = ("--levels", levels, "--rationality", lambdas)
        if not self.conjecture:
            self._command.show(*choice.command("levels", *varied))
            self._panel_command.set_visibility(False)
            return
        given = ("--levels", levels) if levels else ()
        usual = () if lambdas == maps.LAMBDAS else ("--rationality", lambdas)
        self._command.show("ipomdp", "conjecture", *given, *usual)
        reading = self._reading
        if reading is not None and not levels:
            shown = maps.usual_levels(reading)
            varied = ("--levels", f"{shown[0]}-{shown[-1]}", "--rationality", lambdas)
        self._panel_command.show(*choice.command("levels", *varied))
        self._panel_command.set_visibility(True)

    async def _pressed(self, event: GenericEventArguments) -> None:
        sent: dict[str, Any] = event.args if isinstance(event.args, dict) else {}
        for cell in self._found:
            if (str(cell.level), number(cell.rationality)) == (
                sent.get("level"), sent.get("lambda")
            ):  # fmt: skip
                await self._on_cell(level=cell.level, rationality=cell.rationality)
                return

    def _sweep(self) -> Sweep:
        if self._plan is None:
            raise InvalidInput("the map: not computed yet")
        return self._plan.sweep(self._found)

    def _settled(self) -> Settled:
        """Return the conjecture in all readings looked at with these levels and lambdas."""
        sweep, levels, lambdas = self._sweep(), self._levels.value, self._lambdas.value
        known = {
            reading: cells
            for (reading, *of), cells in self._known.items()
            if of == [levels, lambdas]
        }
        reading = self._reading
        if reading is not None:
            known[reading] = sweep.cells
        return maps.settled(sweep.rationalities, known, str(levels or ""))

    def _json(self) -> str:
        return as_json((self._settled() if self.conjecture else self._sweep()).to_dict())

    def _table(self) -> str:
        return files.sweep_table(self._sweep())

    def _picture(self) -> bytes:
        if self.conjecture:
            return files.conjecture_picture(self._settled())
        return files.sweep_picture(self._sweep())
