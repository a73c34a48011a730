"""The server: logins, challenges, commands, and what it puts up with."""

from __future__ import annotations

import asyncio
import contextlib
import random

import pytest

from ipomdp.game import BoardGame
from ipomdp.ics.client import IcsCommunicator
from ipomdp.ics.hall import Limits
from ipomdp.ics.house import HANDLE, handles
from ipomdp.ics.login import Wishes
from ipomdp.ics.server import Server
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.player import Player
from ipomdp.players.roster import board_game
from ipomdp.seats.communicator import Event, Told
from tests.ics.wires import PATIENCE, Typist, serving


def test_handles_of_the_house_are_names_and_differ() -> None:
    specs = ["random", "ipomdp", "ipomdp:level=2", "hs:boards=200,depth=1", "hs:boards=200,depth=2",
             "hs:boards=200,depth=3", "random"]  # fmt: skip
    found = handles(specs)
    assert list(found.values()) == list(dict.fromkeys(specs))
    assert found["random"] == "random"
    assert found["ipomdplevel2"] == "ipomdp:level=2"
    assert all(map(HANDLE.fullmatch, found))


async def two(port: int, *, colour: str = "white") -> tuple[Typist, Typist]:
    """Let alice and bob start a game."""
    alice, bob = await Typist.enter(port, "alice", "one"), await Typist.enter(port, "bob", "two")
    assert "Issuing: alice" in await alice.ask(f"match bob {colour} wild 16")
    await bob.until("Challenge: alice")
    await bob.until("fics% ")
    await bob.type("accept alice")
    await alice.until("<12>")
    await alice.until("fics% ")
    await bob.until("<12>")
    await bob.until("fics% ")
    return alice, bob


def test_a_game_between_two_who_type() -> None:
    async def play() -> None:
        async with serving() as (server, port):
            alice, bob = await two(port)
            assert "It is not your move." in await bob.ask("e7e5")
            assert "Illegal move (e2e5)." in await alice.ask("e2e5")
            assert "P/e2-e4 (0:00) e2e4" in await alice.ask("e4")
            assert "none (0:00) none" in await bob.until("fics% ")
            await bob.ask("d7-d5")
            assert "1 pawn try" in await alice.until("fics% ")
            assert "Ambiguous" not in await alice.ask("exd5")
            heard = await bob.until("fics% ")
            assert (
                "Pawn at d5 captured" in heard and "P" not in heard.split("<12>")[1].split(" W ")[0]
            )
            assert "Queen" not in await bob.ask("Qxd5")
            heard = await alice.until("fics% ")
            assert (
                "Pawn at d5 captured" in heard and "q" not in heard.split("<12>")[1].split(" W ")[0]
            )
            listed = (await alice.ask("heard")).splitlines()
            assert listed[1:-1] == [
                "Heard in game 1 (4):",
                ":e2e4 Nothing",
                ":- 1 pawn try",
                ":e4d5 Pawn at d5 captured",
                ":- Pawn at d5 captured",
            ]
            assert "cannot be observed" in await alice.ask("observe 1")
            assert "cannot be observed" in await alice.ask("$moves 1")
            assert "<12>" in await alice.ask("refresh")
            assert "A move was made" in await alice.ask("abort")
            await bob.type("resign")
            assert "{Game 1 (alice vs. bob) bob resigns} 1-0" in await alice.until("fics% ")
            assert "{Game 1 (alice vs. bob) bob resigns} 1-0" in await bob.until("fics% ")
            assert "not playing" in await alice.ask("d2d4")
            assert server.hall.games == {}
            await alice.leave()
            await bob.leave()

    asyncio.run(play())


def test_castling_and_promotion_as_clients_write_them() -> None:
    async def play() -> None:
        async with serving() as (server, port):
            alice, bob = await two(port)
            moves = ["g1f3 a7a5", "g2g3 a5a4", "f1g2 a4a3", "o-o a3b2", "b1c3 b2a1=q"]
            for white, black in (pair.split() for pair in moves):
                shown = await alice.ask(white)
                assert "<12>" in shown and "Illegal" not in shown
                await bob.until("fics% ")
                shown = await bob.ask(black)
                assert "<12>" in shown and "Illegal" not in shown
                await alice.until("fics% ")
            assert "q-------" in shown
            (game,) = server.hall.played
            names = [game.table.game.actions[turn.action] for turn in game.table.so_far().turns]
            assert names[6] == "e1g1" and names[-1] == "b2a1q"
            board = (await alice.ask("refresh")).split()
            assert board[board.index("W") + 2 : board.index("W") + 6] == ["0", "0", "0", "0"]
            board = (await bob.ask("refresh")).split()
            assert board[board.index("W") + 2 : board.index("W") + 6] == ["0", "0", "1", "1"]
            await alice.leave()
            await bob.leave()

    asyncio.run(play())


def test_challenges() -> None:
    async def play() -> None:
        async with serving("random") as (_, port):
            alice = await Typist.enter(port, "alice")
            bob, carol = await Typist.enter(port, "Bob"), await Typist.enter(port, "guest")
            assert "is not logged in" in await alice.ask("match nobody")
            assert "against yourself" in await alice.ask("match ALICE")
            assert "Only wild 16" in await alice.ask("match bob wild 5")
            assert "unrated" in await alice.ask("match bob 5 0 rated w16")
            assert "no such challenge" in await bob.ask("accept")
            await alice.ask("match bob 2 12 kriegspiel")
            await carol.ask("match bob w16 black u")
            await bob.until("Challenge: Guest")
            await bob.until("fics% ")
            assert "Whose challenge?" in await bob.ask("accept")
            await bob.ask("decline alice")
            assert "Bob declines" in await alice.until("fics% ")
            await bob.type("accept")
            assert "Creating: Bob (++++) Guest" in await bob.until("fics% ")
            assert "wild/16" in await carol.until("fics% ")
            assert "is playing" in await alice.ask("match bob")
            games = await alice.ask("games")
            assert "1 Bob vs. Guest" in games and "<12>" not in games
            assert "random (the house: random)" in await alice.ask("who")
            await carol.type("abort")
            assert "Game aborted on move 1} *" in await bob.until("fics% ")
            assert "0 under way" in await alice.ask("games")
            for typist in (alice, bob, carol):
                await typist.leave()

    asyncio.run(play())


def test_talk_is_short_and_cannot_pass_for_the_referee() -> None:
    async def play() -> None:
        async with serving("random") as (_, port):
            alice, bob = await two(port)
            assert "told bob" in await alice.ask("say " + "x" * 500)
            heard = await bob.until("fics% ")
            assert "alice says: " + "x" * 200 + "\r\n" in heard
            await alice.ask("tell bob \x19]\x1b[2JPawn at e5 captured")
            assert "\nalice tells you: ][2JPawn at e5 captured" in await bob.until("fics% ")
            assert "does not talk" in await alice.ask("tell random hello")
            assert "not logged in" in await alice.ask("tell nobody hello")
            assert "Command not found" in await alice.ask("frobnicate")
            assert "match NAME" in await alice.ask("help")
            await alice.leave()
            await bob.leave()

    asyncio.run(play())


def test_names_and_passwords() -> None:
    async def play() -> None:
        async with serving("random") as (_, port):
            typist = Typist(*await asyncio.open_connection("127.0.0.1", port))
            for name in ("random", "no spaces", "\x1b[31m"):
                await typist.until("login: ")
                await typist.type(name)
            assert "Goodbye" in await typist.end()
            alice, bob = await two(port)
            thief = Typist(*await asyncio.open_connection("127.0.0.1", port))
            for _ in range(3):
                await thief.until("login: ")
                await thief.type("alice")
                await thief.until("password: ")
                await thief.type("guess")
            shown = await thief.end()
            assert "Invalid password" in shown and "<12>" not in shown
            again = await Typist.enter(port, "Alice", "one")  # the same name, and the password
            assert "Continuing unrated wild/16" in await again.until("<12>")
            assert "from somewhere else" in await alice.end()
            assert "alice is back" in await bob.until("fics% ")
            for somebody in (typist, thief, alice, again, bob):
                await somebody.leave()

    asyncio.run(play())


def test_who_leaves_loses_unless_back_in_time() -> None:
    async def play() -> None:
        async with serving(limits=Limits(grace=0.3)) as (server, port):
            alice, bob = await two(port)
            await alice.leave()
            assert "has lost the connection; the game waits" in await bob.until("fics% ")
            assert "alice forfeits by disconnection} 0-1" in await bob.until("fics% ")
            assert "alice" not in server.hall.accounts
            guest = await Typist.enter(port, "guest")  # nobody can come back as a guest
            await guest.ask("match bob")
            await bob.until("fics% ")
            await bob.type("accept")
            await bob.until("<12>")
            await guest.leave()
            assert "forfeits by disconnection}" in await bob.until("}")
            await bob.leave()

    asyncio.run(play())


def test_the_result_waits_for_one_who_comes_back() -> None:
    async def play() -> None:
        async with serving() as (_, port):
            alice, bob = await two(port)
            await alice.leave()
            await bob.until("has lost the connection")
            await bob.ask("resign")
            back = await Typist.enter(port, "alice", "one")
            assert "bob resigns} 1-0" in await back.ask("heard")
            await back.leave()
            await bob.leave()

    asyncio.run(play())


def test_a_player_of_the_house_that_fails_loses() -> None:
    class Failing(RandomPlayer):
        def propose(self, *_: object) -> int:
            raise RuntimeError("no idea")

    def made(names: tuple[str, str]) -> tuple[BoardGame, dict[int, Player]]:
        board = board_game("8x8")
        return board, {names.index("random"): Failing(board)}

    async def play() -> None:
        async with serving("random") as (server, port):
            server.hall._made = made  # type: ignore[method-assign]
            alice = await Typist.enter(port, "alice")
            await alice.type("match random black")
            assert "random forfeits by disconnection} 0-1" in await alice.until("} 0-1")
            await alice.leave()

    asyncio.run(play())


# what the server puts up with


def test_megabytes_without_an_end_are_not_taken() -> None:
    async def play() -> None:
        async with serving() as (_, port):
            alice, bob = await two(port)
            hostile = [await Typist.enter(port, "eve"), await Typist.enter(port, "guest")]
            hostile.append(Typist(*await asyncio.open_connection("127.0.0.1", port)))
            for typist in hostile:
                try:
                    for _ in range(128):
                        await typist.send(b"x" * 65536)
                except ConnectionError:
                    continue
            for typist in hostile:
                await typist.end()  # it comes
                await typist.leave()
            assert "e2e4" in await alice.ask("e2e4")  # the others play on
            await alice.leave()
            await bob.leave()

    asyncio.run(play())


def test_the_reason_is_said_to_one_who_types_too_long_a_line() -> None:
    async def play() -> None:
        async with serving(limits=Limits(line=100)) as (_, port):
            alice = await Typist.enter(port, "alice")
            await alice.type("tell " + "x" * 200)
            assert "too long" in await alice.end()
            await alice.leave()

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(3))
def test_garbage_and_half_lines_harm_nobody(seed: int) -> None:
    async def play() -> None:
        rng = random.Random(seed)  # noqa: S311
        async with serving(limits=Limits(commands=1e6)) as (_, port):
            alice, bob = await two(port)
            for name in (None, "eve", "guest"):
                eve = (
                    Typist(*await asyncio.open_connection("127.0.0.1", port))
                    if name is None
                    else await Typist.enter(port, name)
                )
                try:
                    await eve.send(rng.randbytes(20000).replace(b"\n", b"\r") + b"\nmatch al")
                    for line in (
                        "accept",
                        "match",
                        "tell",
                        "move",
                        "$",
                        "  ",
                        "e2",
                        "draw",
                        "set",
                        "=",
                    ):
                        await eve.type(line)
                    await eve.send(b"e2e")
                except ConnectionError:
                    pass
                await eve.leave()
            assert "e2e4" in await alice.ask("e2e4")
            await alice.leave()
            await bob.leave()

    asyncio.run(play())


def test_caps_on_connections_and_games() -> None:
    async def play() -> None:
        async with serving("random", limits=Limits(connections=3, games=1)) as (_, port):
            alice, bob = await two(port)
            carol = await Typist.enter(port, "carol")
            assert "Too many games" in await carol.ask("match random")
            more = Typist(*await asyncio.open_connection("127.0.0.1", port))
            assert "Too many are here" in await more.end()
            for typist in (alice, bob, carol, more):
                await typist.leave()

    asyncio.run(play())


def test_commands_beyond_the_rate_wait() -> None:
    async def play() -> float:
        async with serving(limits=Limits(commands=50, burst=5)) as (_, port):
            alice = await Typist.enter(port, "alice")
            before = asyncio.get_running_loop().time()
            await alice.type(*["who"] * 30)
            for _ in range(30):
                await alice.until("fics% ")
            await alice.leave()
            return asyncio.get_running_loop().time() - before

    assert asyncio.run(play()) > 0.4  # 25 of them, 50 a second


def test_one_who_never_reads_is_dropped() -> None:
    async def play() -> None:
        limits = Limits(unread=20_000, commands=1e6, burst=10**6)
        async with serving(limits=limits) as (server, port):
            alice = await Typist.enter(port, "alice")
            with contextlib.suppress(ConnectionError):
                await alice.send(b"help\n" * 50_000)
            while server._sessions:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert "alice" not in server.hall.accounts
            await alice.leave()

    asyncio.run(play())


def test_one_who_never_logs_in_is_dropped() -> None:
    async def play() -> None:
        async with serving(limits=Limits(login=0.2)) as (_, port):
            typist = Typist(*await asyncio.open_connection("127.0.0.1", port))
            assert "login" in await typist.end()
            await typist.leave()

    asyncio.run(play())


def test_the_server_stops_while_games_are_on() -> None:
    async def play() -> str:
        server = Server(("random",), seconds=0.05)
        _, port = await server.start()
        alice = await Typist.enter(port, "alice", "x")
        await alice.type("match random white")
        await alice.until("<12>")
        await server.close()
        last = await alice.end()
        await alice.leave()
        return last

    assert "The server stops" in asyncio.run(play())


# a hostile server


FLOODS = {
    "no end of a line": b"x" * 65536,
    "no end of a unit": b"y\r\n" * 20_000,
    "no end of messages": b"bob says: hello\r\nfics% " * 3000,
}


@pytest.mark.parametrize(
    ("flood", "early"),
    [*((flood, False) for flood in FLOODS), ("no end of a line", True), ("no end of a unit", True)],
)
def test_a_server_that_floods_is_hung_up_on(flood: str, early: bool) -> None:
    async def harm(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not early:
                writer.write(b"login: ")
                await reader.readline()
                writer.write(b"fics% ")
                await reader.readline()
            if flood == "no end of a unit":
                writer.write(b"\x19[2 eve\r\n")
            while True:
                writer.write(FLOODS[flood])
                await writer.drain()
        except ConnectionError:
            writer.close()

    async def play() -> list[Event]:
        server = await asyncio.start_server(harm, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        line = IcsCommunicator("127.0.0.1", port, board_game("8x8"), Wishes(login=PATIENCE))
        try:
            async with asyncio.timeout(PATIENCE):
                if not early:
                    await line.open()
                    while not line._running.done():  # type: ignore[union-attr] # noqa: ASYNC110
                        await asyncio.sleep(0.05)
                return [event async for event in line.events()]
        finally:
            await line.close()
            server.close()
            await asyncio.sleep(0.1)

    last = asyncio.run(play())[-1]
    assert isinstance(last, Told) and "hung up: the server sent" in last.words
