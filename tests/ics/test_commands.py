"""The commands `ics-serve` and `assist`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ipomdp.commands import ics
from ipomdp.errors import InvalidInput
from ipomdp.ics.client import IcsCommunicator
from tests.test_cli import run

PATIENCE = 120


@contextmanager
def served(*options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run `ics-serve` on a free port."""
    command = [sys.executable, "-m", "ipomdp", "ics-serve", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            first = process.stderr.readline()
            found = re.fullmatch(r"ipomdp: listening on 127\.0\.0\.1:(\d+); Ctrl-C stops\n", first)
            assert found, first
            yield process, int(found[1])
        finally:
            if process.poll() is None:
                process.kill()


def rest_of(process: subprocess.Popen[str]) -> str:
    """Return what a process still says before it ends."""
    assert process.stderr is not None
    said = process.stderr.read()
    process.wait(timeout=PATIENCE)
    return said


def test_a_player_plays_the_house_from_command_to_command() -> None:
    with served("--player", "random", "--player", "hs:boards=20", "--seed", "1") as (server, port):
        command = f"assist --ics 127.0.0.1:{port} --player random --match random --side white"
        done = run(*command.split(), "--seed", "3", "--seconds", "0.1")
        assert done.returncode == 0, done.stderr
        assert re.fullmatch(
            r"(1-0|0-1|1/2-1/2) \((checkmate|stalemate|draw|length)\)\n", done.stdout
        )
        assert "a game as white against random" in done.stderr
        server.send_signal(signal.SIGINT)
        said = rest_of(server)
        assert server.returncode == 0
        assert "match hsboards20 wild 16 (hs:boards=20)" in said
        assert "game 1: Guest" in said and said.endswith("stopped\n")


def test_a_player_that_waits_is_stopped_with_a_word() -> None:
    with served("--player", "random") as (_, port):
        command = [sys.executable, "-m", "ipomdp", "assist", "--ics", f"127.0.0.1:{port}"]
        command += ["--player", "random", "--user", "alice"]
        environment = {**os.environ, ics.PASSWORD: "secret"}
        with subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, env=environment
        ) as waiting:
            assert waiting.stderr is not None
            assert waiting.stderr.readline() == "ipomdp: logged in; waiting\n"
            waiting.send_signal(signal.SIGINT)
            said = rest_of(waiting)
            assert waiting.returncode == 130
            assert said == "ipomdp: stopped\n"


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        (ics.serve, {"port": "99999"}, "--port: expected a number from 0 to 65535"),
        (ics.serve, {"port": "no"}, "--port: expected a number"),
        (ics.serve, {"player": ["random", "nobody"]}, "--player: unknown player"),
        (ics.serve, {"seconds": "0"}, "--seconds: expected a number"),
        (ics.serve, {"seed": "-1"}, "--seed: expected a number"),
        (ics.assist, {"ics": "localhost"}, "--ics: expected HOST:PORT"),
        (ics.assist, {"ics": "127.0.0.1:0"}, "--ics: expected a number"),
        (ics.assist, {"ics": "a:1", "side": "red"}, "--side: expected white or black"),
        (ics.assist, {"ics": "a:1", "user": "a\nquit"}, "--user: expected a name"),
        (ics.assist, {"ics": "a:1", "match": "a b"}, "--match: expected a name"),
        (ics.assist, {"ics": "a:1", "player": "nobody"}, "--player: unknown player"),
    ],
)
def test_options_that_cannot_be_used(
    command: Callable[..., None], options: dict[str, object], words: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        command(**options)
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("ics-serve --host nowhere.invalid --port 0 --player random", "--host, --port: "),
        ("assist --ics 127.0.0.1:1 --player random", "--ics: 127.0.0.1:1: "),
    ],
)
def test_errors_are_one_line(options: str, words: str) -> None:
    done = run(*options.split())
    assert done.returncode == 2
    assert words in done.stderr and done.stderr.count("\n") == 1


def test_a_port_that_is_taken() -> None:
    with served("--player", "random") as (_, port):
        done = run("ics-serve", "--port", str(port))
        assert done.returncode == 2 and "--host, --port" in done.stderr


def test_without_the_extra_the_page_is_the_users_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipomdp.web.assist", None)
    monkeypatch.setattr(ics, "log_aloud", lambda: None)
    with pytest.raises(InvalidInput, match=r"needs the extra `web`.*or give --player"):
        ics.assist("127.0.0.1:1")


def test_a_person_gets_the_page_over_the_same_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ics, "log_aloud", lambda: None)
    given: list[object] = []
    page = types.ModuleType("ipomdp.web.assist")
    page.run = lambda line, **_: given.append(line)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ipomdp.web", types.ModuleType("ipomdp.web"))
    monkeypatch.setitem(sys.modules, "ipomdp.web.assist", page)
    with pytest.raises(InvalidInput, match=r"--ics: 127.0.0.1:1: "):
        ics.assist("127.0.0.1:1")
    with served("--player", "random") as (_, port):
        ics.assist(f"127.0.0.1:{port}")
    (line,) = given
    assert isinstance(line, IcsCommunicator)
