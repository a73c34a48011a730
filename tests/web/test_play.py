"""Whole games by clicking, dragging and typing, and what may go wrong on the way."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from ipomdp.players.exact import ExactPlayer
from ipomdp.players.roster import board_game
from ipomdp.records import read_record
from ipomdp.seats.hearing import Hearing, Listener
from ipomdp.seats.knowledge import Knowledge
from tests.web.conftest import PATIENCE, opened
from tests.web.playing import attempt, log, own, square, start, status

GAME = board_game("4x4")


class Shadow:
    """Follows a 4x4 game by what the page says, and knows what may be tried."""

    def __init__(self, side: int) -> None:
        self.knows = Knowledge(GAME, side, GAME.start)
        self.player = ExactPlayer(GAME)
        self.listener = Listener(self.player, side, GAME.start, np.random.default_rng(0))
        self.read = 1  # the first line tells the start

    def follow(self, lines: list[str]) -> None:
        """Take in what the page has said since the last time."""
        for line in lines[self.read :]:
            self.read += 1
            if found := re.fullmatch(r"(\w+) is refused\.", line):
                hearing = Hearing(action=GAME.actions.index(found[1]), heard=None)
            elif found := re.fullmatch(r"You played (\w+)\. (.+)\.", line):
                heard = GAME.hears(found[2])
                hearing = Hearing(action=GAME.actions.index(found[1]), heard=heard)
            elif found := re.fullmatch(r"\w+ has moved\. (.+)\.", line):
                hearing = Hearing(action=None, heard=GAME.hears(found[1]))
            else:
                continue
            self.knows.add(hearing)
        self.listener.catch_up(self.knows.hearings)

    def squares(self) -> tuple[str, str]:
        """Return where the best try goes."""
        action = self.player.propose(self.knows.tries)
        piece, target = GAME.actions[action][0], GAME.actions[action][1:]
        standing = {letter.upper(): name for name, letter in self.knows.pieces.items()}
        return standing[piece], target


def play_on(page: Page, side: int, most: int = 60) -> int:
    """Play a 4x4 game to its end by clicking; return how many tries were refused."""
    shadow, refused = Shadow(side), 0
    for _ in range(most):
        expect(status(page)).to_have_text(re.compile("our move|try another|win|Draw|resigned"))
        if page.get_by_role("button", name="Resign").count() == 0:
            return refused
        shadow.follow(log(page))
        assert own(page) == dict(shadow.knows.pieces)
        refused += "refused" in attempt(page, *shadow.squares())
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("colour", "side"), [("White", 0), ("Black", 1)])
def test_a_whole_game_by_clicking(page: Page, server: str, colour: str, side: int) -> None:
    start(page, server, colour=colour)
    play_on(page, side)
    expect(page.get_by_role("button", name="Replay the whole game")).to_be_visible()
    ended = page.locator("[data-end] use[data-piece]").evaluate_all(
        "all => all.map(e => e.dataset.piece)"
    )
    assert {"K", "k"} <= set(ended)  # no secret is left
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save the record").click()
    whole = read_record(json.loads(Path(downloading.value.path()).read_text()))
    assert whole.outcome != "*"


def test_the_rules_are_five_sentences_for_each_board(page: Page, server: str) -> None:
    page.goto(server)
    for board, word in (("4x4", "queen"), ("8x8", "pawn")):
        page.get_by_role("button", name=board, exact=True).click()
        expect(page.locator("ol li")).to_have_count(5)
        expect(page.locator("ol li").last).to_contain_text(word)


def test_a_refused_try_is_told_and_shown(page: Page, server: str) -> None:
    start(page, server, opponent="ipomdp")
    said = attempt(page, "a1", "b1")  # the black queen on b4 looks down the file
    assert said == "Kb1 is refused."
    expect(status(page)).to_have_text("Kb1 is refused: try another move.")
    expect(page.locator(".ipomdp-board:visible .mark.refused")).to_have_count(1)
    assert own(page) == {"a1": "K", "c1": "Q"}
    square(page, "a1").click()
    expect(page.locator(".ipomdp-board:visible circle.target")).to_have_count(2)  # a2 and b2
    assert "played" in attempt(page, "c1", "d1")


def test_a_piece_is_dragged(page: Page, server: str) -> None:
    start(page, server)
    square(page, "c1").drag_to(square(page, "d1"))
    expect(page.get_by_role("log")).to_contain_text("You played Qd1. Check by File.")


def test_a_game_with_the_keys_alone(page: Page, server: str) -> None:
    start(page, server)
    page.locator(".ipomdp-board:visible svg[role=application]").focus()
    page.keyboard.press("ArrowUp")  # the cursor appears on the king
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("log")).to_contain_text("You played Qd1. Check by File.")


def test_moves_are_typed(page: Page, server: str) -> None:
    start(page, server, opponent="ipomdp")
    box = page.get_by_placeholder("type a move")
    box.fill("Kb1")
    box.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("Kb1 is refused.")
    box.fill("Qd1")
    box.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("You played Qd1. Check by File.")


def test_resigning_is_asked_for_twice(page: Page, server: str) -> None:
    start(page, server)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("You resigned: Black wins.")


def test_an_eight_by_eight_game_is_begun_and_a_draw_offered(page: Page, server: str) -> None:
    start(page, server, board="8x8", opponent="random")
    assert len(own(page)) == 16
    attempt(page, "e2", "e4")
    page.get_by_role("button", name="Offer a draw").click()
    expect(page.get_by_role("log")).to_contain_text("You offer a draw.")


def test_two_people_by_a_link(browser: Browser, page: Page, server: str) -> None:
    start(page, server, opponent="another person")
    link = page.locator("[data-invitation]").inner_text()
    with opened(browser) as other:
        other.goto(link)
        other.get_by_role("button", name="Play Black").click()
        other.wait_for_url("**/game/*")
        expect(page.locator("[data-invitation]")).not_to_be_visible()
        with opened(browser) as late:
            answer = late.goto(link)
            assert answer is not None and answer.status == 404
            assert answer.text() == "Not found"
        assert own(other) == {"d4": "k", "b4": "q"}
        attempt(page, "c1", "d1")
        expect(status(other)).to_have_text("White has moved. Check by File. Your move, Black.")
        # the connection is lost while Black moves, and comes back by itself
        page.evaluate("window.socket.io.reconnectionDelay(4000); window.socket.io.engine.close()")
        attempt(other, "d4", "c4")
        assert page.evaluate("window.socket.connected") is False
        expect(status(page)).to_have_text(
            "Black has moved. Silent. Your move, White.", timeout=PATIENCE
        )
        other.get_by_role("button", name="Offer a draw").click()
        expect(status(page)).to_contain_text("Black offers a draw.")
        page.get_by_role("button", name="Accept the draw").click()
        for side in (page, other):
            expect(status(side)).to_have_text("Draw by agreement.")


def test_a_page_is_reloaded_opened_twice_and_left(
    browser: Browser, page: Page, server: str
) -> None:
    start(page, server)
    attempt(page, "c1", "d1")
    expect(status(page)).to_have_text(re.compile("our move"))
    lines, pieces = log(page), own(page)
    page.reload()
    expect(page.get_by_role("log").locator("> *")).to_have_count(len(lines))
    assert (log(page), own(page)) == (lines, pieces)
    with opened(browser) as again:
        again.goto(page.url)
        expect(again.get_by_role("log").locator("> *")).to_have_count(len(lines))
        box = again.get_by_placeholder("type a move")
        box.fill("Ka2")
        box.press("Enter")
        expect(page.get_by_role("log")).to_contain_text("Ka2")  # in the other one too


@pytest.mark.parametrize("path", ["game/x", "join/x", "replay/x", "game/" + "A" * 32, "game/"])
def test_a_wrong_secret_is_a_plain_404(page: Page, server: str, path: str) -> None:
    answer = page.goto(f"{server}/{path}")
    assert answer is not None and answer.status == 404
    if path != "game/":
        assert answer.text() == "Not found"


def test_the_page_fits_a_phone(browser: Browser, server: str) -> None:
    with opened(browser, width=390, height=800) as page:
        start(page, server)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
        box = page.locator(".ipomdp-board:visible").bounding_box()
        assert box is not None and box["width"] > 330
        attempt(page, "c1", "d1")


def shown_tokens(page: Page, board: int = 0) -> dict[tuple[str, str], float]:
    """Return the tokens on a board that is shown, by kind and square."""
    tokens = page.locator(f".ipomdp-board:visible >> nth={board} >> g[data-token]")
    found = tokens.evaluate_all(
        "all => all.map(e => [e.dataset.token, e.dataset.square, e.dataset.probability])"
    )
    return {(kind, name): float(probability) for kind, name, probability in found}


def test_tokens_stand_where_the_belief_says(page: Page, server: str) -> None:
    start(page, server)
    shadow = Shadow(0)
    attempt(page, "a1", "b1")
    attempt(page, "c1", "d1")
    expect(status(page)).to_have_text(re.compile("our move"))
    shadow.follow(log(page))
    believed: dict[tuple[str, str], float] = {}
    for (name, letter), chance in shadow.player.belief().items():
        kinds = ("piece", "king") if letter == "k" else ("piece",)
        for kind in kinds:
            believed[kind, name] = believed.get((kind, name), 0.0) + chance
    likely = {key: chance for key, chance in believed.items() if chance >= 0.005}
    shown = {key: chance for key, chance in shown_tokens(page).items() if key[0] != "check"}
    assert shown.keys() == likely.keys()
    assert shown == pytest.approx(likely, abs=0.011)  # what is not certain is never drawn as such
    page.get_by_text("pieces", exact=True).click()
    expect(page.locator(".ipomdp-board:visible g[data-token=piece]")).to_have_count(0)
    page.get_by_role("button", name="no tokens").click()
    expect(page.locator(".ipomdp-board:visible g[data-token]")).to_have_count(0)


def test_a_check_is_shown_by_both_sources_side_by_side(
    browser: Browser, page: Page, server: str
) -> None:
    start(page, server, opponent="another person")
    with opened(browser) as black:
        black.goto(page.locator("[data-invitation]").inner_text())
        black.get_by_role("button", name="Play Black").click()
        black.wait_for_url("**/game/*")
        attempt(page, "c1", "d1")
        expect(status(black)).to_have_text(re.compile("Check by File"))
        black.get_by_role("button", name="side by side").click()
        expect(black.locator(".ipomdp-board:visible")).to_have_count(2)
        # from the king on d4 the file runs down to d1; a queen on d3 would stand next to the king
        message, belief = shown_tokens(black, 0), shown_tokens(black, 1)
        assert {name for kind, name in message if kind == "check"} >= {"d1", "d2"}
        assert {k[1]: p for k, p in belief.items() if k[0] == "check"} == {"d1": 0.5, "d2": 0.5}


def test_any_player_can_be_typed(page: Page, server: str) -> None:
    page.goto(f"{server}/?opponent=typed&side=black")
    box = page.get_by_label("the player")
    box.fill("hs:board=9")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".q-notification")).to_contain_text('unknown setting "board"')
    box.fill("ipomdp:level=0,horizon=1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/game/*")
    expect(status(page)).to_have_text(re.compile("Your move, Black"))


def test_a_pawn_becomes_what_the_person_chooses(browser: Browser, page: Page, server: str) -> None:
    start(page, server, board="8x8", opponent="another person")
    with opened(browser) as black:
        black.goto(page.locator("[data-invitation]").inner_text())
        black.get_by_role("button", name="Play Black").click()
        black.wait_for_url("**/game/*")
        white = [("a2", "a4"), ("a4", "a5"), ("a5", "a6"), ("a6", "b7")]
        for mine, theirs in zip(
            white, [("h7", "h6"), ("h6", "h5"), ("g7", "g6"), ("g6", "g5")], strict=True
        ):
            assert "played" in attempt(page, *mine)
            expect(status(black)).to_contain_text("Your move")
            assert "played" in attempt(black, *theirs)
            expect(status(page)).to_contain_text("Your move")
        expect(status(page)).to_contain_text("2 pawn tries for you")
        square(page, "b7").click()
        square(page, "a8").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")  # and thinks again
        expect(page.get_by_role("dialog")).not_to_be_visible()
        box = page.get_by_placeholder("type a move")
        box.fill("bxa8")
        box.press("Enter")
        page.get_by_role("dialog").get_by_role("button", name="knight").click()
        expect(page.get_by_role("log")).to_contain_text("You played b7a8n. Piece captured in a8")
        assert own(page)["a8"] == "N"
