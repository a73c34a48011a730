"""The page of analyses as somebody in a browser meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ipomdp.scenario import scenarios_folder
from tests.web.conftest import ipomdp, opened

READY = "[data-state=ready]"


def look(page: Page, server: str, query: str = "") -> None:
    page.goto(f"{server}/analyse{query}")
    page.wait_for_selector(READY, state="attached")


def run(*words: str) -> str:
    done = ipomdp(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown_command(page: Page, verb: str) -> list[str]:
    """Return the words of a command that the page shows."""
    texts = page.locator("[data-command]").all_inner_texts()
    return next(text for text in texts if text.startswith(f"ipomdp {verb} ")).split()[1:]


def bars(page: Page) -> dict[str, float]:
    return {
        str(bar.get_attribute("data-move")): float(bar.get_attribute("data-value") or "nan")
        for bar in page.locator(".bar").all()
    }


def numbers_of(words: list[str]) -> dict[str, float]:
    printed = json.loads(run(*words, "--json"))
    return {move["move"]: move["expected_utility"] for move in printed["moves"]}


def press(page: Page, control: str, key: str, times: int = 1) -> None:
    slider = page.locator(f"[data-control={control}] [tabindex]")
    slider.focus()
    for _ in range(times):
        slider.press(key)


def changed(page: Page, before: dict[str, float]) -> dict[str, float]:
    """Return the bars once they are others than before."""
    best = next(iter(before))
    page.wait_for_function(
        "([move, value]) => {const bar = document.querySelector(`.bar[data-move=${move}]`);"
        " return bar && Number(bar.dataset.value) !== value}",
        arg=[best, before[best]],
    )
    page.wait_for_selector(READY, state="attached")
    return bars(page)


def test_sliders_change_the_ranking_to_the_numbers_of_the_command(
    page: Page, server: str
) -> None:  # fmt: skip
    look(page, server)
    before = bars(page)
    assert before == numbers_of(["analyze", "figure-1"])
    press(page, "level", "ArrowRight")
    before = changed(page, before)
    press(page, "rationality", "ArrowRight", 7)
    page.wait_for_function("document.body.innerText.includes('--rationality 0.02')")
    page.wait_for_timeout(300)
    before = bars(page)
    page.get_by_role("button", name="retry").click()
    before = changed(page, before)
    words = shown_command(page, "analyze")
    assert words == [
        "analyze",
        "figure-1",
        "--level",
        "2",
        "--rationality",
        "0.02",
        "--tries",
        "retry",
    ]
    assert before == numbers_of(words)
    assert page.url.endswith("?scenario=figure-1&level=2&lambda=0.02&tries=retry")
    exact = page.locator("input[data-control=exact]")
    exact.fill("inf")
    exact.press("Enter")
    before = changed(page, before)
    assert before == numbers_of(shown_command(page, "analyze"))
    page.reload()
    page.wait_for_selector(READY, state="attached")
    assert bars(page) == before


def test_the_keyboard_walks_over_the_moves(page: Page, server: str) -> None:
    look(page, server)
    page.locator(".bar").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-selected]")).to_contain_text("Qc2")
    expect(page.locator(".bar[aria-pressed=true]")).to_have_attribute("data-move", "Qc2")
    page.locator(".bar[data-move=Qb2]").click()
    expect(page.locator("[data-selected]")).to_contain_text("Qb2: worth -711.67, number 7 of 8")
    expect(page.locator("[data-heard]")).to_have_text('"Check by Long Diagonal"')
    printed = json.loads(run("analyze", "figure-1", "--json"))
    (move,) = (move for move in printed["moves"] if move["move"] == "Qb2")
    replies = {r["move"]: r["probability"] for r in move["announcements"][0]["replies"]}
    for row in page.locator("[data-reply]").all():
        likely = float(row.get_attribute("data-probability") or "nan")
        assert likely == replies.pop(str(row.get_attribute("data-reply")))
    assert not replies
    assert page.url.endswith("move=Qb2")


def test_the_map_of_the_conjecture_follows_the_sliders(page: Page, server: str) -> None:
    """All that the readings leave open can be walked through, and every cell is the command's."""
    printed = json.loads(
        run("conjecture", "--levels", "1-3", "--rationality", "0.01,0.02", "--json")
    )
    look(page, server)
    page.locator("[data-conjecture]").click()
    page.wait_for_selector(".map[data-cells='42']", state="attached")
    page.locator("[data-control=map-levels]").fill("1-3")
    page.locator("[data-control=map-lambdas]").fill("0.01,0.02")
    page.locator("[data-compute]").click()
    seen = 0
    for tries, horizon in (("paper", 1), ("paper", 2), ("retry", 2), ("retry", 1)):
        state = page.locator("[data-map-state]")
        if tries == "retry":
            page.get_by_role("button", name="retry").click()
        if (tries, horizon) in (("paper", 2), ("retry", 1)):
            press(page, "horizon", "ArrowRight" if horizon == 2 else "ArrowLeft")
        expect(state).to_have_text(f"Tries: {tries}, horizon {horizon}.")
        page.wait_for_selector(".map[data-cells='6']", state="attached")
        for v in printed["verdicts"]:
            if (v["tries"], v["horizon"], v["qc3_considered"]) == (tries, horizon, True):
                place = f"[data-level='{v['level']}'][data-lambda='{v['rationality']:g}']"
                cell = page.locator(f".map {place}")
                expect(cell).to_have_attribute("data-view", v["view"])
                assert f"best {v['best']};" in (cell.get_attribute("title") or "")
                seen += 1
    assert seen == 24
    page.locator(".map [data-level='3'][data-lambda='0.01']").click()
    page.wait_for_function("document.body.innerText.includes('--level 3 --rationality 0.01')")
    page.locator(".map .here[data-level='3'][data-lambda='0.01']").wait_for()
    assert page.evaluate("document.activeElement.dataset.level") == "3"


def test_a_map_can_be_stopped_and_the_page_stays_alive(page: Page, server: str) -> None:
    look(page, server, "?scenario=figure-1-all-moves&tries=retry&horizon=2")
    page.locator("[data-control=map-levels]").fill("1-5")
    page.locator("[data-compute]").click()
    page.wait_for_selector(".map .cell")
    page.locator(".bar[data-move=Qb2]").click()  # answered while the map is computed
    expect(page.locator("[data-selected]")).to_contain_text("Qb2: worth")
    page.locator("[data-stop]").click()
    expect(page.locator("[data-stop]")).to_be_hidden()
    expect(page.locator("[data-map-state]")).to_contain_text("of 35 cells.")
    assert page.locator(".map .cell").count() < 35


def download(page: Page, mark: str) -> bytes:
    with page.expect_download() as waiting:
        page.locator(f"[data-download={mark}]").click()
    return Path(waiting.value.path()).read_bytes()


def test_downloads_are_what_the_commands_print_and_write(
    page: Page, server: str, tmp_path: Path
) -> None:  # fmt: skip
    look(page, server, "?scenario=figure-1&level=2&heard=both&move=Qb2")
    words = ["analyze", "figure-1", "--level", "2", "--illegal-heard-by", "both"]
    ours, theirs = json.loads(download(page, "analysis-json")), json.loads(run(*words, "--json"))
    del ours["seconds"], theirs["seconds"]
    assert ours == theirs
    run(*words, "--move", "Qb2", "--svg", str(tmp_path / "board.svg"))
    assert download(page, "board-svg") == (tmp_path / "board.svg").read_bytes()
    page.locator("[data-control=map-levels]").fill("0-2")
    page.locator("[data-control=map-lambdas]").fill("0.004,0.02")
    page.locator("[data-compute]").click()
    page.wait_for_selector(".map[data-cells='6']")
    words = shown_command(page, "levels")
    assert words[:4] == ["levels", "figure-1", "--illegal-heard-by", "both"]
    assert json.loads(download(page, "map-json")) == json.loads(run(*words, "--json"))
    assert download(page, "map-svg").startswith(b"<?xml")
    page.locator("[data-view=reasons] .q-item").click()
    expect(page.locator(".thoughts")).to_contain_text("White (i, level 2) plays Qb2.")
    told = download(page, "explain-txt").decode()
    assert told == run(*shown_command(page, "explain"))
    page.locator("[data-view=diagrams] .q-item").click()
    page.wait_for_selector("img[alt='Figure 2: i\\'s decision']")
    assert b"Figure 2" in download(page, "diagram-svg")


def test_files_are_opened_and_bad_ones_told_in_one_line(
    page: Page, server: str, tmp_path: Path
) -> None:  # fmt: skip
    look(page, server)
    own = tmp_path / "mine.toml"
    own.write_bytes((scenarios_folder() / "capture-trap.toml").read_bytes())
    chooser = page.locator("input[type=file]")
    chooser.set_input_files(own)
    page.wait_for_function("document.body.innerText.includes('ipomdp analyze mine.toml')")
    page.wait_for_selector(READY, state="attached")
    expect(page.locator("[data-best]")).to_be_visible()
    assert changed(page, numbers_of(["analyze", "figure-1"])) == numbers_of(
        ["analyze", "capture-trap"]
    )
    bad = tmp_path / "bad.toml"
    bad.write_text('[position]\nfen = "nothing"\n')
    chooser.set_input_files(bad)
    problem = page.locator("[data-problem]")
    expect(problem).to_contain_text("bad.toml: position.fen: ")
    assert str(tmp_path) not in problem.inner_text()
    assert "\n" not in problem.inner_text()
    big = tmp_path / "big.toml"
    big.write_text("#" * 100_001)
    chooser.set_input_files(big)
    expect(problem).to_contain_text("at most 100 kB")


def test_a_bad_address_is_told_on_the_page(page: Page, server: str) -> None:
    answer = page.goto(f"{server}/analyse?scenario=figure-9&level=x&move=%3Cb%3E")
    assert answer is not None
    assert answer.status == 200
    problem = page.locator("[data-problem]")
    expect(problem).to_contain_text('not "figure-9"')
    expect(problem).to_contain_text("level: expected a natural number")
    expect(problem).to_contain_text("move: <b> is not among those considered: Qd1")


def test_what_cannot_finish_is_refused_and_the_last_answer_stays(page: Page, server: str) -> None:
    look(page, server, "?scenario=figure-1&tries=retry&horizon=3")
    press(page, "level", "ArrowRight", 5)
    page.wait_for_selector("[data-state=refused]", state="attached")
    expect(page.locator("[data-outlook]")).to_contain_text("level 6 with horizon 3 looks 11 moves")
    assert bars(page)
    expect(page.locator("[data-download=analysis-json]")).to_be_disabled()


@pytest.mark.parametrize("scenario", ["figure-1", "middle-game", "who-is-black", "tiger-model"])
def test_a_phone_need_not_scroll_sideways(browser: Browser, server: str, scenario: str) -> None:
    with opened(browser, width=390, height=844) as page:
        look(page, server, f"?scenario={scenario}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert re.search(r"is best", page.locator("[data-best]").inner_text())
