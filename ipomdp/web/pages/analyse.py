"""The page of analyses: a scenario, sliders, and every view of the decision."""

from __future__ import annotations

import asyncio
import time

from nicegui import ui
from starlette.requests import Request

from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.report import Analysis
from ipomdp.scenario import Scenario
from ipomdp.show.console import as_json
from ipomdp.show.render import LEGEND, chosen_svg
from ipomdp.show.tiger import LEGEND as TIGER
from ipomdp.study.conjecture import ALL_MOVES, PAPER_MOVES
from ipomdp.web.analysis.choices import Choice, from_address
from ipomdp.web.analysis.controls import Controls
from ipomdp.web.analysis.map_panel import MapPanel
from ipomdp.web.analysis.moves import Ranking, Selected, Standing
from ipomdp.web.analysis.opening import Opening
from ipomdp.web.analysis.parts import Command, take_away
from ipomdp.web.analysis.reasons_panel import Diagrams, Reasons
from ipomdp.web.analysis.sources import Source, bundled
from ipomdp.web.analysis.style import STYLE
from ipomdp.web.analysis.thinking import Latest, Outdated, Outlook, answer, outlook
from ipomdp.web.frame import card, framed, heading

NOTICEABLE = 1.0
"""Seconds after which a person wonders what is going on."""


def register() -> None:
    """Add the page."""

    @ui.page("/analyse")
    def analyse(request: Request) -> None:
        choice, problems = from_address(request.query_params)
        ui.add_css(STYLE)
        with framed("Analyse"):
            _Page(choice, problems)


class _Page:
    """What one person looks at."""

    def __init__(self, choice: Choice, problems: tuple[str, ...]) -> None:
        self._choice, self._analysis = choice, None
        self._latest, self._begun = Latest(), 0.0
        self._told: list[str] = list(problems)
        with card():
            self._opening = Opening(choice.source, self._opened, self._conjecture)
        with ui.element("div").classes(
            "grid gap-4 w-full items-start grid-cols-1 lg:grid-cols-[19rem_minmax(0,1fr)]"
        ):
            # on a narrow screen the cards stand in one column, the ranking right below the sliders
            with ui.column().classes("w-full gap-4 min-w-0 lg:sticky lg:top-16 max-lg:!contents"):
                with card():
                    self._controls = Controls(choice, self._changed)
                with ui.column().classes("ipomdp-card gap-2 max-lg:order-2") as self._seen:
                    self._standing = Standing()
            with ui.column().classes("w-full gap-4 min-w-0 max-lg:!contents"):
                self._views()
        self._clock = ui.timer(0.5, self._tick, active=False)
        ui.context.client.on_delete(self._leave)
        self._describe()
        ui.timer(0.01, self._answer, once=True)

    _analysis: Analysis | None

    def _views(self) -> None:
        with ui.column().classes("ipomdp-card gap-2 max-lg:order-1"):
            with ui.row().classes("w-full items-center justify-between"):
                heading("What each move is worth to i")
                self._state = ui.label().classes("text-xs text-gray-600").props(
                    "role=status data-state=waiting"
                )  # fmt: skip
            with ui.row().classes("w-full items-center gap-3") as self._asking:
                self._outlook = ui.label().classes("text-sm").props("data-outlook")
                self._anyway = ui.button("Compute", on_click=self._insist).props("no-caps dense")
            self._progress = ui.linear_progress(show_value=False).props("indeterminate size=3px")
            self._dimmed = ui.column().classes("w-full gap-2")
            with self._dimmed:
                self._ranking = Ranking(self._select)
            self._command = Command("with --json: the data")
            data = take_away(
                "Data (JSON)", lambda: f"{self._stem}.json", self._json, "analysis-json"
            )
            self._legend = ui.label().classes("text-xs text-gray-600 leading-5")
        with ui.column().classes("ipomdp-card gap-2 max-lg:order-3") as self._looked:
            self._selected = Selected()
            self._move_command = Command("with --svg FILE: the picture; with --json: the data")
            board = take_away(
                "Picture (SVG)", lambda: f"{self._stem}-{self._move}.svg", self._board, "board-svg"
            )
            self._reasons = Reasons()
        self._files = (data, board)
        with ui.column().classes("ipomdp-card gap-2 max-lg:order-4") as self._mapped:
            self._map = MapPanel(self._choice, self._changed, self._turn_to_conjecture)
        with ui.column().classes("ipomdp-card gap-2 max-lg:order-5") as self._drawn:
            self._diagrams = Diagrams()

    @property
    def _stem(self) -> str:
        return self._choice.source.scenario.name

    @property
    def _move(self) -> str:
        """The move looked at: the one chosen where it is among those considered, else the best."""
        if self._analysis is None:
            return ""
        names = [report.move for report in self._analysis.moves]
        chosen = self._choice.move
        return chosen if chosen in names else self._analysis.best

    def _describe(self) -> None:
        """Show what is chosen, before anything is computed."""
        choice = self._choice
        own = choice.source.scenario
        self._opening.show(choice.source)
        self._controls.show(choice)
        self._map.show(choice)
        self._command.show(*choice.command("analyze"))
        self._diagrams.show(choice)
        kriegspiel = isinstance(own, Scenario)
        self._looked.set_visibility(kriegspiel and self._analysis is not None)
        self._drawn.set_visibility(kriegspiel)
        if self._analysis is None:
            self._standing.begin(own)
        self._legend.text = LEGEND[choice["tries"]] if kriegspiel else TIGER
        self._mapped.set_visibility(kriegspiel and not getattr(own, "frames", ()))
        self._opening.complain(self._told)

    async def _changed(self, **values: object) -> None:
        """Take over settings that somebody changed."""
        await self._look(self._choice.having(**values))

    async def _opened(self, source: Source) -> None:
        await self._look(Choice(source))

    async def _look(self, choice: Choice) -> None:
        self._choice, self._told = choice, []
        self._describe()
        ui.navigate.history.replace(choice.address)
        await self._answer()

    async def _answer(self, *, insisting: bool = False) -> None:
        """Answer what is chosen now; the last answer stays in sight meanwhile."""
        try:
            scenario = self._choice.scenario
        except InvalidInput as error:
            self._latest.forget()
            self._refuse(Outlook(str(error), possible=False))
            return

        def work() -> Analysis | Outlook:
            if not insisting and (seen := outlook(scenario)).words:
                return seen
            return answer(scenario)

        self._computing(True)
        try:
            found = await self._latest.ask(work, slow=insisting)
        except Outdated:
            return
        except IpomdpError as error:
            self._refuse(Outlook(str(error), possible=False))
            return
        if isinstance(found, Outlook):
            self._refuse(found)
            return
        self._computing(False)
        self._analysis = found
        self._looked.set_visibility(isinstance(scenario, Scenario))
        self._show()
        await self._beside()

    async def _beside(self) -> None:
        """Make again what is open besides the ranking."""
        await asyncio.gather(self._reasons.tell(), self._diagrams.draw(), self._map.follow())

    def _show(self) -> None:
        analysis, choice = self._analysis, self._choice
        if analysis is None:
            return
        if choice.move is not None and choice.move != self._move:
            names = ", ".join(report.move for report in analysis.moves)
            self._told.append(f"move: {choice.move[:20]} is not among those considered: {names}")
            self._opening.complain(self._told)
        self._ranking.show(analysis, self._move)
        self._standing.show(choice.scenario, analysis)
        self._show_move()

    def _show_move(self) -> None:
        if self._analysis is not None and isinstance(self._choice.source.scenario, Scenario):
            self._selected.show(self._analysis, self._move)
            self._move_command.show(*self._choice.command("analyze", "--move", self._move))
            self._reasons.show(self._choice, self._move)

    async def _select(self, move: str) -> None:
        self._choice = self._choice.looking_at(move)
        ui.navigate.history.replace(self._choice.address)
        self._show_move()
        await self._reasons.tell()

    async def _insist(self) -> None:
        await self._answer(insisting=True)

    def _refuse(self, seen: Outlook) -> None:
        """Say why there is no answer; what is in sight is of other settings."""
        self._computing(False, ready=False)
        self._asking.set_visibility(True)
        self._outlook.text = seen.words if not seen.possible else f"It takes {seen.words}."
        self._anyway.set_visibility(seen.possible)

    def _computing(self, computing: bool, *, ready: bool = True) -> None:
        for element in (self._dimmed, self._seen, self._looked):
            element.classes(**{"add" if computing or not ready else "remove": "stale"})
        if computing:
            self._begun = time.monotonic()
            self._asking.set_visibility(False)
        for button in self._files:
            button.set_enabled(ready and not computing)
        self._clock.active = computing
        self._progress.set_visibility(False)
        self._state.text = ""
        self._state.props(
            f"data-state={'computing' if computing else 'ready' if ready else 'refused'}"
        )

    def _tick(self) -> None:
        passed = time.monotonic() - self._begun
        if passed > NOTICEABLE:
            self._progress.set_visibility(True)
            self._state.text = f"computing for {passed:.0f} s"

    async def _conjecture(self) -> None:
        """Turn to the paper's conjecture, in the reading that the sliders have."""
        await self._turn_to_conjecture(True)
        self._map.ask_conjecture()
        ui.run_javascript(
            "document.querySelector('[data-map-state]').scrollIntoView({block: 'center'})"
        )

    async def _turn_to_conjecture(self, considered: bool) -> None:
        source = bundled(ALL_MOVES if considered else PAPER_MOVES)
        here = self._choice
        if here.source.bundled and here.source.named in (ALL_MOVES, PAPER_MOVES):
            await self._look(here.reread(source).having(policy="model", illegal_heard_by="mover"))
        else:
            await self._look(Choice(source))

    def _json(self) -> str:
        return as_json(self._answered().to_dict())

    def _board(self) -> str:
        return chosen_svg(self._answered(), self._move)

    def _answered(self) -> Analysis:
        if self._analysis is None:
            raise InvalidInput("the analysis: not there yet")
        return self._analysis

    def _leave(self) -> None:
        self._latest.forget()
        self._map.stop()
