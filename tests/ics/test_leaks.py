"""The server sends a side nothing about the other's pieces: other hidden moves, the same bytes."""

from __future__ import annotations

import asyncio
import re
import tracemalloc

import numpy as np
import pytest

from ipomdp.ics.seat import Seat
from ipomdp.ics.server import Server
from ipomdp.ics.style12 import decode
from ipomdp.ics.units import Unit
from ipomdp.players.roster import board_game
from ipomdp.seats.table import Table
from tests.ics.wires import PATIENCE, Typist, serving

NAMES = ("alice", "bob")
HIDDEN = (
    ("a7a6", "h7h6", "a6a5", "h6h5"),
    ("b8c6", "c6b8", "g8f6", "f6g8"),
    ("d7d5", "c8e6", "d8d6", "e8d8"),  # a double step, castling given up
    ("e7e6", "e8e7", "e7e8", "d8g5"),
)
OWN = ("g1h3", "a2a3", "h3g1", "b2b3")


def sent_to_alice(hidden: tuple[str, ...], *, level1: bool) -> bytes:
    """Return every byte that White is sent over a socket while Black plays hidden moves."""

    async def play() -> bytes:
        async with serving() as (_, port):
            alice = await Typist.enter(port, "alice", "one")
            bob = await Typist.enter(port, "bob", "two")
            await bob.ask("match alice black")
            await alice.until("Challenge")
            await alice.until("fics% ")
            if level1:
                await alice.type("set level1 1")
                await alice.until("\x19]")
            end = "\x19]" if level1 else "fics% "
            await alice.type("accept")
            await alice.until(end)
            await bob.until("<12>")
            await bob.until("fics% ")
            for own, other in zip(OWN, hidden, strict=True):
                await alice.type("e1e3", own)  # a try that is none, and one that is made
                await alice.until(end)
                await alice.until(end)
                await bob.until("fics% ")
                if other == hidden[0]:
                    await bob.ask("e7e3")
                assert "Illegal" not in await bob.ask(other)
                await alice.until(end)
            for order in ("refresh", "heard", "who", "games", "moves 1", "observe bob"):
                await alice.type(order)
                await alice.until(end)
            await alice.type("resign")
            await alice.until("} 0-1")
            await bob.leave()
            await alice.type("quit")
            await alice.end()
            await alice.leave()
            return alice.read

    return asyncio.run(play())


@pytest.mark.parametrize("level1", [False, True], ids=["prompts", "level1"])
def test_hidden_moves_that_are_announced_alike_send_the_same_bytes(level1: bool) -> None:
    first, *others = [sent_to_alice(hidden, level1=level1) for hidden in HIDDEN]
    assert all(other == first for other in others)
    assert len(re.findall(rb"<12> ", first)) > 8


def random_pair(seed: int) -> tuple[list[Unit], list[Unit], int]:
    """Play two games in step: the same own tries, told alike, and hidden moves as unlike as can be.

    Return what either seat sent, and how many hidden moves differed.
    """
    rng = np.random.default_rng(seed)
    watched = int(rng.integers(2))
    games = [board_game("8x8"), board_game("8x8")]
    tables = [Table(game, longest=80) for game in games]
    sent: list[list[Unit]] = [[], []]
    for table, units in zip(tables, sent, strict=True):
        Seat(table, watched, 1, NAMES, units.append).greet()
    unlike = 0
    while all(table.result is None for table in tables):
        if tables[0].mover == watched:
            both = set(tables[0].tries(watched).tolist()) & set(tables[1].tries(watched).tolist())
            told = [_outcome(table) for table in tables]
            alike = [action for action in both if told[0][action] == told[1][action]]
            if not alike:
                break
            action = int(rng.choice(sorted(alike)))
            for table in tables:
                table.attempt(action)
        else:
            said = [_outcome(table) for table in tables]
            pairs = [
                (one, other)
                for one, heard in said[0].items() if heard is not None
                for other, again in said[1].items() if again == heard
            ]  # fmt: skip
            if not pairs:
                break
            apart = [pair for pair in pairs if pair[0] != pair[1]] or pairs
            chosen = apart[int(rng.integers(len(apart)))]
            unlike += chosen[0] != chosen[1]
            for table, action in zip(tables, chosen, strict=True):
                table.attempt(action)
    tables[0].resign(0)
    tables[1].resign(0)
    return sent[0], sent[1], unlike


def _outcome(table: Table) -> dict[int, int | None]:
    """Return what the referee says of each try: ``None`` for a refusal."""
    state, side, game = table.so_far().final, table.mover, table.game
    legal = np.flatnonzero(game.legal(np.array([state]), side)[0])
    play = (legal, None) if side == 0 else (None, legal)
    heard = game.play(np.full(legal.size, state), play).heard[0]
    found: dict[int, int | None] = dict.fromkeys(table.tries(side).tolist())
    found.update(zip(legal.tolist(), heard.tolist(), strict=True))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_random_games_told_alike_are_sent_alike(seed: int) -> None:
    one, other, unlike = random_pair(seed)
    shared = min(len(one), len(other)) - 1  # an end by the rules may come in one of them alone
    assert one[:shared] == other[:shared]
    assert unlike >= 3 and shared > 6


def test_boards_show_a_side_its_own_pieces_and_fields_of_its_own() -> None:
    seen = 0
    for seed in range(6):
        one, _, _ = random_pair(seed)
        for line in (line for unit in one for line in unit.message.splitlines()):
            if not line.startswith("<12>"):
                continue
            board = decode(line)
            assert board.side is not None
            side, other = board.side, 1 - board.side
            assert all(letter.isupper() == (side == 0) for letter in board.pieces.values())
            assert board.castling[2 * other : 2 * other + 2] == (False, False)
            assert board.strength[other] == board.irreversible == 0
            assert board.double_step == -1 and board.clocks == (0, 0) and board.elapsed == "(0:00)"
            if board.turn == side:  # the other has moved
                assert (board.long_move, board.move) == ("none", "none")
            seen += 1
    assert seen > 50


def test_a_refused_try_is_not_told_to_the_other() -> None:
    async def play() -> bytes:
        async with serving() as (_, port):
            alice, bob = await Typist.enter(port, "alice"), await Typist.enter(port, "bob")
            await bob.ask("match alice black")
            await alice.until("Challenge")
            await alice.type("accept")
            await alice.until("<12>")
            await bob.until("<12>")
            await bob.until("fics% ")
            before = len(bob.read)
            for illegal in ("e1e3", "e2e5", "a1a5", "e2d3"):
                await alice.type(illegal)
                await alice.until("Illegal move")
            await bob.ask("who")
            await alice.leave()
            await bob.leave()
            return bob.read[before:]

    assert b"Illegal" not in asyncio.run(play())


def test_megabytes_do_not_stay_in_memory() -> None:
    async def play() -> int:
        server = Server(("random",))
        _, port = await server.start()
        async with asyncio.timeout(PATIENCE):
            eve = await Typist.enter(port, "eve")
            tracemalloc.start()
            try:
                for _ in range(16):
                    await eve.send(b"x" * (1 << 20))
            except ConnectionError:
                pass
            await eve.end()
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            await eve.leave()
            await server.close()
        return most

    assert asyncio.run(play()) < 8 << 20  # of 16 that were sent; what the test holds is among it
