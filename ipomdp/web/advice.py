"""Advice on request: tries with what they are worth, teach and give away, and why."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nicegui import ui

from ipomdp.players.player import Advice, Thinker
from ipomdp.show.explanation_text import percent, sentences
from ipomdp.web.frame import heading
from ipomdp.web.seat import ADVISER, Seat

MOST = 10
"""Tries that are shown."""
UNITS = {"4x4": "points (a queen 980, mate 10,000)", "8x8": "hundredths of a pawn"}
SECONDS = 1.0
"""How long the adviser may look at tries."""


class AdvicePanel:
    """A card with a button; what it shows is of the moment when it was asked."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._asked = -1
        with ui.column().classes("ipomdp-card gap-2"):
            with ui.row().classes("w-full items-center justify-between"):
                heading("Advice")
                self._button = ui.button("What would you try?", on_click=self._ask).props(
                    "outline no-caps size=sm"
                )
            self._table = ui.column().classes("w-full gap-0 overflow-x-auto")
            self._why = ui.column().classes("w-full gap-1 text-sm")

    def refresh(self) -> None:
        """Drop advice that is of another moment."""
        known = self._seat.knowledge
        self._button.set_enabled(self._seat.mine)
        if self._asked >= 0 and (known is None or len(known.hearings) != self._asked):
            self._table.clear()
            self._why.clear()
            self._asked = -1

    async def _ask(self) -> None:
        seat, known = self._seat, self._seat.knowledge
        if known is None or not seat.mine:
            return
        now, tries = len(known.hearings), known.tries
        self._button.props("loading")
        advice = await seat.consult(lambda thinker: thinker.advice(tries, SECONDS))
        self._button.props(remove="loading")
        if len(known.hearings) != now:
            return
        self._asked = now
        self._table.clear()
        with self._table:
            if advice is None:
                ui.label(f"No advice this time: {seat.problem}.").classes("text-sm")
            else:
                self._show(advice)

    def _show(self, advice: Sequence[Advice]) -> None:
        known = self._seat.knowledge
        assert known is not None  # noqa: S101 - a game has begun
        unit = UNITS["4x4" if known.game.name == "4x4" else "8x8"]
        heads = ("try", "worth", "legal", "refusal, bits", "leak, bits")
        with ui.element("table").classes("ipomdp-table").props("data-advice"):
            with ui.element("tr"):
                for head in heads:
                    with ui.element("th").classes("right" if head != "try" else ""):
                        ui.label(head)
            for one in _for_reading(advice)[:MOST]:
                row = ui.element("tr").classes("cursor-pointer hover:bg-blue-50")
                row.props("tabindex=0 role=button")
                row.on("click", lambda _, a=one.action: self._explain(a))
                row.on("keydown.enter", lambda _, a=one.action: self._explain(a))
                with row:
                    for k, text in enumerate(_cells(known.game.actions[one.action], one)):
                        with ui.element("td").classes("right" if k else "font-semibold"):
                            ui.label(text)
        ui.label(
            f"By {ADVISER} at level 1, who takes the other to be at level 0. Worth: what trying "
            f"it leads to on average, in {unit}; a refusal costs nothing, so what is hardly ever "
            "legal may be worth trying first. Bits: what a refusal would tell you, and what the "
            "announcement tells the other about your pieces. Choose a row for the reasons."
        ).classes("text-xs text-gray-600 mt-1")

    async def _explain(self, action: int) -> None:
        known = self._seat.knowledge
        if known is None or len(known.hearings) != self._asked:
            return

        def why(thinker: Thinker) -> Sequence[str]:
            return sentences(known.game, known.side, thinker.explain(action))

        words = await self._seat.consult(why)
        self._why.clear()
        with self._why:
            for sentence in words or (f"No reasons this time: {self._seat.problem}.",):
                ui.label(sentence.strip()).classes("pl-4" if sentence.startswith(" ") else "")


def _for_reading(advice: Sequence[Advice]) -> list[Advice]:
    """Return tries best first; of those worth the same the likelier to be legal first."""
    return sorted(advice, key=lambda one: (-round(one.value, 1), -one.legal))


def _cells(name: str, one: Advice) -> tuple[str, ...]:
    bits = (
        "?" if math.isnan(b) else f"{round(b, 2) + 0.0:.2f}"  # never -0.00
        for b in (one.refusal_bits, one.leak_bits)
    )
    return (name, f"{round(one.value, 1) + 0.0:.1f}", percent(one.legal), *bits)
