"""What a person does on the pages."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def start(
    page: Page, server: str, *, board: str = "4x4", colour: str = "White", opponent: str = "random"
) -> None:
    """Choose a game on the first page and begin it."""
    page.goto(server)
    page.get_by_role("button", name=board, exact=True).click()
    page.get_by_role("button", name=colour, exact=True).click()
    page.get_by_label("Opponent").click()
    page.get_by_role("option", name=re.compile(f"^{opponent}")).click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/game/*")
    expect(page.locator(".ipomdp-board:visible").first).to_be_visible()


def status(page: Page) -> Locator:
    """Return the line that says whose move it is."""
    return page.get_by_role("status")


def square(page: Page, name: str) -> Locator:
    """Return a square of the first board that is shown."""
    return page.locator(f".ipomdp-board:visible >> nth=0 >> rect[data-square={name}]")


def own(page: Page) -> dict[str, str]:
    """Return the pieces on the first board that is shown."""
    pieces = page.locator(".ipomdp-board:visible >> nth=0 >> use[data-piece]")
    return dict(pieces.evaluate_all("all => all.map(e => [e.dataset.square, e.dataset.piece])"))


def log(page: Page) -> list[str]:
    """Return what the referee has said, the first thing first; read at one moment."""
    rows = page.get_by_role("log").locator("> *")
    found: list[str] = rows.evaluate_all("rows => rows.map(row => row.lastElementChild.innerText)")
    return found[::-1]


def attempt(page: Page, origin: str, target: str) -> str:
    """Try a move by clicking; return what comes of it, the other's reply not waited for."""
    before = page.get_by_role("log").locator("> *").count()
    square(page, origin).click()
    square(page, target).click()
    expect(page.get_by_role("log").locator("> *")).not_to_have_count(before)
    return log(page)[before]
