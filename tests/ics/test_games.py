"""Whole games over sockets, told as a referee in this process would have told them."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from ipomdp.errors import InvalidInput
from ipomdp.ics.client import IcsCommunicator
from ipomdp.ics.hall import Limits
from ipomdp.ics.login import Wishes
from ipomdp.ics.server import Server
from ipomdp.players.roster import board_game
from ipomdp.seats.communicator import Began, DrawOffered, Ended, Event, Heard, Moved, Told
from tests.ics.wires import Proxy, Typist, plain, seated, serving, told_locally


async def next_of(line: IcsCommunicator, kind: type[Event]) -> Event:
    """Return the next event of a kind."""
    async for event in line.events():
        if isinstance(event, kind):
            return event
    raise EOFError


async def there(server: Server, name: str) -> None:
    """Wait until somebody has logged in."""
    while name not in server.hall.accounts:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("units", [True, False], ids=["level1", "prompts"])
@pytest.mark.parametrize("colour", ["white", "black"])
def test_a_game_against_the_house_is_told_as_by_a_local_referee(units: bool, colour: str) -> None:
    async def play() -> None:
        async with serving("random", limits=Limits(longest=120)) as (server, port):
            wishes = Wishes(user="alice", match="random", colour=colour, units=units)
            line, _ = await seated(port, wishes, seed=5)
            (game,) = server.hall.played
            side = game.names.index("alice")
            assert side == ("white", "black").index(colour)
            assert line.of_the_game() == await told_locally(game.table, side, "random")

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(3))
def test_players_on_both_sides_of_a_game_over_sockets(seed: int) -> None:
    async def play() -> None:
        async with serving(limits=Limits(longest=300), seed=seed) as (server, port):
            alice = asyncio.create_task(seated(port, Wishes(user="alice"), seed=seed))
            await there(server, "alice")
            bob = asyncio.create_task(
                seated(port, Wishes(user="bob", match="alice"), seed=seed + 1)
            )
            lines = {"alice": (await alice)[0], "bob": (await bob)[0]}
            (game,) = server.hall.played
            assert game.table.result is not None and len(game.table.result.turns) > 20
            for side, name in enumerate(game.names):
                told = await told_locally(game.table, side, game.names[1 - side])
                assert lines[name].of_the_game() == told

    asyncio.run(play())


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["hs:boards=20", "ipomdp"])
def test_players_that_think_sit_over_sockets(spec: str) -> None:
    async def play() -> None:
        async with serving("random", limits=Limits(longest=40)) as (server, port):
            line, _ = await seated(port, Wishes(match="random", colour="black"), spec)
            (game,) = server.hall.played
            assert line.of_the_game() == await told_locally(game.table, 1, "random")

    asyncio.run(play())


def test_draws_are_offered_and_agreed_and_games_follow_each_other() -> None:
    async def play() -> None:
        async with serving() as (_, port):
            game = board_game("8x8")
            white = await IcsCommunicator.connect("127.0.0.1", port, game, Wishes(user="alice"))
            black = await IcsCommunicator.connect("127.0.0.1", port, game, Wishes(user="bob"))
            for _ in range(2):
                await white.challenge("bob", "white")
                began = await next_of(black, Began)
                assert isinstance(began, Began)
                assert (began.side, began.other) == (1, "alice")
                await next_of(white, Began)
                await white.attempt(game.actions.index("e2e4"))
                assert await next_of(black, Heard) == Heard(heard=0)
                moved = await next_of(white, Moved)
                assert moved == Moved(action=game.actions.index("e2e4"), heard=0)
                await black.draw()
                assert await next_of(black, DrawOffered) == DrawOffered(by_other=False)
                assert await next_of(white, DrawOffered) == DrawOffered(by_other=True)
                await white.draw()
                for line in (white, black):
                    assert await next_of(line, Ended) == Ended(winner=None, reason="agreed")
            await white.challenge("bob", "black")
            await next_of(black, Began)
            await next_of(white, Began)
            await black.resign()
            for line in (white, black):
                assert await next_of(line, Ended) == Ended(winner=1, reason="resigned")
                await line.close()

    asyncio.run(play())


def test_nothing_is_tried_out_of_turn_twice_or_without_a_game() -> None:
    async def play() -> None:
        async with serving() as (_, port):
            game = board_game("8x8")
            alice = await IcsCommunicator.connect("127.0.0.1", port, game, Wishes(user="alice"))
            bob = await IcsCommunicator.connect("127.0.0.1", port, game, Wishes(user="bob"))
            e4, e5 = map(game.actions.index, ("e2e4", "e2e5"))
            with pytest.raises(ValueError, match="no game"):
                await alice.attempt(e4)
            await alice.challenge("bob", "white")
            await next_of(alice, Began)
            await next_of(bob, Began)
            with pytest.raises(ValueError, match="other's turn"):
                await bob.attempt(e4)
            with pytest.raises(ValueError, match="not among the open tries"):
                await alice.attempt(e5)
            await alice.attempt(e4)
            with pytest.raises(ValueError, match="not answered"):
                await alice.attempt(e4)
            for line in (alice, bob):
                await line.close()
            assert [event async for event in alice.events()] == []

    asyncio.run(play())


def test_a_new_client_finds_its_game_under_way() -> None:
    """What the side did and heard follows the beginning, refusals of the turn under way too."""

    async def play() -> None:
        async with serving() as (server, port):
            one = await Typist.enter(port, "alice", "secret")
            other = await Typist.enter(port, "bob")
            await one.ask("match bob white wild 16")
            await other.until("Challenge")
            await other.type("accept")
            await one.until("<12>")
            await one.type("f2f4")
            await other.until("<12>")
            await other.type("e7e5")
            await other.until("1 pawn try")
            await one.until("1 pawn try")
            await one.ask("f4g5")
            await one.leave()
            game = board_game("8x8")
            wishes = Wishes(user="alice", password="secret")  # noqa: S106
            line = await IcsCommunicator.connect("127.0.0.1", port, game, wishes)
            events = [await next_of(line, Began)]
            async for event in line.events():
                events.append(event)
                if len(events) == 4:
                    break
            (played,) = server.hall.played
            played.table.resign(1)
            told = await told_locally(played.table, 0, "bob")
            assert [plain(event) for event in events] == told[:4]
            assert [type(e).__name__ for e in events] == ["Began", "Moved", "Heard", "Refused"]
            assert await next_of(line, Ended) == Ended(winner=0, reason="resigned")
            await line.close()
            await other.leave()

    asyncio.run(play())


@pytest.mark.parametrize("units", [True, False], ids=["level1", "prompts"])
def test_single_bytes_both_ways(units: bool) -> None:
    async def play() -> None:
        async with serving(limits=Limits(longest=24)) as (server, port):
            proxy = Proxy(port)
            proxy.to_client = proxy.to_server = lambda data: [bytes([b]) for b in data]
            async with proxy.open() as through:
                wishes = Wishes(match="random", colour="white", units=units)
                line, _ = await seated(through, wishes)
            (game,) = server.hall.played
            assert line.of_the_game() == await told_locally(game.table, 0, "random")

    asyncio.run(play())


STRAY = (
    b"\r\nsomebody shouts: buy my book\r\nfics% ",
    b"\x19[999 nobody\r\nsomething new\r\n\x19]",
    b"\x19[2 nobody\r\n<12> not a board\r\n\x19]",
    b"\r\n{Game 99 (x vs. y) x resigns} 0-1\r\nfics% ",
    b"\r\nPiece at d4 captured\r\nfics% ",
    b"\r\nbob tells you: Illegal move\r\nfics% ",
    b"\r\n\x07\x1b[2J\x00\xff\xf9 ads: 100%\r\nfics% ",
    b"\r\n<12> %bW -1 0 0 0 0 0 98 x y 0 0 0 0 0 0 0 1 none (0:00) none 0\r\nfics%% "
    % (b"-------- " * 8),
)


@pytest.mark.parametrize("units", [True, False], ids=["level1", "prompts"])
def test_messages_that_are_unknown_or_not_of_the_game_change_nothing(
    units: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="ipomdp.ics")

    async def play() -> None:
        async with serving(limits=Limits(longest=60)) as (server, port):
            proxy, count = Proxy(port), iter(range(10**9))

            def between(data: bytes) -> list[bytes | None]:
                whole = data.endswith((b"fics% ", b"\x19]"))
                return [data, STRAY[next(count) % len(STRAY)]] if whole else [data]

            proxy.to_client = between
            async with proxy.open() as through:
                wishes = Wishes(match="random", colour="black", units=units)
                line, _ = await seated(through, wishes)
            (game,) = server.hall.played
            assert line.of_the_game() == await told_locally(game.table, 1, "random")
            assert next(count) > 20
            assert Told(words="bob tells you: Illegal move") in line.kept

    asyncio.run(play())
    assert "ignored: somebody shouts" in caplog.text
    assert caplog.text.replace("\n", "").isprintable()


def cutting(proxy: Proxy, rng: np.random.Generator, *, way: str) -> list[int]:
    """Let a proxy cut the connection now and then, in the middle of what passes; count the cuts."""
    cuts: list[int] = []

    def passed(data: bytes) -> list[bytes | None]:
        in_game = b"<12>" in data or (way == "to_server" and data[:1] in b"abcdefgh")
        if not in_game or rng.random() > 0.15:
            return [data]
        cuts.append(len(data))
        # of a command all is passed or nothing: what it was must be known to the test
        part = rng.choice((0, len(data))) if way == "to_server" else rng.integers(len(data) + 1)
        return [data[:part], None]

    setattr(proxy, way, passed)
    return cuts


@pytest.mark.parametrize("units", [True, False], ids=["level1", "prompts"])
@pytest.mark.parametrize("way", ["to_client", "to_server"])
@pytest.mark.parametrize("seed", range(2))
def test_a_connection_lost_again_and_again_loses_nothing(units: bool, way: str, seed: int) -> None:
    async def play() -> None:
        async with serving(limits=Limits(longest=60), seed=seed) as (server, port):
            proxy = Proxy(port)
            cuts = cutting(proxy, np.random.default_rng(seed), way=way)
            async with proxy.open() as through:
                wishes = Wishes(
                    user="alice", password="secret", match="random", colour="white",  # noqa: S106
                    units=units, patience=0.01, attempts=20,
                )  # fmt: skip
                line, _ = await seated(through, wishes, seed=seed)
            (game,) = server.hall.played
            assert line.of_the_game() == await told_locally(game.table, 0, "random")
            assert game.table.result is not None and game.table.result.reason != "crash"
            assert len(cuts) > 2 and proxy.connections > 2
            tried = [h for h in game.table.known(0) if h.action is not None]
            assert proxy.tries == len(tried)  # nothing reached the server twice

    asyncio.run(play())


def test_a_server_that_stays_away_ends_the_line() -> None:
    async def play() -> list[Event]:
        async with serving() as (server, port):
            wishes = Wishes(match="random", colour="white", patience=0.01, attempts=2)
            line = await IcsCommunicator.connect("127.0.0.1", port, board_game("8x8"), wishes)
            await next_of(line, Began)
            await server.close()
            return [event async for event in line.events()]

    events = asyncio.run(play())
    assert events[-1] == Told(words="the server cannot be reached any longer")


@pytest.mark.parametrize("wishes", [Wishes(user="alice", password="guess"), Wishes(user="x")])  # noqa: S106
def test_a_login_that_is_refused_is_the_users_error(wishes: Wishes) -> None:
    async def play() -> None:
        async with serving() as (_, port):
            alice = await Typist.enter(port, "alice", "secret")
            with pytest.raises(InvalidInput, match="refuses the name or the password"):
                await IcsCommunicator.connect("127.0.0.1", port, board_game("8x8"), wishes)
            await alice.leave()

    asyncio.run(play())


def test_nobody_there_is_the_users_error() -> None:
    async def play() -> None:
        async with serving() as (_, port):
            pass
        with pytest.raises(InvalidInput, match=f"127.0.0.1:{port}: "):
            await IcsCommunicator.connect("127.0.0.1", port, board_game("8x8"))

    asyncio.run(play())
