"""The first page: the rules in five sentences, and a game to start."""

from __future__ import annotations

import secrets

from nicegui import ui

from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.web.frame import card, complain, framed, heading
from ipomdp.web.rooms import PERSON, Rooms, Wish

COMMON = """\
Kriegspiel is chess in the dark: you see your own pieces and never the other's.
Try any move that your pieces could make; if the hidden pieces make it illegal the referee refuses \
it, only you hear of that, and you try another.
When a move is made both sides hear the same few words, never which piece moved: a capture and its \
square, a check and its line, or silence.
A check is named by the line on which it comes, seen from the king: file, rank, the long or the \
short of the two diagonals through its square, or a knight's jump.
"""
SMALL = """\
Here each side has a king and a queen: checkmate wins; it is a draw if a player has no move but is \
not in check, or if both queens are gone.
"""
FULL = """\
Before each turn the referee also says how many captures the pawns of the side to move have (pawn \
tries), and whether a pawn or a piece was captured; checkmate wins.
"""
RULES = {"4x4": COMMON + SMALL, "8x8": COMMON + FULL}
"""What a player who knows chess needs to know, for each board, a sentence in each line."""
TYPED = "typed"
OPPONENTS = {
    "ipomdp": "ipomdp: models what you believe",
    "hs": "hs: samples boards that fit all it heard",
    "aosp": "aosp: samples boards of the last turn",
    "los": "los: samples whole games",
    "random": "random: any legal move",
    TYPED: "a player with settings, typed",
    PERSON: "another person, by a secret link",
}
COLOURS = {"white": "White", "black": "Black", "either": "either"}
SECONDS = (0.05, 60)
"""How long an opponent may be asked to think about a try."""
HOW = (
    "You move by clicking a piece and then a square, by dragging it, by the arrow keys and Enter, "
    "or by typing. Level and lambda: how deeply ipomdp models you, and how surely it takes you to "
    "find the better move."
)
HIGHEST_LEVEL = {"4x4": 3, "8x8": 2}
LAMBDA = {"4x4": 0.02, "8x8": 0.03}
"""What the players assume unless told otherwise."""


def show_rules(board: str) -> None:
    """Write the rules."""
    with ui.element("ol").classes("list-decimal pl-5 text-sm leading-6 max-w-3xl"):
        for sentence in RULES[board].splitlines():
            with ui.element("li"):
                ui.label(sentence)


def register(rooms: Rooms) -> None:
    """Add the page."""

    @ui.page("/")
    def home(board: str = "4x4", side: str = "white", opponent: str = "ipomdp") -> None:
        """Show the form, with what the address asks for chosen already."""
        with framed("Play"), card():
            _Form(
                rooms,
                board if board in RULES else "4x4",
                COLOURS.get(side, "White"),
                opponent if opponent in OPPONENTS else "ipomdp",
            )


class _Form:
    """What a person chooses before a game."""

    def __init__(self, rooms: Rooms, board: str, colour: str, opponent: str) -> None:
        self._rooms = rooms
        ui.label("Kriegspiel").classes("text-2xl font-semibold").props("role=heading aria-level=1")
        self._rules = ui.column().classes("w-full")
        with ui.row().classes("gap-x-8 gap-y-3 items-end w-full"):
            with ui.column().classes("gap-1"):
                heading("Board")
                self._board = ui.toggle(list(RULES), value=board, on_change=self._adapt)
            with ui.column().classes("gap-1"):
                heading("You are")
                self._colour = ui.toggle(list(COLOURS.values()), value=colour)
            self._opponent = (
                ui.select(OPPONENTS, value=opponent, label="Opponent", on_change=self._adapt)
                .classes("w-72")
                .props("outlined dense")
            )
        with ui.row().classes("gap-4 items-end") as self._settings:
            self._level = ui.select(
                [0, 1, 2, 3], value=1, label="its level"
            ).classes("w-24").props("outlined dense")  # fmt: skip
            self._typed = ui.input("the player", value="hs:boards=200").classes("w-60")
            self._typed.props("outlined dense")
            self._lambda = ui.number(
                "its lambda", value=LAMBDA["4x4"], format="%.4g"
            ).classes("w-28").props("outlined dense step=any")  # fmt: skip
            self._seconds = ui.number(
                "seconds a try", value=1
            ).classes("w-28").props("outlined dense step=any")  # fmt: skip
        self._play = ui.button("Play", on_click=self._start).classes("px-8").props("size=lg")
        self._note = ui.label(HOW).classes("text-sm text-gray-600")
        self._adapt()

    def _adapt(self) -> None:
        """Show what goes with the board and the opponent."""
        board, opponent = str(self._board.value), str(self._opponent.value)
        self._rules.clear()
        with self._rules:
            show_rules(board)
        levels = list(range(HIGHEST_LEVEL[board] + 1))
        self._level.set_options(levels, value=min(int(self._level.value or 0), levels[-1]))
        if self._lambda.value in LAMBDA.values():
            self._lambda.value = LAMBDA[board]
        for element in (self._level, self._lambda):
            element.set_visibility(opponent == "ipomdp")
        self._typed.set_visibility(opponent == TYPED)
        self._seconds.set_visibility(opponent not in ("random", PERSON))

    async def _start(self) -> None:
        opponent = str(self._opponent.value)
        if opponent == "ipomdp":
            opponent += f":level={self._level.value},lambda={self._lambda.value or 0:g}"
        elif opponent == TYPED:
            opponent = str(self._typed.value or "").strip()
        colours = list(COLOURS.values())
        side = colours.index(str(self._colour.value))
        side = secrets.randbelow(2) if side > 1 else side
        seconds = float(self._seconds.value or 0)
        if not SECONDS[0] <= seconds <= SECONDS[1]:
            least, most = SECONDS
            complain(InvalidInput(f"seconds a try: expected {least} to {most}, not {seconds:g}"))
            return
        wish = Wish(board=str(self._board.value), side=side, opponent=opponent, seconds=seconds)
        self._play.props("loading")
        self._note.text = "Setting up; on a new machine the first game takes half a minute."
        try:
            key = await self._rooms.open(wish)
        except IpomdpError as error:
            complain(error)
        else:
            ui.navigate.to(f"/game/{key}")
        finally:
            self._play.props(remove="loading")
            self._note.text = HOW
