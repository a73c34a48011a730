"""A server of the pages and a browser, for each module of tests that wants them."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import BROWSER

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
PATIENCE = 60_000
"""Milliseconds: the machine may be busy with something else."""


def outside() -> dict[str, str]:
    """Return the environment without pytest: NiceGUI behaves otherwise inside a test."""
    return {name: value for name, value in os.environ.items() if "PYTEST" not in name}


@contextmanager
def serving(*command: str) -> Iterator[str]:
    """Start a server, and give its address, which it says on stderr, once it listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        stderr=subprocess.PIPE, text=True, start_new_session=True, env=outside(),
    )  # fmt: skip
    assert process.stderr is not None
    late = threading.Timer(PATIENCE / 1000, process.kill)
    late.start()
    try:
        address = re.compile(r"(?:http://)?(127\.0\.0\.1):(\d+)[^\s;]*")
        found = next(filter(None, map(address.search, process.stderr)), None)
        assert found is not None, "the server did not say where it is"
        late.cancel()
        rest = threading.Thread(target=process.stderr.read, daemon=True)
        rest.start()  # a full pipe would stop the server
        _wait_for(found[1], int(found[2]))
        yield found[0]
    finally:
        late.cancel()
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stderr.close()


def _wait_for(host: str, port: int) -> None:
    """Wait until somebody listens."""
    until = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            socket.create_connection((host, port), timeout=5).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Give the address of the pages as users get them."""
    with serving("ipomdp", "serve", "--no-browser", "--port", "0") as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give a browser; a module's own, because its event loop would be in the way of others."""
    if BROWSER is None:
        pytest.fail("no chromium on this machine; .ci/run installs it")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Give a page on which nothing may go wrong."""
    with opened(browser) as found:
        yield found


@contextmanager
def opened(browser: Browser, width: int = 1200, height: int = 850) -> Iterator[Page]:
    """Open a page of its own, with no memory of others; its script must not fail."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    try:
        yield page
        assert [error for error in errors if "404" not in error] == []
    finally:
        context.close()


def ipomdp(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command."""
    command = [sys.executable, "-m", "ipomdp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an arena, one of its lines damaged."""
    made = tmp_path_factory.mktemp("kept") / "cup"
    players = ("ipomdp", "ipomdp:level=0", "random")
    done = ipomdp("arena", *players, "--board", "4x4", "--games", "4", "--out", str(made))
    assert done.returncode == 0, done.stderr
    games = made / "games.jsonl"
    first, *rest = games.read_text().splitlines(keepends=True)
    games.write_text(first + "{broken\n" + "".join(rest))
    return made
