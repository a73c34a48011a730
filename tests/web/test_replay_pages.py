"""The pages of replays and arenas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from ipomdp.web.replay.arenas import Arena
from tests.web.conftest import serving
from tests.web.test_replay import KC4, QD2, content, lines


@pytest.fixture(scope="module")
def cup(folder: Path) -> Iterator[str]:
    """Give the address of a server with an arena."""
    with serving("ipomdp", "serve", "--no-browser", "--port", "0", "--arena", str(folder)) as there:
        yield there


@pytest.fixture
def page(page: Page, cup: str) -> Page:
    """Give the first page of replays."""
    page.goto(f"{cup}/replay")
    return page


def letters(page: Page) -> str:
    """Return the pieces on the board that is seen."""
    found = page.locator("[data-piece]:visible")
    return "".join(
        sorted(str(found.nth(k).get_attribute("data-piece")) for k in range(found.count()))
    )


def status(page: Page, words: str) -> None:
    page.locator("[data-status]", has_text=re.compile(f"^{re.escape(words)}")).wait_for()


def test_a_record_is_uploaded_and_stepped_through(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    file.write_bytes(lines(content(QD2, KC4, refused=["Qa4"]), {"start": "?"}))
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Open a record").click()
    asked.value.set_files(file)
    page.locator("[data-problems]", has_text="two.jsonl, line 2").wait_for()
    page.locator("[data-game='1']").click()
    status(page, "The start, which both know.")
    assert letters(page) == "KQkq"
    page.keyboard.press("ArrowRight")
    status(page, "1. White plays Qd2. Check by File.")
    page.get_by_label("next").click()
    status(page, "1... The referee refuses Kd3 by Black.")
    page.get_by_text("gives White's king on a1, where it stands").wait_for()
    assert letters(page) == "KQkq"

    page.get_by_role("button", name="White", exact=True).click()
    status(page, "1. White plays Qd2. Check by File.")
    page.locator("[data-belief]", has_text="Black's king:").wait_for()
    assert letters(page) == "KQ"
    page.keyboard.press("ArrowRight")
    status(page, "1... Black has moved. Silent.")
    assert page.locator(".ipomdp-moves", has_text="Kc4").count() == 0
    page.locator("[data-token=king]:visible").first.wait_for()
    command = page.locator("[data-command]")
    assert command.inner_text() == "ipomdp replay two.jsonl --game 1 --view white"

    page.get_by_role("button", name="Black", exact=True).click()
    status(page, "1... Black plays Kc4. Silent.")
    assert letters(page) == "kq"
    page.locator(".try[data-step='2']").click()
    status(page, "1... The referee refuses Kd3 by Black.")
    page.get_by_label("the step").fill("0")
    status(page, "The start, which both know.")
    page.get_by_label("last").click()
    status(page, "1... Black plays Kc4. Silent. * unfinished.")

    with page.expect_download() as begun:
        page.get_by_role("button", name="JSON").click()
    saved = json.loads(Path(begun.value.path()).read_text())
    assert saved["moves"] == content(QD2, KC4)["moves"]
    assert begun.value.suggested_filename == "two-1.json"


def test_a_file_that_cannot_be_read_is_told(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text("{")
    page.locator("input[type=file]").set_input_files(file)
    told_ = page.locator(".q-notification")
    told_.wait_for()
    assert "bad.json: not valid JSON" in told_.inner_text()
    assert str(tmp_path) not in page.content()


def test_a_game_of_an_arena_opens(page: Page, cup: str, folder: Path) -> None:
    page.get_by_role("link", name="cup").click()
    standing = Arena(folder).results().pairings[0]
    row = page.locator("[data-standings] tr", has_text=standing.who)
    row.wait_for()
    assert row.locator("td").all_inner_texts() == list(standing.cells)
    assert str(folder.parent) not in page.content()
    page.locator("[data-game='3']").press("Enter")
    page.wait_for_url("**/arena/1/3")
    status(page, "The start, which both know.")
    assert page.locator("[data-command]").inner_text() == "ipomdp replay cup/games.jsonl --game 3"
    assert str(folder.parent) not in page.content()
    for address in ("/arena/2", "/arena/x", "/arena/1/99", "/arena/1/x"):
        assert page.request.get(cup + address).status == 404


def test_pages_fit_a_phone(page: Page, cup: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth"
    page.get_by_text("Show an example").click()
    page.locator("[data-game='2']").wait_for()
    assert page.evaluate(wide) == 390
    page.locator("[data-game='2']").click()
    status(page, "The start, which both know.")
    page.get_by_role("button", name="Black", exact=True).click()
    page.get_by_label("last").click()
    page.get_by_role("button", name="side by side").click()
    assert page.evaluate(wide) == 390
    page.goto(f"{cup}/arena/1")
    page.locator("[data-game]").first.wait_for()
    assert page.evaluate(wide) == 390


def test_a_game_on_the_server_is_replayed_once_it_is_over(page: Page, cup: str) -> None:
    page.goto(cup)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/game/*")
    address = page.url.replace("/game/", "/replay/")
    page.get_by_role("button", name="Resign").wait_for()
    assert page.request.get(address).status == 404
    assert page.request.get(f"{address}x").status == 404
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_text("You resigned").first.wait_for()
    page.goto(address)
    status(page, "The start, which both know.")
    assert letters(page) == "KQkq"
