"""The page of one side of a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from nicegui import ui
from starlette.responses import PlainTextResponse

from ipomdp.arena.notation import understood
from ipomdp.quoting import shown
from ipomdp.records import GameRecord
from ipomdp.seats.knowledge import Knowledge
from ipomdp.web.advice import AdvicePanel
from ipomdp.web.board import Board, BoardView
from ipomdp.web.frame import card, download, framed
from ipomdp.web.pages.home import show_rules
from ipomdp.web.rooms import Rooms
from ipomdp.web.seat import SIDES, Seat
from ipomdp.web.token_boards import TokenBoards
from ipomdp.web.views import record_of, seat_view

ICONS = {
    "refused": "block",
    "own": "north_east",
    "other": "south_west",
    "end": "flag",
    "draw": "handshake",
}
PROMOTIONS = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}


def register(rooms: Rooms) -> None:
    """Add the pages of games and of invitations to them."""

    @ui.page("/game/{key}")
    def game(key: str) -> PlainTextResponse | None:
        found = rooms.side(key)
        if found is None:
            return not_found()
        room, side = found
        rooms.arrived(key)
        with framed("Play"):
            SeatPage(room.seats[side], Here(key, room.record, lambda: room.invitation))
        return None

    @ui.page("/join/{invitation}")
    def join(invitation: str) -> PlainTextResponse | None:
        room = rooms.invited(invitation)
        if room is None:
            return not_found()
        board, mine = room.wish.board, SIDES[1 - room.wish.side]

        async def take() -> None:
            key = await rooms.join(invitation)
            if key is None:
                ui.notify("Somebody else has taken this side.", type="negative")
            else:
                ui.navigate.to(f"/game/{key}")

        with framed("Play"), card(f"You are invited to a game on {board}, as {mine}"):
            show_rules(board)
            ui.button(f"Play {mine}", on_click=take).props("no-caps")
            ui.label("The page that opens then is yours alone.").classes("text-sm")
        return None


def not_found() -> PlainTextResponse:
    """Answer a wrong secret."""
    return PlainTextResponse("Not found", status_code=404)


class Here(NamedTuple):
    """What a page may ask the server on which its game is played."""

    key: str
    """The secret of the side."""
    record: Callable[[], GameRecord | None]
    """Gives the whole game once it is over."""
    invitation: Callable[[], str | None]
    """Gives the secret for the other side while it is free."""


class SeatPage:
    """Shows a seat, and passes on what the person does."""

    def __init__(self, seat: Seat, here: Here | None = None) -> None:
        """Show a seat; ``here`` is given if its game is on this server."""
        self._seat, self._here = seat, here
        self._asking: ui.dialog | None = None
        self._origin = str(ui.context.client.request.base_url).rstrip("/")
        self._logged = 0
        self._begun: Knowledge | None = None
        with ui.row().classes("w-full items-start gap-4 flex-nowrap max-md:flex-wrap"):
            with ui.column().classes("grow min-w-0 w-full gap-2 items-center"):
                self._status = ui.label().classes("text-lg font-semibold self-start")
                self._status.props("role=status aria-live=polite")
                self._against = ui.label().classes("text-sm text-gray-600 self-start -mt-2")
                self._boards = TokenBoards(
                    lambda source, kinds: seat_view(seat, source, kinds), on_try=self._try
                )
            with ui.column().classes("w-[23rem] max-md:w-full gap-3 shrink-0"):
                self._invite = ui.column().classes("w-full")
                self._end = ui.column().classes("w-full").props("data-end")
                self._end.set_visibility(False)
                with card("The referee"):
                    self._make_log()
                with card():
                    self._make_buttons()
                self._advice = AdvicePanel(seat)
                with ui.expansion("The rules", icon="menu_book").classes("w-full ipomdp-card"):
                    self._rules = ui.column().classes("w-full")
        self.refresh()
        seat.subscribers.append(self.refresh)
        ui.context.client.on_delete(self._leave)

    def _make_log(self) -> None:
        self._typed = ui.input(placeholder="type a move, or use the board").classes("w-full")
        self._typed.props("dense outlined clearable autocomplete=off aria-label='a move'")
        self._typed.on("keydown.enter", self._type)
        self._log = ui.column().classes("w-full gap-1 max-h-72 overflow-y-auto flex-nowrap text-sm")
        self._log.props("role=log")

    def _make_buttons(self) -> None:
        with ui.dialog() as sure, ui.card():
            ui.label("Give up this game?")
            with ui.row():
                yes = ui.button("Resign", color="negative", on_click=self._seat.resign)
                yes.on_click(sure.close).props("no-caps")
                ui.button("Play on", on_click=sure.close).props("flat no-caps")
        with ui.row().classes("gap-2 items-center"):
            self._draw = ui.button("Offer a draw", on_click=self._seat.draw)
            self._draw.props("outline no-caps size=sm")
            self._resign = ui.button("Resign", on_click=sure.open)
            self._resign.props("outline no-caps size=sm color=negative")
            self._replay = ui.button("Replay the whole game", on_click=self._show_replay)
            self._replay.props("no-caps size=sm")
            if self._here is not None:
                new = ui.button("New game", on_click=lambda: ui.navigate.to("/"))
                new.props("flat no-caps size=sm")
            download("game.json", self._record, "Save the record")

    # What the person does.

    async def _try(self, origin: str, target: str) -> None:
        found = self._seat.actions(origin, target)
        if len(found) > 1:
            found = await self._promotion(found)
        if found:
            await self._seat.attempt(found[0])

    async def _promotion(self, actions: list[int]) -> list[int]:
        """Ask what a pawn becomes."""
        known = self._seat.knowledge
        assert known is not None  # noqa: S101 - there are tries
        with ui.dialog() as dialog, ui.card():
            ui.label("The pawn becomes a")
            with ui.row():
                for action in actions:
                    name = PROMOTIONS[known.game.actions[action][4:]]
                    button = ui.button(name, on_click=lambda _, a=action: dialog.submit(a))
                    button.props("no-caps")
        if self._asking is not None:  # one question at a time
            self._asking.submit(None)
        self._asking = dialog
        chosen = await dialog
        if self._asking is dialog:
            self._asking = None
        if not dialog.is_deleted:  # with its page
            dialog.delete()
        return [] if chosen is None else [chosen]

    async def _type(self) -> None:
        known, typed = self._seat.knowledge, str(self._typed.value or "").strip()
        if known is None or not typed or not self._seat.mine:
            return
        seat_open = self._seat.open
        everything = [*seat_open, *known.refused]
        meant = understood(typed, known.game, everything, known.pieces)
        if len(meant) == 1 and meant[0] in known.refused:
            ui.notify(f"{known.game.actions[meant[0]]} was refused before in this turn.")
        elif len(meant) == 1:
            self._typed.value = ""
            await self._seat.attempt(meant[0])
        elif meant and len({seat_open[action] for action in meant}) == 1:
            await self._try(*seat_open[meant[0]])
        elif meant:
            names = " or ".join(known.game.actions[action] for action in meant)
            ui.notify(f"{shown(typed)} may be {names}: which?")
        else:
            ui.notify(f"{shown(typed)} is no move open to you.")

    def _show_replay(self) -> None:
        if self._here is not None:
            ui.navigate.to(f"/replay/{self._here.key}")

    def _record(self) -> str:
        """Return the game as the side knows it; once it is over, all of it."""
        whole = self._here.record() if self._here is not None else None
        return json.dumps(record_of(self._seat) if whole is None else whole.to_dict()) + "\n"

    def _leave(self) -> None:
        if self.refresh in self._seat.subscribers:
            self._seat.subscribers.remove(self.refresh)

    # What is shown.

    def refresh(self) -> None:
        """Show what has changed."""
        seat, known = self._seat, self._seat.knowledge
        if known is not self._begun:  # a game has begun, or another one
            self._begun, self._logged = known, 0
            self._log.clear()
            self._rules.clear()
            with self._rules:
                show_rules("4x4" if known is not None and known.game.name == "4x4" else "8x8")
        self._status.text = _status(seat)
        self._against.text = seat.news or (f"Against {seat.other}." if seat.other else "")
        self._boards.refresh()
        self._show_log()
        playing = known is not None and seat.ended is None
        offer = {"other": "Accept the draw", "me": "Draw offered"}
        self._draw.set_visibility(playing)
        self._draw.text = offer.get(seat.offered or "", "Offer a draw")
        self._draw.set_enabled(seat.offered != "me")
        self._resign.set_visibility(playing)
        over = seat.ended is not None and seat.ended.reason != "dropped"
        self._replay.set_visibility(over and self._here is not None)
        if self._asking is not None and not seat.mine:
            self._asking.submit(None)
        self._typed.set_enabled(seat.mine)
        self._advice.refresh()
        self._show_invitation()
        self._show_end()

    def _show_log(self) -> None:
        """Write what is new above what was before."""
        for kind, words in self._seat.log[self._logged :]:
            with self._log, ui.row().classes("gap-2 flex-nowrap items-start w-full") as row:
                ui.icon(ICONS.get(kind, "info")).classes("text-gray-500 mt-0.5")
                ui.label(words).classes("font-semibold" if kind == "end" else "")
            row.move(target_index=0)
        self._logged = len(self._seat.log)

    def _show_end(self) -> None:
        """Show where everything stood, once the game is over and no secret is left."""
        whole = self._here.record() if self._here is not None and self._seat.ended else None
        if whole is None or self._end.default_slot.children:
            return
        final, game = whole.result.final, whole.game
        pieces = {**game.pieces(final, 0), **game.pieces(final, 1)}
        flipped = self._seat.side == 1
        self._end.set_visibility(True)
        with self._end, card("Where everything stood"):
            Board(BoardView(size=game.size, pieces=pieces, flipped=flipped, label="the end"))

    def _show_invitation(self) -> None:
        invitation = self._here.invitation() if self._here is not None else None
        self._invite.set_visibility(invitation is not None)
        if invitation is None or self._invite.default_slot.children:
            return
        link = f"{self._origin}/join/{invitation}"
        with self._invite, card("Invite the other player"):
            here = "//127." in link or "//localhost" in link
            hint = " For others than on this machine start the server with --host." if here else ""
            ui.label(f"Send this link: it is for one player.{hint}").classes("text-sm")
            shown_link = ui.label(link).classes("ipomdp-command whitespace-normal break-all")
            shown_link.props("data-invitation")
            copy = ui.button("Copy", on_click=lambda: ui.clipboard.write(link))
            copy.props("flat dense no-caps icon=content_copy")


def _status(seat: Seat) -> str:
    """Return what the person most needs to know now."""
    known = seat.knowledge
    if known is None:
        return "Waiting for a game to begin."
    if seat.ended is not None:
        return seat.verdict
    me, other = SIDES[known.side], SIDES[1 - known.side]
    if not known.mine or seat.waiting:
        return f"You are {me}. {other} is to move."
    if known.refused:
        return f"{known.game.actions[known.refused[-1]]} is refused: try another move."
    if known.last is None:
        return f"Your move, {me}."
    said = seat.said(known.last.heard or 0, known.side)
    offer = f" {other} offers a draw." if seat.offered == "other" else ""
    return f"{other} has moved. {said}.{offer} Your move, {me}."
