"""What the server answers to those who do not play along."""

from __future__ import annotations

import http.client
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import ipomdp, outside


def answer(
    server: str, path: str, *, method: str = "GET", body: bytes = b"", **headers: str
) -> tuple[int, str, dict[str, str]]:
    """Send a request as it is, and return what comes back."""
    where = urlsplit(server)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    try:
        connection.request(method, path, body or None, headers)
        found = connection.getresponse()
        return found.status, found.read().decode(), {k.lower(): v for k, v in found.getheaders()}
    finally:
        connection.close()


@pytest.mark.parametrize(
    "path", ["/game/x", "/join/x", "/replay/x", "/game/x/y", f"/game/{'A' * 32}"]
)
def test_a_wrong_secret_is_the_same_plain_404(server: str, path: str) -> None:
    status, text, headers = answer(server, path)
    assert (status, text) == (404, "Not found")
    assert headers["content-type"].startswith("text/plain")


def test_what_is_too_big_is_not_read(server: str) -> None:
    status, text, _ = answer(server, "/_nicegui/upload", method="POST", body=b"x" * 4_000_001)
    assert (status, text) == (413, "Too large")
    status, *_ = answer(server, "/x", method="POST", body=b"x")
    assert status in (404, 405)


def test_a_name_of_another_machine_is_refused(server: str) -> None:
    assert answer(server, "/", Host="somewhere.example")[0] == 400
    assert answer(server, "/", Host="localhost:1")[0] == 200


def test_pages_keep_their_address_to_themselves_and_set_no_cookie(server: str) -> None:
    status, text, headers = answer(server, "/")
    assert status == 200 and "<title>Kriegspiel</title>" in text
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "x"), "--port: expected"),
        (("--port", "70000"), "--port: expected"),
        (("--host", "nowhere.invalid"), "no address of this machine"),
        (("--most-games", "0"), "--most-games: expected"),
        (("--keep", "games.txt"), "expected .jsonl"),
        (("--keep", "nowhere/games.jsonl"), "there is no folder"),
        (("--arena", "nowhere"), "expected an arena's folder"),
    ],
)
def test_options_that_cannot_be_used(arguments: tuple[str, str], words: str) -> None:
    done = ipomdp("serve", "--no-browser", *arguments)
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_told(server: str) -> None:
    done = ipomdp("serve", "--no-browser", "--port", str(urlsplit(server).port))
    assert done.returncode == 2
    assert "cannot be used" in done.stderr and "--port 0" in done.stderr


def test_an_interrupt_ends_it_at_once_though_a_player_thinks(tmp_path: Path) -> None:
    script = """
import os, signal, threading, time
from concurrent.futures import ThreadPoolExecutor
from ipomdp.web import app
from ipomdp.web.rooms import Rooms
from nicegui import app as pages

def think():
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    time.sleep(100)

pages.on_startup(lambda: ThreadPoolExecutor().submit(think))
app.build(Rooms())
app.run("127.0.0.1", 0, show=False)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=outside(), cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "ipomdp: stopped")
