"""The views that are made when they are opened: the reasoning in words, and the diagrams."""

from __future__ import annotations

import base64

from nicegui import ui

from ipomdp.errors import IpomdpError
from ipomdp.scenario import Scenario
from ipomdp.web.analysis import drawing, files
from ipomdp.web.analysis.choices import Choice
from ipomdp.web.analysis.parts import Command, markup, take_away
from ipomdp.web.analysis.thinking import Latest, Outdated

FIGURES = {
    "2": "Figure 2: i's decision",
    "3": "Figure 3: the model of j",
    "4": "Figure 4: the board",
}


class Reasons:
    """What i thinks that j thinks, in words; made while it is open."""

    def __init__(self) -> None:
        self._latest = Latest()
        self._choice: Choice | None = None
        self._move = ""
        self._fold = ui.expansion("Why? In words, down to level 0", on_value_change=self._opened)
        self._fold.classes("w-full font-semibold")
        self._fold.props("dense header-class=px-0 data-view=reasons")
        with self._fold:
            self._tree = markup().classes("font-normal")
            self._command = Command()
            self._file = take_away(
                "Text", lambda: f"explain-{self._move}.txt", self._text, "explain-txt"
            )

    def show(self, choice: Choice, move: str) -> None:
        """Follow a choice and its move; what is told is told again by ``tell``."""
        self._choice, self._move = choice, move
        self._command.show(*choice.command("explain", "--move", move))
        self._fold.set_visibility(isinstance(choice.source.scenario, Scenario))

    async def _opened(self) -> None:
        await self.tell()

    async def tell(self) -> None:
        """Tell the reasoning, if somebody looks."""
        choice, move = self._choice, self._move
        if choice is None or not self._fold.value:
            return
        self._tree.classes(add="stale")
        try:
            thought = await self._latest.ask(lambda: files.reasons(choice.kriegspiel, move))
        except Outdated:
            return
        except IpomdpError as error:
            self._tree.content = drawing.paragraph(str(error))
        else:
            self._tree.content = drawing.thoughts(thought)
        self._tree.classes(remove="stale")

    def _text(self) -> str:
        if self._choice is None:
            return ""
        scenario = self._choice.kriegspiel
        return files.reasons_text(scenario, files.reasons(scenario, self._move))


class Diagrams:
    """The paper's influence diagrams of a scenario; made while they are open."""

    def __init__(self) -> None:
        self._latest = Latest()
        self._choice: Choice | None = None
        self._shown: tuple[Choice, str] | None = None
        self._svg = b""
        self._fold = ui.expansion("Influence diagrams", on_value_change=self._opened)
        self._fold.classes("w-full font-semibold")
        self._fold.props("dense header-class=px-0 data-view=diagrams")
        with self._fold, ui.column().classes("w-full gap-2 font-normal"):
            self._figure = ui.toggle(FIGURES, value="2", on_change=self._opened).props(
                "no-caps dense padding='xs sm' data-control=figure"
            )
            self._state = ui.label().classes("text-sm").props("role=status data-diagram-state")
            self._picture = ui.element("img").classes("max-w-full mx-auto")
            self._command = Command()
            self._file = take_away(
                "Picture (SVG)", lambda: f"{self._stem}.svg", lambda: self._svg, "diagram-svg"
            )

    @property
    def _stem(self) -> str:
        return f"figure{self._figure.value}"

    def show(self, choice: Choice) -> None:
        """Follow a choice."""
        self._choice = choice.looking_at(None)
        self._fold.set_visibility(isinstance(choice.source.scenario, Scenario))
        self._command_shown()

    def _command_shown(self) -> None:
        if self._choice is not None:
            more = ("--figure", str(self._figure.value), "--out", f"{self._stem}.svg")
            self._command.show(*self._choice.command("network", *more))

    async def _opened(self) -> None:
        self._command_shown()
        await self.draw()

    async def draw(self) -> None:
        """Draw the diagram, if somebody looks."""
        choice, figure = self._choice, str(self._figure.value)
        if choice is None or not self._fold.value or self._shown == (choice, figure):
            return
        self._state.text = "Building the networks: a few seconds, more where tries are retried."
        self._picture.classes(add="stale")
        try:
            svg = await self._latest.ask(lambda: files.diagram_picture(choice.kriegspiel, figure))
        except Outdated:
            return
        except IpomdpError as error:
            self._state.text, svg = _without_solver(str(error)), b""
        else:
            self._state.text = ""
            self._shown = (choice, figure)
        self._svg = svg
        self._picture.classes(remove="stale")
        self._picture.set_visibility(bool(svg))
        self._file.set_visibility(bool(svg))
        if svg:
            self._picture.props["src"] = (
                f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
            )
            self._picture.props["alt"] = FIGURES[figure]
            self._picture.update()


def _without_solver(message: str) -> str:
    """Return a message about the diagrams without the option that a command would have."""
    return message.removeprefix("the pgmpy solver: ").partition("; use --solver")[0] + "."
