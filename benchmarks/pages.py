"""The pages: first paint, from a click to the updated board and tokens, and fifty games at a time.

``python -m benchmarks.pages``; needs Chromium. First paint stands beside that of an empty NiceGUI
page in the same run.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import aiohttp
import numpy as np
import socketio
from playwright.sync_api import Browser, Page, sync_playwright

EMPTY = """
from nicegui import ui
@ui.page("/")
def page(): ui.label("empty")
ui.run(host="127.0.0.1", port={port}, reload=False, show=False, show_welcome_message=False)
"""
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
LIMITS = {"4x4": 100, "8x8": 300}
"""Milliseconds from a click to the updated board, by board."""


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50, help="how many at a time")
    parser.add_argument("--clicks", type=int, default=30, help="how many are measured on a page")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between a client's tries")
    chosen = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("the pages are measured in a browser; install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        _first_paint(browser)
        for board in LIMITS:
            _clicks(browser, board, chosen.clicks)
        browser.close()
    for board in LIMITS:
        _crowd(board, chosen.games, chosen.pause)


@contextmanager
def _started(*arguments: str, port: int) -> Iterator[float]:
    """Start a server; give the moment at which it was started, once somebody listens."""
    begun = time.time()
    process = subprocess.Popen([sys.executable, *arguments], stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.01)
        yield begun
    finally:
        process.terminate()
        process.wait()


def _pages(port: int) -> tuple[str, ...]:
    return ("-m", "ipomdp", "serve", "--no-browser", "--port", str(port), "--most-games", "1000")


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _first_paint(browser: Browser, repeats: int = 5) -> None:
    """Print seconds from starting the command to the first paint of the page in a browser."""
    found: dict[str, list[float]] = {"ipomdp serve": [], "an empty NiceGUI page": []}
    for _ in range(repeats):
        for name, times in found.items():
            port = _port()
            arguments = (
                _pages(port) if name.startswith("ipomdp") else ("-c", EMPTY.format(port=port))
            )
            with _started(*arguments, port=port) as begun:
                page = browser.new_context().new_page()
                page.goto(f"http://127.0.0.1:{port}/")
                page.wait_for_selector("text=/Kriegspiel|empty/")
                painted = page.evaluate(
                    "performance.timeOrigin + "
                    "performance.getEntriesByName('first-contentful-paint')[0].startTime"
                )
                times.append(painted / 1000 - begun)
                page.context.close()
    print("First paint, seconds after the command was started, median of", repeats)
    for name, times in found.items():
        print(f"  {name:24} {statistics.median(times):.2f}")
    ours, empty = (statistics.median(times) for times in found.values())
    print(f"  ratio                    {ours / empty:.2f}")


WATCH = """() => {
  window.waits = [];
  const log = document.querySelector('[role=log]');
  let clicked = 0;
  document.addEventListener('pointerup', () => { clicked = performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    if (clicked) { window.waits.push(performance.now() - clicked); clicked = 0; }
  })).observe(log, {childList: true});
}"""


def _clicks(browser: Browser, board: str, wanted: int) -> None:
    """Print milliseconds from the click that ends a try to the painted board with its tokens."""
    from tests.web.playing import start

    rng, waits = np.random.default_rng(1), list[float]()
    port = _port()
    with _started(*_pages(port), port=port):
        address = f"http://127.0.0.1:{port}"
        while len(waits) < wanted:
            page = browser.new_context().new_page()
            start(page, address, board=board, opponent="random")
            page.evaluate(WATCH)
            while len(waits) < wanted and page.get_by_role("button", name="Resign").count():
                _try_something(page, rng)
                page.wait_for_timeout(60)  # the reply is no part of it
                waits += page.evaluate("window.waits.splice(0)")
            page.context.close()
    _print_waits(f"A click to the board, {board}, {len(waits)} clicks", waits, LIMITS[board])


def _try_something(page: Page, rng: np.random.Generator) -> None:
    """Click a piece that can go somewhere, and one of the squares it may try."""
    view = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('use[data-moves]')]"
        ".filter(e => e.dataset.moves).map(e => [e.dataset.square, e.dataset.moves.split(' ')]))"
    )
    if not view:
        page.wait_for_timeout(30)
        return
    origin = str(rng.choice(sorted(view)))
    target = str(rng.choice(view[origin]))
    for square in (origin, target):
        page.locator(f"rect[data-square={square}]").first.click()
        dialog = page.get_by_role("dialog")
        if dialog.count():
            dialog.get_by_role("button", name="queen").click()


def _print_waits(title: str, waits: Sequence[float], limit: float) -> None:
    low, high, most = statistics.median(waits), np.quantile(waits, 0.95), max(waits)
    told = f"median {low:.0f} ms (wanted: under {limit}), 95% {high:.0f}, most {most:.0f}"
    print(f"{title}: {told}")


# Many games at a time: clients that speak to the server as pages do, without a browser each.


class Client:
    """One person at a page, who tries something now and then."""

    def __init__(self, session: aiohttp.ClientSession, address: str, seed: int) -> None:
        self._session, self._address = session, address
        self._rng = np.random.default_rng(seed)
        self._elements: dict[str, dict[str, Any]] = {}
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("*", self._take)
        self._opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._news = asyncio.Event()
        self.waits: list[float] = []
        self.messages: list[int] = []
        self.moves = 0

    async def join(self, path: str) -> None:
        """Open a page and connect as it would."""
        async with self._session.get(self._address + path) as answer:
            text = await answer.text()
        found = re.search(r"parseElements\(String\.raw`(.*?)`\)", text, re.DOTALL)
        query = re.search(r"query: (\{.*?\})", text, re.DOTALL)
        assert found is not None and query is not None  # noqa: S101, PT018
        escaped = {"&lt;": "<", "&gt;": ">", "&#96;": "`", "&#36;": "$", "&amp;": "&"}
        plain = found[1]
        for name, sign in escaped.items():
            plain = plain.replace(name, sign)
        self._elements = json.loads(plain)
        settings = dict(ast.literal_eval(query[1]))  # written as Python writes it
        settings |= {
            "document_id": str(uuid.uuid4()),
            "tab_id": str(uuid.uuid4()),
            "old_tab_id": "",
        }
        settings["implicit_handshake"] = "true"
        asked = "&".join(f"{name}={value}" for name, value in settings.items())
        self._client = settings["client_id"]
        await self._socket.connect(
            f"{self._address}?{asked}", socketio_path="/_nicegui_ws/socket.io",
            transports=["websocket"],
        )  # fmt: skip

    async def _take(self, kind: str, told: dict[str, object]) -> None:
        """Take a message; all of them are numbered."""
        self.messages.append(int(str(told.pop("_id"))))
        if kind == "open":
            self._opened.set_result(str(told["path"]))
        for number, element in told.items() if kind == "update" else ():
            if isinstance(element, dict):
                self._elements[number] = element
            else:
                self._elements.pop(number, None)
        self._news.set()

    async def press(self, words: str) -> str:
        """Press a button that leads to another page; return which."""
        number = next(
            n for n, e in self._elements.items()
            if e.get("tag") == "q-btn" and e.get("props", {}).get("label") == words
        )  # fmt: skip
        await self.emit_event(number, "click", {})
        return await asyncio.wait_for(self._opened, 60)

    def board(self) -> tuple[str, dict[str, Any]]:
        """Return the number and the element of the first board."""
        return next(
            (number, element)
            for number, element in self._elements.items()
            if element.get("tag") == "nicegui-board"
        )

    async def emit_event(self, number: str, kind: str, argument: object) -> None:
        """Send what a page sends when something happens on an element."""
        events = self._elements[number]["events"]
        listener = next(e["listener_id"] for e in events if e["type"] == kind)
        event = {"id": int(number), "client_id": self._client, "listener_id": listener}
        await self._socket.emit("event", {**event, "args": [json.dumps(argument)]})

    async def play(self, until: float, pause: float) -> None:
        """Try moves until a time, with pauses; measure each until the board has changed."""
        await asyncio.sleep(float(self._rng.uniform(0, pause)))
        while time.monotonic() < until:
            number, element = self.board()
            moves = element["props"]["view"]["moves"]
            if moves:
                origin = str(self._rng.choice(sorted(moves)))
                target = str(self._rng.choice(moves[origin]))
                before, begun = element["props"]["view"], time.perf_counter()
                await self.emit_event(number, "try", {"origin": origin, "target": target})
                if await self._changed(before):
                    self.waits.append(1000 * (time.perf_counter() - begun))
                    self.moves += 1
            await asyncio.sleep(float(self._rng.uniform(0.5, 1.5)) * pause)

    async def _changed(self, before: object) -> bool:
        """Wait for another view of the board; a promotion asks first, and is no click on a move."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            self._news.clear()
            if self.board()[1]["props"]["view"] != before:
                return True
            if any(
                element.get("tag") == "q-dialog" and _open(element)
                for element in self._elements.values()
            ):
                return False
            try:
                await asyncio.wait_for(self._news.wait(), 1)
            except TimeoutError:
                continue
        raise RuntimeError("a message was lost")

    async def leave(self) -> None:
        """Hang up."""
        await self._socket.disconnect()


def _open(element: dict[str, Any]) -> bool:
    return bool(element.get("props", {}).get("model-value"))


def _crowd(board: str, games: int, pause: float, seconds: float = 30.0) -> None:
    """Print how long clicks take while many games are played at a time."""
    port = _port()
    with _started(*_pages(port), port=port):
        clients, setup = asyncio.run(
            _play_many(f"http://127.0.0.1:{port}", board, games, pause, seconds)
        )
    waits = [wait for client in clients for wait in client.waits]
    lost = sum(client.messages != list(range(len(client.messages))) for client in clients)
    slowest = max(statistics.median(client.waits) for client in clients if client.waits)
    title = f"{games} games at a time, {board}, a try every {pause:g} s each, {len(waits)} tries"
    _print_waits(title, waits, LIMITS[board])
    print(f"  the slowest game: median {slowest:.0f} ms (wanted: under {2 * LIMITS[board]})")
    print(f"  games with a message lost or out of order: {lost}; opening them took {setup:.1f} s")


async def _play_many(
    address: str, board: str, games: int, pause: float, seconds: float
) -> tuple[list[Client], float]:
    begun = time.monotonic()
    async with aiohttp.ClientSession() as session:
        clients = []
        for seed in range(games):
            visitor = Client(session, address, seed)
            await visitor.join(f"/?board={board}&opponent=random")
            path = await visitor.press("Play")
            await visitor.leave()
            client = Client(session, address, seed)
            await client.join(path)
            clients.append(client)
        setup = time.monotonic() - begun
        until = time.monotonic() + seconds
        await asyncio.gather(*(client.play(until, pause) for client in clients))
        for client in clients:
            await client.leave()
    return clients, setup


if __name__ == "__main__":
    main()
