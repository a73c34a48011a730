"""A server of the pages and a browser to look at them."""

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
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 30.0
"""Seconds that a server may take to begin."""


@contextmanager
def server(*options: str) -> Iterator[str]:
    """Serve the pages on a free port, and give their address."""
    command = [sys.executable, "-m", "ipomdp", "serve", "--no-browser", "--port", "0", *options]
    # NiceGUI behaves otherwise where it finds itself inside a test
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=alone)
    assert process.stderr is not None
    late = threading.Timer(PATIENCE, process.kill)
    late.start()
    try:
        told = next((line for line in process.stderr if "http://" in line), "")
        found = re.search(r"http://\S+", told)
        assert found, "the server did not say where its pages are"
        rest = threading.Thread(target=process.stderr.read, daemon=True)
        rest.start()  # a full pipe would stop the server
        wait_for(found[0])
        late.cancel()
        yield found[0]
    finally:
        late.cancel()
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stderr.close()


def wait_for(address: str) -> None:
    """Return once a server answers."""
    host, port = address.removeprefix("http://").rsplit(":", 1)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(address)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser; where there is none the tests are skipped, but never in CI."""
    if not CHROMIUM.exists():
        if os.environ.get("CI"):
            pytest.fail(f"no browser at {CHROMIUM}")
        pytest.skip(f"no browser at {CHROMIUM}: install chromium to test the pages")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
