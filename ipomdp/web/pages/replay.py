"""The pages of recorded games: files that a person brings, games just over, and arenas."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from nicegui import ui
from nicegui.events import UploadEventArguments
from starlette.responses import PlainTextResponse

from ipomdp.arena.folder import GAMES
from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.records import GameRecord
from ipomdp.web.frame import card, command_line, complain, framed, heading
from ipomdp.web.pages.game import not_found
from ipomdp.web.replay.arenas import Arena, Results, Standing
from ipomdp.web.replay.games_table import games_table
from ipomdp.web.replay.library import MOST_BYTES, MOST_GAMES, Shelf, examples, file_name, shelf
from ipomdp.web.replay.player import ReplayPlayer
from ipomdp.web.replay.story import REFEREE
from ipomdp.web.rooms import Rooms

MOST_PROBLEMS = 20
"""Damaged games that are told one by one."""
STANDINGS = ("", "games", "won", "lost", "drawn", "score", "95% interval")


def register(rooms: Rooms, arenas: Sequence[Arena] = ()) -> None:
    """Add the pages."""
    reading = asyncio.Lock()

    @ui.page("/replay")
    def library() -> None:
        with framed("Replay"):
            _Library(arenas, reading)

    @ui.page("/replay/{key}")
    def own(key: str) -> PlainTextResponse | None:
        found = rooms.side(key)
        played = None if found is None else found[0].record()
        if played is None:  # nothing of the other side before the end
            return not_found()
        with framed("Replay"):
            ReplayPlayer(played, "game.json", None, view=REFEREE)
        return None

    @ui.page("/arena/{which}")
    async def arena(which: str) -> PlainTextResponse | None:
        found = _numbered(arenas, which)
        if found is None:
            return not_found()
        try:
            results = await asyncio.to_thread(found.results)
        except InvalidInput as error:
            return PlainTextResponse(str(error), status_code=404)
        with framed("Replay"):
            _show_arena(found, results, f"/arena/{which}")
        return None

    @ui.page("/arena/{which}/{entry}")
    async def arena_game(which: str, entry: str) -> PlainTextResponse | None:
        found = _numbered(arenas, which)
        if found is None or not _is_number(entry):
            return not_found()
        try:
            played = await asyncio.to_thread(found.record, int(entry))
        except InvalidInput as error:
            return PlainTextResponse(str(error), status_code=404)
        with framed("Replay"):
            ui.link(f"← {found.name}", f"/arena/{which}").classes("text-sm")
            ReplayPlayer(played, f"{found.name}/{GAMES}", int(entry), view=REFEREE)
        return None


def _numbered(arenas: Sequence[Arena], which: str) -> Arena | None:
    number = int(which) if _is_number(which) else 0
    return arenas[number - 1] if 1 <= number <= len(arenas) else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


class _Library:
    """A file's games, and one of them opened."""

    def __init__(self, arenas: Sequence[Arena], reading: asyncio.Lock) -> None:
        self._reading = reading
        self._shelf: Shelf | None = None
        with ui.column().classes("w-full gap-4") as self._entrance:
            with card():
                ui.label("Replay").classes("text-2xl font-semibold").props(
                    "role=heading aria-level=1"
                )
                ui.label(
                    "Recorded games step by step, as White knew them, as Black knew them, and as "
                    "the referee did."
                ).classes("text-sm")
                self._make_entrance()
            if arenas:
                with card("Arenas"):
                    _list_arenas(arenas)
            self._list = ui.column().classes("w-full")
        self._player = ui.column().classes("w-full gap-3")

    def _make_entrance(self) -> None:
        upload = ui.upload(
            on_upload=self._take, auto_upload=True, max_file_size=MOST_BYTES,
            on_rejected=lambda: ui.notify(
                f"Expected a .json, .jsonl or .pgn of {MOST_BYTES // 2**20} MB at most.",
                type="negative",
            ),
        ).props("accept='.json,.jsonl,.ndjson,.pgn'").classes("hidden")  # fmt: skip
        self._upload = upload
        with ui.row().classes("gap-3 items-center"):
            ui.button("Open a record", icon="upload_file").props("no-caps").on(
                "click", js_handler=f"() => getElement({upload.id}).$refs.qRef.pickFiles()"
            )
            ui.button("Show an example", icon="auto_stories", on_click=self._example).props(
                "no-caps outline"
            )
            self._busy = ui.spinner(size="1.5rem")
            self._busy.set_visibility(False)
        ui.label(
            f"JSON, JSON in lines or PGN, as games here are saved: {MOST_BYTES // 2**20} MB and "
            f"{MOST_GAMES:,} games at most. It is read for this page alone and kept nowhere."
        ).classes("text-xs text-gray-600")

    async def _take(self, event: UploadEventArguments) -> None:
        self._upload.reset()
        name = file_name(event.file.name)
        if event.file.size() > MOST_BYTES:
            complain(InvalidInput(f"{name}: too long; expected {MOST_BYTES:,} bytes at most"))
            return
        await self._open(name, await event.file.read())

    async def _example(self) -> None:
        await self._open("", b"")

    async def _open(self, name: str, content: bytes) -> None:
        self._busy.set_visibility(True)
        try:
            async with self._reading:  # one at a time: the referee makes every move again
                found = await asyncio.to_thread(
                    lambda: shelf(name, content) if name else examples()
                )
        except IpomdpError as error:
            complain(error)
            return
        finally:
            self._busy.set_visibility(False)
        self._shelf = found
        self._show_list(found)
        if len(found.games) == 1 and not found.problems:
            self._play(next(iter(found.games)))

    def _show_list(self, found: Shelf) -> None:
        self._list.clear()
        with self._list, card(found.name):
            if found.problems:
                _tell_problems(found.problems)
            games_table(_listed(found.games), on_open=self._play)

    def _play(self, number: int) -> None:
        found = self._shelf
        if found is None or number not in found.games:
            return
        several = len(found.games) + len(found.problems) > 1
        self._entrance.set_visibility(False)
        self._player.clear()
        with self._player:
            ui.button("Back to the games", icon="arrow_back", on_click=self._back).props(
                "flat dense no-caps"
            )
            ReplayPlayer(found.games[number], found.name, number if several else None, view=REFEREE)

    def _back(self) -> None:
        self._player.clear()
        self._entrance.set_visibility(True)


def _listed(games: Mapping[int, GameRecord]) -> list[dict[str, object]]:
    return [
        {
            "game": number, "board": played.game.name, "white": played.white or "?",
            "black": played.black or "?", "result": played.outcome,
            "reason": played.result.reason, "moves": len(played.result.turns),
        }
        for number, played in games.items()
    ]  # fmt: skip


def _tell_problems(problems: Sequence[str]) -> None:
    count = len(problems)
    with (
        ui.expansion(f"{count} left out", icon="report_problem")
        .classes("w-full text-sm bg-amber-50 rounded")
        .props("dense default-opened data-problems")
    ):
        for problem in problems[:MOST_PROBLEMS]:
            ui.label(problem).classes("break-words")
        if count > MOST_PROBLEMS:
            ui.label(f"{count - MOST_PROBLEMS} more.")


def _list_arenas(arenas: Sequence[Arena]) -> None:
    for number, arena in enumerate(arenas, start=1):
        with ui.row().classes("items-baseline gap-x-3 gap-y-0 w-full"):
            ui.link(arena.name, f"/arena/{number}").classes("font-semibold")
            ui.label(", ".join(arena.plan.players)).classes("text-sm break-words")
            ui.label(arena.about).classes("text-xs text-gray-600")


def _show_arena(arena: Arena, results: Results, here: str) -> None:
    with card():
        ui.label(arena.name).classes("text-2xl font-semibold").props("role=heading aria-level=1")
        count = f"{results.count:,} game{'' if results.count == 1 else 's'}"
        ui.label(f"{arena.about}; {count}").classes("text-sm text-gray-600")
        if results.problems:
            _tell_problems(results.problems)
        _standings("Pairings", results.pairings)
        if results.players:
            _standings("Players, each against all others", results.players)
        ui.label(
            "Score: a win is 1, a draw 1/2; its interval is Tango's (the score test)."
        ).classes("text-xs text-gray-600")
        command_line("ipomdp", "standings", arena.name)
    with card("Games"):
        if results.count > len(results.games):
            ui.label(f"The first {len(results.games):,}.").classes("text-sm")
        listed: list[dict[str, object]] = [
            {
                "game": game.entry, "board": arena.plan.board, "white": game.white,
                "black": game.black, "result": game.outcome, "reason": game.reason,
                "moves": game.half_moves, "link": f"{here}/{game.entry}",
            }
            for game in results.games
        ]  # fmt: skip
        games_table(listed)


def _standings(title: str, lines: Sequence[Standing]) -> None:
    heading(title)
    with (
        ui.element("div").classes("w-full overflow-x-auto"),
        ui.element("table").classes("ipomdp-table ipomdp-standings").props("data-standings"),
    ):
        with ui.element("tr"):
            for head in STANDINGS:
                with ui.element("th").classes("right" if head else ""):
                    ui.label(head)
        for line in lines:
            with ui.element("tr"):
                for k, cell in enumerate(line.cells):
                    with ui.element("td").classes("right" if k else ""):
                        ui.label(cell)
