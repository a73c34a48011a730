"""The views of a decision: i's moves, what i believes, and j after the move looked at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.events import GenericEventArguments

from ipomdp.kriegspiel.board import SIDES
from ipomdp.report import Analysis, Hearing
from ipomdp.scenario import AnyScenario, Scenario
from ipomdp.show.tables import chance, worth
from ipomdp.web.analysis import beliefs, drawing
from ipomdp.web.analysis.parts import CHOOSING, WALKING, markup
from ipomdp.web.board import Board, BoardView
from ipomdp.web.frame import heading

NESTED = 4
"""Things that j may believe that are shown."""
EMPTY = BoardView(size=4)
Select = Callable[[str], Awaitable[None]]


class Ranking:
    """i's moves as bars; one of them is looked at."""

    def __init__(self, on_select: Select) -> None:
        self._words = ui.label().classes("text-sm").props("data-best aria-live=polite")
        self._bars = markup().on("click", self._chosen, js_handler=CHOOSING)
        self._bars.on("keydown", js_handler=WALKING)
        self._select = on_select

    async def _chosen(self, event: GenericEventArguments) -> None:
        await self._select(str(event.args)[:8])

    def show(self, analysis: Analysis, selected: str) -> None:
        """Show an analysis."""
        self._words.text = drawing.best_words(analysis)
        self._bars.content = drawing.ranking(analysis, selected)


class Standing:
    """What i sees and believes before it moves, and what it thinks that j believes."""

    def __init__(self) -> None:
        self._title = ui.label().classes("text-sm")
        self._board = Board(EMPTY, width="17rem")
        self._more = ui.column().classes("w-full gap-2")

    def begin(self, scenario: AnyScenario) -> None:
        """Show the position of a scenario that cannot be analysed."""
        self._more.clear()
        self._title.text = "The position at the start"
        if isinstance(scenario, Scenario):
            self._board.show(beliefs.start(scenario.position))

    def show(self, scenario: AnyScenario, analysis: Analysis) -> None:
        """Show an analysis."""
        self._more.clear()
        kriegspiel = isinstance(scenario, Scenario)
        self._board.set_visibility(kriegspiel)
        if not isinstance(scenario, Scenario):
            self._title.text = "i believes"
            with self._more:
                rows = [(b.position, chance(b.probability)) for b in analysis.belief]
                markup(drawing.beliefs_table(rows))
                for one in analysis.nested if analysis.level else ():
                    ui.label(
                        f"and with probability {chance(one.probability)} that j believes"
                    ).classes("text-sm")
                    rows = [(b.position, chance(b.probability)) for b in one.belief]
                    markup(drawing.beliefs_table(rows))
            return
        who, other = _names(analysis)
        self._title.text = f"{who} (i) to move"
        if len(analysis.belief) > 1:
            self._title.text += f"; where {other} may be"
        self._board.show(beliefs.standing(analysis))
        with self._more:
            if scenario.history:
                told = "; ".join(
                    f"{e.by} {e.move or ''} \N{RIGHTWARDS ARROW} {e.heard}"
                    for e in scenario.history
                    if e.heard
                )
                ui.label(f"Heard so far: {told}").classes("text-xs text-gray-600")
            if analysis.surprise:
                ui.label("Something i heard had no chance under its model of j.").classes("text-sm")
            if scenario.frames:
                self._frames(scenario, analysis)
            if len(analysis.belief) > 1 or scenario.history:
                self._nested(analysis)

    def _frames(self, scenario: Scenario, analysis: Analysis) -> None:
        ui.label("Who j may be, and how likely now").classes("text-sm font-medium")
        markup(
            drawing.beliefs_table(
                [
                    (
                        "random" if mind.policy == "random"
                        else f"level {mind.level}, lambda {mind.rationality:g}",
                        chance(now, 3),
                    )
                    for mind, now in zip(scenario.frames, analysis.frames, strict=True)
                ]
            )
        )  # fmt: skip

    def _nested(self, analysis: Analysis) -> None:
        who, other = _names(analysis)
        if not analysis.nested:
            return
        title = f"What {other} may believe about {who}"
        with ui.expansion(title).classes("w-full").props("dense dense-toggle"):
            with ui.element("div").classes("grid grid-cols-2 gap-2 w-full"):
                for one in analysis.nested[:NESTED]:
                    with ui.column().classes("gap-0 min-w-0"):
                        ui.label(f"probability {chance(one.probability, 3)}").classes("text-xs")
                        Board(beliefs.nested(one.belief, analysis), width="10rem")
            if rest := analysis.nested[NESTED:]:
                share = chance(sum(one.probability for one in rest), 3)
                ui.label(f"{len(rest)} more, {share} together").classes("text-xs")


class Selected:
    """What j hears, believes and replies after a move of i."""

    def __init__(self) -> None:
        heading("What j hears, believes and replies")
        self._title = ui.label().classes("text-sm").props("data-selected")
        self._column = ui.column().classes("w-full gap-4")
        self._views: list[_HeardView] = []

    def show(self, analysis: Analysis, move: str) -> None:
        """Show a move of an analysis."""
        report = analysis.move(move)
        rank = [m.move for m in analysis.moves].index(move) + 1
        among = "the best" if move in (analysis.best, *analysis.ties) else f"number {rank}"
        self._title.text = (
            f"{move}: worth {worth(report.expected_utility)}, {among} of {len(analysis.moves)}; "
            f"what is announced tells {_names(analysis)[1]} {report.leak_bits:.2f} bits about "
            f"{_names(analysis)[0]}'s pieces."
        )
        shown = report.announcements
        for view in self._views[len(shown) :]:
            view.remove()
        del self._views[len(shown) :]
        with self._column:
            while len(self._views) < len(shown):
                self._views.append(_HeardView())
        for view, hearing in zip(self._views, shown, strict=True):
            view.show(analysis, move, hearing)


class _HeardView:
    """One announcement."""

    def __init__(self) -> None:
        with ui.column().classes("w-full gap-1") as self._all:
            self._words = ui.label().classes("font-medium text-sm").props("data-heard")
            with ui.element("div").classes("grid gap-4 w-full sm:grid-cols-[14rem_minmax(0,1fr)]"):
                self._board = Board(EMPTY, width="17rem")
                with ui.column().classes("gap-1 min-w-0 w-full"):
                    self._note = ui.label().classes("text-sm")
                    self._replies = markup()

    def remove(self) -> None:
        """Take it off the page."""
        self._all.delete()

    def show(self, analysis: Analysis, move: str, hearing: Hearing) -> None:
        """Show what an announcement makes j believe and do."""
        who, other = _names(analysis)
        likely = "" if hearing.probability > 1 - 1e-9 else f", {chance(hearing.probability, 3)}"
        surprise = f"; a surprise to {other}" if hearing.surprise else ""
        self._words.text = f'"{hearing.text}"{likely}{surprise}'
        self._board.set_visibility(bool(hearing.belief))
        if hearing.belief:
            self._board.show(beliefs.heard(hearing, move, analysis))
        self._replies.content = drawing.replies(hearing, other)
        self._note.text = _note(analysis, hearing, who, other)


def _note(analysis: Analysis, hearing: Hearing, who: str, other: str) -> str:
    if hearing.text == "Illegal":
        if analysis.tries == "paper":
            return "The position stays as it is, and that is what it is worth."
        return f"{who} tries again, knowing more."
    if analysis.level == 0:
        return "At level 0 j is not modelled: a move is worth the position after it."
    if not hearing.replies:
        return "The game is over."
    first = "first tries" if analysis.tries == "retry" else "replies"
    return f"The board: what {other} then believes of {who}'s pieces. {other} {first}:"


def _names(analysis: Analysis) -> tuple[str, str]:
    i = SIDES.index(analysis.to_move) if analysis.to_move in SIDES else 0
    return SIDES[i].capitalize(), SIDES[1 - i].capitalize()
