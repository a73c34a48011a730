"""Every byte sent to a side follows from what that side may know.

Two games are played in real browsers in which a side does and hears the same while the other's
pieces stand elsewhere; whatever the server sent that side must be the same, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket, expect

from ipomdp.arena.notation import taken_apart
from ipomdp.game import BoardGame
from ipomdp.players.roster import board_game
from ipomdp.seats.table import Table
from tests.web.conftest import opened, serving
from tests.web.playing import log, square, start
from tests.web.twins import Try, twins

RANDOM = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # the numbers of pages and requests
    r"|(?<=/)[\w-]{32}(?=[\"/&\\\s<]|$)"  # secrets
    r"|(?<=\"sid\":\")[\w-]{20}"  # the numbers of connections
    r"|(?<=127\.0\.0\.1:)\d+"
)
"""What is drawn anew for every page, and tells nothing."""
PING = re.compile(r"^[23]$")


class Wire:
    """Everything that was sent to a page."""

    def __init__(self, page: Page) -> None:
        self.sent: list[str] = []
        page.on("websocket", self._listen)
        page.on("response", self._answer)
        self._page = page

    def _answer(self, answer: Response) -> None:
        if "/_nicegui/" not in answer.url:  # what NiceGUI ships comes in any order
            self._keep(f"{answer.status} {answer.url}")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._keep(str(frame)))

    def _keep(self, text: str) -> None:
        if not PING.match(text):
            self.sent.append(RANDOM.sub("*", text))

    def page(self) -> None:
        """Keep the page itself, and what it is called."""
        self._keep(self._page.request.get(self._page.url).text())
        self._keep(self._page.title())


@pytest.fixture(scope="module")
def dice() -> Iterator[str]:
    """Give the address of a server with the same dice in every game."""
    with serving("tests.web.serving") as address:
        yield address


def sent_to(
    browser: Browser, server: str, board: BoardGame, tries: tuple[Try, ...], side: int
) -> tuple[list[str], list[str]]:
    """Play a game of two people; return what was sent to a side, and all that its page shows."""
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
                expect(seen).to_have_count(1 + len(table.known(who)))
        mine = pages[side]
        mine.get_by_role("button", name="side by side").click()
        if table.mover == side:
            mine.get_by_role("button", name="What would you try?").click()
            expect(mine.locator("[data-advice]")).to_be_visible()
        wires[side].page()
        mine.reload()
        expect(mine.get_by_role("log").locator("> *")).to_have_count(1 + len(table.known(side)))
        pages[1 - side].get_by_role("button", name="Resign").click()
        dialog = pages[1 - side].get_by_role("dialog")
        dialog.get_by_role("button", name="Resign").click()
        expect(mine.get_by_role("log")).to_contain_text("resigned")
        mine.wait_for_timeout(500)  # for frames that are still on their way to this test
        return wires[side].sent, log(mine)


@pytest.mark.parametrize(
    ("board", "side", "half_moves"), [("4x4", 0, 7), ("4x4", 1, 8), ("8x8", 0, 6), ("8x8", 1, 7)]
)
def test_what_is_sent_follows_from_what_the_side_may_know(
    browser: Browser, dice: str, board: str, side: int, half_moves: int
) -> None:
    game = board_game(board)
    games = twins(game, side, half_moves, seed=5)
    assert games[0] != games[1]
    (one, shown), (other, also) = (sent_to(browser, dice, game, g, side) for g in games)
    assert shown == also
    assert one == other
    assert len("".join(one)) > 20_000  # the wire was tapped
