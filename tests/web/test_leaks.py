"""Every byte sent to a side follows from what that side may know.

Two games are played in real browsers in which a side does and hears the same while the other's
pieces stand elsewhere; whatever the server sent that side must be the same, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket, expect

from ipomdp.arena.notation import taken_apart
from ipomdp.game import BoardGame
from ipomdp.players.roster import board_game
from ipomdp.seats.table import Table
from tests.web.conftest import opened, serving
from tests.web.playing import log, square, start
from tests.web.twins import Tries, twins

RANDOM = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # the numbers of pages and requests
    r"|(?<=/)[\w-]{32}(?=[\"/&\\\s<]|$)"  # secrets
    r"|(?<=\"sid\":\")[\w-]{20}"  # the numbers of connections
    r"|(?<=127\.0\.0\.1:)\d+"
)
"""What is drawn anew for every page, and tells nothing."""
PING = re.compile(r"^[23]$")


class Wire:
    """Everything that was sent to a page: frames, answers and texts, each in their order."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        self.answers: list[str] = []
        self.texts: list[str] = []
        page.on("websocket", self._listen)
        page.on("response", self._answer)

    def _answer(self, answer: Response) -> None:
        if "/_nicegui/" not in answer.url:  # what NiceGUI ships comes in any order
            self.answers.append(RANDOM.sub("*", f"{answer.status} {answer.url}"))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._frame(str(frame)))

    def _frame(self, frame: str) -> None:
        if not PING.match(frame):
            self.frames.append(RANDOM.sub("*", frame))

    def read(self, page: Page) -> None:
        """Keep the page as a file, what it is called, and the record that it gives out."""
        self.texts.append(RANDOM.sub("*", page.request.get(page.url).text()))
        self.texts.append(page.title())
        with page.expect_download() as downloading:
            page.get_by_role("button", name="Save the record").click()
        self.texts.append(Path(downloading.value.path()).read_text())

    @property
    def sent(self) -> tuple[list[str], list[str], list[str]]:
        """All of it so far."""
        return list(self.frames), list(self.answers), list(self.texts)


@pytest.fixture(scope="module")
def dice() -> Iterator[str]:
    """Give the address of a server with the same dice in every game."""
    with serving("tests.web.serving") as address:
        yield address


Sent = tuple[list[str], list[str], list[str]]


def sent_to(
    browser: Browser, server: str, board: BoardGame, tries: Tries, side: int
) -> tuple[Sent, list[str]]:
    """Play a game of two people to its end; return what was sent to a side before it, and heard."""
    with opened(browser) as first, opened(browser) as second:
        wires = [Wire(first), Wire(second)]
        start(first, server, board=board.name, opponent="another person")
        second.goto(first.locator("[data-invitation]").inner_text())
        second.get_by_role("button", name="Play Black").click()
        second.wait_for_url("**/game/*")
        expect(first.locator("[data-invitation]")).not_to_be_visible()
        pages, table = (first, second), Table(board)
        for mover, action in tries:
            move = taken_apart(board.actions[action], table.pieces(mover))
            square(pages[mover], move.origin).click()
            square(pages[mover], move.target).click()
            table.attempt(action)
            for who in (0, 1):
                seen = pages[who].get_by_role("log").locator("> *")
                expect(seen).to_have_count(lines(table, who))
        mine, wire = pages[side], wires[side]
        mine.get_by_role("button", name="side by side").click()
        expect(mine.locator(".ipomdp-board:visible")).to_have_count(2)
        if table.mover == side:
            mine.get_by_role("button", name="What would you try?").click()
            mine.locator("[data-advice] tr").nth(1).click()
            expect(mine.get_by_text("If ").first).to_be_visible()
        wire.read(mine)
        mine.reload()
        expect(mine.get_by_role("log").locator("> *")).to_have_count(lines(table, side))
        mine.wait_for_timeout(500)  # for frames that are still on their way to this test
        sent = wire.sent
        pages[1 - side].get_by_role("button", name="Resign").click()
        dialog = pages[1 - side].get_by_role("dialog")
        dialog.get_by_role("button", name="Resign").click()
        expect(mine.get_by_role("log")).to_contain_text("resigned")
        return sent, log(mine)


def lines(table: Table, side: int) -> int:
    """Return how much a side's log holds: the start, what it heard, and White that Black came."""
    return 1 + len(table.known(side)) + (side == 0)


@pytest.mark.parametrize(
    ("board", "side", "half_moves", "must_hear"),
    [
        ("4x4", 0, 9, ("Check by", "Capture in")),
        ("4x4", 1, 8, ("Check by",)),
        ("8x8", 0, 14, ("captured in", "pawn tr")),
        ("8x8", 1, 15, ("captured in", "pawn tr")),
    ],
)
def test_what_is_sent_follows_from_what_the_side_may_know(
    browser: Browser, dice: str, board: str, side: int, half_moves: int, must_hear: tuple[str, ...]
) -> None:
    game = board_game(board)
    games = twins(game, side, half_moves, 5, must_hear)
    (one, shown), (other, also) = (sent_to(browser, dice, game, g, side) for g in games)
    assert shown == also
    for mine, same in zip(one, other, strict=True):
        assert mine == same
    assert len("".join(one[0])) > 20_000  # the wire was tapped
    assert all(one)
