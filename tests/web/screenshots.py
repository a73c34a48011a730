"""Pictures of the pages: ``python -m tests.web.screenshots game docs/page-game.png``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.conftest import BROWSER
from tests.web.conftest import FLAGS, ipomdp, serving
from tests.web.playing import attempt, start, status


def home(page: Page, address: str) -> None:
    """The first page."""
    page.goto(address)
    expect(page.locator("ol li")).to_have_count(5)


def game(page: Page, address: str) -> None:
    """A game on 4x4 with tokens, a refusal and advice."""
    start(page, address, opponent="ipomdp")
    attempt(page, "a1", "b1")
    attempt(page, "c1", "d1")
    expect(status(page)).to_contain_text("our move")
    page.get_by_role("button", name="What would you try?").click()
    page.locator("[data-advice] tr").nth(1).click()
    expect(page.get_by_text("will then believe").first).to_be_visible()


def analyse(page: Page, address: str) -> None:
    """Figure 1, and what Black makes of the best move."""
    page.goto(f"{address}/analyse?scenario=figure-1")
    page.wait_for_selector("[data-state=ready]", state="attached")


def replay(page: Page, address: str) -> None:
    """A game on 8x8 as Black knew it."""
    page.goto(f"{address}/replay")
    page.get_by_text("Show an example").click()
    page.locator("[data-game='2']").click()
    page.get_by_role("button", name="Black", exact=True).click()
    page.get_by_label("the step").fill("24")
    page.locator("[data-belief]").wait_for()
    page.locator("[data-token=king]:visible").first.wait_for()


def join(page: Page, address: str) -> None:
    """What an invited player sees."""
    start(page, address, opponent="another person")
    page.goto(page.locator("[data-invitation]").inner_text())
    expect(page.get_by_role("button", name="Play Black")).to_be_visible()


def arena(page: Page, address: str) -> None:
    """The results of an arena."""
    page.goto(f"{address}/arena/1")
    page.locator("[data-game]").first.wait_for()


PAGES: Mapping[str, Callable[[Page, str], None]] = {
    "home": home,
    "game": game,
    "analyse": analyse,
    "replay": replay,
    "join": join,
    "arena": arena,
}


def main(name: str, file: Path) -> None:
    """Open a page and write what it looks like."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        ExitStack() as on,
    ):
        command: tuple[str, ...] = ("tests.web.serving",)
        if name == "arena":
            cup = f"{folder}/cup"
            players = ("ipomdp", "ipomdp:level=0", "random")
            ipomdp("arena", *players, "--board", "4x4", "--games", "4", "--seed", "1", "--out", cup)
            command = ("ipomdp", "serve", "--no-browser", "--port", "0", "--arena", cup)
        address = on.enter_context(serving(*command))
        browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1160, "height": 860})
        PAGES[name](page, address)
        page.mouse.move(0, 0)
        page.wait_for_timeout(500)  # for what fades in
        page.screenshot(path=file)
        browser.close()
    print(f"wrote {file}", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
