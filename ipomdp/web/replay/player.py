"""A recorded game on a page: step by step, from three points of view."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Collection
from dataclasses import replace
from pathlib import PurePosixPath

from nicegui import background_tasks, ui
from nicegui.events import KeyEventArguments

from ipomdp.fields import SIDES
from ipomdp.records import GameRecord, write_pgn
from ipomdp.records.game_record import BY_THE_RULES
from ipomdp.web.board import Board, BoardView
from ipomdp.web.frame import card, command_line, download, heading
from ipomdp.web.replay.hindsight import Belief, Hindsight, held_against, in_words
from ipomdp.web.replay.parts import STYLE, MoveList, Slider
from ipomdp.web.replay.picture import board_svg
from ipomdp.web.replay.story import REFEREE, Step, Story, rows
from ipomdp.web.token_boards import TokenBoards
from ipomdp.web.views import board_view

VIEWS = {"white": "White", "black": "Black", REFEREE: "Referee"}
KEYS = {"ArrowLeft": -1, "ArrowRight": 1}
NOT_FROM = ["input", "select", "textarea", "svg"]
"""Elements with a use of their own for arrow keys."""


class ReplayPlayer:
    """Shows a game; what it shows of a side's view follows from what that side knew."""

    def __init__(self, played: GameRecord, file: str, number: int | None, *, view: str) -> None:
        """Show a game, the one with that number in a file if it has several."""
        self._story, self._view, self._at = Story(played), view, 0
        self._file, self._number = file, number
        self._hindsight = [Hindsight(self._story, side) for side in (0, 1)]
        self._gone = False
        self._pictured = self._referee_board()
        """The board that was drawn last."""
        ui.add_css(STYLE)
        self._make_head()
        with ui.row().classes("w-full items-start gap-4 flex-nowrap max-md:flex-wrap"):
            with ui.column().classes("grow min-w-0 w-full gap-2 items-center"):
                self._make_controls()
                self._make_boards()
            with ui.column().classes("w-[25rem] max-md:w-full gap-3 shrink-0"):
                with card():
                    self._moves = MoveList(self.go)
                with card():
                    self._make_belief()
                with card():
                    self._make_downloads()
        ui.keyboard(self._key, ignore=NOT_FROM)  # type: ignore[arg-type]
        ui.context.client.on_delete(self._leave)
        self.look(view)

    # What the page consists of.

    def _make_head(self) -> None:
        played = self._story.played
        names = f"{played.white or 'White'} v {played.black or 'Black'}"
        with ui.column().classes("gap-0 w-full"):
            ui.label(names).classes("text-xl font-semibold break-words max-w-full").props(
                "role=heading aria-level=1"
            )
            about = f"{played.game.name} · {played.outcome} {played.result.reason}"
            ui.label(about).classes("text-sm text-gray-600").props("data-result")

    def _make_controls(self) -> None:
        with ui.row().classes("w-full items-center justify-between gap-2"):
            self._toggle = ui.toggle(
                VIEWS, value=self._view, on_change=lambda event: self.look(str(event.value))
            ).props("no-caps dense padding='4px 14px' aria-label='whose view'")
            with ui.row().classes("gap-1 flex-nowrap items-center"):
                ui.label("or the keys ← →").classes(
                    "text-xs text-gray-600 order-last max-md:hidden"
                )
                self._buttons = [
                    ui.button(icon=icon, on_click=lambda _, s=step: self.step(s)).props(
                        f"flat dense aria-label='{name}'"
                    )
                    for icon, name, step in (
                        ("first_page", "first", None),
                        ("chevron_left", "previous", -1),
                        ("chevron_right", "next", 1),
                        ("last_page", "last", 0),
                    )
                ]
        self._slider = Slider(self.go)
        self._status = ui.label().classes("text-base font-semibold self-start min-h-[1.5rem]")
        self._status.props("role=status aria-live=polite data-status")

    def _make_boards(self) -> None:
        with ui.column().classes("w-full items-center gap-2 ipomdp-still") as self._side_place:
            self._tokens = TokenBoards(self._side_board)
        with ui.column().classes("w-full items-center ipomdp-still") as self._referee_place:
            self._board = Board(self._referee_board())

    def _make_belief(self) -> None:
        with ui.row().classes("items-center gap-2"):
            self._believer = ui.label().classes("text-base font-semibold")
            self._believer.props("role=heading aria-level=2")
            self._busy = ui.spinner(size="1rem")
        self._beliefs = ui.column().classes("w-full gap-1 text-sm").props("data-belief")

    def _make_downloads(self) -> None:
        heading("Download")
        played, stem = self._story.played, PurePosixPath(self._file).stem
        name = stem if self._number is None else f"{stem}-{self._number}"
        with ui.row().classes("gap-2"):
            download(f"{name}.json", lambda: f"{json.dumps(played.to_dict())}\n", "JSON")
            download(f"{name}.pgn", lambda: write_pgn(played), "PGN")
            download(f"{name}.svg", lambda: board_svg(self._pictured), "Board (SVG)")
        ui.label("The same in a terminal:").classes("text-sm text-gray-600")
        self._command = command_line("ipomdp").style("white-space: pre-wrap")

    # What the person does.

    def look(self, view: str) -> None:
        """Look through other eyes, at the same moment."""
        if view not in VIEWS:
            return
        place = self._step.place
        self._view = view
        self._at = self._story.nearest(view, place)
        self._moves.show(rows(self._story, view))
        self._refresh()

    def go(self, at: int) -> None:
        """Go to a step of the view."""
        last = len(self._story.steps(self._view)) - 1
        self._at = min(max(at, 0), last)
        self._refresh()

    def step(self, step: int | None) -> None:
        """Go a step on or back; to the start for ``None``, to the end for 0."""
        last = len(self._story.steps(self._view)) - 1
        self.go(0 if step is None else self._at + step if step else last)

    def _key(self, event: KeyEventArguments) -> None:
        held = event.modifiers
        if event.action.keydown and not (held.alt or held.ctrl or held.meta or held.shift):
            step = KEYS.get(event.key.name)
            if step is not None:
                self.step(step)

    def _leave(self) -> None:
        self._gone = True

    # What is shown.

    @property
    def _step(self) -> Step:
        return self._story.steps(self._view)[self._at]

    @property
    def _side(self) -> int:
        """Whose belief is shown: the viewer's, or that of the side to move."""
        if self._view in SIDES:
            return SIDES.index(self._view)
        return self._story.mover(self._step.place)

    def _refresh(self) -> None:
        step, steps = self._step, self._story.steps(self._view)
        words = step.words(self._story.number(step.place))
        last = self._at == len(steps) - 1
        self._status.text = f"{words} {self._ending()}" if last else words
        self._slider.show(self._at, len(steps) - 1, words)
        for button, active in zip(
            self._buttons, (self._at > 0, self._at > 0, not last, not last), strict=True
        ):
            button.set_enabled(active)
        self._moves.stand_at(self._at)
        self._show_boards()
        game = () if self._number is None else ("--game", str(self._number))
        file = f"./{self._file}" if self._file.startswith("-") else self._file
        look = () if self._view == REFEREE else ("--view", self._view)
        self._command.text = shlex.join(("ipomdp", "replay", file, *game, *look))
        self._show_belief()

    def _ending(self) -> str:
        played = self._story.played
        reason, detail = played.result.reason, played.result.detail
        if reason in BY_THE_RULES:  # the referee has said it
            return f"{played.outcome}."
        told = f": {detail}" if detail and self._view == REFEREE else ""
        return f"{played.outcome} {reason}{told}."

    def _show_boards(self) -> None:
        side = self._view in SIDES
        self._side_place.set_visibility(side)
        self._referee_place.set_visibility(not side)
        if side:
            self._tokens.refresh()
        else:
            self._pictured = self._referee_board()
            self._board.show(self._pictured)

    def _side_board(self, source: str, kinds: Collection[str]) -> BoardView:
        """Return the board of the side that looks, with its tokens; both know the start."""
        side, place = self._side, self._step.place
        if self._at == 0:
            self._pictured = replace(self._referee_board(), flipped=side == 1)
            return self._pictured
        belief = self._hindsight[side].there(place) or Belief()
        tokens = {"message": belief.from_message, "belief": belief.from_belief}.get(source, ())
        view = board_view(self._story.knowledge(side, place), tokens, kinds, {})
        label = f"{SIDES[side]}'s board: {len(view.pieces)} pieces"
        self._pictured = replace(view, label=label)
        return self._pictured

    def _referee_board(self) -> BoardView:
        story, place = self._story, self._step.place
        pieces = {**story.pieces(place, 0), **story.pieces(place, 1)}
        return BoardView(
            size=story.played.game.size, pieces=pieces, marks=story.marks(place),
            label=f"the whole board: {len(pieces)} pieces",
        )  # fmt: skip

    def _show_belief(self) -> None:
        side, place = self._side, self._step.place
        found = self._hindsight[side].there(place)
        who = SIDES[side].capitalize()
        self._believer.text = (
            f"{who}'s belief and the truth" if self._view == REFEREE else f"What {who} believes"
        )
        self._busy.set_visibility(found is None)
        if found is None:
            background_tasks.create(self._think(side))
            return
        lines = in_words(found, side)
        if self._view == REFEREE:
            lines = held_against(found, self._story.pieces(place, 1 - side), side)
        self._beliefs.clear()
        with self._beliefs:
            for line in lines:
                ui.label(line)

    async def _think(self, side: int) -> None:
        """Work out what is missing, and show it if it is still wanted then."""
        await asyncio.sleep(0)  # whoever asked is done first
        if self._gone:
            return
        place = self._step.place
        await self._hindsight[side].at(place)
        if not self._gone and self._side == side and self._step.place == place:
            self._show_boards()
            self._show_belief()
