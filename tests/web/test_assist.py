"""The assistant for a game on a chess server: the same page, its referee at the end of a socket."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import serving
from tests.web.playing import attempt, own, status
from tests.web.test_play import shown_tokens


@pytest.fixture
def assistant() -> Iterator[str]:
    """Give the address of an assistant's page, in a game as White against the house."""
    with serving("ipomdp", "ics-serve", "--port", "0", "--player", "random", "--seed", "1") as ics:
        command = ("ipomdp", "assist", "--ics", ics, "--match", "random", "--side", "white")
        with serving(*command, "--no-browser") as address:
            yield address


def test_a_game_on_a_chess_server_is_played_on_the_page(page: Page, assistant: str) -> None:
    page.goto(assistant)
    expect(status(page)).to_have_text("Your move, White.")
    assert len(own(page)) == 16
    refused = 0
    for origin, target in (("e2", "e4"), ("d1", "h5"), ("f1", "c4"), ("h5", "h8")):
        said = attempt(page, origin, target)
        refused += "refused" in said
        assert re.match(r"You played|\w+ is refused", said)
        expect(status(page)).to_have_text(re.compile("our move|try another"))
    assert refused == 1  # the queen cannot jump over the pawn on h7
    kings = [p for (kind, _), p in shown_tokens(page).items() if kind == "king"]
    assert sum(kings) == pytest.approx(1, abs=0.05)
    page.get_by_role("button", name="What would you try?").click()
    expect(page.locator("[data-advice] tr").nth(1)).to_be_visible()
    page.reload()
    expect(page.get_by_role("log")).to_contain_text("You played e2e4.")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("You resigned: Black wins.")


def test_the_page_of_an_assistant_is_behind_a_secret(page: Page, assistant: str) -> None:
    there, secret = assistant.rsplit("/", 1)
    assert len(secret) >= 32
    for wrong in (f"{there}/{'A' * len(secret)}", there.rsplit("/", 1)[0]):
        answer = page.goto(wrong)
        assert answer is not None
        assert (answer.status, answer.text()) == (404, "Not found")
